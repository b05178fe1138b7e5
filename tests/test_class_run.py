"""Grading a class: whatever ends a run, nothing is lost, nothing is graded twice."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import multiprocessing
import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom import class_run
from plyground.classroom.class_run import Plan, SuiteChanged, run_class
from plyground.classroom.gradebook import Grade, gradebook
from plyground.classroom.grading import Grader
from plyground.classroom.journal import Journal, suite_digest
from plyground.classroom.launch import COPIES
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite, load_suite
from plyground.classroom.verdict import TaskResult, Verdict
from plyground.core.errors import FileError, PlygroundError
from plyground.core.registry import find_game
from tests.cli import process
from tests.rooms import all_have_ended, comes_true, descendants, need_sandbox
from tests.small_suite import manifest, small_suite, write_suite

KILLS = 50


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


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Three moves to find, by players of whom each finds others."""
    start = find_game("breakthrough").start()
    moves = [start.move_text(move) for move in start.legal_moves]
    by_cell = {name: [move for move in moves if move.startswith(name)] for name in ("a2", "b2")}
    tasks = [
        {"name": "left", "task": "best", "best": by_cell["a2"]},
        {"name": "right", "task": "best", "best": by_cell["b2"]},
        {"name": "any", "task": "best", "best": moves},
    ]
    folder = tmp_path_factory.mktemp("suite")
    document = manifest(game="breakthrough", tasks=tasks, seconds=5.0)
    (folder / "suite.json").write_text(json.dumps(document))
    return load_suite(folder)


def grade_all(
    suite: Suite, path: Path, *, trusted: bool = True, workers: int = 1
) -> list[TaskResult]:
    """A run, and the results that were new in it."""
    told: list[TaskResult] = []
    plan = Plan(suite, CLASS, trusted, workers)
    journal = Journal(path, suite, trusted=trusted)
    try:
        run_class(plan, journal, lambda _, result: told.append(result))
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


