"""A game session: one game with its variations, players and clock, and the rules for changing it.

No I/O and no clock here: every action gets `now`, in seconds of a monotonic clock. A refused action
raises a PlygroundError and leaves the session unchanged; every change increments `version`, and
`revision` if it changes what the session's file holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import ConfigDict, Field

from plyground.core.game import Game, Option, Position
from plyground.core.outcome import Ending, Outcome
from plyground.web.catalogue import first_position
from plyground.web.protocol.models import ClockSpec, EvaluationWord, LiveSpec, PlayerSpecModel, Text
from plyground.web.sessions.variation_tree import SessionError, VariationNode, VariationTree

HUMAN = PlayerSpecModel(kind="human")


@dataclass(frozen=True)
class SessionSetup:
    """The settings of a session: enough to create another one like it."""

    game: Game
    options: dict[str, Option] = field(default_factory=dict)
    text: str | None = None
    """A position's text; None for the start of the game."""
    players: tuple[PlayerSpecModel, PlayerSpecModel] = (HUMAN, HUMAN)
    clock: ClockSpec | None = None
    live: LiveSpec | None = None


@dataclass
class RecordHeaders:
    """Headers of an imported record, kept for its export. Storage validates it with pydantic."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    names: tuple[Text, Text] = ("", "")
    date: Text = ""
    event: Text = ""
    clock: Text = ""
    tags: Annotated[tuple[tuple[Text, Text], ...], Field(max_length=1000)] = ()


@dataclass(frozen=True)
class ChosenMove:
    """A move, with the time, value, depth and evaluation of its choice."""

    move: str
    seconds: float | None = None
    """Of a search: as its worker measured them, without waiting."""
    value: int | None = None
    depth: int | None = None
    evaluation: EvaluationWord | None = None


@dataclass
class Stopwatch:
    """How long the person to move has been thinking. It stands while the game is paused or
    suspended."""

    spent: float = 0.0
    since: float | None = None
    """When it was last started; None while it stands."""

    def start(self, now: float) -> None:
        if self.since is None:
            self.since = now

    def stop(self, now: float) -> None:
        self.spent, self.since = self.read(now), None

    def read(self, now: float) -> float:
        return self.spent if self.since is None else self.spent + max(0.0, now - self.since)

    def reset(self) -> None:
        self.spent, self.since = 0.0, None


@dataclass
class SessionClock:
    """The time for the whole game that each side had left when the current move began.

    A person is charged the time on the stopwatch. A search is charged the seconds that its worker
    measured, so waiting for a free worker costs nothing.
    """

    seconds: float
    increment: float
    """Seconds that a side gets after each of its moves."""
    left: list[float]

    def is_enough(self, player: int, seconds: float) -> bool:
        """Whether a player has more than that much time left."""
        return seconds < self.left[player]

    def charge(self, player: int, seconds: float) -> None:
        """Charge a player for a move, and add the increment."""
        assert self.is_enough(player, seconds)
        self.left[player] += self.increment - seconds

    def give_back(self, player: int, seconds: float) -> None:
        """Undo the charge of a move that is taken back."""
        self.left[player] = max(0.0, self.left[player] + seconds - self.increment)

    @property
    def words(self) -> str:
        more = f", {self.increment:g} s more after each move" if self.increment else ""
        return f"{self.seconds:g} s for the game{more}"


@dataclass
class LiveState:
    """A live game: one ply every `seconds`, whether or not a move was chosen.

    A person steers with keys; the last key before a ply counts.
    """

    seconds: float
    running: bool = False
    key: str | None = None
    """The last key since the person's last ply."""
    prepared: bool = False
    """Whether the searches of its computer players are compiled and loaded. The first ply waits for
    that: otherwise these players would be idle meanwhile."""


def move_for_key(position: Position, key: str | None) -> int:
    """The move of a key in a live game; the idle move if the key has none."""
    if key is not None:
        for move in position.legal_moves:
            if position.move_key(move) == key:
                return move
    return position.idle


