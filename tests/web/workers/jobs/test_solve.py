"""Solutions of a worker, and the moves that a solver leaves out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plyground.core.errors import GameOver
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.search.binding.compile import Bound
from plyground.search.solving.solution import Solution, Unsolved, Worth
from plyground.web.protocol.messages import Solved
from plyground.web.workers.job_run import Cancellation, Interrupted, JobRun
from plyground.web.workers.jobs import solve as solving
from plyground.web.workers.jobs.solve import solve_with
from plyground.web.workers.main import perform
from plyground.web.workers.search_cache import SearchCache
from tests.web.workers.job_runner import RecordingReporter, complete, do, place


def test_a_solution_is_the_solvers_own(cache: SearchCache) -> None:
    from plyground.search.solving.methods import make_solver
    from plyground.search.solving.solution import worth_text

    position = find_game("tictactoe").start().play("b2").play("b1")
    found = do({"type": "solve", "place": place("tictactoe", "b2", "b1")}, cache=cache)
    solution = make_solver(position.game, memory=16).solve(position)
    words = {position.move_text(move): worth_text(position, worth)
             for move, worth in solution.moves.items()}  # fmt: skip
    assert {move["text"]: move["words"] for move in found["moves"]} == words
    best = {position.move_text(move) for move in solution.optimal}
    assert {move["text"] for move in found["moves"] if move["best"]} == best
    assert found["value_text"] == "X wins in 5 plies"
    assert found["moves"][0]["best"]
    Solved.model_validate({"type": "solved", "id": 1, **found})


def test_where_positions_come_back_the_other_moves_are_solved_one_by_one(
    cache: SearchCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plyground.search.solving.retrograde.solver import Retrograde

    monkeypatch.setattr(solving, "LEAST_SECONDS", 600.0)  # the machine may be busy
    position = find_game("blocker").start()
    found = do({"type": "solve", "place": place("blocker")}, cache=cache)
    worths = {
        move: Retrograde(position.game, memory=64).solve(position.after(move)).worth
        for move in position.legal_moves
    }
    assert found["moves"][0]["text"] == "block"
    assert {move["text"]: move["utility"] for move in found["moves"]} == {
        position.move_text(move): worth.utility for move, worth in worths.items()
    }
    for move in found["moves"]:
        plies = worths[position.parse_move(move["text"])].plies
        assert move["plies"] == (None if plies is None else plies + 1)
    assert [move["best"] for move in found["moves"]].count(True) == 1


def test_what_takes_too_long_beside_the_answer_is_said_to_be_unknown(
    cache: SearchCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "LEAST_SECONDS", -1.0)
    monkeypatch.setattr(solving, "solve_with", _solved_in_no_time)
    found = do({"type": "solve", "place": place("blocker")}, cache=cache)
    assert {move["words"] for move in found["moves"]} == {
        "A wins in 11 plies",
        "not decided in the time given",
    }
    Solved.model_validate({"type": "solved", "id": 1, **found})


def _solved_in_no_time(*arguments: Any, **options: Any) -> Solution:
    return replace(solve_with(*arguments, **options), seconds=0.0)


class Slow:
    """A solver that takes all the time that it is given, of which compiling is no part."""

    method = "slow"

    def __init__(self) -> None:
        self.given: list[float | None] = []
        self.seconds_compiling = 0.0

    def solve(
        self, position: Position, *, every_move: bool = True, seconds: float | None = None
    ) -> Solution:
        self.given.append(seconds)
        if len(self.given) == 3:
            self.seconds_compiling -= 120.0
            raise Unsolved("stopped")
        if len(self.given) == 2:
            self.seconds_compiling += 60.0
        return Solution(position, self.method, Worth(0), {}, (), (), 1, "nodes", 0.0)

    def verify(self, position: Position) -> int:
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError


def test_the_other_moves_share_a_time_that_compiling_is_no_part_of(
    cache: SearchCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver = Slow()
    monkeypatch.setattr(SearchCache, "solver", lambda *_, **__: solver)
    monkeypatch.setattr(solving, "LEAST_SECONDS", 60.0)
    monkeypatch.setattr(
        Bound, "seconds_preparing", property(lambda bound: solver.seconds_compiling)
    )
    found = do({"type": "solve", "place": place("tictactoe")}, cache=cache)
    known = [move for move in found["moves"] if move["words"] != solving.NOT_KNOWN]
    assert len(known) == 1
    # The answer had all the time it needed, and for a third of the other moves none was left.
    of_the_answer, first, second = solver.given
    assert of_the_answer is None
    assert first is not None
    assert second is not None
    assert first <= 60 < second


def test_a_finished_game_cannot_be_solved(cache: SearchCache) -> None:
    over = place("tictactoe", "a1", "b1", "a2", "b2", "a3")
    with pytest.raises(GameOver, match="nothing to solve"):
        do({"type": "solve", "place": over}, cache=cache)


def test_an_interrupted_solver_starts_over_later(cache: SearchCache) -> None:
    board = place("breakthrough", rows=6, columns=4)  # takes longer than the first report
    job = {"type": "solve", "place": board, "source": "breakthrough", "memory": 64}
    cancellation = Cancellation()
    reporter = RecordingReporter(lambda _: cancellation.request())
    with pytest.raises(Interrupted) as interrupted:
        perform(JobRun(complete(job), cache, reporter, cancellation))
    cancellation.finish()
    assert interrupted.value.rest == job
