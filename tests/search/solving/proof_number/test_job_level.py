"""Job-level proof-number search: many small searches together prove what one proves."""

from __future__ import annotations

import random
from collections.abc import Container, Generator, Iterable, Iterator

import pytest

from plyground.core.errors import LimitError
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.executor.local import LocalExecutor
from plyground.executor.serial import SerialExecutor
from plyground.executor.task import Done, Event, Executor, Failed, Task, Work
from plyground.search.solving.proof_number.job_level import JobLevelProver
from plyground.search.solving.proof_number.solver import Prover
from plyground.search.solving.solution import Unsolved
from tests.random_play import random_game

breakthrough = find_game("breakthrough")


class ManyAtATime:
    """Jobs of which several are out; the order in which they end is chosen by lot."""

    def __init__(self, slots: int, seed: int) -> None:
        self.slots = slots
        self._chance = random.Random(seed)
        self.most_out = 0

    def run(self, work: Work, tasks: Iterable[Task | None]) -> Generator[Event, None, None]:
        run = work.setup(work.settings)
        supply: Iterator[Task | None] = iter(tasks)
        out: list[Task] = []
        while True:
            while len(out) < self.slots and (task := next(supply, None)) is not None:
                out.append(task)
            self.most_out = max(self.most_out, len(out))
            if not out:
                return
            task = out.pop(self._chance.randrange(len(out)))
            yield Done(task.id, run(task.payload, lambda _: None))


def check(position: Position, executor: Executor, nodes: int) -> int:
    """Solve, and compare; how many plies the line has."""
    expected = Prover(breakthrough, memory=16).solve(position, every_move=False)
    found = JobLevelProver(breakthrough, executor, nodes=nodes, memory=16).solve(position)
    assert found.worth.utility == expected.worth.utility
    assert found.worth.plies is not None
    assert len(found.line) <= found.worth.plies
    end = position
    for move in found.line:
        assert move in end.legal_moves
        end = end.after(move)
    if end.is_over:
        assert end.utility == found.worth.utility
    return len(found.line)


@pytest.mark.parametrize(
    ("rows", "columns", "nodes"), [(4, 4, 1), (4, 4, 40), (5, 3, 100), (6, 3, 3000)]
)
@pytest.mark.parametrize("slots", [1, 7])
def test_the_winner_is_that_of_one_process(rows: int, columns: int, nodes: int, slots: int) -> None:
    executor = ManyAtATime(slots, seed=rows)
    start = breakthrough.start({"rows": rows, "columns": columns})
    if nodes == 1:  # every position is a job
        game = random_game(breakthrough, 2, {"rows": rows, "columns": columns})
        start = game[len(game) // 2]
    assert check(start, executor, nodes)
    if nodes > 1:
        assert executor.most_out == slots


@pytest.mark.parametrize("seed", range(6))
def test_positions_of_random_games_have_their_winners(seed: int) -> None:
    game = random_game(breakthrough, seed, {"rows": 5, "columns": 4})
    check(game[len(game) // 2], ManyAtATime(3, seed), nodes=30)


def test_real_workers_agree() -> None:
    start = breakthrough.start({"rows": 5, "columns": 3})
    check(start, LocalExecutor(2), nodes=300)


def test_a_large_job_solves_it_alone() -> None:
    executor = ManyAtATime(4, 1)
    check(breakthrough.start({"rows": 4, "columns": 3}), executor, nodes=100_000)
    assert executor.most_out == 1


def test_the_time_and_a_stop_end_it_with_what_is_proven() -> None:
    start = breakthrough.start({"rows": 6, "columns": 4})
    with pytest.raises(Unsolved, match=r"stopped before .* was proven; 1 jobs") as raised:
        JobLevelProver(breakthrough, SerialExecutor(), nodes=50, memory=16).solve(
            start, seconds=1e-9
        )
    assert raised.value.stopped
    assert raised.value.partial is not None
    assert raised.value.partial.nodes > 0
    assert set(raised.value.partial.moves) == set(start.legal_moves)
    assert raised.value.partial.bounds.worth is None
    prover = JobLevelProver(
        breakthrough, SerialExecutor(), nodes=50, memory=16, progress=lambda advance: prover.stop()
    )
    with pytest.raises(Unsolved, match="stopped before"):
        prover.solve(start)


class Failing:
    """Jobs fail if they are too large, or if they are for one of some positions."""

    slots = 1

    def __init__(self, most_nodes: int, never: Container[str] = ()) -> None:
        self._most_nodes, self._never = most_nodes, never
        self.failed: list[int] = []
        """The nodes of jobs."""

    def run(self, work: Work, tasks: Iterable[Task | None]) -> Generator[Event, None, None]:
        run = work.setup(work.settings)
        for task in tasks:
            if task is None:
                return
            job = task.payload
            if job.nodes > self._most_nodes or job.leaf.text in self._never:
                self.failed.append(job.nodes)
                yield Failed(task.id, "its worker ended 2 times: exit status 9")
            else:
                yield Done(task.id, run(job, lambda _: None))


def test_a_job_that_failed_is_repeated_with_fewer_positions() -> None:
    executor = Failing(most_nodes=300)
    check(breakthrough.start({"rows": 5, "columns": 3}), executor, nodes=3000)
    assert set(executor.failed) == {3000}


def test_a_leaf_whose_jobs_fail_is_left_alone_and_the_others_prove_the_winner() -> None:
    # Black answers White's first move in another way.
    start = breakthrough.start({"rows": 5, "columns": 3})
    answer = start.play("a2a3").play("b4a3")
    executor = Failing(most_nodes=300, never=[answer.text])
    check(start, executor, nodes=300)
    assert executor.failed == [300, 30, 3]


def test_a_position_that_cannot_be_proven_because_jobs_fail_gives_what_is_known() -> None:
    start = breakthrough.start({"rows": 4, "columns": 4})
    executor = Failing(most_nodes=100_000, never=[start.text])
    with pytest.raises(
        Unsolved,
        match=r"cannot be proven, because 3 jobs failed for each position that is left \(its worker"
        r" ended 2 times: exit status 9\); 3 jobs, 1 positions in the tree, proof 1, disproof 1$",
    ) as raised:
        JobLevelProver(breakthrough, executor, nodes=1000, memory=16).solve(start)
    assert executor.failed == [1000, 100, 10]
    assert not raised.value.stopped
    assert raised.value.partial is not None
    assert set(raised.value.partial.moves) == set(start.legal_moves)


def test_what_cannot_be_done_is_told() -> None:
    with pytest.raises(LimitError, match="search asks who wins: tictactoe can end otherwise"):
        JobLevelProver(find_game("tictactoe"), SerialExecutor())
    with pytest.raises(LimitError, match="0 nodes: there must be at least 1"):
        JobLevelProver(breakthrough, SerialExecutor(), nodes=0)
    with pytest.raises(LimitError, match="0 nodes: there must be at least 1"):
        Prover(breakthrough, nodes=0)
