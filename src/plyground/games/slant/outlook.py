"""What can still become of the score of a game of Slant, and what probably will."""

from __future__ import annotations

from plyground.core.bits import popcount
from plyground.games.slant.rules import (
    POINT,
    Board,
    Four,
    State,
    far_live,
    far_openings,
    near_live,
    near_openings,
    score,
)


def bounds(board: Board, state: State) -> tuple[int, int]:
    """The margin if one side alone scored all that it can still reach.

    A live circle can fall to a player who can draw the last line at it: under `owned` the players
    with an empty cell there for a line of their own kind.

    That a line completes two circles at most, and that the lines left have only so many ends, gives
    tighter bounds and nothing more: measured on 4x4 and 5x5 boards, as many nodes to solve them.
    """
    _, first, second = near_outlook(board, state)
    most, least = worth(board.near, first), worth(board.near, second)
    if board.wide:
        _, first, second = far_outlook(board, state)
        most += worth(board.far, first)
        least += worth(board.far, second)
    now = state.first_points - state.second_points
    return now - least, now + most


def near_outlook(board: Board, state: State) -> tuple[int, int, int]:
    return outlook(board.free, near_live(board, state), near_openings(board, state))


def far_outlook(board: Board, state: State) -> tuple[int, int, int]:
    return outlook(board.free, far_live(board, state), far_openings(board, state))


def outlook(free: bool, live: Four, openings: Four) -> tuple[int, int, int]:
    """The live circles that lack a single line; those that the first player could complete, sooner
    or later; and those that the second could."""
    one, two, three, four = live
    some = one | two | three | four
    if free:
        return one, some, some
    right, below, left, above = openings
    return one, some & (right | below), some & (left | above)


def worth(circles: Four, chosen: int) -> int:
    """The sum of the numbers of those circles that are chosen."""
    return (
        popcount(chosen & circles[0])
        + 2 * popcount(chosen & circles[1])
        + 3 * popcount(chosen & circles[2])
        + 4 * popcount(chosen & circles[3])
    )


# The evaluation. A point of a circle's number is worth so much of a point, in hundredths. With
# these weights it won 58 of 60 games against the points so far alone: on both sides of 15 random
# boards of 6x6, half of their intersections circles, owned and free, at 1,000 nodes a move.

TAKE = 80
"""For the player to move: the richest circle that a line of theirs completes at once."""
READY = 50
"""A circle that lacks one line, and only one of the players can draw it."""
LATER = 20
"""A circle that lacks more, and only one of the players can draw the last line."""


def evaluate(board: Board, state: State) -> int:
    """The points so far, the best that the mover can take, and the circles that are one side's."""
    ready, first, second = near_outlook(board, state)
    most, least = worth(board.near, first), worth(board.near, second)
    claimed = claims(board.near, ready, first, second)
    taken = richest(board.near, ready & (first if state.turn == 0 else second))
    if board.wide:
        ready, first, second = far_outlook(board, state)
        most += worth(board.far, first)
        least += worth(board.far, second)
        claimed += claims(board.far, ready, first, second)
        taken = max(taken, richest(board.far, ready & (first if state.turn == 0 else second)))
    to_come = claimed + (TAKE * taken if state.turn == 0 else -TAKE * taken)
    return POINT * score(board, state) + max(-POINT * least, min(POINT * most, to_come))


def claims(circles: Four, ready: int, first: int, second: int) -> int:
    """What the circles are worth that only the first player can complete, less the second's."""
    mine, yours = first & ~second, second & ~first
    now = worth(circles, mine & ready) - worth(circles, yours & ready)
    later = worth(circles, mine & ~ready) - worth(circles, yours & ~ready)
    return READY * now + LATER * later


def richest(circles: Four, chosen: int) -> int:
    """The largest number among those circles that are chosen; 0 if there is none."""
    if chosen & circles[3] != 0:
        return 4
    if chosen & circles[2] != 0:
        return 3
    if chosen & circles[1] != 0:
        return 2
    return 1 if chosen != 0 else 0
