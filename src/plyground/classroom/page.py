"""What the pages of the classroom share: the words for verdicts, and the places of tasks."""

from __future__ import annotations

from plyground.classroom.verdict import Verdict

WORDS = {
    Verdict.ACCEPTED: "solved",
    Verdict.WRONG_ANSWER: "not solved",
    Verdict.TIME_LIMIT: "too slow",
    Verdict.RUNTIME_ERROR: "crashed",
    Verdict.JUDGE_ERROR: "the judge's own fault; it costs no point",
}


def task_anchor(task: str) -> str:
    """The id of a task in a student's report. Names of tasks are letters, digits, - and _."""
    return f"task-{task}"
