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

from plyground.core.contract import MOVE_LIMIT
from plyground.search.binding import dispatch as rules
from plyground.search.binding.native import native, types

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


WORD_MASK = (1 << 64) - 1
"""A kernel's result is a signed number."""


def unpacked(word: Any) -> tuple[int, int, int]:
    """Low, high and move: for callers that are not compiled."""
    number = int(word) & WORD_MASK
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
def margin(board: Any, state: Any) -> Any:
    """The first player's points so far minus the second's, in a game that counts them."""
    return rules.score(board, state) if rules.has_score() else types.int64(0)


@native
def static_interval(board: Any, state: Any) -> Any:
    """Low and high of a position, by the rules alone."""
    low = types.int64(-LARGEST)
    high = types.int64(LARGEST)
    if rules.point() != 0:
        if rules.over(board, state):
            low = high = rules.utility(board, state) - margin(board, state)
        elif rules.has_bounds():
            low, high = rules.bounds(board, state)
            low -= margin(board, state)
            high -= margin(board, state)
    elif rules.over(board, state):
        won = rules.utility(board, state)
        low = high = types.int64(WIN) if won > 0 else types.int64(-WIN if won < 0 else 0)
    else:
        low = types.int64(1 - WIN)
        high = types.int64(WIN - 1)
        plies = rules.settled(board, state)
        if plies > 0:  # within so many plies, perhaps fewer
            low = max(low, WIN - plies)
        elif plies < 0:
            high = min(high, -plies - WIN)
    if rules.turn(board, state) == 0:
        return low, high
    return -high, -low


@native
def step_to(board: Any, child: Any, side: Any, so_far: Any) -> Any:
    """Whether `side`, who moved to this child, moves again, and what the move gained for it. Before
    the move the margin was `so_far`."""
    gained = margin(board, child) - so_far
    return rules.turn(board, child) == side, gained if side == 0 else -gained


# Between parent and child. `counts` says that this is a game of points, `same` that the same player
# moves again, and `gained` what the move has scored.


@native
def interval_in_parent(counts: Any, low: Any, high: Any, same: Any, gained: Any) -> Any:
    """The interval of a child, for the player who moved there."""
    if not same:
        low, high = -high, -low
    if counts:
        return low + gained, high + gained
    return one_ply_later(low), one_ply_later(high)


@native
def one_ply_later(value: Any) -> Any:
    """The value of a win or loss that is a ply further away."""
    return value - 1 if value > 0 else value + 1 if value < 0 else value


@native
def value_in_child(counts: Any, value: Any, same: Any, gained: Any) -> Any:
    """The value of a child that is worth `value` to the player who moved there."""
    if counts:
        value = value - gained
    else:
        value = value + 1 if value > 0 else value - 1 if value < 0 else value
    return value if same else -value
