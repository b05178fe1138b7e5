"""Partial solutions: how tests get them, and check them against the whole solution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyground.core.game import Position
from plyground.search.solving.solution import (
    Bounds,
    PartialSolution,
    Solution,
    SolveProgress,
    Solver,
    Unsolved,
    Worth,
    bounds_text,
)

MOMENTS = 25
"""At how many moments a solve is stopped."""
NEVER = 1e6
"""A time limit that is never reached, in seconds."""


def partial_of(solver: Solver, position: Position, **settings: Any) -> PartialSolution | None:
    """What is proven of a position, None if it is solved."""
    try:
        solver.solve(position, **settings)
    except Unsolved as unsolved:
        partial = unsolved.partial
    else:
        return None
    assert partial is not None
    assert partial.position == position
    return partial


def allows(bounds: Bounds, worth: Worth) -> bool:
    """Whether a worth lies within bounds, its distance too."""
    if bounds.low is not None and position_on_scale(bounds.low, -1) > position_on_scale(worth, 0):
        return False
    return bounds.high is None or position_on_scale(bounds.high, 1) >= position_on_scale(worth, 0)


def position_on_scale(worth: Worth, unknown: int) -> tuple[int, int]:
    """From the soonest loss to the soonest win. A distance that is not known is as far out as it
    can be: `unknown` says to which side."""
    if worth.plies is None:
        return worth.utility, unknown * 10_000
    return worth.utility, -worth.plies if worth.utility > 0 else worth.plies


def assert_right(partial: PartialSolution, solution: Solution) -> None:
    """Nothing that is claimed contradicts the solution."""
    assert allows(partial.bounds, solution.worth), (partial.bounds, solution.worth)
    decided = partial.bounds.worth
    assert decided is None or decided.utility == solution.worth.utility
    assert set(partial.moves) == set(solution.position.legal_moves)
    for move, worth in solution.moves.items():
        assert allows(partial.moves[move], worth), (move, partial.moves[move], worth)
    assert bounds_text(partial.position, partial.bounds)


def width(partial: PartialSolution) -> int:
    assert partial.bounds.low is not None
    assert partial.bounds.high is not None
    return partial.bounds.high.utility - partial.bounds.low.utility


class Moment:
    """A progress listener that stops a retrograde analysis at one of its reports."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.reports = 0
        self.stop: Callable[[], None] | None = None

    def __call__(self, progress: SolveProgress) -> None:
        self.reports += "states" in progress.text
        if self.reports == self.last and self.stop is not None:
            self.stop()
