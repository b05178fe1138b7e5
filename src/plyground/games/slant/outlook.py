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
    if board.free:
        return live, live
    right, below, left, above = openings(board, state, half)
    return live & (right | below), live & (left | above)


def worth(board: Board, circles: int, half: int) -> int:
    """The sum of the numbers of these circles."""
    return (
        popcount(circles & board.ones[half])
        + 2 * popcount(circles & board.twos[half])
        + 3 * popcount(circles & board.threes[half])
        + 4 * popcount(circles & board.fours[half])
    )


# The evaluation. A point of a circle's number is worth so much of a point, in hundredths. With these
# weights it won 58 of 60 games against the points so far alone: both sides of 15 random boards of
# 6x6, half of their intersections circles, owned and free, at 1,000 nodes a move.

TAKE = 80
"""For the player to move: the richest circle that a line of theirs completes at once."""
READY = 50
"""A circle that lacks one line, and only one of the players can draw it."""
LATER = 20
"""A circle that lacks more, and only one of the players can draw the last line."""


def evaluate(board: Board, state: State) -> int:
    """The points so far, the best that the mover can take, and the circles that are one side's."""
    value = claims(board, state, 0)
    taken = richest_ready(board, state, 0)
    if board.wide:
        value += claims(board, state, 1)
        taken = max(taken, richest_ready(board, state, 1))
    value += TAKE * taken if state.turn == 0 else -TAKE * taken
    low, high = bounds(board, state)
    return max(POINT * low, min(POINT * high, value + POINT * score(board, state)))


def claims(board: Board, state: State, half: int) -> int:
    """What the circles are worth that only the first player can complete, less the second's."""
    ready = live_circles(board, state, half)[0]
    first, second = within_reach(board, state, half)
    mine, yours = first & ~second, second & ~first
    return READY * (
        worth(board, mine & ready, half) - worth(board, yours & ready, half)
    ) + LATER * (worth(board, mine & ~ready, half) - worth(board, yours & ~ready, half))


def richest_ready(board: Board, state: State, half: int) -> int:
    """The largest number among the circles that the mover can complete at once; 0 for none."""
    first, second = within_reach(board, state, half)
    ready = live_circles(board, state, half)[0] & (first if state.turn == 0 else second)
    if ready & board.fours[half] != 0:
        return 4
    if ready & board.threes[half] != 0:
        return 3
    if ready & board.twos[half] != 0:
        return 2
    return 1 if ready != 0 else 0
