"""The referee: plays one game between two players, and owns its rules and its clocks.

Every answer is checked. Why a game ended (`core/outcome.py`) is separate from who won. A game may
end before its rules say so, when its result is certain or was adjudicated.

Each side has its own terms. Either a move has a limit: it is late if its charged time
(`Choice.charged_seconds`) is over it, terms may allow some late moves in a row, and a player also
loses if its moves together took the time of OVERDRAWN moves more than they may. Or the whole game
has one: a player whose clock runs out loses.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plyground.core.errors import IllegalMove, PlygroundError
from plyground.core.game import Position
from plyground.core.outcome import Ending, Outcome
from plyground.core.records.checks import MAX_PLIES
from plyground.core.records.record import GameRecord
from plyground.players.player import Choice, Clock, Fault, Player

if TYPE_CHECKING:
    from plyground.core.game import Options

LONGEST_REASON = 1000
"""Characters: a fault may list all legal moves."""
OVERDRAWN = 10
"""Late moves may take the time of this many moves more than allowed, in all."""
SHORTEST_COLLECTION = 0.001
"""Seconds of the garbage collector that a message mentions."""


class CannotBegin(PlygroundError):
    """A player cannot be used here at all, which is known before the first move."""


@dataclass(frozen=True)
class Terms:
    """The time control of one side."""

    seconds: float | None = None
    """How long a move may take."""
    overruns: int = 1
    """How many late moves in a row lose the game; a move in time resets the count."""
    grace: float = 0.0
    """Seconds after the limit in which an answer is not late yet."""
    bank: float | None = None
    """Seconds for all moves of the game together."""
    increment: float = 0.0
    """Seconds that each move adds to the bank."""

    @property
    def text(self) -> str:
        """As a record has it."""
        if self.bank is not None:
            return f"{self.bank:g} s + {self.increment:g} s"
        return "" if self.seconds is None else f"{self.seconds * 1000:g} ms a move"


UNTIMED = Terms()


@dataclass(frozen=True)
class TimedMove:
    """A player's answer, with the time that it took."""

    side: int
    choice: Choice


@dataclass(frozen=True)
class PlayedGame:
    """A game that has been played."""

    record: GameRecord
    outcome: Outcome
    moves: tuple[TimedMove, ...] = field(repr=False)

    def slowest(self, side: int) -> float:
        """The longest charged time of a side's moves."""
        times = (move.choice.charged_seconds for move in self.moves if move.side == side)
        return max(times, default=0)

    def seconds(self, side: int) -> float:
        """The charged time of all moves of a side."""
        return sum(move.choice.charged_seconds for move in self.moves if move.side == side)

    def depths(self, side: int) -> list[int]:
        """The search depths that a side has reported."""
        depths = (move.choice.depth for move in self.moves if move.side == side)
        return [depth for depth in depths if depth is not None]


Foresight = Callable[[Position, Sequence[TimedMove]], Outcome | None]
"""The result of a game that is not over yet, if it is certain or adjudicated; otherwise None. It is
asked with a position and the moves that have led to it."""


def overrun(name: str, choice: Choice, clock: Clock, in_a_row: int = 1) -> Fault:
    """The fault of a late move, with what its author can change."""
    assert clock.limit is not None
    took = f"{choice.charged_seconds * 1000:.0f} ms"
    text = f"{name} took {took} for a move of {clock.limit * 1000:g} ms"
    if choice.searched is not None and choice.searched < choice.charged_seconds:
        text = (
            f"the search of {name} stopped at {choice.searched * 1000:.0f} ms but the answer came"
            f" after {took}, and {clock.limit * 1000:g} ms are allowed"
        )
    if choice.collector >= SHORTEST_COLLECTION:
        text += f": {choice.collector * 1000:.0f} ms of it were Python's garbage collector"
    if in_a_row > 1:
        text += f"; it was late {in_a_row} times in a row"
    return Fault(Ending.OVERRUN, text)


def play_game(
    start: Position,
    players: Sequence[Player],
    terms: Terms | tuple[Terms, Terms] = UNTIMED,
    *,
    options: Options | None = None,
    event: str = "",
    foresee: Foresight | None = None,
    on_move: Callable[[GameRecord], None] | None = None,
) -> PlayedGame:
    """Play a game to its end, or until its result is foreseen; `on_move` is called with the record
    after each move. `terms` are those of both sides, or of each. The players are not closed: they
    may play other games. Raises CannotBegin before the first move; any other error is one of the
    rules, or of a player that could not find a move, and is no player's fault."""
    both = (terms, terms) if isinstance(terms, Terms) else terms
    return _Referee(start, players, both, options, event, foresee, on_move).run()


