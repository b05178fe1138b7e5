"""Fishing Derby as students value it: the points, the fish on the rods, and for each boat the most
promising fish by its distance. The difficulty of a day is measured with this.

It is what the reference players of the tests calculate, in hundredths of hundredths of a point.
"""

from __future__ import annotations

from plyground.core.bits import drop_lowest, lowest
from plyground.games.derby.game import move_text, new_board, parse_position, position_text
from plyground.games.derby.rules import (
    MAX_MOVES,
    NONE,
    SIZE,
    Board,
    State,
    bounds,
    cell_of,
    identity,
    key,
    moves,
    over,
    play,
    score,
    score_of,
    start,
    turn,
    utility,
)

__all__ = [
    "MAX_MOVES",
    "POINT",
    "Board",
    "State",
    "bounds",
    "evaluate",
    "identity",
    "key",
    "move_text",
    "moves",
    "new_board",
    "over",
    "parse_position",
    "play",
    "position_text",
    "score",
    "start",
    "turn",
    "utility",
]

PLAYERS = ("Green", "Red")
POINT = 10_000
HELD = 8000
"""What a point on the rod is worth at the sea floor."""
RISEN = 100
"""And what each row above it adds."""
NEAR = tuple(round(7000 * 0.95**distance) for distance in range(2 * SIZE))
"""What a point is worth that swims so many steps away."""


def evaluate(board: Board, state: State) -> int:
    value = POINT * (state.green_points - state.red_points)
    value += prospects(board, state, state.green_x, state.green_y, state.green_fish)
    value -= prospects(board, state, state.red_x, state.red_y, state.red_fish)
    return value


def prospects(board: Board, state: State, x: int, y: int, held: int) -> int:
    """What a boat has on its rod, or else the best fish to go for."""
    if held != NONE:
        return score_of(board, held) * (HELD + RISEN * y)
    best = 0
    swimming = state.swimming
    while swimming != 0:
        fish = lowest(swimming)
        swimming = drop_lowest(swimming)
        cell = cell_of(board, state.ply, fish)
        across = abs(cell // SIZE - x)
        steps = min(across, SIZE - across) + abs(cell % SIZE - y)
        best = max(best, score_of(board, fish) * NEAR[steps])
    return best
