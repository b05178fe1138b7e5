"""The evaluations that the difficulty of a task is measured with: those that students begin with.

A finished game counts, and in games of points so do the points so far. Fishing Derby has a
heuristic as well, since a plain search sees no fish landed: the fish on the rods, and for each boat
the most promising fish by its distance.
"""

from __future__ import annotations

from plyground.core.bits import drop_lowest, lowest
from plyground.core.game import Game
from plyground.core.registry import find_game
from plyground.games.derby.rules import NONE, SIZE, Board, State, cell_of, score_of

POINT = 10_000
HELD = 8000
"""What a point on the rod is worth at the sea floor."""
RISEN = 100
"""And what each row above it adds."""
NEAR = tuple(round(7000 * 0.95**distance) for distance in range(2 * SIZE))
"""What a point is worth that swims so many steps away."""


def plain_game(name: str) -> Game:
    """A game with the evaluation of students."""
    game = find_game(name)
    if name == "derby":
        return game.replace(name="plain_derby", evaluate=derby_evaluation, POINT=POINT)
    return game.replace(name=f"plain_{name}", evaluate=None)


def derby_evaluation(board: Board, state: State) -> int:
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
