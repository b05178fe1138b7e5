"""Grading a class: whatever ends a run, nothing is lost, nothing is graded twice."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import replace
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom import class_run
from plyground.classroom.class_run import GraderSettings, Plan, SuiteChanged, run_class
from plyground.classroom.grading import Grader
from plyground.classroom.journal import Journal, suite_digest
from plyground.classroom.student_process import COPIES
from plyground.classroom.submission import Submission
from plyground.classroom.suite import Suite, load_suite
from plyground.classroom.verdict import TaskResult, Verdict
from plyground.core.errors import PlygroundError
from plyground.executor.local import LocalExecutor
from plyground.executor.task import TaskFunction
from tests.classroom.sandboxes import all_have_ended, comes_true, descendants, need_sandbox
from tests.classroom.small_class import CLASS, agent, book, class_suite, grade_all
from tests.classroom.small_suite import manifest, write_suite
from tests.cli.runner import process
from tests.paths import EXAMPLES

KILLS = 20
KILLS_AT_START = 5


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return class_suite(tmp_path_factory.mktemp("suite"))


@pytest.fixture(scope="module")
def expected(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """The gradebook of a run without interruption."""
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
    context.set_forkserver_preload(["tests.classroom.test_class_run"])
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
        longest = whole / 6
        while killed_run(forks, suite.folder, path, chance.uniform(0, longest)):
            kills += 1
            longest += whole / 6  # a machine that has become slower gets to the end as well
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


def endless_work(settings: GraderSettings) -> TaskFunction:
    return work_with(Endless, settings)


def endless_run(folder: Path, path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_run, "set_up_grader", endless_work)
        grade_all(load_suite(folder), path, workers=2)


def test_a_run_that_is_killed_while_it_starts_leaves_no_folder_for_long(tmp_path: Path) -> None:
    """Whatever it has made by then, the next run removes."""
    need_sandbox()
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (tmp_path / "suite").mkdir()
    class_suite(tmp_path / "suite")
    (tmp_path / "submissions").mkdir()
    for one in CLASS[:2]:
        (tmp_path / "submissions" / f"{one.name}.py").write_bytes(one.files["player.py"])

    def start(name: str) -> subprocess.Popen[str]:
        words = ("grade", "breakthrough", tmp_path / "submissions", "--workers", "2")
        places = ("--suite", tmp_path / "suite", "--out", tmp_path / name)
        return process(*words, *places, environment={"TMPDIR": str(scratch)})

    began = time.monotonic()
    with start("whole") as run:
        run.communicate()
    whole = time.monotonic() - began
    chance = random.Random(1)
    for part in range(KILLS_AT_START):
        with start(f"killed-{part}") as run:
            with contextlib.suppress(subprocess.TimeoutExpired):
                run.wait(whole * (part + chance.random()) / KILLS_AT_START)
            run.kill()
    with start("last") as run:
        assert "2 of 3" in run.communicate()[0]
    # Python itself tries whether a temporary folder can be written, with a small file of a random
    # name of eight characters, which stays there if the process is killed in that moment.
    left = [path for path in scratch.iterdir() if path.is_dir() or len(path.name) != 8]
    assert left == []


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
    """The same, but the next run goes on."""

    def grade(self, submission: Submission, task: Any) -> TaskResult:
        mark = Path(os.environ["ENDED"])
        if (submission.name, task.name) == ("bob", "left") and not mark.exists():
            mark.touch()
            os._exit(5)
        return super().grade(submission, task)


set_up = class_run.set_up_grader


def work_with(grader: type[Grader], settings: GraderSettings) -> TaskFunction:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_run, "Grader", grader)
        return set_up(settings)


def ending_work(settings: GraderSettings) -> TaskFunction:
    return work_with(Ending, settings)


def ending_once_work(settings: GraderSettings) -> TaskFunction:
    return work_with(EndingOnce, settings)


def never_begins(settings: GraderSettings) -> TaskFunction:
    os._exit(9)


def test_a_grader_that_ends_is_replaced_and_costs_nobody_a_point(
    suite: Suite, expected: list[dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_run, "set_up_grader", ending_work)
    path = tmp_path / "results.jsonl"
    told = grade_all(suite, path, workers=2)
    faults = [result for result in told if result.verdict is Verdict.JUDGE_ERROR]
    assert [(one.task, one.reason) for one in faults] == [
        ("left", "its worker ended 2 times: exit status 5")
    ]
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
    monkeypatch.setattr(class_run, "set_up_grader", ending_once_work)
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
    monkeypatch.setattr(class_run, "set_up_grader", ending_once_work)
    monkeypatch.setenv("ENDED", str(tmp_path / "ended"))
    one = replace(suite, tasks=suite.tasks[:1])
    journal = Journal(tmp_path / "results.jsonl", one, trusted=True)
    verdicts: list[Verdict] = []
    run_class(
        Plan(one, [CLASS[1]], trusted=True),
        journal,
        lambda who, result: verdicts.append(result.verdict),
        LocalExecutor(2),
    )
    journal.close()
    assert (tmp_path / "ended").exists()
    assert verdicts == [Verdict.WRONG_ANSWER]


def test_graders_that_never_begin_are_said(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_run, "set_up_grader", never_begins)
    with pytest.raises(PlygroundError, match="no worker could begin: exit status 9"):
        grade_all(suite, tmp_path / "results.jsonl", workers=2)


# A suite that is edited


def test_a_suite_that_is_edited_in_the_middle_is_graded_as_it_was(
    suite: Suite, expected: list[dict[str, str]], tmp_path: Path
) -> None:
    folder = tmp_path / "suite"
    shutil.copytree(suite.folder, folder)
    begun = load_suite(folder)
    (folder / "suite.json").write_text("{")
    grade_all(begun, tmp_path / "results.jsonl", workers=2)
    assert book(suite, tmp_path / "results.jsonl") == expected


def test_a_game_that_is_edited_in_the_middle_ends_the_run(tmp_path: Path) -> None:
    game = tmp_path / "mine.py"
    shutil.copy(EXAMPLES / "nim.py", game)
    tasks = [{"name": "first", "task": "best", "best": ["a1"]}]
    document = manifest(game="mine.py", tasks=tasks, seconds=5.0)
    (tmp_path / "suite.json").write_text(json.dumps(document))
    begun = load_suite(tmp_path)
    suite_digest(begun)  # a run begins with it
    path = tmp_path / "results.jsonl"
    game.write_text(game.read_text() + "\n# another version\n")
    with pytest.raises(SuiteChanged, match=r"mine\.py: the game has changed while it was graded"):
        grade_all(begun, path, workers=2)
    game.write_text("no game")
    with pytest.raises(PlygroundError, match=r"mine\.py:1: syntax error"):
        grade_all(begun, path, workers=2)
    assert path.read_text() == ""


def test_a_part_of_a_suite_can_be_graded(suite: Suite, tmp_path: Path) -> None:
    part = replace(suite, tasks=suite.tasks[1:])
    told = grade_all(part, tmp_path / "results.jsonl", workers=2)
    assert sorted({result.task for result in told}) == ["any", "right"]