@pytest.fixture(scope="module")
def expected(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """The gradebook of a run that nobody interrupts."""
    path = tmp_path_factory.mktemp("whole") / "results.jsonl"
    assert len(grade_all(suite, path)) == len(CLASS) * len(suite.tasks)
    return book(suite, path)


def test_everyone_gets_what_was_earned(expected: list[dict[str, str]]) -> None:
    seen = {row["student"]: [row[task] for task in ("left", "right", "any")] for row in expected}
    assert seen == {
        "ann": ["AC", "WA", "AC"],
        "bob": ["WA", "AC", "AC"],
        "cyd": ["RTE"] * 3,
        "dan": ["RTE"] * 3,
    }
    assert [row["points"] for row in expected] == ["2", "2", "0", "0"]
    assert [row["level"] for row in expected] == ["A", "A", "", ""]


def test_two_graders_say_what_one_says(
    suite: Suite, expected: list[dict[str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    grade_all(suite, path, workers=2)
    assert book(suite, path) == expected


def test_what_is_graded_is_not_graded_again_until_it_changes(suite: Suite, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    grade_all(suite, path)
    assert grade_all(suite, path) == []
    journal = Journal(path, suite, trusted=True)
    changed = Submission("ann", {"player.py": agent("((1, 2), (2, 2))")})
    new: list[str] = []
    run_class(
        Plan(suite, [*CLASS[1:], changed], trusted=True),
        journal,
        lambda one, result: new.append(one.name),
    )
    journal.close()
    assert new == ["ann"] * 3


# Killed


@pytest.fixture(scope="module")
def forks() -> ForkServerContext:
    """Processes that have everything imported already, so that a kill meets a run at its work."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.test_class_run"])
    return context


def killed_run(context: ForkServerContext, folder: Path, path: Path, seconds: float) -> bool:
    """Start a run and kill it after a while; whether it was still running."""
    ready, told = context.Pipe(duplex=False)
    run = context.Process(target=run_in_child, args=(told, folder, path))
    run.start()
    told.close()
    ready.recv()  # it has begun
    time.sleep(seconds)
    assert run.pid is not None
    running = run.is_alive()
    if running:
        os.kill(run.pid, signal.SIGKILL)
    run.join()
    ready.close()
    assert running or run.exitcode == 0
    return running


def run_in_child(told: Any, folder: Path, path: Path) -> None:
    tempfile.tempdir = str(path.parent)  # who is killed cleans nothing up
    suite = load_suite(folder)
    told.send(True)
    grade_all(suite, path)


def test_a_run_that_is_killed_at_any_moment_goes_on_from_there(
    suite: Suite, expected: list[dict[str, str]], tmp_path: Path, forks: ForkServerContext
) -> None:
    chance = random.Random(7)
    started = time.monotonic()
    grade_all(suite, tmp_path / "first.jsonl")
    whole = time.monotonic() - started
    kills, number = 0, 0
    while kills < KILLS:
        number += 1
        path = tmp_path / f"{number}.jsonl"
        while killed_run(forks, suite.folder, path, chance.uniform(0, whole / 3)):
            kills += 1
        assert book(suite, path) == expected
        keys = [tuple(json.loads(line)["key"]) for line in path.read_text().splitlines()]
        assert len(keys) == len(set(keys)) == len(CLASS) * len(suite.tasks)


def test_a_class_in_sandboxes_is_killed_and_goes_on_and_leaves_nobody_behind(
    suite: Suite, expected: list[dict[str, str]], tmp_path: Path
) -> None:
    need_sandbox()
    submissions = tmp_path / "class"
    for one in CLASS:
        (submissions / one.name).mkdir(parents=True)
        (submissions / one.name / "player.py").write_bytes(one.files["player.py"])
    words = ("grade", "breakthrough", submissions, "--suite", suite.folder, "--workers", "2")
    run = process(*words, "--out", tmp_path / "out", environment={"TMPDIR": str(tmp_path)})
    assert run.stdout
    run.stdout.readline()
    started = descendants(run.pid)
    assert started
    run.kill()
    run.communicate()
    assert all_have_ended(started)
    run = process(*words, "--out", tmp_path / "out", environment={"TMPDIR": str(tmp_path)})
    output, errors = run.communicate()
    assert run.returncode == 0, errors
    assert not list(tmp_path.glob(f"{COPIES}*"))
    assert "are graded already, and not graded again" in output
    assert book(suite, tmp_path / "out" / "results.jsonl", trusted=False) == expected


class Endless(Grader):
    """A grader that tells who it is, and is then busy with its first task for an hour."""

    def grade(self, submission: Submission, task: Any) -> TaskResult:
        (self.suite.folder / f"{os.getpid()}.busy").touch()
        time.sleep(3600)
        return super().grade(submission, task)


def endless_work(*arguments: Any) -> None:
    work_with(Endless, *arguments)


def endless_run(folder: Path, path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_run, "_work", endless_work)
        grade_all(load_suite(folder), path, workers=2)


def test_graders_do_not_outlive_the_run_that_was_killed(
    tmp_path: Path, forks: ForkServerContext
) -> None:
    folder = write_suite(tmp_path / "suite")
    run = forks.Process(target=endless_run, args=(folder, tmp_path / "results.jsonl"))
    run.start()
    assert run.pid is not None
    try:
        assert comes_true(lambda: len(list(folder.glob("*.busy"))) == 2)
    finally:
        os.kill(run.pid, signal.SIGKILL)
        run.join()
    busy = {int(path.stem) for path in folder.glob("*.busy")}
    try:
        assert all_have_ended(busy)
    finally:
        for one in busy:
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)


# Graders that end


class Ending(Grader):
    """A grader whose process ends when a certain task comes."""

    def grade(self, submission: Submission, task: Any) -> TaskResult:
        if (submission.name, task.name) == ("bob", "left"):
            os._exit(5)
        return super().grade(submission, task)


class EndingOnce(Grader):
    """The same, but whoever comes after it goes on."""

    def grade(self, submission: Submission, task: Any) -> TaskResult:
        mark = Path(os.environ["ENDED"])
        if (submission.name, task.name) == ("bob", "left") and not mark.exists():
            mark.touch()
            os._exit(5)
        return super().grade(submission, task)


work = class_run._work


def work_with(grader: type[Grader], *arguments: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_run, "Grader", grader)
        work(*arguments)


def ending_work(*arguments: Any) -> None:
    work_with(Ending, *arguments)


def ending_once_work(*arguments: Any) -> None:
    work_with(EndingOnce, *arguments)


def never_begins(*arguments: Any) -> None:
    os._exit(9)


def test_a_grader_that_ends_is_replaced_and_costs_nobody_a_point(
    suite: Suite, expected: list[dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_run, "_work", ending_work)
    path = tmp_path / "results.jsonl"
    told = grade_all(suite, path, workers=2)
    faults = [result for result in told if result.verdict is Verdict.JUDGE_ERROR]
    assert [(one.task, one.reason) for one in faults] == [("left", "a grader ended: status 5")]
    monkeypatch.undo()
    assert len(grade_all(suite, path)) == 1, "the judge's fault is tried again, nothing else"
    assert book(suite, path) == expected


@pytest.mark.parametrize("workers", [2, 3])
def test_a_task_whose_grader_ended_is_tried_once_more_in_a_fresh_one(
    suite: Suite,
    expected: list[dict[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    workers: int,
) -> None:
    monkeypatch.setattr(class_run, "_work", ending_once_work)
    monkeypatch.setenv("ENDED", str(tmp_path / "ended"))
    path = tmp_path / "results.jsonl"
    told = grade_all(suite, path, workers=workers)
    assert (tmp_path / "ended").exists()
    assert len(told) == len(CLASS) * len(suite.tasks)
    assert Verdict.JUDGE_ERROR not in {result.verdict for result in told}
    assert book(suite, path) == expected


def test_when_no_other_grader_is_left_the_last_task_is_tried_again_all_the_same(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_run, "_work", ending_once_work)
    monkeypatch.setenv("ENDED", str(tmp_path / "ended"))
    plan = Plan(suite, [CLASS[1]], trusted=True, workers=2)
    left = (0, 0)
    assert [(job, result.verdict) for job, result in class_run._together(plan, [left])] == [
        (left, Verdict.WRONG_ANSWER)
    ]


def test_graders_that_never_begin_are_said(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_run, "_work", never_begins)
    with pytest.raises(PlygroundError, match="all graders have ended; plyground doctor tells"):
        grade_all(suite, tmp_path / "results.jsonl", workers=2)


# A suite that is edited


@pytest.mark.parametrize("change", ["another move is best", "no suite any more"])
def test_a_suite_that_changes_in_the_middle_ends_the_run(
    suite: Suite, tmp_path: Path, change: str
) -> None:
    folder = tmp_path / "suite"
    shutil.copytree(suite.folder, folder)
    begun = load_suite(folder)
    document = json.loads((folder / "suite.json").read_text())
    document["tasks"][2]["best"] = document["tasks"][0]["best"]
    text = json.dumps(document) if change == "another move is best" else "{"
    (folder / "suite.json").write_text(text)
    with pytest.raises(SuiteChanged, match="the suite has changed while it was graded"):
        grade_all(begun, tmp_path / "results.jsonl", workers=2)
    assert (tmp_path / "results.jsonl").read_text() == ""


def test_a_part_of_a_suite_can_be_graded(suite: Suite, tmp_path: Path) -> None:
    part = replace(suite, tasks=suite.tasks[1:])
    told = grade_all(part, tmp_path / "results.jsonl", workers=2)
    assert sorted({result.task for result in told}) == ["any", "right"]


# The journal


def test_a_line_that_was_cut_off_is_as_if_never_written(
    suite: Suite, expected: list[dict[str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    grade_all(suite, path)
    whole = path.read_bytes()
    for cut in (1, 2, 50, len(whole.splitlines()[-1]), len(whole) - 3):
        path.write_bytes(whole[:-cut])
        kept = whole[:-cut].count(b"\n")
        journal = Journal(path, suite)
        journal.close()
        assert len(journal.results) == kept
        assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:kept])
    grade_all(suite, path)
    assert book(suite, path) == expected


def test_lines_of_others_are_passed_over(suite: Suite, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    others = [b"", b"{}", b"null", b"[1, 2]", b'{"key": 1}', b"\xff\xfe", b'{"key": ["a", "b"]}']
    path.write_bytes(b"\n".join(others) + b"\n")
    journal = Journal(path, suite)
    assert journal.results == {}
    result = TaskResult("left", Verdict.ACCEPTED, "ä\ud800")
    journal.add(journal.key(CLASS[0], suite.tasks[0]), result)
    journal.close()
    again = Journal(path, suite)
    again.close()
    assert list(again.results.values()) == [result]


RESULT: dict[str, Any] = {
    "task": "left",
    "verdict": "WA",
    "reason": "a2a3",
    "margin": None,
    "moves": 1,
    "slowest": 0.25,
    "depth": 3,
    "asked_again": 0,
    "decisive": {
        "ply": 0,
        "position": "p",
        "played": "a2a3",
        "better": ["b2b3"],
        "before": "",
        "after": "",
    },
    "record": "",
    "complaints": "",
}
DAMAGES: dict[str, list[Any]] = {
    "task": [None, 1, ["left"], "right", "../left"],
    "verdict": [None, 1, "wa", [], "JE"],
    "reason": [None, 1, ["a"], {}],
    "margin": ["1", 0.5, True, 1 << 60, []],
    "moves": [None, "1", 1.0, True, 10**4000],
    "slowest": [None, "y", True, [], math.inf, math.nan, 10**400, 1e300],
    "depth": ["1", 1.5, False, -(1 << 60)],
    "asked_again": [None, "1", 1.5],
    "record": [None, 1, []],
    "complaints": [None, 1, []],
    "decisive": [7, "p", [], {}, {"ply": 0}, RESULT],
    "more": [""],
}
DAMAGES_OF_DECISIVE: dict[str, list[Any]] = {
    "ply": [None, "0", 0.5, 10**4299],
    "position": [None, 1],
    "played": [None, 1],
    "better": [None, "b2b3", [1], {}],
    "before": [None, 1],
    "after": [None, []],
    "more": [""],
}


def damaged(document: dict[str, Any], damages: dict[str, list[Any]]) -> Iterator[dict[str, Any]]:
    for name, values in damages.items():
        yield from ({**document, name: value} for value in values)


def test_whatever_a_line_holds_it_is_a_result_or_passed_over(suite: Suite, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    journal = Journal(path, suite)
    key = journal.key(CLASS[0], suite.tasks[0])
    journal.close()
    parts = damaged(RESULT["decisive"], DAMAGES_OF_DECISIVE)
    for result in (*damaged(RESULT, DAMAGES), *({**RESULT, "decisive": part} for part in parts)):
        path.write_text(json.dumps({"key": key, "result": result}) + "\n")
        journal = Journal(path, suite)
        journal.close()
        assert journal.results == {}, result
    path.write_text(json.dumps({"key": key, "result": RESULT}) + "\n")
    journal = Journal(path, suite)
    journal.close()
    assert list(journal.results) == [key]


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"key": ' * 100_000,
        "1" * 5000,
        json.dumps({"key": ["ann", "left", 1], "result": RESULT}),
        json.dumps({"key": [["ann"], "left", "digest"], "result": RESULT}),
        json.dumps({"key": ["ann", "left", "digest"], "result": [RESULT]}),
    ],
    ids=["lists", "objects", "digits", "a digest", "a name", "a result"],
)
def test_a_line_that_nobody_would_write_is_passed_over(
    line: str, suite: Suite, tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(f"{line}\n")
    journal = Journal(path, suite)
    journal.close()
    assert journal.results == {}


def test_what_was_graded_without_a_sandbox_counts_for_no_run_in_one(
    suite: Suite, tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    grade_all(suite, path)
    journal = Journal(path, suite)
    journal.close()
    assert len(journal.results) == len(CLASS) * len(suite.tasks)
    assert [journal.of(one, suite.tasks) for one in CLASS] == [[]] * len(CLASS)


def test_what_was_written_before_runs_were_told_apart_is_graded_again(
    suite: Suite, tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    old = ["ann", "left", f"{CLASS[0].digest}-{suite_digest(suite)}"]
    path.write_text(json.dumps({"key": old, "result": RESULT}) + "\n")
    for trusted in (False, True):
        journal = Journal(path, suite, trusted=trusted)
        journal.close()
        assert journal.of(CLASS[0], suite.tasks) == []


def test_only_one_run_writes_at_a_time(suite: Suite, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    first = Journal(path, suite)
    with pytest.raises(FileError, match="another grading run is writing here; wait for it"):
        Journal(path, suite)
    first.close()
    Journal(path, suite).close()


def test_a_place_that_cannot_be_written_is_said(suite: Suite, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=r"file/results\.jsonl: "):
        Journal(tmp_path / "file" / "results.jsonl", suite)


def test_other_terms_are_another_suite(suite: Suite, tmp_path: Path) -> None:
    same = suite_digest(small_suite(tmp_path / "a"))
    assert suite_digest(small_suite(tmp_path / "b", title="Another title")) == same
    tasks = manifest()["tasks"]
    changes: list[dict[str, Any]] = [
        {"seconds": 0.4},
        {"overruns": 2},
        {"tasks": tasks[:1]},
        {"tasks": [{**tasks[0], "name": "other"}]},
        {"tasks": [{**tasks[0], "opponent": {"kind": "random", "seed": 1}}]},
        {"tasks": [{**tasks[0], "opponent": {"kind": "random", "seed": 2}}]},
        {"tasks": [{**tasks[0], "options": {"first_stay": True}}]},
    ]
    digests = {
        suite_digest(small_suite(tmp_path / f"{number}", **change))
        for number, change in enumerate(changes)
    }
    assert len(digests | {same}) == len(changes) + 1
