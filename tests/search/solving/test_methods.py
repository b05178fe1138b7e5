"""Near wins first, then retrograde analysis: what both prove together."""

from __future__ import annotations

import pytest

from plyground.core.registry import find_game
from plyground.search.solving import methods
from plyground.search.solving.exhaustive.solver import Exhaustive
from plyground.search.solving.methods import make_solver
from plyground.search.solving.retrograde.solver import Retrograde
from tests.search.solving.partial_checks import Moment, assert_right, partial_of

blocker = find_game("blocker")


@pytest.mark.usefixtures("many_moments")
def test_a_partial_solution_has_what_both_methods_have_proven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = blocker.start()
    solution = Retrograde(blocker, memory=16).solve(position)
    monkeypatch.setattr(methods, "NEAR_WIN_NODES", 300)
    near = partial_of(Exhaustive(blocker, memory=4, nodes=300), position)
    assert near is not None
    for last in range(1, 40, 3):
        moment = Moment(last)
        solver = make_solver(blocker, memory=16, progress=moment)
        moment.stop = solver.stop
        partial = partial_of(solver, position)
        assert partial is not None
        assert_right(partial, solution)
        assert partial.bounds.narrowed(near.bounds) == partial.bounds
        assert partial.method == solver.method
