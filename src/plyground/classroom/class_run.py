"""Grading a class: several graders side by side, every result kept as soon as it is there.

A grader is a process of its own, so that games on two cores do not wait for each other. The order
of work goes task by task: a perfect opponent has then just worked out the day that all play.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from plyground.classroom.grading import Grader
from plyground.classroom.interfaces import keep_compiled
from plyground.classroom.journal import Journal
from plyground.classroom.launch import remove_leftovers
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite, load_suite
from plyground.classroom.verdict import TaskResult, Verdict
from plyground.core.errors import PlygroundError

Told = Callable[[Submission, TaskResult], None]
Job = tuple[int, int]
"""The number of a submission and of a task."""


@dataclass(frozen=True)
class Plan:
    """What a run is to do."""

    suite: Suite
    submissions: Sequence[Submission]
    trusted: bool = False
    workers: int = 1


def run_class(plan: Plan, journal: Journal, told: Told) -> None:
    """Grade everything that the journal does not know yet; `told` hears of each new result."""
    keep_compiled()
    remove_leftovers()
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
    """Hand out the jobs one by one to processes, and give back what they answer."""
    waiting = list(reversed(jobs))
    crew = dict(_start_grader(plan) for _ in range(min(plan.workers, len(jobs))))
    given: dict[Connection, Job] = {}
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
                    answer = _judge_error(plan, job, f"a grader ended: status {ended.exitcode}")
                    if job is not None and waiting:  # one that never began would end again
                        crew.update([_start_grader(plan)])
                else:
                    given |= _hand_out(connection, waiting, crew)
                if job is not None:
                    yield job, answer
        if waiting:
            raise PlygroundError("all graders have ended; plyground doctor tells what is wrong")
    finally:
        for process in crew.values():
            process.kill()


def _hand_out(
    connection: Connection, waiting: list[Job], crew: dict[Connection, BaseProcess]
) -> dict[Connection, Job]:
    """Give a grader its next job, or leave if there is none."""
    with contextlib.suppress(OSError):  # it has just ended: that is noticed where it is heard
        if waiting:
            connection.send(waiting[-1])
            return {connection: waiting.pop()}
        connection.send(None)
        crew.pop(connection).join()
    return {}


def _start_grader(plan: Plan) -> tuple[Connection, BaseProcess]:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    arguments = (there, plan.suite.folder, tuple(plan.submissions), plan.trusted, os.getpid())
    process = context.Process(target=_work, args=arguments, daemon=True)
    process.start()
    there.close()
    return here, process


def _judge_error(plan: Plan, job: Job | None, reason: str) -> TaskResult:
    name = "" if job is None else plan.suite.tasks[job[1]].name
    return TaskResult(name, Verdict.JUDGE_ERROR, reason)


def _work(
    connection: Connection,
    folder: Path,
    submissions: Sequence[Submission],
    trusted: bool,
    parent: int,
) -> None:
    """A grader's life: say that it is ready, then grade what it is given until that is nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who gives out the work ends it
    grader = Grader(load_suite(folder), trusted=trusted)
    answer: TaskResult | None = None
    while os.getppid() == parent:
        try:
            connection.send(answer)
            job: Job | None = connection.recv()
        except (EOFError, OSError):
            return
        if job is None:
            return
        who, which = job
        answer = grader.grade(submissions[who], grader.suite.tasks[which])
