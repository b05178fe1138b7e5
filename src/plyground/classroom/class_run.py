"""Grading a class: an executor grades the tasks, and a journal keeps every result at once.

Jobs are ordered by task: a perfect opponent has then just solved the positions that everyone meets.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plyground.classroom import sandbox
from plyground.classroom.grading import Grader
from plyground.classroom.interfaces import keep_compiled
from plyground.classroom.journal import Journal, suite_digest
from plyground.classroom.student_process import check_game, remove_leftovers
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite
from plyground.classroom.verdict import TaskResult, Verdict
from plyground.core.errors import PlygroundError
from plyground.executor.serial import SerialExecutor
from plyground.executor.task import Executor, Failed, Task, TaskFunction, Work

SubmissionAndTask = tuple[int, int]
"""Their numbers."""


@dataclass(frozen=True)
class Plan:
    """What to grade, and how."""

    suite: Suite
    submissions: Sequence[Submission]
    trusted: bool = False


class SuiteChanged(PlygroundError):
    """The game was edited while its tasks were being graded."""


def run_class(
    plan: Plan,
    journal: Journal,
    on_result: Callable[[Submission, TaskResult], None],
    executor: Executor | None = None,
) -> None:
    """Grade everything that is not in the journal; `on_result` is called with each new result.

    Without an executor, one task after the other is graded in this process."""
    assert journal.trusted == plan.trusted, "results of a trusted run must not count for others"
    keep_compiled()
    remove_leftovers()
    if plan.suite.game.is_file and not plan.trusted:
        check_game(plan.suite.game, engine=plan.suite.engine)
    ungraded = {
        f"{who} {which}": (who, which)
        for which, task in enumerate(plan.suite.tasks)
        for who, submission in enumerate(plan.submissions)
        if journal.key(submission, task) not in journal.results
    }
    work = Work(set_up_grader, GraderSettings(plan, suite_digest(plan.suite)))
    tasks = (Task(name, numbers) for name, numbers in ungraded.items())
    try:
        with contextlib.closing((executor or SerialExecutor()).run(work, tasks)) as events:
            for event in events:
                who, which = ungraded[event.task]
                submission, task = plan.submissions[who], plan.suite.tasks[which]
                if isinstance(event, Failed):
                    result = TaskResult(task.name, Verdict.JUDGE_ERROR, event.reason)
                else:
                    result = event.value
                if result.verdict is not Verdict.JUDGE_ERROR:  # the next run tries those again
                    journal.add(journal.key(submission, task), result)
                else:
                    journal.results[journal.key(submission, task)] = result
                on_result(submission, result)
    finally:
        remove_leftovers()


@dataclass(frozen=True)
class GraderSettings:
    """What a worker gets when it starts."""

    plan: Plan
    digest: str
    """Of the suite. A worker may have loaded another version of the game's file."""


def set_up_grader(settings: GraderSettings) -> TaskFunction:
    """The function of a worker that grades a task of a submission."""
    plan = settings.plan
    if suite_digest(plan.suite) != settings.digest:
        raise SuiteChanged(
            f"{plan.suite.game.rules.path}: the game has changed while it was graded; run the same"
            " command again, and everyone is graded on what it is now"
        )
    why = None if plan.trusted else sandbox.cannot_be_built()
    if why is not None:
        raise sandbox.NoSandbox(why)
    keep_compiled()
    remove_leftovers()
    grader = Grader(plan.suite, trusted=plan.trusted)

    def grade(numbers: SubmissionAndTask, report: object) -> TaskResult:
        who, which = numbers
        return grader.grade(plan.submissions[who], plan.suite.tasks[which])

    return grade
