"""Grading a class: a pool of grader processes, and a journal that keeps every result at once.

Each grader is a process of its own, so that games on two cores do not wait for each other. Jobs are
ordered by task: a perfect opponent has then just solved the positions that everyone meets.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from plyground.classroom.grading import Grader
from plyground.classroom.interfaces import keep_compiled
from plyground.classroom.journal import Journal, suite_digest
from plyground.classroom.student_process import check_game, remove_leftovers
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite, load_suite
from plyground.classroom.verdict import TaskResult, Verdict
from plyground.core.errors import PlygroundError

Job = tuple[int, int]
"""The number of a submission and of a task."""
Results = Generator[tuple[Job, TaskResult], None, None]
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Plan:
    """What to grade, and how."""

    suite: Suite
    submissions: Sequence[Submission]
    trusted: bool = False
    workers: int = 1


class SuiteChanged(PlygroundError):
    """The tasks were edited while they were being graded."""


def run_class(
    plan: Plan, journal: Journal, on_result: Callable[[Submission, TaskResult], None]
) -> None:
    """Grade everything that is not in the journal; `on_result` is called with each new result."""
    assert journal.trusted == plan.trusted, "results of a trusted run must not count for others"
    keep_compiled()
    remove_leftovers()
    if plan.suite.game.is_file and not plan.trusted:
        check_game(plan.suite.game, engine=plan.suite.engine)
    jobs = [
        (who, which)
        for which, task in enumerate(plan.suite.tasks)
        for who, submission in enumerate(plan.submissions)
        if journal.key(submission, task) not in journal.results
    ]
    results = _grade_here(plan, jobs) if plan.workers == 1 else _grade_in_pool(plan, jobs)
    with contextlib.closing(results):
        for (who, which), result in results:
            submission, task = plan.submissions[who], plan.suite.tasks[which]
            if result.verdict is not Verdict.JUDGE_ERROR:  # the next run tries those again
                journal.add(journal.key(submission, task), result)
            else:
                journal.results[journal.key(submission, task)] = result
            on_result(submission, result)


def _grade_here(plan: Plan, jobs: Sequence[Job]) -> Results:
    grader = Grader(plan.suite, trusted=plan.trusted)
    for who, which in jobs:
        yield (who, which), grader.grade(plan.submissions[who], plan.suite.tasks[which])


# The pool


@dataclass(eq=False)
class _GraderProcess:
    process: BaseProcess
    connection: Connection
    first_job: Job | None = None
    """The job that it was started for, if any."""
    job: Job | None = None
    """The job that it works on."""


def _grade_in_pool(plan: Plan, jobs: Sequence[Job]) -> Results:
    """Send each job to the next free process.

    A process that ends is replaced, and its job is tried once more in the new one. If that ends as
    well, the job's result is a judge error. A process that ends before its first job is not
    replaced: the next one would end as well.
    """
    queue = deque(jobs)
    pool = [_start_grader(plan) for _ in range(min(plan.workers, len(jobs)))]
    try:
        while pool:
            ready = wait([grader.connection for grader in pool])
            for grader in [grader for grader in pool if grader.connection in ready]:
                try:
                    answer = grader.connection.recv()
                except (EOFError, OSError):
                    pool.remove(grader)
                    grader.process.join()
                    if grader.job is not None and grader.first_job is None:
                        pool.append(_start_grader(plan, grader.job))
                        continue
                    if grader.job is not None and queue:
                        pool.append(_start_grader(plan))
                    if grader.first_job is not None:
                        task = plan.suite.tasks[grader.first_job[1]]
                        reason = f"a grader ended: status {grader.process.exitcode}"
                        error = TaskResult(task.name, Verdict.JUDGE_ERROR, reason)
                        yield grader.first_job, error
                    continue
                if isinstance(answer, SuiteChanged):
                    raise answer
                finished = grader.job
                if finished is not None:
                    grader.first_job = None
                grader.job = grader.first_job or (queue.popleft() if queue else None)
                with contextlib.suppress(OSError):  # it has ended, which recv will report
                    grader.connection.send(grader.job)
                if grader.job is None:
                    pool.remove(grader)
                    grader.process.join()
                if finished is not None:
                    yield finished, answer
        if queue:
            raise PlygroundError("all graders have ended; plyground doctor tells what is wrong")
    finally:
        for grader in pool:
            grader.process.kill()
        for grader in pool:
            grader.process.join()
        remove_leftovers()


@dataclass(frozen=True)
class _GraderSettings:
    """What a grader process gets when it starts. It loads the suite itself, which is quicker than
    receiving it, and compares names and digest with the suite of the run."""

    folder: Path
    tasks: tuple[str, ...]
    digest: str
    submissions: Sequence[Submission]
    trusted: bool
    parent: int


def _start_grader(plan: Plan, first_job: Job | None = None) -> _GraderProcess:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    settings = _GraderSettings(
        folder=plan.suite.folder,
        tasks=tuple(task.name for task in plan.suite.tasks),
        digest=suite_digest(plan.suite),
        submissions=tuple(plan.submissions),
        trusted=plan.trusted,
        parent=os.getpid(),
    )
    process = context.Process(target=_run_grader, args=(there, settings), daemon=True)
    process.start()
    there.close()
    return _GraderProcess(process, here, first_job)


def _run_grader(connection: Connection, settings: _GraderSettings) -> None:
    """The grader process: reports that it is ready, then grades one job after the other."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    _die_with_parent()
    answer: TaskResult | SuiteChanged | None = None
    try:
        grader = Grader(_load_same_suite(settings), trusted=settings.trusted)
    except SuiteChanged as error:
        answer = error
    while os.getppid() == settings.parent:  # it may have ended before _die_with_parent
        try:
            connection.send(answer)
            job: Job | None = connection.recv()
        except (EOFError, OSError):
            return
        if job is None:
            return
        who, which = job
        answer = grader.grade(settings.submissions[who], grader.suite.tasks[which])


def _die_with_parent() -> None:
    """Let the kernel kill this process, and its sandboxes with it, when the run is killed: another
    run may then take over the journal. Only Linux can do it."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL))


def _load_same_suite(settings: _GraderSettings) -> Suite:
    """The tasks that the run began with. Raises SuiteChanged."""
    try:
        whole = load_suite(settings.folder)
    except PlygroundError as error:
        raise SuiteChanged(f"the suite has changed while it was graded: {error}") from None
    suite = replace(whole, tasks=tuple(task for task in whole.tasks if task.name in settings.tasks))
    if suite_digest(suite) != settings.digest:
        raise SuiteChanged(
            f"{settings.folder}: the suite has changed while it was graded; run the same command"
            " again, and everyone is graded on what it is now"
        )
    return suite
