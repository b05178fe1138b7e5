"""The referee: plays a game between two players, and owns its rules and its clock.

Every answer is checked. Why a game ended (`core/outcome.py`) is separate from who won.

A move is late if its charged time (`players/usage.py`) is over the limit. If the player had to wait
for a core so long that it could think much less, the referee asks again, up to ASKED_AGAIN times
and until the player has had its time in all; then it takes the last answer. Terms may allow some
late moves in a row. A player also loses if its moves together took the time of OVERDRAWN moves more
than they may.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plyground.core.errors import IllegalMove
from plyground.core.game import Position
from plyground.core.outcome import Ending, Outcome
from plyground.core.records.checks import MAX_PLIES
from plyground.core.records.record import GameRecord
from plyground.players.player import Choice, Clock, Fault, Player

if TYPE_CHECKING:
    from plyground.core.game import Options

ASKED_AGAIN = 3
"""How often the referee repeats a question at most when the machine was busy."""
LONGEST_REASON = 1000
"""Characters: a fault may list all legal moves."""
OVERDRAWN = 10
"""Late moves may take the time of this many moves more than allowed, in all."""
SHORTEST_COLLECTION = 0.001
"""Seconds of the garbage collector that a message mentions."""
DISTURBED = 0.2
"""The part of its time that a player may wait for a core without being asked again. A player that
watches the wall clock has thought so much less."""


@dataclass(frozen=True)
class Terms:
    """The time control of a game."""

    seconds: float | None = None
    """How long a move may take."""
    overruns: int = 1
    """How many late moves in a row lose the game; a move in time resets the count."""
    grace: float = 0.0
    """Seconds after `seconds` in which an answer is not late yet."""
    timed: frozenset[int] = frozenset({0, 1})
    """The sides that have a time limit."""


@dataclass(frozen=True)
class TimedMove:
    """A player's answer with the referee's judgement."""

    side: int
    choice: Choice
    late: bool
    again: int
    """How often the referee has asked again because the machine was busy."""


@dataclass(frozen=True)
class Match:
    """A game that has been played."""

    record: GameRecord
    outcome: Outcome
    moves: tuple[TimedMove, ...] = field(repr=False)

    def slowest(self, side: int) -> float:
        """The longest charged time of a side's moves."""
        times = (move.choice.charged_seconds for move in self.moves if move.side == side)
        return max(times, default=0)

    def depths(self, side: int) -> list[int]:
        """The search depths that a side has reported."""
        depths = (move.choice.depth for move in self.moves if move.side == side)
        return [depth for depth in depths if depth is not None]


def ask_for_move(player: Player, position: Position, clock: Clock) -> TimedMove:
    """A player's answer; the question is repeated while the machine is too busy."""
    again, spent = 0, 0.0
    while True:
        choice = player.choose(position, clock)
        limit = clock.limit
        if limit is None:
            return TimedMove(position.turn, choice, False, again)
        late = choice.charged_seconds > limit
        spent += choice.charged_seconds
        disturbed = (choice.seconds > limit or choice.waited > DISTURBED * limit) and spent < limit
        if late or not disturbed or again == ASKED_AGAIN:
            return TimedMove(position.turn, choice, late, again)
        again += 1


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


def play_match(
    start: Position,
    players: Sequence[Player],
    terms: Terms,
    *,
    options: Options | None = None,
    event: str = "",
    on_move: Callable[[Position, TimedMove], None] | None = None,
) -> Match:
    """Play a game to its end. Both players are closed when it is over, however it ends."""
    return _Referee(start, players, terms, options, event, on_move).run()


class _Referee:
    def __init__(
        self,
        start: Position,
        players: Sequence[Player],
        terms: Terms,
        options: Options | None,
        event: str,
        on_move: Callable[[Position, TimedMove], None] | None,
    ) -> None:
        self.position, self.players, self.terms, self.on_move = start, players, terms, on_move
        self.timed_moves: list[TimedMove] = []
        self.in_a_row = [0, 0]
        self.moves = [0, 0]
        self.spent = [0.0, 0.0]
        self.record = GameRecord.begin(
            start,
            options=options,
            players=(players[0].name, players[1].name),
            date=time.strftime("%Y-%m-%d"),
            event=event,
            clock="" if terms.seconds is None else f"{terms.seconds * 1000:g} ms a move",
        )

    def run(self) -> Match:
        try:
            outcome = self._begin() or self._play()
        finally:
            for player in self.players:
                player.close()
        record = self.record if self.record.outcome is not None else self.record.ended(outcome)
        return Match(record, outcome, tuple(self.timed_moves))

    def _begin(self) -> Outcome | None:
        for side, player in enumerate(self.players):
            try:
                player.begin(self.position, side, self._clock(side))
            except Fault as fault:
                return Outcome.forfeit(side, fault.ending, str(fault))
        return None

    def _clock(self, side: int) -> Clock:
        return Clock(self.terms.seconds, self.terms.grace) if side in self.terms.timed else Clock()

    def _play(self) -> Outcome:
        while not self.position.is_over:
            if len(self.timed_moves) == MAX_PLIES:
                reason = f"after {MAX_PLIES} moves the game was broken off"
                return Outcome(None, 0, Ending.FINISHED, reason)
            side = self.position.turn
            try:
                self._judge(ask_for_move(self.players[side], self.position, self._clock(side)))
            except Fault as fault:
                return Outcome.forfeit(side, fault.ending, str(fault)[:LONGEST_REASON])
        return self.position.outcome

    def _judge(self, timed: TimedMove) -> None:
        """Count a late move, and play it if it is legal and not one too many."""
        name, side, choice = self.players[timed.side].name, timed.side, timed.choice
        self.timed_moves.append(timed)
        self.in_a_row[side] = self.in_a_row[side] + 1 if timed.late else 0
        self.moves[side] += 1
        self.spent[side] += choice.charged_seconds
        if timed.late:
            self._judge_late(name, side, choice)
        position = self.position
        try:
            move = position.parse_move(choice.move)
        except IllegalMove as error:
            raise Fault(Ending.ILLEGAL, f"{name}: {error}") from None
        self.record = self.record.append(
            move, seconds=round(choice.seconds, 6), evaluation=choice.value, depth=choice.depth
        )
        self.position = position.play(move)
        if self.on_move is not None:
            self.on_move(position, timed)

    def _judge_late(self, name: str, side: int, choice: Choice) -> None:
        clock, in_a_row = self._clock(side), self.in_a_row[side]
        if in_a_row >= self.terms.overruns:
            raise overrun(name, choice, clock, in_a_row)
        assert clock.limit is not None
        if self.spent[side] > clock.limit * (self.moves[side] + OVERDRAWN):
            raise Fault(
                Ending.OVERRUN,
                f"{name} took {self.spent[side] * 1000:.0f} ms for {self.moves[side]} moves of"
                f" {clock.limit * 1000:g} ms: late moves must be made up for",
            )
