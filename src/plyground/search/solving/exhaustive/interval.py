"""What is known of a position: a lower and an upper bound of its value, packed into one word.

A value is that of the player to move, on one scale:

* in a game of points, what is *still to come*: the final margin less the margin so far. So a
  position has one value, however the points were shared out on the way to it;
* in a game of wins, `WIN - n` for a win in n plies, `n - WIN` for a loss in n, 0 for a draw. A
  position that is not over is won or lost in one ply at best. That alone ends a search: a search
  for a win within n plies searches the children for one within n - 1.

The lowest bits of a packed interval hold the best move so far. A packed interval is never 0.
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
VALUE_BITS = (64 - MOVE_BITS) // 2
LARGEST = (1 << VALUE_BITS - 1) - 1
"""As an end of an interval, this or its negative means that nothing is known."""
WIN = 1 << VALUE_BITS - 2
"""The value of a game that is won, in a game of wins. Margins in a game of points must be smaller,
so that no sum on the way comes near LARGEST."""

LOW_SHIFT = VALUE_BITS + MOVE_BITS
OFFSET = LARGEST + 1
VALUE_MASK = (1 << VALUE_BITS) - 1


def unpacked(word: Any) -> tuple[int, int, int]:
    """Low, high and move: for callers that are not compiled."""
    number = int(word)
    low = (number >> LOW_SHIFT) - OFFSET
    return low, (number >> MOVE_BITS & VALUE_MASK) - OFFSET, number & MOVE_LIMIT - 1


@native
def packed(low: Any, high: Any, move: Any) -> Any:
    low = max(types.int64(-LARGEST), min(types.int64(LARGEST), low))
    high = max(types.int64(-LARGEST), min(types.int64(LARGEST), high))
    return types.uint64((low + OFFSET) << LOW_SHIFT | (high + OFFSET) << MOVE_BITS | move)


@native
def low_of(interval: Any) -> Any:
    return types.int64(interval >> types.uint64(LOW_SHIFT)) - OFFSET


@native
def high_of(interval: Any) -> Any:
    return types.int64(interval >> types.uint64(MOVE_BITS) & types.uint64(VALUE_MASK)) - OFFSET


@native
def move_of(interval: Any) -> Any:
    return types.int64(interval & types.uint64(MOVE_LIMIT - 1))


@native
def margin(game: Any, board: Any, state: Any) -> Any:
    """The first player's points so far minus the second's, in a game that counts them."""
    return score(game, board, state) if has_score(game) else types.int64(0)


@native
def static_interval(game: Any, board: Any, state: Any) -> Any:
    """Low and high of a position, by the rules alone."""
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
        low = high = types.int64(WIN) if won > 0 else types.int64(-WIN if won < 0 else 0)
    else:
        low = types.int64(1 - WIN)
        high = types.int64(WIN - 1)
        plies = settled(game, board, state)
        if plies > 0:  # within so many plies, perhaps fewer
            low = max(low, WIN - plies)
        elif plies < 0:
            high = min(high, -plies - WIN)
    if turn(game, board, state) == 0:
        return low, high
    return -high, -low


@native
def step_to(game: Any, board: Any, child: Any, side: Any, so_far: Any) -> Any:
    """Whether `side`, who moved to this child, moves again, and what the move gained for it. Before
    the move the margin was `so_far`."""
    gained = margin(game, board, child) - so_far
    return turn(game, board, child) == side, gained if side == 0 else -gained


# Between parent and child. `same` says that the same player moves again, and `gained` what the move
# has scored. These are called compiled and not.


def value_in_parent(counts: Any, value: Any, same: Any, gained: Any) -> Any:
    """The value of a child, for the player who moved there. `counts`: a game of points."""
    value = value if same else -value
    if counts:
        return value + gained
    return value - 1 if value > 0 else value + 1 if value < 0 else value


def value_in_child(counts: Any, value: Any, same: Any, gained: Any) -> Any:
    """The value of a child that is worth `value` to the player who moved there."""
    if counts:
        value = value - gained
    else:
        value = value + 1 if value > 0 else value - 1 if value < 0 else value
    return value if same else -value
