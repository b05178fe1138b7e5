"""What can still become of the score of a game of Slant, and what probably will."""

from __future__ import annotations

from plyground.core.bits import popcount
from plyground.games.slant.rules import (
    POINT,
    Board,
    State,
    live_circles,
    openings,
    score,
)


def bounds(board: Board, state: State) -> tuple[int, int]:
    """The margin if one side alone scored all that it can still reach.

    A live circle can fall to whoever can draw the last line at it: under `owned` the players with
    an empty cell there for a line of their own kind.

    That a line completes two circles at most, and that the lines left have only so many ends, gives
    tighter bounds and nothing more: measured on 4x4 and 5x5 boards, as many nodes to solve them.
    """
    first, second = within_reach(board, state, 0)
    most, least = worth(board, first, 0), worth(board, second, 0)
    if board.wide:
        first, second = within_reach(board, state, 1)
        most += worth(board, first, 1)
        least += worth(board, second, 1)
    now = state.first_points - state.second_points
    return now - least, now + most


def within_reach(board: Board, state: State, half: int) -> tuple[int, int]:
    """The live circles that the first player could complete, and those that the second could."""
    one, two, three, four = live_circles(board, state, half)
    live = one | two | three | four
    right, below, left, above = openings(board, state, half)
    if board.free:
        return live, live
    return live & (right | below), live & (left | above)


def worth(board: Board, circles: int, half: int) -> int:
    """The sum of the numbers of these circles."""
    return (
        popcount(circles & board.ones[half])
        + 2 * popcount(circles & board.twos[half])
        + 3 * popcount(circles & board.threes[half])
        + 4 * popcount(circles & board.fours[half])
    )


def evaluate(board: Board, state: State) -> int:
    low, high = bounds(board, state)
    value = POINT * score(board, state)
    return max(POINT * low, min(POINT * high, value))
