"""A game played in the terminal: a conversation of moves and commands.

`Session` holds the game and answers what is typed; it knows nothing of files, options or threads.
Every change of the game is told to `kept`, so that whoever wants a record never misses a move.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.core.errors import PlygroundError
from plyground.core.outcome import Outcome
from plyground.core.position import Position
from plyground.search.result import SearchResult

if TYPE_CHECKING:
    from rich.console import Console

Think = Callable[[Position], SearchResult]
Read = Callable[[str], str]
"""Shows a prompt and returns a line; raises EOFError when there is no more."""

COMMANDS = {
    "undo": "take back your last move, and what was answered to it",
    "hint": "ask the engine for a move",
    "moves": "list the legal moves",
    "board": "show the position again",
    "save": "save FILE: write a record of the game",
    "resign": "give up",
    "quit": "leave the game as it is",
    "help": "show this",
}


@dataclass(frozen=True)
class Ply:
    """A move that was played: where, how long it took, and what a search said if one chose it."""

    position: Position
    move: int
    seconds: float
    result: SearchResult | None = None


class Session:
    """One game between people and a search, or either of them alone."""

    def __init__(
        self,
        start: Position,
        humans: frozenset[int],
        *,
        think: Think,
        hint: Think,
        read: Read,
        screen: Console,
        kept: Callable[[Session], None],
        save: Callable[[Session, Path], None],
    ) -> None:
        self.start = start
        self.humans = humans
        self.plies: list[Ply] = []
        self.resigned: Outcome | None = None
        self._left = False
        self._think, self._hint, self._read = think, hint, read
        self._screen, self._kept, self._save = screen, kept, save

    @property
    def position(self) -> Position:
        if not self.plies:
            return self.start
        last = self.plies[-1]
        return last.position.play(last.move)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self.resigned is not None:
            return self.resigned
        return self.position.outcome if self.position.is_over else None

    # The conversation

    def run(self) -> None:
        """Play until the game is over or left."""
        self._kept(self)
        self._show_board()
        while self.outcome is None and not self._left:
            if self.position.turn in self.humans:
                self._ask()
            else:
                self._answer()
        self._tell_result()

    def _ask(self) -> None:
        """A person's turn: a line, command or move. A mistake is told, and nothing is lost."""
        player = self._player(self.position.turn)
        asked = time.monotonic()
        try:
            line = self._read(f"{player}> ").strip()
        except EOFError:
            self._left = True
            return
        word, _, rest = line.partition(" ")
        if word.lower() in COMMANDS:
            self._obey(word.lower(), rest.strip())
        elif line:
            try:
                move = self.position.parse_move(line)
            except PlygroundError as error:
                self._say(f"{error}")
                return
            self._play(Ply(self.position, move, time.monotonic() - asked))

    def _answer(self) -> None:
        """The search's turn."""
        position = self.position
        result = self._think(position)
        self._say_move(position, result)
        self._play(Ply(position, result.move, result.seconds, result))

    def _play(self, ply: Ply) -> None:
        self.plies.append(ply)
        self._kept(self)
        self._show_board()

    # Commands

    def _obey(self, command: str, argument: str) -> None:
        actions: dict[str, Callable[[], None]] = {
            "undo": self._undo,
            "hint": self._give_hint,
            "moves": self._list_moves,
            "board": self._show_board,
            "save": lambda: self._save_as(argument),
            "resign": self._resign,
            "quit": self._quit,
            "help": self._help,
        }
        if argument and command != "save":
            self._say(f"{command} stands alone: {command}, not {command} {argument}")
            return
        actions[command]()

    def _undo(self) -> None:
        """Back to the last earlier position in which a person was to move."""
        for count in range(len(self.plies) - 1, -1, -1):
            if self.plies[count].position.turn in self.humans:
                del self.plies[count:]
                self._kept(self)
                self._show_board()
                return
        self._say("there is nothing to take back")

    def _give_hint(self) -> None:
        try:
            result = self._hint(self.position)
        except PlygroundError as error:
            self._say(f"{error}")
            return
        move = self.position.move_text(result.move)
        self._say(f"perhaps {move}", self._reasons(result))

    def _list_moves(self) -> None:
        position = self.position
        names = [position.move_text(move) for move in position.legal_moves]
        self._say(f"{len(names)} moves: {' '.join(names)}")

    def _save_as(self, name: str) -> None:
        if not name:
            self._say("save where? Say: save FILE")
            return
        try:
            self._save(self, Path(name))
        except PlygroundError as error:
            self._say(f"{error}")
            return
        self._say(f"saved as {name}")

    def _resign(self) -> None:
        turn = self.position.turn
        self.resigned = Outcome.resignation(turn, self._player(turn))
        self._kept(self)

    def _quit(self) -> None:
        self._left = True

    def _help(self) -> None:
        self._say("a move, as 'moves' lists them, or:")
        for command, meaning in COMMANDS.items():
            self._say(f"  {command:8}{meaning}")

    # What is shown

    def _player(self, player: int) -> str:
        return self.start.game.players[player]

    def _say(self, text: str, aside: str = "") -> None:
        self._screen.print(text, end=" " if aside else "\n", soft_wrap=True)
        if aside:
            self._screen.print(aside, style="dim", soft_wrap=True)

    def _show_board(self) -> None:
        self._screen.print()
        for line in self.position.picture.splitlines():
            self._screen.print(f"  {line}".rstrip(), soft_wrap=True)
        self._screen.print()

    def _say_move(self, position: Position, result: SearchResult) -> None:
        player = self._player(position.turn)
        self._screen.print(f"{player} plays ", end="")
        self._screen.print(position.move_text(result.move), style="bold cyan", end=" ")
        self._screen.print(self._reasons(result), style="dim", soft_wrap=True)

    def _reasons(self, result: SearchResult) -> str:
        """What the search thinks: the value, how much it has seen, how it expects to go on."""
        from plyground.cli.output import count_text, seconds_text

        if not result.depth:
            return ""
        seen = f"depth {result.depth}, {count_text(result.nodes)} nodes"
        line = " ".join(result.line_text[1:9])
        return f"({result.value_text}; {seen}, {seconds_text(result.seconds)})" + (
            f" then {line}" if line else ""
        )

    def _tell_result(self) -> None:
        outcome = self.outcome
        if outcome is None:
            self._say("the game is not finished; goodbye")
            return
        winner = "a draw" if outcome.winner is None else f"{self._player(outcome.winner)} wins"
        self._screen.print(f"{outcome.score}  ", style="bold", end="")
        self._say(f"{winner}: {outcome.reason}" if outcome.reason != winner else winner)
