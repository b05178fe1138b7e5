"""What a task costs beyond its own time, here and on a cluster, and how far that scales."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count

from benchmarks.report import Row, UnavailableError
from plyground.core.registry import find_game
from plyground.executor.cluster import ClusterExecutor
from plyground.executor.local import LocalExecutor
from plyground.executor.task import Executor, Task, TaskFunction, Work
from plyground.search.solving.methods import make_solver
from plyground.search.solving.proof_number.job_level import JobLevelProver

WORKERS = 2
ALLOWED_HERE = 0.001
ALLOWED_ON_CLUSTER = 0.020
"""Seconds for a task."""
TASK_SECONDS = (1, 10, 60)
"""How long tasks take in the rows that are computed: a fast pair of games, a slow one, a job."""


def run(quick: bool) -> Iterator[Row]:
    tasks = 50 if quick else 2000
    judged = not quick
    yield cost_row("this machine", LocalExecutor(WORKERS), tasks, ALLOWED_HERE, judged=judged)
    with local_cluster() as address, ClusterExecutor(address) as executor:
        row = cost_row("a cluster", executor, tasks, ALLOWED_ON_CLUSTER, judged=judged)
        yield row
        for seconds in TASK_SECONDS:
            yield scaling_row(seconds, row.numbers["seconds"])
        boards = [(4, 4)] if quick else [(5, 5), (6, 4)]
        for rows, columns in boards:
            yield solve_row(rows, columns, executor, jobs_of=100 if quick else 300_000)


@contextmanager
def local_cluster() -> Iterator[str]:
    """A cluster on this machine; the address of its scheduler."""
    try:
        from distributed import LocalCluster
    except ImportError:
        raise UnavailableError("Dask is not installed: pip install 'plyground[cluster]'") from None
    with LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def set_up_nothing(_: object) -> TaskFunction:
    """Tasks that take no time."""
    return lambda payload, _: payload


def seconds_for_each(executor: Executor, tasks: int) -> float:
    """What a task without work takes when all workers are busy with such tasks. The start of the
    workers, and the first tasks, are not counted."""
    warm = 4 * executor.slots
    supply = (Task(str(number), number) for number in count())
    with closing(executor.run(Work(set_up_nothing, None), supply)) as events:
        for _ in range(warm):
            next(events)
        started = time.perf_counter()
        for _ in range(tasks):
            next(events)
        return (time.perf_counter() - started) / tasks


def cost_row(where: str, executor: Executor, tasks: int, allowed: float, *, judged: bool) -> Row:
    seconds = seconds_for_each(executor, tasks)
    return Row(
        f"a task on {where}, {WORKERS} workers: {tasks:,} tasks without work",
        f"{seconds * 1000:.2f} ms a task",
        f"allowed: {allowed * 1000:.0f} ms",
        f"{allowed / seconds:.1f}x",
        ">= 1x" if judged else "-",
        seconds <= allowed if judged else None,
        {"seconds": seconds, "tasks": tasks},
    )


def scaling_row(task_seconds: int, cost: float) -> Row:
    """On paper: one client can give out 1 / cost tasks in a second, so it keeps so many workers
    busy as tasks end in their time."""
    workers = task_seconds / cost
    return Row(
        f"on paper: workers that one client keeps busy with tasks of {task_seconds} s",
        f"{workers:,.0f} workers",
        f"{1 / cost:,.0f} tasks a second",
        "-",
        "-",
        None,
        {"workers": workers},
    )


def solve_row(rows: int, columns: int, executor: Executor, *, jobs_of: int) -> Row:
    """The winner of a board of Breakthrough by jobs, beside one process and one thread."""
    start = find_game("breakthrough").start({"rows": rows, "columns": columns})
    alone = make_solver(start.game, memory=1024).solve(start, every_move=False)
    prover = JobLevelProver(start.game, executor, nodes=jobs_of, memory=1024)
    together = prover.solve(start)
    agree = alone.worth.utility == together.worth.utility
    return Row(
        f"breakthrough {rows}x{columns}: {WORKERS} workers, jobs of {jobs_of:,} positions",
        f"{together.seconds:.1f} s, {together.nodes:,} positions",
        f"one process: {alone.seconds:.1f} s, {alone.nodes:,} positions",
        f"{alone.seconds / together.seconds:.2f}x",
        "the same winner",
        agree,
        {"seconds": together.seconds, "alone": alone.seconds},
    )
