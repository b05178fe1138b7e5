"""What proof-number search has proven when it is stopped: right at every moment."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from plyground.core.registry import find_game
from plyground.search.binding.compile import bind
from plyground.search.kernel_memory import Words
from plyground.search.solving.proof_number.search import run_task
from plyground.search.solving.proof_number.solver import Prover
from plyground.search.solving.solution import PartialSolution, Solution
from plyground.search.solving.transposition_table import TranspositionTable
from tests.random_play import random_game
from tests.search.solving.partial_checks import MOMENTS, partial_of

breakthrough = find_game("breakthrough")


@pytest.mark.parametrize(("seed", "ply"), [(0, 4), (2, 5), (3, 5)])
def test_a_proof_is_right_whenever_it_is_stopped(
    monkeypatch: pytest.MonkeyPatch, seed: int, ply: int
) -> None:
    position = random_game(breakthrough, seed, {"rows": 6, "columns": 3})[ply]
    solution = Prover(breakthrough, memory=4).solve(position)
    decided = set()
    moments = 2 * MOMENTS  # most of the moves are proven at about the same time
    for moment in range(moments):
        allowed = 1 + moment * solution.nodes // moments
        monkeypatch.setattr(TranspositionTable, "enough_for", allowed)
        prover = Prover(breakthrough, memory=4)
        monkeypatch.setattr(TranspositionTable, "grow", stopping(prover))
        partial = partial_of(prover, position)
        if partial is not None:
            assert_winners_right(partial, solution)
            decided.add(sum(bounds.worth is not None for bounds in partial.moves.values()))
    assert len(decided) > 1


def stopping(prover: Prover) -> Callable[..., Words]:
    """In place of `TranspositionTable.grow`: stops the solver."""

    def grow(table: TranspositionTable, is_stopped: object) -> Words:
        prover.stop()
        return table.words

    return grow


def test_a_proof_is_right_whichever_kernel_call_was_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Stopped while the winner is proven, while the plies are counted, while the line is made."""
    position = random_game(breakthrough, 1, {"rows": 5, "columns": 3})[4]
    solution = Prover(breakthrough, memory=4).solve(position)
    last = 0
    while True:
        last += 1
        prover = Prover(breakthrough, memory=4)
        calls = Calls(last, prover.stop)
        monkeypatch.setattr(bind(breakthrough), "run", calls)
        partial = partial_of(prover, position)
        if partial is not None:
            assert_winners_right(partial, solution)
        elif calls.count < last:
            break
    assert last > 10


class Calls:
    """In place of `Bound.run`: stops a solver before one of its kernel calls."""

    def __init__(self, last: int, stop: Callable[[], None]) -> None:
        self.count = 0
        self._last, self._stop = last, stop
        bound = bind(breakthrough)
        self._run = functools.partial(type(bound).run, bound)

    def __call__(self, kernel: Any, *arguments: Any) -> Any:
        self.count += kernel is run_task
        if self.count == self._last and kernel is run_task:
            self._stop()
        return self._run(kernel, *arguments)


def assert_winners_right(partial: PartialSolution, solution: Solution) -> None:
    """As above, where the plies of the solution are themselves no more than an upper bound."""
    for bounds, worth in (
        (partial.bounds, solution.worth),
        *((partial.moves[move], worth) for move, worth in solution.moves.items()),
    ):
        assert bounds.worth is None or bounds.worth.utility == worth.utility
        if bounds.worth is not None and bounds.worth.plies is not None:
            assert not bounds.worth.exactly
