"""Grades for other programs: a CSV file, and the result files of Gradescope and Kattis."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite
from plyground.classroom.verdict import TaskResult, Verdict

WORST_FIRST = (
    Verdict.JUDGE_ERROR,
    Verdict.RUNTIME_ERROR,
    Verdict.TIME_LIMIT,
    Verdict.WRONG_ANSWER,
    Verdict.ACCEPTED,
)

FORMULA = re.compile(r"""(^|[,;|])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])""")
"""Where a spreadsheet could find a formula: at the beginning, or after a character that it may take
for a separator. The wide signs are read as the usual ones."""


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
    def note(self) -> str:
        """A warning about judge errors, or empty. They count as solved, and may have been caused on
        purpose, so a teacher must see them."""
        if not self.not_judged:
            return ""
        counts = "counts" if self.not_judged == 1 else "count"
        return (
            f"{self.not_judged} of {len(self.suite.tasks)} tasks could not be judged and {counts}"
            " as solved: a teacher should look"
        )

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
    writer.writerow([*titles, *map(_plain, tasks)])
    for grade in sorted(grades, key=lambda grade: grade.submission.name):
        by_task = {result.task: result.verdict.value for result in grade.results}
        writer.writerow(
            [
                _plain(grade.submission.name),
                grade.points,
                len(tasks),
                _plain(grade.level or ""),
                round(grade.slowest * 1000),
                grade.not_judged,
                _plain(grade.note),
                *(by_task.get(task, "") for task in tasks),
            ]
        )
    return file.getvalue()


def _plain(text: str) -> str:
    """A text for a cell, without formulas, tabs and line ends."""
    shown = "".join(mark if mark.isprintable() else "?" for mark in text)
    return FORMULA.sub(r"\1'", shown)


def gradescope(grade: Grade) -> dict[str, Any]:
    """The document that Gradescope reads as results.json."""
    return {
        "score": grade.points,
        "output": f"{grade.points} of {len(grade.suite.tasks)} points"
        + (f", level {grade.level}" if grade.level else "")
        + (f"; {grade.note}" if grade.note else ""),
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
    lines = [f"{result.verdict.value}: {result.reason}"]
    if result.decisive is not None:
        lines.append(decisive_text(result))
    if result.complaints.strip():
        lines += ["", result.complaints.strip()[-1000:]]
    return "\n".join(lines)


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
