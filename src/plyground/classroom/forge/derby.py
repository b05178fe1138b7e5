"""New days at sea. Green wins every one of them with correct play, whatever red does."""

from __future__ import annotations

import random

from plyground.classroom.forge.difficulty import Level
from plyground.classroom.forge.making import Forge, Forged
from plyground.classroom.forge.winning import Winning, margin, measure_win
from plyground.classroom.opponents import Perfect
from plyground.classroom.suite import Task
from plyground.core.errors import PlygroundError
from plyground.core.position import Position
from plyground.players.simple import greedy_move
from plyground.search.solving.solution import Unsolved

FISH = (4, 6)
PLIES = (36, 56)
"""From the least to the most: days that a solver knows whole in a fraction of a second."""
TERMS = {"side": 0, "opponent": {"kind": "perfect"}}


class DerbyForge(Forge):
    kind, noun, title, ending = "win", "day", "days at sea", ".json"
    seconds = 0.075
    """What a decision may take in the course that the game comes from."""

    def __init__(self) -> None:
        super().__init__("derby")

    def draw(self, seed: int) -> Position:
        draw = random.Random(seed)
        return self.game.start(
            {
                "board": "random",
                "seed": seed,
                "fish": draw.randrange(FISH[0], FISH[1] + 1),
                "plies": draw.randrange(PLIES[0], PLIES[1] + 1),
            }
        )

    def measure(self, start: Position, seed: int, level: Level) -> Forged | None:
        """The quickest questions come first."""
        perfect = Perfect(self.game)
        try:
            if perfect.solver.solve(start, every_move=False).worth.utility <= 0:
                return None
            if not level.greedy_is_enough and margin(start, greedy_move, perfect) > 0:
                return None
            too_shallow = (
                margin(start, self.yardstick.at_depth(depth), perfect) > 0
                for depth in range(1, level.least)
            )
            if any(too_shallow):
                return None
            found = measure_win(start, perfect, self.yardstick, level.deepest)
        except Unsolved:
            return None
        if found is None or not level.holds(found):
            return None
        return Forged(start, seed, level, found, TERMS)

    def prove(self, task: Task) -> Winning:
        perfect = Perfect(self.game)
        found = measure_win(task.start, perfect, self.yardstick)
        if found is None or task.side != 0:
            raise PlygroundError(f"{task.name}: green does not win with correct play")
        perfect.solver.verify(task.start)
        return found
