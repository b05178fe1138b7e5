"""What can still become of the score of a game of Slant, and what probably will."""

from __future__ import annotations

from plyground.core.bits import popcount
from plyground.games.slant.rules import (
    POINT,
    Board,
    State,
    empty_cells,
    live_circles,
    openings,
    score,
)


def bounds(board: Board, state: State) -> tuple[int, int]:
    """The margin if one side alone scored all that it can reach from here on.

    A live circle falls to a player who can draw the last line at it: under `owned` one who has an
    empty cell there for lines of the own kind. And a line completes two circles at most.
    """
    left = moves_left(board, state)
    mine = (left + 1 - state.turn) // 2
    yours = left - mine
    first, second = within_reach(board, state, 0)
    most = tally(board, first, 0)
    least = tally(board, second, 0)
    if board.wide:
        far_first, far_second = within_reach(board, state, 1)
        most = add(most, tally(board, far_first, 1))
        least = add(least, tally(board, far_second, 1))
    now = state.first_points - state.second_points
    return now - richest(least, 2 * yours), now + richest(most, 2 * mine)


def moves_left(board: Board, state: State) -> int:
    return popcount(empty_cells(board, state, 0)) + popcount(empty_cells(board, state, 1))


def within_reach(board: Board, state: State, half: int) -> tuple[int, int]:
    """The live circles that the first player could complete, and those that the second could."""
    one, two, three, four = live_circles(board, state, half)
    live = one | two | three | four
    right, below, left, above = openings(board, state, half)
    if board.free:
        return live, live
    return live & (right | below), live & (left | above)


def tally(board: Board, circles: int, half: int) -> tuple[int, int, int, int]:
    """How many of these circles have each number, the fours first."""
    return (
        popcount(circles & board.fours[half]),
        popcount(circles & board.threes[half]),
        popcount(circles & board.twos[half]),
        popcount(circles & board.ones[half]),
    )


def add(
    near: tuple[int, int, int, int], far: tuple[int, int, int, int]
) -> tuple[int, int, int, int]:
    return near[0] + far[0], near[1] + far[1], near[2] + far[2], near[3] + far[3]


def richest(circles: tuple[int, int, int, int], count: int) -> int:
    """The points of the richest so many of these circles."""
    fours = min(circles[0], count)
    threes = min(circles[1], count - fours)
    twos = min(circles[2], count - fours - threes)
    ones = min(circles[3], count - fours - threes - twos)
    return 4 * fours + 3 * threes + 2 * twos + ones


def evaluate(board: Board, state: State) -> int:
    low, high = bounds(board, state)
    value = POINT * score(board, state)
    return max(POINT * low, min(POINT * high, value))
