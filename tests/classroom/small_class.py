"""A class of four on three moves to find, graded in a moment."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from plyground.classroom.class_run import Plan, run_class
from plyground.classroom.gradebook import Grade, gradebook
from plyground.classroom.journal import Journal
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite, load_suite
from plyground.classroom.verdict import TaskResult
from plyground.core.registry import find_game
from plyground.executor.local import LocalExecutor
from plyground.executor.serial import SerialExecutor
from tests.classroom.small_suite import manifest


def agent(answer: str) -> bytes:
    """A player of Breakthrough: it starts more quickly than any other."""
    return (
        "class Agent:\n"
        "    def __init__(self, color, opponentColor, time=None): pass\n"
        f"    def move(self, board): return {answer}\n"
    ).encode()


CLASS = [
    Submission("ann", {"player.py": agent("((1, 0), (2, 0))")}),
    Submission("bob", {"player.py": agent("((1, 1), (2, 1))")}),
    Submission("cyd", {"player.py": agent("1 / 0")}),
    Submission("dan", {"player.py": b"no player at all"}),
]


def class_suite(folder: Path, seconds: float = 5.0) -> Suite:
    """Three moves to find, by players of whom each finds others."""
    start = find_game("breakthrough").start()
    moves = [start.move_text(move) for move in start.legal_moves]
    by_cell = {name: [move for move in moves if move.startswith(name)] for name in ("a2", "b2")}
    tasks = [
        {"name": "left", "task": "best", "best": by_cell["a2"]},
        {"name": "right", "task": "best", "best": by_cell["b2"]},
        {"name": "any", "task": "best", "best": moves},
    ]
    document = manifest(game="breakthrough", tasks=tasks, seconds=seconds)
    (folder / "suite.json").write_text(json.dumps(document))
    return load_suite(folder)


def grade_all(
    suite: Suite, path: Path, *, trusted: bool = True, workers: int = 1
) -> list[TaskResult]:
    """A run, and the results that were new in it."""
    told: list[TaskResult] = []
    executor = SerialExecutor() if workers == 1 else LocalExecutor(workers, pin=False)
    journal = Journal(path, suite, trusted=trusted)
    try:
        run_class(
            Plan(suite, CLASS, trusted), journal, lambda _, result: told.append(result), executor
        )
    finally:
        journal.close()
    return told


def book(suite: Suite, path: Path, *, trusted: bool = True) -> list[dict[str, str]]:
    """The gradebook that a journal amounts to, but for what clocks have told."""
    journal = Journal(path, suite, trusted=trusted)
    journal.close()
    grades = [Grade(one, suite, journal.of(one, suite.tasks)) for one in CLASS]
    rows = list(csv.DictReader(io.StringIO(gradebook(grades))))
    return [{name: row[name] for name in row if name != "slowest_ms"} for row in rows]
