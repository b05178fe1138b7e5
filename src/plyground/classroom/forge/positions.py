"""New positions with a best move to find: random games on random boards, solved to the end.

A position is kept only if some move does not keep its value.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import closing
from typing import ClassVar

from plyground.classroom.forge.difficulty import (
    BestMoveDifficulty,
    DifficultyLevel,
    best_texts,
    keeping_moves,
    measure_best,
)
from plyground.classroom.forge.forge import Forge, Forged
from plyground.classroom.opponents import SOLVER_MEMORY
from plyground.classroom.suite import Task
from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.executor.task import Executor
from plyground.games.blocker.cells import joined, size
from plyground.players.simple import greedy_move
from plyground.search.solving.solution import Solver, Unsolved

LARGEST_SHARE = 0.25
"""The approximate part of all tasks that may have the same answer."""
LEAST_CHOICE = 3
"""The least number of legal moves in a position."""


class PositionForge(Forge):
    kind, noun = "best", "position"
    seconds = 2.0
    """Enough for a plain search in Python to reach the depth of the hardest level."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._solver = self.solver()

    def solver(self) -> Solver:
        """The solver to prove positions with."""
        from plyground.search.solving.methods import make_solver

        return make_solver(self.game, memory=SOLVER_MEMORY)

    @abstractmethod
    def board(self, chance: random.Random) -> Position:
        """A board to begin with."""

    @abstractmethod
    def moves_played(self, board: Position, chance: random.Random) -> int:
        """The number of random moves to play on it."""

    def is_promising(self, position: Position, level: DifficultyLevel) -> bool:
        """A quick check before the position is solved: False only if it would not be kept."""
        return len(position.legal_moves) >= LEAST_CHOICE

    def tasks(
        self,
        level: DifficultyLevel,
        seed: int,
        tried: Callable[[], None],
        executor: Executor | None = None,
    ) -> Generator[Forged, None, None]:
        """Tasks with different answers: always giving the same one must not earn many points."""
        kept, answers = 0, Counter[str]()
        with closing(super().tasks(level, seed, tried, executor)) as all_tasks:
            for task in all_tasks:
                best = task.manifest_entries["best"]
                if all(answers[answer] <= LARGEST_SHARE * kept for answer in best):
                    kept += 1
                    answers.update(best)
                    yield task

    def draw(self, seed: int) -> Position | None:
        chance = random.Random(seed)
        position = self.board(chance)
        for _ in range(self.moves_played(position, chance)):
            if position.is_over:
                return None
            position = position.after(chance.choice(position.legal_moves))
        return None if position.is_over else position

    def measure(self, start: Position, seed: int, level: DifficultyLevel) -> Forged | None:
        """The quickest checks come first."""
        if not self.is_promising(start, level):
            return None
        try:
            solution = self._solver.solve(start)
        except Unsolved:
            return None
        best = keeping_moves(solution)
        if len(best) == len(start.legal_moves):
            return None
        if not level.greedy_is_enough and greedy_move(start) in best:
            return None
        found = measure_best(solution, self.yardstick, level.deepest)
        if not level.holds(found):
            return None
        return Forged(start, seed, level, found, {"best": best_texts(start, solution)})

    def prove(self, task: Task) -> BestMoveDifficulty:
        solution = self._solver.solve(task.start)
        best = best_texts(task.start, solution)
        if set(best) != set(task.best):
            said = " or ".join(task.best)
            raise PlygroundError(f"{task.name}: best is {' or '.join(best)}, the suite says {said}")
        self._solver.verify(task.start)
        return measure_best(solution, self.yardstick)


class SlantForge(PositionForge):
    title = "positions of Slant"

    SIZES = ((4, 4), (4, 4), (3, 5), (5, 3))
    CIRCLES = (35, 70)
    """Per cent of the intersections: few enough for the solver."""
    EMPTY = (9, 14)
    """Cells that are left."""

    def __init__(self) -> None:
        super().__init__("slant")

    def board(self, chance: random.Random) -> Position:
        rows, columns = chance.choice(self.SIZES)
        return self.game.start(
            {
                "board": "random",
                "seed": chance.randrange(1_000_000),
                "rows": rows,
                "columns": columns,
                "circles": chance.randint(*self.CIRCLES),
            }
        )

    def moves_played(self, board: Position, chance: random.Random) -> int:
        return max(0, len(board.legal_moves) - chance.randint(*self.EMPTY))


class BlockerForge(PositionForge):
    title = "positions of Blocker"
    seconds = 0.1
    """Boards are small: in the time for Slant, a plain search in Python would find every move."""

    SIZES = ((3, 3), (4, 3), (5, 3), (4, 4), (5, 4), (5, 5), (6, 4))
    OPEN: ClassVar = {"E/D": (7, 9), "C": (8, 12), "A": (10, 12)}
    """Cells without a wall, by level: on fewer a plain search sees everything, and on more a proof
    takes long."""
    FOOD = (2, 4)
    MOVES = (0, 5)
    QUICK = 20_000
    """The limit of the quick search for a win, before the solver builds the whole graph. Draws are
    left out: most random positions are drawn, and proving that takes the whole graph."""

    def __init__(self) -> None:
        from plyground.search.solving.exhaustive.solver import Exhaustive

        super().__init__("blocker")
        self._near = Exhaustive(self.game, memory=16, nodes=self.QUICK)

    def solver(self) -> Solver:
        """Only retrograde analysis proves that a move does not win in any number of moves."""
        from plyground.search.solving.retrograde.solver import Retrograde

        return Retrograde(self.game, memory=SOLVER_MEMORY)

    def board(self, chance: random.Random) -> Position:
        width, height = chance.choice(self.SIZES)
        fewest, most = self.OPEN["E/D"][0], self.OPEN["A"][1]
        walls = width * height - chance.randint(fewest, most)
        return self.game.start(
            {
                "board": "random",
                "seed": chance.randrange(1 << 31),
                "width": width,
                "height": height,
                "food": chance.randint(*self.FOOD),
                "walls": -(-100 * max(0, walls) // (width * height)),
            }
        )

    def moves_played(self, board: Position, chance: random.Random) -> int:
        return chance.randint(*self.MOVES)

    def draw(self, seed: int) -> Position | None:
        """The position without its history."""
        played = super().draw(seed)
        if played is None:
            return None
        return self.game.position(played.text.split(" began ")[0])

    def is_promising(self, position: Position, level: DifficultyLevel) -> bool:
        """Whether the board has the size of the level and the mover wins: soon enough for the quick
        search, but not within the depths below the level."""
        fewest, most = self.OPEN[level.name]
        walls = joined(position.state.walls, position.state.far_walls)
        open_cells = position.board.cell_count - size(walls)
        if not fewest <= open_cells <= most or not super().is_promising(position, level):
            return False
        try:
            near = self._near.solve(position)
        except Unsolved:
            return False
        if near.worth.utility != (1 if position.turn == 0 else -1):
            return False
        if near.worth.plies is None or near.worth.plies < level.least:
            return False
        if not level.greedy_is_enough and greedy_move(position) in near.optimal:
            return False
        too_shallow = range(1, level.least)
        return not any(
            self.yardstick.at_depth(depth)(position) in near.optimal for depth in too_shallow
        )
