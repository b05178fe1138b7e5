"""New days of Fishing Derby. Green wins each of them with correct play, whatever red does.

With correct play the sea is empty before the day ends: days have few fish, most of them with a
positive score and none very deep, and enough plies. The solver proves such days in seconds.
"""

from __future__ import annotations

import random

from plyground.classroom.forge.difficulty import DifficultyLevel, WinDifficulty, margin, measure_win
from plyground.classroom.forge.forge import Forge, Forged
from plyground.classroom.opponents import SOLVER_MEMORY, Perfect
from plyground.classroom.suite import Task
from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.games.derby.boards import swimming_codes
from plyground.games.derby.sea import Fish, Scenario, make_board
from plyground.search.result import Limits
from plyground.search.solving.solution import Unsolved

FISH = (3, 3, 4, 4, 4, 5, 5)
PLIES = (70, 80, 90, 100)
PLIES_OF_FIVE_FISH = (60, 70, 80)
DEEPEST_ROWS = (6, 8, 10)
"""The lowest row in which a fish begins is one of these."""
PENALTIES = (0, 0, 1)
"""The number of fish with a negative score is one of these."""
SPARE = 4
"""Plies that must be left when the sea is empty, with correct play."""
NODES = 4_000_000
"""The solver's limit for a day: some seconds."""
SKETCH_DEPTH = 8
"""Search depth of the engine when it plays a day to see whether it is promising."""
DEEPEST = 12
"""The greatest depth at which the difficulty is measured."""
MANIFEST_ENTRIES = {"side": 0, "opponent": {"kind": "perfect"}}


class DerbyForge(Forge):
    kind, noun, title, ending = "win", "day", "days at sea", ".json"
    seconds = 0.075
    """What a decision may take in the course that the game comes from."""
    overruns = 3
    """As there: so many late moves in a row lose."""
    end_when_decided = True

    def __init__(self) -> None:
        from plyground.search.engine.engine import Engine

        super().__init__("derby")
        self._engine = Engine(self.game, memory=32)

    def draw(self, seed: int) -> Position:
        board = make_board(draw_scenario(seed))
        return Position(self.game, board, self.game.module.start(board))

    def measure(self, start: Position, seed: int, level: DifficultyLevel) -> Forged | None:
        """The quickest checks come first."""
        from plyground.search.solving.exhaustive.solver import Exhaustive

        if not self.is_promising(start):
            return None
        perfect = Perfect(self.game, Exhaustive(self.game, memory=SOLVER_MEMORY, nodes=NODES))
        try:
            solution = perfect.solver.solve(start, every_move=False)
            if solution.worth.utility <= 0 or len(solution.line) > start.board.plies - SPARE:
                return None
            too_shallow = (
                margin(start, self.yardstick.at_depth(depth), perfect) > 0
                for depth in range(2, level.least)
            )
            if any(too_shallow):
                return None
            found = measure_win(start, perfect, self.yardstick, DEEPEST)
        except Unsolved:
            return None
        if found is None or found.lucky or not level.holds(found):
            return None
        return Forged(start, seed, level, found, MANIFEST_ENTRIES)

    def is_promising(self, start: Position) -> bool:
        """Whether green wins when the engine plays both sides, and the sea is empty before the day
        is over. Most days that are kept pass this quick check, and most others do not."""
        position = start
        while not position.is_over:
            found = self._engine.search(position, Limits(depth=SKETCH_DEPTH))
            position = position.after(found.move)
        return position.utility > 0 and position.state.ply <= start.board.plies - SPARE

    def prove(self, task: Task) -> WinDifficulty:
        perfect = Perfect(self.game)
        found = measure_win(task.start, perfect, self.yardstick, DEEPEST)
        if found is None or task.side != 0:
            raise PlygroundError(f"{task.name}: green does not win with correct play")
        perfect.solver.verify(task.start)
        return found


def draw_scenario(seed: int) -> Scenario:
    """A random day."""
    chance = random.Random(seed)
    count = chance.choice(FISH)
    plies = chance.choice(PLIES if count < max(FISH) else PLIES_OF_FIVE_FISH)
    deepest = chance.choice(DEEPEST_ROWS)
    penalties = chance.choice(PENALTIES)
    # The same numbers once more: the seeds in the proofs of suites go on drawing the same days.
    chance = random.Random(seed)
    green = chance.randrange(20)
    red = (green + 1 + chance.randrange(19)) % 20
    scores = [chance.randrange(1, 12) for _ in range(count)]
    scores[:penalties] = [-chance.randrange(1, 8) for _ in range(penalties)]
    fish = []
    for score in scores:
        x, y = chance.randrange(20), chance.randrange(deepest, 18)
        fish.append(Fish(x, y, score, swimming_codes(chance, plies)))
    return Scenario(plies, ((green, 19), (red, 19)), tuple(fish))
