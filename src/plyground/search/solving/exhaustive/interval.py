"""What is known of a position: the least and the most that it can be worth, in one word.

A worth is seen by the player to move, and is a number on one scale:

* in a game of points, what is *still to come*: the final margin less the margin so far, so that a
  position is known again however the points were shared out on the way to it;
* in a game of wins, `SURE - n` for a win in n plies, `n - SURE` for a loss in n, 0 for a draw. A
  position that is not over is won or lost in one ply at best. That alone ends a search: whoever
  asks for a win within n plies asks below for one within n - 1.

In the lowest bits of a packed interval is the move that was best so far. It is never 0.
"""

from __future__ import annotations

from typing import Any

from numba import types

from plyground.core.contract import MOVE_LIMIT
from plyground.search.binding.dispatch import (
    bounds,
    has_bounds,
    has_score,
    over,
    point,
    score,
    settled,
    turn,
    utility,
)
from plyground.search.binding.native import native

MOVE_BITS = (MOVE_LIMIT - 1).bit_length()
WORTH_BITS = (64 - MOVE_BITS) // 2
LARGEST = (1 << WORTH_BITS - 1) - 1
"""As an end of an interval, this or its negative says that nothing is known."""
SURE = 1 << WORTH_BITS - 2
"""What a game is worth that is won already, in a game of wins. Margins in a game of points must be
smaller, so that no sum on the way comes near LARGEST."""

LOW_SHIFT = WORTH_BITS + MOVE_BITS
ZERO = LARGEST + 1
WORTH_MASK = (1 << WORTH_BITS) - 1


def unpacked(word: Any) -> tuple[int, int, int]:
    """Low, high and move: for callers that are not compiled."""
    number = int(word)
    low = (number >> LOW_SHIFT) - ZERO
    return low, (number >> MOVE_BITS & WORTH_MASK) - ZERO, number & MOVE_LIMIT - 1


@native
def packed(low: Any, high: Any, move: Any) -> Any:
    low = max(types.int64(-LARGEST), min(types.int64(LARGEST), low))
    high = max(types.int64(-LARGEST), min(types.int64(LARGEST), high))
    return types.uint64((low + ZERO) << LOW_SHIFT | (high + ZERO) << MOVE_BITS | move)


@native
def low_of(interval: Any) -> Any:
    return types.int64(interval >> types.uint64(LOW_SHIFT)) - ZERO


@native
def high_of(interval: Any) -> Any:
    return types.int64(interval >> types.uint64(MOVE_BITS) & types.uint64(WORTH_MASK)) - ZERO


@native
def move_of(interval: Any) -> Any:
    return types.int64(interval & types.uint64(MOVE_LIMIT - 1))


@native
def margin(game: Any, board: Any, state: Any) -> Any:
    """The first player's points so far minus the second's, in a game that counts them."""
    return score(game, board, state) if has_score(game) else types.int64(0)


@native
def at_sight(game: Any, board: Any, state: Any) -> Any:
    """Low and high of a position that was never looked into."""
    low = types.int64(-LARGEST)
    high = types.int64(LARGEST)
    if point(game) != 0:
        if over(game, board, state):
            low = high = utility(game, board, state) - margin(game, board, state)
        elif has_bounds(game):
            low, high = bounds(game, board, state)
            low -= margin(game, board, state)
            high -= margin(game, board, state)
    elif over(game, board, state):
        won = utility(game, board, state)
        low = high = types.int64(SURE) if won > 0 else types.int64(-SURE if won < 0 else 0)
    else:
        low = types.int64(1 - SURE)
        high = types.int64(SURE - 1)
        plies = settled(game, board, state)
        if plies > 0:  # within so many plies, perhaps fewer
            low = max(low, SURE - plies)
        elif plies < 0:
            high = min(high, -plies - SURE)
    if turn(game, board, state) == 0:
        return low, high
    return -high, -low


# A child's worth as its parent sees it, and back. `same` says that the same player moves on, and
# `gained` what the move has scored for him. These are called compiled and not.


def seen_from_above(counts: Any, worth: Any, same: Any, gained: Any) -> Any:
    """A worth of the child in the eyes of the player who moved there."""
    worth = worth if same else -worth
    if counts:
        return worth + gained
    return worth - 1 if worth > 0 else worth + 1 if worth < 0 else worth


def seen_from_below(counts: Any, worth: Any, same: Any, gained: Any) -> Any:
    """The worth of the child that makes this one here."""
    if counts:
        worth = worth - gained
    else:
        worth = worth + 1 if worth > 0 else worth - 1 if worth < 0 else worth
    return worth if same else -worth
