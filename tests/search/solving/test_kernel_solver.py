"""What all solvers share: the time limit, and what is proven when it is over."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from plyground.core.errors import LimitError
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.search.binding import compile as compiling
from plyground.search.binding.compile import bind
from plyground.search.binding.linking import link
from plyground.search.solving.exhaustive.solver import Exhaustive
from plyground.search.solving.kernel_solver import SolveTimer, time_limit
from plyground.search.solving.methods import SOLVERS, SolvingMethod, make_solver
from plyground.search.solving.retrograde.solver import Retrograde
from plyground.search.solving.solution import Unsolved
from tests.search.solving.partial_checks import NEVER

blocker = find_game("blocker")
breakthrough = find_game("breakthrough")
connectfour = find_game("connectfour")
slant = find_game("slant")
tictactoe = find_game("tictactoe")


class Slow:
    """A stand-in for `Bound` that compiles until `finish` is called."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._done: float | None = None

    def finish(self) -> None:
        self._done = self.seconds_preparing

    @property
    def seconds_preparing(self) -> float:
        return time.monotonic() - self._began if self._done is None else self._done


def test_a_time_limit_stops_again_and_again_until_the_solver_has_stopped() -> None:
    stopped = threading.Semaphore(0)
    with time_limit(0.001, SolveTimer(bind(tictactoe)), stopped.release):
        for _ in range(3):
            assert stopped.acquire(timeout=60)
    while stopped.acquire(blocking=False):
        pass
    assert not stopped.acquire(timeout=0.05)


def test_compiling_is_no_part_of_the_time() -> None:
    bound, stopped = Slow(), threading.Event()
    with time_limit(0.01, SolveTimer(bound), stopped.set):  # type: ignore[arg-type]
        assert not stopped.wait(0.2)
        bound.finish()
        assert stopped.wait(60)


def test_compiling_counts_as_preparing_already_while_it_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bound = bind(tictactoe)
    before = bound.seconds_preparing
    seen = []

    def slowly_linked(*given: Any) -> bytes:
        time.sleep(0.002)
        seen.append(bound.seconds_preparing)
        return link(*given)

    def kernel(number: int) -> int:
        return number

    monkeypatch.setattr(compiling, "link", slowly_linked)
    monkeypatch.setattr(compiling, "read_code", lambda *_: None)
    bound.prepare(kernel, 1)
    assert before < seen[0] <= bound.seconds_preparing == bound.seconds_preparing


def test_no_limit_starts_no_thread() -> None:
    before = threading.active_count()
    with time_limit(None, SolveTimer(bind(tictactoe)), lambda: None):
        assert threading.active_count() == before


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("method", list(SolvingMethod))
def test_a_time_that_makes_no_sense_is_refused(seconds: float, method: SolvingMethod) -> None:
    game = breakthrough if method is SolvingMethod.PROOF_NUMBER else tictactoe
    with pytest.raises(LimitError, match=r"^\S+ seconds: a time is above 0 and at most"):
        make_solver(game, method, memory=1).solve(game.start(), seconds=seconds)


LONG_ENOUGH = 0.5
"""Seconds in which a solver searches something, even where it has to wait for a core."""
HARD: dict[SolvingMethod, tuple[Position, int]] = {
    SolvingMethod.ALPHA_BETA: (slant.start({"board": "random", "rows": 6, "columns": 6}), 1),
    SolvingMethod.PROOF_NUMBER: (breakthrough.start({"rows": 8, "columns": 8}), 2),
    SolvingMethod.RETROGRADE: (connectfour.start(), 1),
    SolvingMethod.NEAR_WINS_FIRST: (blocker.start({"board": "random", "width": 8, "height": 8}), 1),
}


@pytest.mark.parametrize("method", list(HARD))
def test_every_method_ends_when_its_time_is_up(method: SolvingMethod) -> None:
    position, threads = HARD[method]
    solver = make_solver(position.game, method, memory=512, threads=threads)
    with pytest.raises(Unsolved) as unsolved:
        solver.solve(position, seconds=LONG_ENOUGH)
    assert unsolved.value.stopped
    partial = unsolved.value.partial
    assert partial is not None
    assert partial.bounds.worth is None
    assert partial.nodes > 0
    assert partial.seconds >= LONG_ENOUGH


def test_a_solver_that_reaches_another_limit_was_not_stopped() -> None:
    with pytest.raises(Unsolved) as unsolved:
        Retrograde(connectfour, memory=1).solve(connectfour.start(), seconds=NEVER)
    assert not unsolved.value.stopped
    assert unsolved.value.partial is not None
    with pytest.raises(Unsolved) as unsolved:
        Exhaustive(slant, memory=1, nodes=300).solve(slant.start({"board": "full"}))
    assert not unsolved.value.stopped


def test_what_has_time_enough_is_solved_as_ever() -> None:
    starts = [game.start() for game in (slant, blocker, tictactoe)]
    for position in (*starts, breakthrough.start({"rows": 5, "columns": 3})):
        solution = make_solver(position.game, memory=16).solve(position)
        limited = make_solver(position.game, memory=16).solve(position, seconds=NEVER)
        assert (limited.worth, limited.moves) == (solution.worth, solution.moves)


@pytest.mark.parametrize("method", list(SOLVERS))
def test_a_solve_in_small_pieces_comes_to_its_end(tmp_path: Path, method: SolvingMethod) -> None:
    """Each a solver of its own, so that only the checkpoint goes from one to the next."""
    position = breakthrough.start({"rows": 4, "columns": 3})
    expected = make_solver(breakthrough, method, memory=16).solve(position).worth.utility
    file = tmp_path / "pieces.solve"
    seconds, solution = 0.01, None
    while solution is None:
        solver = make_solver(breakthrough, method, memory=16, checkpoint=file)
        with suppress(Unsolved):
            solution = solver.solve(position, seconds=seconds)
        seconds *= 1.2  # however busy the machine is
    assert solution.worth.utility == expected
