"""What is seen of a grading run while it goes on: a line a result, and a bar on a terminal."""

from __future__ import annotations

import sys
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from plyground.classroom.class_run import Plan
from plyground.classroom.journal import Journal
from plyground.classroom.submission import Submission
from plyground.classroom.verdict import TaskResult
from plyground.cli.output import console

LONGEST_NAME = 30
"""Characters of a student's name that the others' lines make room for."""


class GradingProgress:
    """Tells of results as they come. With `quiet` only the bar is shown."""

    def __init__(self, plan: Plan, journal: Journal, *, quiet: bool) -> None:
        self._alone = len(plan.submissions) == 1
        self._quiet = quiet
        everything = [
            journal.key(one, task) for one in plan.submissions for task in plan.suite.tasks
        ]
        self._known = sum(key in journal.results for key in everything)
        self._total = self._left = len(everything)
        self._left -= self._known
        self._names = max(len(one.name) for one in plan.submissions)
        self._tasks = max(len(task.name) for task in plan.suite.tasks)
        screen = console(error=True)
        self._progress = Progress(
            TextColumn("grading"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=screen,
            transient=True,
            disable=not screen.is_terminal,
        )
        self._bar = self._progress.add_task("", total=self._total, completed=self._known)

    def __enter__(self) -> Self:
        if self._known and not self._quiet:
            self._say(f"{self._known} of {self._total} are graded already, and not graded again")
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    @property
    def text(self) -> str:
        """How far it has come."""
        return f"{self._total - self._left} of {self._total}"

    def tell(self, submission: Submission, result: TaskResult) -> None:
        self._progress.advance(self._bar)
        self._left -= 1
        if not self._quiet:
            name = "" if self._alone else f"{submission.name:{min(self._names, LONGEST_NAME)}}  "
            self._say(name + result_line(result, self._tasks))

    def _say(self, line: str) -> None:
        """A line above the bar, on standard error where that is the terminal, else as an answer."""
        if self._progress.disable:
            print(line, flush=True)
        else:
            self._progress.console.print(line, soft_wrap=True)
            if not sys.stdout.isatty():
                print(line, flush=True)


def result_line(result: TaskResult, width: int) -> str:
    """One line of a result; `width` is that of the longest task's name."""
    margin = "" if result.margin is None else f"{result.margin:+d}"
    slowest = f"{result.slowest * 1000:.0f} ms" if result.moves else ""
    depth = "" if result.depth is None else f"depth {result.depth}"
    numbers = f"{margin:>5} {slowest:>8} {depth:9}"
    return f"{result.task:{width}}  {result.verdict.value:4}{numbers}{result.reason}".rstrip()