class _Referee:
    def __init__(
        self,
        start: Position,
        players: Sequence[Player],
        terms: tuple[Terms, Terms],
        options: Options | None,
        event: str,
        foresee: Foresight | None,
        on_move: Callable[[GameRecord], None] | None,
    ) -> None:
        self.position, self.players, self.terms = start, players, terms
        self.foresee, self.on_move = foresee, on_move
        self.timed_moves: list[TimedMove] = []
        self.in_a_row = [0, 0]
        self.moves = [0, 0]
        self.spent = [0.0, 0.0]
        """Charged seconds of each side."""
        clocks = [one.text for one in terms]
        self.record = GameRecord.begin(
            start,
            options=options,
            players=(players[0].name, players[1].name),
            date=time.strftime("%Y-%m-%d"),
            event=event,
            clock=clocks[0] if clocks[0] == clocks[1] else " / ".join(one or "-" for one in clocks),
        )

    def run(self) -> PlayedGame:
        outcome = self._begin() or self._play()
        record = self.record if self.record.outcome is not None else self.record.ended(outcome)
        return PlayedGame(record, outcome, tuple(self.timed_moves))

    def _begin(self) -> Outcome | None:
        for side, player in enumerate(self.players):
            try:
                player.begin(self.position, side, self._clock(side))
            except Fault as fault:
                return Outcome.forfeit(side, fault.ending, str(fault)[:LONGEST_REASON])
            except CannotBegin:
                raise
            except PlygroundError as error:
                raise CannotBegin(str(error)) from error
        return None

    def _clock(self, side: int) -> Clock:
        terms = self.terms[side]
        if terms.bank is None:
            return Clock(terms.seconds, terms.grace)
        remaining = self._left(0), self._left(1)
        return Clock(None, terms.grace, remaining, terms.increment, side)

    def _left(self, side: int) -> float:
        """Seconds on a side's clock; without limit for a side whose terms have none."""
        terms = self.terms[side]
        if terms.bank is None:
            return math.inf
        return max(0.0, terms.bank + terms.increment * self.moves[side] - self.spent[side])

    def _play(self) -> Outcome:
        while not self.position.is_over:
            if len(self.timed_moves) == MAX_PLIES:
                reason = f"after {MAX_PLIES} moves the game was broken off"
                return Outcome(None, 0, Ending.LENGTH, reason)
            side = self.position.turn
            try:
                clock = self._clock(side)
                choice = self.players[side].choose(self.position, clock)
                self._judge(side, choice, clock)
            except Fault as fault:
                return Outcome.forfeit(side, fault.ending, str(fault)[:LONGEST_REASON])
            if self.on_move is not None:
                self.on_move(self.record)
            if self.foresee is not None and not self.position.is_over:
                certain = self.foresee(self.position, self.timed_moves)
                if certain is not None:
                    return certain
        return self.position.outcome

    def _judge(self, side: int, choice: Choice, clock: Clock) -> None:
        """Count a late move, and play it if it is legal and not one too many."""
        name, late = self.players[side].name, clock.is_late(choice)
        self.timed_moves.append(TimedMove(side, choice))
        self.in_a_row[side] = self.in_a_row[side] + 1 if late else 0
        self.moves[side] += 1
        self.spent[side] += choice.charged_seconds
        if late:
            self._judge_late(name, side, choice, clock)
        position = self.position
        try:
            move = position.parse_move(choice.move)
        except IllegalMove as error:
            raise Fault(Ending.ILLEGAL, f"{name}: {error}") from None
        self.record = self.record.append(
            move, seconds=round(choice.seconds, 6), evaluation=choice.value, depth=choice.depth
        )
        self.position = position.play(move)

    def _judge_late(self, name: str, side: int, choice: Choice, clock: Clock) -> None:
        terms, in_a_row = self.terms[side], self.in_a_row[side]
        if terms.bank is not None:
            raise Fault(
                Ending.TIME,
                f"{name} ran out of time: {self.spent[side]:.3g} s for {self.moves[side]} moves",
            )
        if in_a_row >= terms.overruns:
            raise overrun(name, choice, clock, in_a_row)
        assert clock.limit is not None
        if self.spent[side] > clock.limit * (self.moves[side] + OVERDRAWN):
            raise Fault(
                Ending.OVERRUN,
                f"{name} took {self.spent[side] * 1000:.0f} ms for {self.moves[side]} moves of"
                f" {clock.limit * 1000:g} ms: late moves must be made up for",
            )
