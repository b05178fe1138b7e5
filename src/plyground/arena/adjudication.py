"""Adjudication: ending a game before its rules do, when that was asked for.

Each way has an ending of its own, which the record names: `decided` for a result that a search has
proven, `agreed` for one on which both players agree, `length` for a game that was broken off.
`repetition` needs no asking: where positions can come again (`REPEATS`), the third time is a draw.
Two players that walk in circles would never end such a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from plyground.arena.conditions import Adjudication, Conditions
from plyground.arena.referee import TimedMove
from plyground.core.game import Game, Position
from plyground.core.outcome import Ending, Outcome
from plyground.core.values import DECIDED
from plyground.search.result import Limits
from plyground.search.searcher import Algorithm, Searcher, SearcherSettings, make_searcher

DRAWN_REPETITION = 3
MEMORY = 8
"""MiB for the search that proves results."""


class Adjudicator:
    """Asked after each move whether the game is to be ended; it remembers nothing from one game to
    the next."""

    def __init__(self, game: Game, terms: Adjudication) -> None:
        self._game, self._terms = game, terms

    @classmethod
    def of(cls, conditions: Conditions) -> Adjudicator | None:
        """None if nothing is adjudicated."""
        game, terms = conditions.game, conditions.adjudication
        if terms == Adjudication() and not game.rules.repeats:
            return None
        return cls(game, terms)

    def begin(self) -> None:
        """Another game begins. What a search knew from earlier ones would prove more, and the same
        game would end at another move on another worker."""
        if self._terms.proven:
            self._searcher.clear()

    def __call__(self, position: Position, moves: Sequence[TimedMove]) -> Outcome | None:
        return (
            self._agreed(moves)
            or self._proven(position)
            or self._repeated(position)
            or self._length(len(moves))
        )

    def _agreed(self, moves: Sequence[TimedMove]) -> Outcome | None:
        count = self._terms.agreed
        if not count:
            return None
        last = [_expected_by(side, moves)[-count:] for side in (0, 1)]
        winners = {*last[0], *last[1]}
        if len(last[0]) < count or len(last[1]) < count or len(winners) > 1 or None in winners:
            return None
        (winner,) = winners
        assert winner is not None
        reason = f"both players have seen {self._game.players[winner]} win for {count} moves"
        return _won(winner, Ending.AGREED, reason)

    def _proven(self, position: Position) -> Outcome | None:
        if not self._terms.proven:
            return None
        result = self._searcher.search(position, Limits(nodes=self._terms.proven))
        if not result.proven:
            return None
        if result.value == 0:
            return Outcome(None, 0, Ending.DECIDED, "proven: a draw with correct play")
        winner = 0 if result.value > 0 else 1
        reason = f"proven: {self._game.players[winner]} wins with correct play"
        return _won(winner, Ending.DECIDED, reason)

    @cached_property
    def _searcher(self) -> Searcher:
        settings = SearcherSettings(memory=MEMORY, evaluation="own")
        return make_searcher(Algorithm.ENGINE, self._game, settings)

    def _repeated(self, position: Position) -> Outcome | None:
        if position.past.count(position.state) + 1 < DRAWN_REPETITION:
            return None
        return Outcome(None, 0, Ending.REPETITION, "the same position for the third time")

    def _length(self, moves: int) -> Outcome | None:
        if not self._terms.length or moves < self._terms.length:
            return None
        return Outcome(None, 0, Ending.LENGTH, f"broken off after {moves} moves")


def _won(winner: int, ending: Ending, reason: str) -> Outcome:
    return Outcome(winner, 1 if winner == 0 else -1, ending, reason)


def _expected_by(side: int, moves: Sequence[TimedMove]) -> list[int | None]:
    """For each move of a side, the winner that it expected; None if it expected none."""
    values = [move.choice.value or 0 for move in moves if move.side == side]
    return [None if abs(value) < DECIDED else int(value < 0) for value in values]
