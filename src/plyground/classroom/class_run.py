"""Grading a class: several graders side by side, every result kept as soon as it is there.

A grader is a process of its own, so that games on two cores do not wait for each other. The order
of work goes task by task: a perfect opponent has then just worked out the day that all play.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from plyground.classroom.grading import Grader
from plyground.classroom.interfaces import keep_compiled
from plyground.classroom.journal import Journal, suite_digest
from plyground.classroom.launch import check_game, remove_leftovers
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite, load_suite
from plyground.classroom.verdict import TaskResult, Verdict
from plyground.core.errors import PlygroundError

Told = Callable[[Submission, TaskResult], None]
Job = tuple[int, int]
"""The number of a submission and of a task."""
DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG, as the kernel numbers what a process may ask for itself."""


@dataclass(frozen=True)
class Plan:
    """What a run is to do."""

    suite: Suite
    submissions: Sequence[Submission]
    trusted: bool = False
    workers: int = 1


class SuiteChanged(PlygroundError):
    """Somebody has edited the tasks while they are being graded."""


def run_class(plan: Plan, journal: Journal, told: Told) -> None:
    """Grade everything that the journal does not know yet; `told` hears of each new result."""
    assert journal.trusted == plan.trusted, "the journal would keep results as what they are not"
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
    results = _alone(plan, jobs) if plan.workers == 1 else _together(plan, jobs)
    with contextlib.closing(results):
        for (who, which), result in results:
            submission, task = plan.submissions[who], plan.suite.tasks[which]
            if result.verdict is not Verdict.JUDGE_ERROR:  # that is tried again in the next run
                journal.add(journal.key(submission, task), result)
            else:
                journal.results[journal.key(submission, task)] = result
            told(submission, result)


Results = Generator[tuple[Job, TaskResult], None, None]


def _alone(plan: Plan, jobs: Sequence[Job]) -> Results:
    grader = Grader(plan.suite, trusted=plan.trusted)
    for who, which in jobs:
        yield (who, which), grader.grade(plan.submissions[who], plan.suite.tasks[which])


def _together(plan: Plan, jobs: Sequence[Job]) -> Results:
    """Hand out the jobs one by one to processes, and give back what they answer.

    A job whose grader ended in the middle of it is tried once more, in a grader that is started
    for it: only what ends a fresh one as well is a fault that somebody has to look into.
    """
    waiting = list(reversed(jobs))
    crew = dict(_start_grader(plan) for _ in range(min(plan.workers, len(jobs))))
    given: dict[Connection, Job] = {}
    second: dict[Connection, Job] = {}
    try:
        while crew:
            for connection in wait(list(crew)):
                assert isinstance(connection, Connection)
                job = given.pop(connection, None)
                try:
                    answer = connection.recv()
                except (EOFError, OSError):
                    ended = crew.pop(connection)
                    ended.join()
                    if job is not None and connection not in second:
                        crew.update([fresh := _start_grader(plan)])
                        second[fresh[0]] = job
                        continue
                    if job is not None and waiting:  # one that never began would end again
                        crew.update([_start_grader(plan)])
                    job = second.pop(connection, None)
                    answer = _judge_error(plan, job, f"a grader ended: status {ended.exitcode}")
                else:
                    if isinstance(answer, SuiteChanged):
                        raise answer
                    if job is not None:
                        second.pop(connection, None)
                    given |= _hand_out(connection, second, waiting, crew)
                if job is not None:
                    yield job, answer
        if waiting:
            raise PlygroundError("all graders have ended; plyground doctor tells what is wrong")
    finally:
        for process in crew.values():
            process.kill()
        for process in crew.values():
            process.join()
        remove_leftovers()


def _hand_out(
    connection: Connection,
    second: dict[Connection, Job],
    waiting: list[Job],
    crew: dict[Connection, BaseProcess],
) -> dict[Connection, Job]:
    """Give a grader the job that it was started for, or the next one; or leave if there is none."""
    with contextlib.suppress(OSError):  # it has just ended: that is noticed where it is heard
        if connection in second:
            connection.send(second[connection])
            return {connection: second[connection]}
        if waiting:
            connection.send(waiting[-1])
            return {connection: waiting.pop()}
        connection.send(None)
        crew.pop(connection).join()
    return {}


@dataclass(frozen=True)
class _Orders:
    """What a grader is told when it starts. It reads the suite itself, which is quicker than being
    sent it, and knows from the names and the digest whether that is still the same."""

    folder: Path
    tasks: tuple[str, ...]
    digest: str
    submissions: Sequence[Submission]
    trusted: bool
    parent: int


def _start_grader(plan: Plan) -> tuple[Connection, BaseProcess]:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    orders = _Orders(
        folder=plan.suite.folder,
        tasks=tuple(task.name for task in plan.suite.tasks),
        digest=suite_digest(plan.suite),
        submissions=tuple(plan.submissions),
        trusted=plan.trusted,
        parent=os.getpid(),
    )
    process = context.Process(target=_work, args=(there, orders), daemon=True)
    process.start()
    there.close()
    return here, process


def _judge_error(plan: Plan, job: Job | None, reason: str) -> TaskResult:
    name = "" if job is None else plan.suite.tasks[job[1]].name
    return TaskResult(name, Verdict.JUDGE_ERROR, reason)


def _work(connection: Connection, orders: _Orders) -> None:
    """A grader's life: say that it is ready, then grade what it is given until that is nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who gives out the work ends it
    _die_with_parent()
    answer: TaskResult | SuiteChanged | None = None
    try:
        grader = Grader(_suite_as_it_was(orders), trusted=orders.trusted)
    except SuiteChanged as error:
        answer = error
    while os.getppid() == orders.parent:  # it may have ended before the kernel was asked
        try:
            connection.send(answer)
            job: Job | None = connection.recv()
        except (EOFError, OSError):
            return
        if job is None:
            return
        who, which = job
        answer = grader.grade(orders.submissions[who], grader.suite.tasks[which])


def _die_with_parent() -> None:
    """Ask the kernel to kill this process, and the rooms with it, when the run is killed: nobody
    may go on grading while the journal is free for another run. Only Linux can do it."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, ctypes.c_ulong(signal.SIGKILL))


def _suite_as_it_was(orders: _Orders) -> Suite:
    """The suite that the run began with, or the part of it that is graded. Raises SuiteChanged."""
    try:
        whole = load_suite(orders.folder)
    except PlygroundError as error:
        raise SuiteChanged(f"the suite has changed while it was graded: {error}") from None
    part = tuple(task for task in whole.tasks if task.name in orders.tasks)
    suite = replace(whole, tasks=part)
    if suite_digest(suite) != orders.digest:
        raise SuiteChanged(
            f"{orders.folder}: the suite has changed while it was graded; run the same command"
            " again, and everyone is graded on what it is now"
        )
    return suite
