"""The referee: plays a game between two players, owns its rules and its clock, trusts neither.

Every answer is checked. Why a game ended (`core/outcome.py`) is told apart from who won.

On the clock: a move counts as late when it took longer than it may, without the time that the
player spent waiting for a core (`Choice.own_seconds`). A move that is late only because of such
waiting, or was thought about much less because of it, is asked again, and taken as it is when the
machine will not be quiet or the player has had its time after all: a busy machine costs nobody a
game, and nobody gains by making it busy.

Where a few late moves in a row are allowed, they are for accidents. Whoever has taken longer for
all moves together than they may take, and OVERDRAWN moves more, loses as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plyground.core.errors import IllegalMove
from plyground.core.outcome import Ending, Outcome
from plyground.core.position import Position
from plyground.core.records.checks import MAX_PLIES
from plyground.core.records.record import GameRecord
from plyground.players.player import Choice, Clock, Fault, Player

if TYPE_CHECKING:
    from plyground.core.game import Options

ASKED_AGAIN = 3
"""How often a move is asked again at most that a busy machine has disturbed."""
LONGEST_REASON = 1000
"""Characters: a fault may name all moves that would have been legal."""
OVERDRAWN = 10
"""So many moves' time may be taken in late moves, and not made up for in others."""
SHORTEST_TOLD = 0.001
"""Seconds of the garbage collector that are worth a word."""
DISTURBED = 0.2
"""The part of its time that a player may have to wait for a core before that counts as a
disturbance: whoever watches the clock has thought so much less."""


@dataclass(frozen=True)
class Terms:
    """What a game is played under."""

    seconds: float | None = None
    """How long a move may take."""
    overruns: int = 1
    """How many late moves in a row lose the game; a move in time sets the count back."""
    grace: float = 0.0
    """By how many seconds an answer may exceed what the player is told."""
    timed: frozenset[int] = frozenset({0, 1})
    """The sides that the clock is held against. Nobody grades an opponent of the house."""


@dataclass(frozen=True)
class Told:
    """A move as the referee saw it."""

    side: int
    choice: Choice
    late: bool
    again: int
    """How often it was asked again because the machine was busy."""


@dataclass(frozen=True)
class Match:
    """A game that was played."""

    record: GameRecord
    outcome: Outcome
    moves: tuple[Told, ...] = field(repr=False)

    def slowest(self, side: int) -> float:
        """The longest that a side took for a move, waiting for a core left out."""
        return max((told.choice.own_seconds for told in self.moves if told.side == side), default=0)

    def depths(self, side: int) -> list[int]:
        """The depths that a side says it has searched to."""
        return [
            told.choice.depth
            for told in self.moves
            if told.side == side and told.choice.depth is not None
        ]


def ask_for_move(player: Player, position: Position, clock: Clock) -> Told:
    """A player's answer, asked again while the machine is too busy to let it think."""
    again, spent = 0, 0.0
    while True:
        choice = player.choose(position, clock)
        limit = clock.limit
        if limit is None:
            return Told(position.turn, choice, False, again)
        late = choice.own_seconds > limit
        spent += choice.own_seconds
        disturbed = (choice.seconds > limit or choice.waited > DISTURBED * limit) and spent < limit
        if late or not disturbed or again == ASKED_AGAIN:
            return Told(position.turn, choice, late, again)
        again += 1


def overrun(name: str, choice: Choice, clock: Clock, in_a_row: int = 1) -> Fault:
    """What is said of a late move, so that the player's author can do something about it."""
    assert clock.limit is not None
    took = f"{choice.own_seconds * 1000:.0f} ms"
    text = f"{name} took {took} for a move of {clock.limit * 1000:g} ms"
    if choice.searched is not None and choice.searched < choice.own_seconds:
        text = (
            f"the search of {name} stopped at {choice.searched * 1000:.0f} ms but the answer came"
            f" after {took}, and {clock.limit * 1000:g} ms are allowed"
        )
    if choice.collector >= SHORTEST_TOLD:
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
    on_move: Callable[[Position, Told], None] | None = None,
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
        on_move: Callable[[Position, Told], None] | None,
    ) -> None:
        self.position, self.players, self.terms, self.on_move = start, players, terms, on_move
        self.told: list[Told] = []
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
        return Match(record, outcome, tuple(self.told))

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
            if len(self.told) == MAX_PLIES:
                reason = f"after {MAX_PLIES} moves the game was broken off"
                return Outcome(None, 0, Ending.FINISHED, reason)
            side = self.position.turn
            try:
                self._judge(ask_for_move(self.players[side], self.position, self._clock(side)))
            except Fault as fault:
                return Outcome.forfeit(side, fault.ending, str(fault)[:LONGEST_REASON])
        return self.position.outcome

    def _judge(self, told: Told) -> None:
        """Count a late move, and play it if it is legal and not one too many."""
        name, side, choice = self.players[told.side].name, told.side, told.choice
        self.told.append(told)
        self.in_a_row[side] = self.in_a_row[side] + 1 if told.late else 0
        self.moves[side] += 1
        self.spent[side] += choice.own_seconds
        if told.late:
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
            self.on_move(position, told)

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
