"""Grades for other programs: a CSV file, and the result files of Gradescope and Kattis."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite
from plyground.classroom.verdict import TaskResult, Verdict
from plyground.core.csv_text import cell_text
from plyground.core.printable import printable

WORST_FIRST = (
    Verdict.JUDGE_ERROR,
    Verdict.RUNTIME_ERROR,
    Verdict.TIME_LIMIT,
    Verdict.WRONG_ANSWER,
    Verdict.ACCEPTED,
)

LONGEST_OUTPUT = 1000
"""Characters from the end of what a player printed that Gradescope shows."""
NOT_LOADED = "the file could not be loaded"


@dataclass(frozen=True)
class LoadError:
    """Why a student's file could not be loaded, and the results that have this reason."""

    reason: str
    results: Sequence[TaskResult]

    @property
    def printed(self) -> str:
        """What the file printed in the first of the tasks."""
        return self.results[0].complaints


@dataclass(frozen=True)
class Grade:
    """The results of one student."""

    submission: Submission
    suite: Suite
    results: Sequence[TaskResult]

    @property
    def points(self) -> int:
        return sum(result.point for result in self.results)

    @property
    def level(self) -> str | None:
        return self.suite.level(self.points)

    @property
    def verdict(self) -> Verdict:
        """The verdict on all tasks together: the worst one."""
        found = {result.verdict for result in self.results}
        return next((verdict for verdict in WORST_FIRST if verdict in found), Verdict.ACCEPTED)

    @property
    def not_judged(self) -> int:
        return sum(result.verdict is Verdict.JUDGE_ERROR for result in self.results)

    @property
    def load_errors(self) -> list[LoadError]:
        """The reasons why the file could not be loaded, each once: usually one for all tasks."""
        by_reason: dict[str, list[TaskResult]] = {}
        for result in self.results:
            if not result.loaded:
                by_reason.setdefault(result.reason, []).append(result)
        return [LoadError(reason, results) for reason, results in by_reason.items()]

    @property
    def note(self) -> str:
        """What is said once about all tasks, or empty: errors of loading the file, and a warning
        about judge errors. They count as solved, and may have been caused on purpose, so a teacher
        must see them."""
        total = len(self.suite.tasks)
        notes = []
        for error in self.load_errors:
            tasks = len(error.results)
            where = "" if tasks == total else f"in {tasks} of {total} tasks: "
            notes.append(where + printable(error.reason))
        if self.not_judged:
            counts = "counts" if self.not_judged == 1 else "count"
            notes.append(
                f"{self.not_judged} of {total} tasks could not be judged and {counts}"
                " as solved: a teacher should look"
            )
        return "; ".join(notes)

    @property
    def slowest(self) -> float:
        return max((result.slowest for result in self.results), default=0.0)


def gradebook(grades: Sequence[Grade]) -> str:
    """A CSV file with a row for each student and a column for each task. Students choose their file
    names, so no text may be read as a formula."""
    if not grades:
        return ""
    tasks = [task.name for task in grades[0].suite.tasks]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    titles = ["student", "points", "of", "level", "slowest_ms", "judge_errors", "note"]
    writer.writerow([*titles, *map(cell_text, tasks)])
    for grade in sorted(grades, key=lambda grade: grade.submission.name):
        by_task = {result.task: result.verdict.value for result in grade.results}
        writer.writerow(
            [
                cell_text(grade.submission.name),
                grade.points,
                len(tasks),
                cell_text(grade.level or ""),
                round(grade.slowest * 1000),
                grade.not_judged,
                cell_text(grade.note),
                *(by_task.get(task, "") for task in tasks),
            ]
        )
    return file.getvalue()


def gradescope(grade: Grade) -> dict[str, Any]:
    """The document that Gradescope reads as results.json."""
    return {
        "score": grade.points,
        "output": f"{grade.points} of {len(grade.suite.tasks)} points"
        + (f", level {grade.level}" if grade.level else "")
        + (f"; {grade.note}" if grade.note else "")
        + "".join(_below(error.printed) for error in grade.load_errors),
        "visibility": "visible",
        "tests": [
            {
                "name": result.task,
                "score": int(result.point),
                "max_score": 1,
                "status": "passed" if result.point else "failed",
                "output": _explained(result),
            }
            for result in grade.results
        ],
    }


def kattis(grade: Grade) -> dict[str, Any]:
    """A verdict for each task and one for all, as Kattis's problem tools write them."""
    return {
        "verdict": grade.verdict.value,
        "score": grade.points,
        "time": round(grade.slowest, 3),
        "testcases": [
            {"name": result.task, "verdict": result.verdict.value, "time": round(result.slowest, 3)}
            for result in grade.results
        ],
    }


def _explained(result: TaskResult) -> str:
    if not result.loaded:
        return f"{result.verdict.value}: {NOT_LOADED}"  # the whole document has the reason, once
    lines = [f"{result.verdict.value}: {result.reason}"]
    if result.decisive is not None:
        lines.append(decisive_text(result))
    return "\n".join(lines) + _below(result.complaints)


def _below(printed: str) -> str:
    """What a player printed, as a paragraph below another text."""
    shown = printed.strip()[-LONGEST_OUTPUT:]
    return f"\n\n{shown}" if shown else ""


def decisive_text(result: TaskResult) -> str:
    """The sentence about the move that lost a point."""
    found = result.decisive
    if found is None:
        return ""
    better = " or ".join(found.better)
    if not found.before:
        return f"{found.played} is not the best move; {better} is"
    return (
        f"move {found.ply + 1}, {found.played}: {found.before} became {found.after};"
        f" better was {better}"
    )
