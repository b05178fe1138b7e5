"""Heuristics for every game. Each evaluates a position for the first player, and can be passed to a
textbook search as its `evaluate`."""

from __future__ import annotations

from typing import Any, NamedTuple

from plyground.core.errors import LimitError
from plyground.core.game import Position
from plyground.search.textbook.game_tree import DEEPEST


class Ends(NamedTuple):
    """How many ways of playing on end in each result, as the first player sees them."""

    wins: int
    draws: int
    losses: int


def score_difference(position: Position) -> int:
    """The first player's points minus the second's so far, in units of evaluation.

    Raises NoScore for a game that keeps no score. In a game of points (`POINT = n`) a point is n
    units, so that this compares with the values of finished games.
    """
    return position.score * (position.game.rules.point or 1)


def wins_minus_losses(position: Position, limit: int = 100_000) -> int:
    """Of all the ways of playing on to the end, how many the first player wins, minus how many the
    second player wins. Good moves count no more than bad ones.

    The count is exact: raises a LimitError if it takes more than `limit` positions, or if play can
    repeat itself, since then the number of ways is infinite.
    """
    ends = count_ends(position, limit)
    return ends.wins - ends.losses


def count_ends(position: Position, limit: int = 100_000) -> Ends:
    """Count every way of playing on to the end by its result.

    Two sequences of moves are two ways even if they lead through the same position. That position
    is expanded only once: the number of ways from it is the same each time.
    """
    if limit < 1:
        raise LimitError(f"a limit of {limit} positions: at least 1 has to be looked at")
    known: dict[Any, Ends | None] = {}

    def count(position: Position, ply: int) -> Ends:
        if position.state in known:
            found = known[position.state]
            if found is None:
                raise LimitError("play can return to an earlier position: it has no last move")
            return found
        if len(known) >= limit:
            raise LimitError(f"counting every way to the end needs more than {limit} positions")
        if ply > DEEPEST:
            raise LimitError(f"a line of play goes on for more than {DEEPEST} plies")
        known[position.state] = None  # in progress: if met again below, play has repeated itself
        wins = draws = losses = 0
        if position.is_over:
            utility = position.utility
            wins, draws, losses = int(utility > 0), int(utility == 0), int(utility < 0)
        for _, child in position.children():
            below = count(child, ply + 1)
            wins, draws, losses = wins + below.wins, draws + below.draws, losses + below.losses
        known[position.state] = ends = Ends(wins, draws, losses)
        return ends

    return count(position, 0)
