"""New days at sea: drawn by lot, proven by the solver, measured, and kept if they fit a level.

Green wins every one of them with correct play, whatever red does. The level says how deep a plain
search must look for that (`difficulty.py`); where more than a few plies are needed, a player who
just takes what looks best at once does not win either.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from plyground.classroom.forge.difficulty import (
    DEEPEST,
    Difficulty,
    Yardstick,
    margin,
    measure,
)
from plyground.classroom.opponents import Perfect
from plyground.classroom.suite import Task
from plyground.core.errors import PlygroundError
from plyground.core.position import Position
from plyground.core.registry import find_game
from plyground.players.simple import greedy_move
from plyground.search.solving.solution import Unsolved

FISH = (4, 6)
PLIES = (36, 56)
"""From the least to the most: days that a solver knows whole in a fraction of a second."""


@dataclass(frozen=True)
class Level:
    """A band of difficulty."""

    name: str
    least: int
    most: int | None
    """None: as deep as you like."""
    greedy_wins: bool = False
    """Whether a day may be won by looking one move ahead."""

    def holds(self, difficulty: Difficulty) -> bool:
        depth = DEEPEST + 1 if difficulty.depth is None else difficulty.depth
        in_band = self.least <= depth <= (depth if self.most is None else self.most)
        return in_band and (self.greedy_wins or difficulty.greedy <= 0)


LEVELS = {
    "E": Level("E/D", 2, 4, greedy_wins=True),
    "C": Level("C", 5, 8),
    "A": Level("A", 9, None),
}


@dataclass(frozen=True)
class Day:
    """A day that was kept, with what is known of it."""

    start: Position
    seed: int
    level: Level
    difficulty: Difficulty

    def proof(self) -> dict[str, object]:
        return {"seed": self.seed, "level": self.level.name, **self.difficulty.as_json()}


class Forge:
    """Draws days from a seed; the same seed gives the same days."""

    def __init__(self) -> None:
        self.game = find_game("derby")
        self._yardstick = Yardstick(find_game(str(Path(__file__).parent / "derby_by_score.py")))

    def days(self, level: Level, seed: int, tried: Callable[[], None]) -> Iterator[Day]:
        """Days of a level, one after the other; `tried` is told of each that is looked at."""
        numbers = random.Random(f"{level.name} {seed}")
        while True:
            number = numbers.randrange(1 << 31)
            start = self.draw(number)
            difficulty = self.measure(start, level)
            tried()
            if difficulty is not None:
                yield Day(start, number, level, difficulty)

    def draw(self, seed: int) -> Position:
        """A day at sea, by lot."""
        draw = random.Random(seed)
        return self.game.start(
            {
                "board": "random",
                "seed": seed,
                "fish": draw.randrange(FISH[0], FISH[1] + 1),
                "plies": draw.randrange(PLIES[0], PLIES[1] + 1),
            }
        )

    def measure(self, start: Position, level: Level) -> Difficulty | None:
        """How hard a day is, if it belongs to a level. The quickest questions come first."""
        perfect = Perfect(self.game)
        try:
            if perfect.solver.solve(start, every_move=False).worth.utility <= 0:
                return None
            if not level.greedy_wins and margin(start, greedy_move, perfect) > 0:
                return None
            too_shallow = (
                margin(start, self._yardstick.at_depth(depth), perfect) > 0
                for depth in range(1, level.least)
            )
            if any(too_shallow):
                return None
            found = measure(start, perfect, self._yardstick, level.most or DEEPEST)
        except Unsolved:
            return None
        return found if found is not None and level.holds(found) else None

    def check(self, task: Task) -> None:
        """Prove a task again, and measure it again. Raises PlygroundError where they differ."""
        perfect = Perfect(self.game)
        difficulty = measure(task.start, perfect, self._yardstick)
        if difficulty is None:
            raise PlygroundError(f"{task.name}: green does not win with correct play")
        for name, found in difficulty.as_json().items():
            if task.proof.get(name) != found:
                kept = task.proof.get(name)
                raise PlygroundError(f"{task.name}: {name} is {found}, the suite says {kept}")
        perfect.solver.verify(task.start)
