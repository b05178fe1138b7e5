"""A game played in the terminal: moves and commands typed by a person, and a search's answers."""

from __future__ import annotations

import contextlib
import datetime
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.cli.interrupt import interruptible
from plyground.cli.output import count_text, seconds_text
from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.core.outcome import Outcome
from plyground.core.records.record import GameRecord
from plyground.search.result import Limits, SearchResult, limits_for_move
from plyground.search.searcher import Searcher

if TYPE_CHECKING:
    from rich.console import Console

COMMANDS = {
    "undo": "take back your last move, and what was answered to it",
    "hint": "ask the engine for a move",
    "moves": "list the legal moves",
    "board": "show the position again",
    "rules": "show the rules of the game",
    "save": "save FILE: write a record of the game",
    "resign": "give up",
    "quit": "leave the game as it is",
    "help": "show this",
}


@dataclass(frozen=True)
class PlayedMove:
    """A move of the game: where, how long it took, and what the search found if one chose it."""

    position: Position
    move: int
    seconds: float
    result: SearchResult | None = None


@dataclass(frozen=True)
class Thinker:
    """A searcher with its limits. It is set up when it is first asked."""

    make: Callable[[], Searcher]
    limits: Limits
    seed: int | None = None

    def think(self, position: Position, screen: Console) -> SearchResult:
        """Search. A terminal shows how far the search is, and Ctrl-C ends it."""
        player = position.game.players[position.turn]
        searcher = interruptible(self.make)
        limits = limits_for_move(position, self.limits)
        status = screen.status(f"{player} is thinking", spinner="dots")

        def show(result: SearchResult) -> None:
            move = position.move_text(result.move)
            status.update(f"{player} is thinking: {move}, depth {result.depth}")

        with status if screen.is_terminal else contextlib.nullcontext():
            return interruptible(
                lambda: searcher.search(position, limits, seed=self.seed, progress=show),
                searcher.stop,
            )


@dataclass
class RecordFile:
    """Writes records of one game, and never over a file that it has not written itself."""

    path: Path | None
    """Written after every move; None for no such file."""
    options: Mapping[str, str]
    players: tuple[str, str]
    clock: str
    date: str = field(default_factory=lambda: datetime.date.today().isoformat())
    _written: set[Path] = field(default_factory=set)

    def update(self, game: TerminalGame) -> None:
        if self.path is not None:
            self.save_as(game, self.path)

    def save_as(self, game: TerminalGame, path: Path) -> None:
        if path not in self._written and path.exists():
            raise PlygroundError(f"{path} exists already; choose another name for the record")
        self._record(game).save(path)
        self._written.add(path)

    def _record(self, game: TerminalGame) -> GameRecord:
        record = GameRecord.begin(
            game.start,
            options=self.options,
            players=self.players,
            date=self.date,
            clock=self.clock,
        )
        for played in game.moves:
            result = played.result if played.result is not None and played.result.depth else None
            record = record.append(
                played.move,
                seconds=round(played.seconds, 3),
                evaluation=None if result is None else result.value,
                depth=None if result is None else result.depth,
            )
        return record if game.resigned is None else record.ended(game.resigned)