class GameSession:
    """One game. Not thread-safe: one action at a time."""

    def __init__(self, name: str, setup: SessionSetup, moves: Sequence[str] = ()) -> None:
        """A new session; `moves` are played without clock."""
        if setup.live is not None and not setup.game.is_live:
            raise SessionError(f"{setup.game.title} cannot be played live")
        if setup.live is not None and setup.clock is not None:
            raise SessionError("a live game has its own pace: it cannot have a clock as well")
        self.id = name
        self.version = 1
        self.revision = 1
        self.setup = setup
        self.tree = VariationTree(first_position(setup.game, setup.options, setup.text))
        for move in moves:
            self.tree.extend(self.tree.child(self.tree.head, move))
        self.current = self.tree.head
        self.players = setup.players
        self.headers = RecordHeaders()
        clock, live = setup.clock, setup.live
        self.clock = None
        if clock is not None:
            self.clock = SessionClock(clock.seconds, clock.increment, [clock.seconds] * 2)
        self.live = None if live is None else LiveState(live.seconds)
        self.stopwatch = Stopwatch()
        self.paused = False
        self.is_watched = False
        """Whether a page is connected. Otherwise the session is suspended: clocks stand, and no
        search runs."""
        self.ended: Outcome | None = None
        """The outcome of a game that ended by resignation or on time."""

    # State

    @property
    def game(self) -> Game:
        return self.setup.game

    @property
    def head(self) -> VariationNode:
        return self.tree.nodes[self.tree.head]

    @property
    def position(self) -> Position:
        """The position at the head."""
        return self.head.position

    @property
    def result(self) -> Outcome | None:
        if self.ended is not None:
            return self.ended
        return self.position.outcome if self.position.is_over else None

    @property
    def player_to_move(self) -> int | None:
        """None once the game is over."""
        return None if self.result is not None else self.position.turn

    @property
    def searching_player(self) -> int | None:
        """The player whose move a search should find now, if any."""
        running = not self.paused if self.live is None else self.live.running
        player = self.player_to_move if running and self.is_watched else None
        return None if player is None or self.is_human(player) else player

    def is_human(self, player: int) -> bool:
        return self.players[player].kind == "human"

    @property
    def is_study(self) -> bool:
        """Whether humans play both sides, without a clock: the main line may then be changed."""
        humans = self.is_human(0) and self.is_human(1)
        return humans and self.clock is None and self.live is None

    @property
    def names(self) -> tuple[str, str]:
        """The players' names in lists and records."""
        first, second = (
            given or spec.kind for given, spec in zip(self.headers.names, self.players, strict=True)
        )
        return first, second

    # Moves

    def play(self, node: int, move: str, now: float) -> None:
        """A person's move, at the head."""
        player = self._require_player_to_move()
        if self.live is not None:
            raise SessionError("this game is live: it is steered with keys")
        if node != self.tree.head:
            raise SessionError("the game is at another position by now: a move is played there")
        if not self.is_human(player):
            raise SessionError(f"it is {self._name(player)}'s turn, which the computer plays")
        if self.check_flag(now):
            raise SessionError(f"the move came too late: {self._name(player)} ran out of time")
        child = self.tree.child(node, move)
        spent = self.stopwatch.read(now)
        if self.clock is not None:
            self.clock.charge(player, spent)
        self._advance(child, now, ChosenMove(move, spent))
        self.current = child

    def play_search_move(self, node: int, chosen: ChosenMove, now: float) -> bool:
        """A search's move. False if it is out of date: the game has moved on, or is paused."""
        player = self.searching_player
        if node != self.tree.head or player is None or self.live is not None:
            return False
        seconds = chosen.seconds or 0.0
        if self.clock is not None and not self.clock.is_enough(player, seconds):
            self._lose_on_time(player, now)
            return True
        child = self.tree.child(node, chosen.move)
        if self.clock is not None:
            self.clock.charge(player, seconds)
        follow = self.current == node
        self._advance(child, now, chosen)
        if follow:
            self.current = child
        return True

    def _advance(self, child: int, now: float, chosen: ChosenMove) -> None:
        """Extend the main line to a child of its head."""
        node = self.tree.nodes[child]
        node.seconds = None if chosen.seconds is None else round(chosen.seconds, 3)
        node.value, node.depth = chosen.value, chosen.depth
        node.evaluation = chosen.evaluation
        self.tree.extend(child)
        self.stopwatch.reset()
        self._changed(now)

    def takeback(self, now: float) -> None:
        """Back to the last earlier position with a person to move; a resignation is undone alone.

        The players get the time of the moves back.
        """
        if self.live is not None and self.live.running:
            raise SessionError("the game is running: pause it first")
        if self.ended is None or self.ended.ending is not Ending.RESIGNED:
            self._cut(self._length_before_last_human_move())
        self.ended = None
        self.current = self.tree.head
        self._changed(now)

    def _length_before_last_human_move(self) -> int:
        for length in range(len(self.tree.main) - 1, 0, -1):
            if self.is_human(self.tree.nodes[self.tree.main[length - 1]].position.turn):
                return length
        raise SessionError("there is nothing to take back")

    def _cut(self, length: int) -> None:
        main = self.tree.main
        if self.clock is not None:
            for before, after in zip(main[length - 1 :], main[length:], strict=False):
                seconds = self.tree.nodes[after].seconds
                if seconds is not None:
                    self.clock.give_back(self.tree.nodes[before].position.turn, seconds)
        self.tree.cut(length)
        self.stopwatch.reset()

    # Variations and comments

    def try_move(self, node: int, move: str, now: float) -> None:
        """Show the position after a move, anywhere. In a study, a move at the head extends the main
        line; elsewhere it is a variation."""
        child = self.tree.child(node, move)
        if node == self.tree.head and self.is_study and self.result is None:
            self.tree.extend(child)
        self.current = child
        self._changed(now)

    def go_to(self, node: int, now: float) -> None:
        self.current = self.tree.node(node).id
        self._changed(now)

    def comment(self, node: int, text: str, now: float) -> None:
        self.tree.node(node).comment = text
        self._changed(now)

    def remove(self, node: int, now: float) -> None:
        """Remove a variation."""
        parent = self.tree.remove(node)
        if self.current not in self.tree.nodes:
            self.current = parent
        self._changed(now)

    def promote(self, node: int, now: float) -> None:
        """Make a variation the main line, in a study."""
        self.tree.node(node)
        if not self.is_study:
            raise SessionError(
                "what was played against the computer or the clock stays: let humans play both"
                " sides, without a clock, to choose another main line"
            )
        if node not in self.tree.main:
            self.tree.promote(node)
            self.ended = None
            self.stopwatch.reset()
        self.current = node
        self._changed(now)

    # Players and pauses

    def resign(self, player: int | None, now: float) -> None:
        """A person resigns: the one named, the one to move, or the only one."""
        to_move = self._require_player_to_move()
        humans = [side for side in (0, 1) if self.is_human(side)]
        if player is None:
            player = to_move if to_move in humans or not humans else humans[0]
        if player not in humans:
            raise SessionError(f"{self._name(player)} is played by the computer, which plays on")
        if not self.check_flag(now):
            self._charge_elapsed(to_move, now)
            self.ended = Outcome.resignation(player, self._name(player))
        self._stop_live()
        self._changed(now)

    def set_players(self, players: tuple[PlayerSpecModel, PlayerSpecModel], now: float) -> None:
        """Change the players. A person who is replaced is charged for the time until now."""
        player = self.player_to_move
        stays = player is not None and self.is_human(player) and players[player].kind == "human"
        if player is not None and not stays and not self.check_flag(now):
            self._charge_elapsed(player, now)
        if players != self.players:
            self.headers.names = ("", "")
        self.players = players
        self._changed(now)

    def pause(self, now: float) -> None:
        """Stop searches and clocks. People may still move."""
        self.paused = True
        self._stop_live()
        self._changed(now)

    def resume(self, now: float) -> None:
        self.paused = False
        if self.live is not None:
            self.live.running = self.result is None
        self._changed(now)

    def suspend(self, now: float) -> None:
        """No page is connected since `now`."""
        spent, self.is_watched = self.stopwatch.spent, False
        self._stop_live()
        self._run_stopwatch(now)
        self.version += 1
        if self.clock is not None and self.stopwatch.spent != spent:
            self.revision += 1

    def watch(self, now: float) -> None:
        """A page is connected."""
        if not self.is_watched:
            self.is_watched = True
            self._run_stopwatch(now)
            self.version += 1

    # Live games

    def run_live(
        self, running: bool | None, seconds: float | None, restart: bool, now: float
    ) -> None:
        """Start or stop a live game, change its speed, or restart it (it runs then)."""
        live = self._require_live()
        if restart:
            self._cut(1)
            self.ended, self.current, live.key = None, self.tree.head, None
            running = True if running is None else running
        if seconds is not None:
            live.seconds = seconds
        if running is not None:
            self.paused = not running
            live.running = running and self.result is None
        self._changed(now)

    def live_prepared(self, now: float) -> None:
        """The computer players of a live game are ready: its plies begin."""
        self._require_live().prepared = True
        self._changed(now)

    def steer(self, key: str) -> None:
        """A person's key, for their next ply."""
        self._require_live().key = key

    def play_live_ply(self, chosen: ChosenMove | None, now: float) -> None:
        """One ply of a live game: a person's key or a search's move, else the idle move."""
        live, player = self._require_live(), self._require_player_to_move()
        if self.is_human(player):
            chosen = ChosenMove(self._live_move(live.key))
            live.key = None
        elif chosen is None:
            chosen = ChosenMove(self._live_move(None))
        self._advance(self.tree.child(self.tree.head, chosen.move), now, chosen)
        self.current = self.tree.head
        if self.result is not None:
            self._stop_live()

    def _live_move(self, key: str | None) -> str:
        return self.position.move_text(move_for_key(self.position, key))

    def _require_live(self) -> LiveState:
        if self.live is None:
            raise SessionError("this game is not live")
        return self.live

    def _stop_live(self) -> None:
        if self.live is not None:
            self.live.running, self.live.key = False, None

    # Clock

    @property
    def flag_time(self) -> float | None:
        """When the person to move runs out of time; None if no clock runs."""
        player = self.player_to_move
        if self.clock is None or player is None or self.stopwatch.since is None:
            return None
        return self.stopwatch.since + self.clock.left[player] - self.stopwatch.spent

    def check_flag(self, now: float) -> bool:
        """End the game if the person to move has run out of time."""
        player = self.player_to_move
        if self.clock is None or player is None or self.stopwatch.since is None:
            return False
        if self.clock.is_enough(player, self.stopwatch.read(now)):
            return False
        self._lose_on_time(player, now)
        return True

    def time_left(self, now: float, searched: float = 0.0) -> tuple[float, float]:
        """The time of both sides; `searched` are the seconds of a running search."""
        assert self.clock is not None, "only a session with a clock has time"
        left = list(self.clock.left)
        player = self.player_to_move
        if player is not None:
            spent = self.stopwatch.read(now) if self.is_human(player) else searched
            left[player] = max(0.0, left[player] - spent)
        return left[0], left[1]

    def _charge_elapsed(self, player: int, now: float) -> None:
        """Charge a person for the time since the last move, without a move."""
        if self.clock is not None:
            self.clock.left[player] -= self.stopwatch.read(now)
        self.stopwatch.reset()

    def _lose_on_time(self, player: int, now: float) -> None:
        assert self.clock is not None
        self.clock.left[player] = 0.0
        self.ended = Outcome.out_of_time(player, self._name(player))
        self.stopwatch.reset()
        self._changed(now)

    def _changed(self, now: float) -> None:
        """After every change by a request, a search or a clock."""
        self.version += 1
        self.revision += 1
        self._run_stopwatch(now)

    def _run_stopwatch(self, now: float) -> None:
        """The stopwatch runs exactly while a person is to move."""
        player = self.player_to_move
        human_to_move = player is not None and self.is_human(player) and self.live is None
        if human_to_move and self.is_watched and not self.paused:
            self.stopwatch.start(now)
        else:
            self.stopwatch.stop(now)

    def _name(self, player: int) -> str:
        return self.game.players[player]

    def _require_player_to_move(self) -> int:
        if self.result is not None:
            raise SessionError(f"the game is over: {self.result.reason}")
        return self.position.turn