class TerminalGame:
    """One game between people and a search, or either of them alone."""

    def __init__(
        self,
        start: Position,
        humans: frozenset[int],
        *,
        opponent: Thinker,
        adviser: Thinker,
        record: RecordFile,
        screen: Console,
    ) -> None:
        self.start = start
        self.moves: list[PlayedMove] = []
        self.resigned: Outcome | None = None
        self._humans = humans
        self._opponent, self._adviser = opponent, adviser
        self._record, self._screen = record, screen
        self._read_line = _line_reader(screen)
        self._left = False

    @property
    def position(self) -> Position:
        if not self.moves:
            return self.start
        last = self.moves[-1]
        return last.position.play(last.move)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self.resigned is not None:
            return self.resigned
        return self.position.outcome if self.position.is_over else None

    def run(self) -> None:
        """Play until the game is over or left."""
        self._record.update(self)
        self._show_board()
        while self.outcome is None and not self._left:
            if self.position.turn in self._humans:
                self._read_turn()
            else:
                self._search_turn()
        self._show_result()

    def _read_turn(self) -> None:
        """Read a line from a person: a move or a command. A wrong one changes nothing."""
        started = time.monotonic()
        try:
            line = self._read_line(f"{self._player(self.position.turn)}> ").strip()
        except EOFError:
            self._left = True
            return
        word, _, rest = line.partition(" ")
        if word.lower() in COMMANDS:
            self._run_command(word.lower(), rest.strip())
        elif line:
            try:
                move = self.position.parse_move(line)
            except PlygroundError as error:
                self._say(f"{error}")
                return
            self._play(PlayedMove(self.position, move, time.monotonic() - started))

    def _search_turn(self) -> None:
        position = self.position
        result = self._opponent.think(position, self._screen)
        self._screen.print(f"{self._player(position.turn)} plays ", end="")
        self._screen.print(position.move_text(result.move), style="bold cyan", end=" ")
        self._screen.print(_reasons(result), style="dim", soft_wrap=True)
        self._play(PlayedMove(position, result.move, result.seconds, result))

    def _play(self, played: PlayedMove) -> None:
        self.moves.append(played)
        self._record.update(self)
        self._show_board()

    # Commands

    def _run_command(self, command: str, argument: str) -> None:
        actions: dict[str, Callable[[], None]] = {
            "undo": self._undo,
            "hint": self._hint,
            "moves": self._list_moves,
            "board": self._show_board,
            "rules": self._show_rules,
            "save": lambda: self._save(argument),
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
        for count in range(len(self.moves) - 1, -1, -1):
            if self.moves[count].position.turn in self._humans:
                del self.moves[count:]
                self._record.update(self)
                self._show_board()
                return
        self._say("there is nothing to take back")

    def _hint(self) -> None:
        try:
            result = self._adviser.think(self.position, self._screen)
        except PlygroundError as error:
            self._say(f"{error}")
            return
        self._say(f"perhaps {self.position.move_text(result.move)}", _reasons(result))

    def _list_moves(self) -> None:
        position = self.position
        names = [position.move_text(move) for move in position.legal_moves]
        self._say(f"{len(names)} moves: {' '.join(names)}")

    def _show_rules(self) -> None:
        self._say(self.start.game.rules_text or "the game's file does not tell its rules")

    def _save(self, name: str) -> None:
        if not name:
            self._say("save where? Say: save FILE")
            return
        try:
            self._record.save_as(self, Path(name))
        except PlygroundError as error:
            self._say(f"{error}")
            return
        self._say(f"saved as {name}")

    def _resign(self) -> None:
        turn = self.position.turn
        self.resigned = Outcome.resignation(turn, self._player(turn))
        self._record.update(self)

    def _quit(self) -> None:
        self._left = True

    def _help(self) -> None:
        self._say("a move, as 'moves' lists them, or:")
        for command, meaning in COMMANDS.items():
            self._say(f"  {command:8}{meaning}")

    # Output

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

    def _show_result(self) -> None:
        outcome = self.outcome
        if outcome is None:
            self._say("the game is not finished; goodbye")
            return
        winner = "a draw" if outcome.winner is None else f"{self._player(outcome.winner)} wins"
        self._screen.print(f"{outcome.score}  ", style="bold", end="")
        self._say(f"{winner}: {outcome.reason}" if outcome.reason != winner else winner)


def _reasons(result: SearchResult) -> str:
    """What the search found: the value, how much it has visited, how it expects to go on."""
    if not result.depth:
        return ""
    visited = f"depth {result.depth}, {count_text(result.nodes)} nodes"
    other = "" if result.evaluation in ("own", None) else f", evaluation {result.evaluation}"
    line = " ".join(result.line_text[1:9])
    return f"({result.value_text}; {visited}, {seconds_text(result.seconds)}{other})" + (
        f" then {line}" if line else ""
    )


def _line_reader(screen: Console) -> Callable[[str], str]:
    """Shows a prompt and returns a line. Lines that are not typed are shown as if they were."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  makes the arrow keys work
        return input

    def read(prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        screen.print(f"{prompt}{line}".rstrip(), soft_wrap=True)
        return line

    return read
