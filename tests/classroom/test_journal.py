"""The journal: whatever stands in it, it is a result that counts or passed over."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom.journal import Journal, suite_digest
from plyground.classroom.suite import Suite
from plyground.classroom.verdict import Decisive, TaskResult, Verdict
from plyground.core.errors import FileError
from tests.classroom.small_class import CLASS, book, class_suite, grade_all
from tests.classroom.small_suite import manifest, small_suite
from tests.full_disk import files_of_at_most


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return class_suite(tmp_path_factory.mktemp("suite"))


def test_a_line_that_was_cut_off_is_as_if_never_written(suite: Suite, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    grade_all(suite, path)
    expected = book(suite, path)
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
    journal.close()
    assert journal.results == {}
    result = TaskResult("left", Verdict.ACCEPTED, "won")
    assert written_and_read(suite, path, result) == result


def test_a_result_is_read_as_it_was_written(suite: Suite, tmp_path: Path) -> None:
    decisive = Decisive(3, "p", "left", ("up", "stay"), "Green wins by 5", "a draw")
    whole = TaskResult("left", Verdict.WRONG_ANSWER, "ä\n", -5, 7, 1, 4, decisive, "r", "c", False)
    assert written_and_read(suite, tmp_path / "results.jsonl", whole) == whole


def test_half_a_character_in_a_players_text_becomes_a_question_mark(
    suite: Suite, tmp_path: Path
) -> None:
    result = TaskResult("left", Verdict.RUNTIME_ERROR, "ä\ud800")
    assert written_and_read(suite, tmp_path / "results.jsonl", result).reason == "ä?"


def written_and_read(suite: Suite, path: Path, result: TaskResult) -> TaskResult:
    journal = Journal(path, suite)
    journal.add(journal.key(CLASS[0], suite.tasks[0]), result)
    journal.close()
    again = Journal(path, suite)
    again.close()
    (read,) = again.results.values()
    return read


RESULT: dict[str, Any] = {
    "task": "left",
    "verdict": "WA",
    "reason": "a2a3",
    "margin": None,
    "moves": 1,
    "slowest": 0.25,
    "depth": 3,
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


def test_a_line_that_the_disk_has_no_room_for_ends_the_run_and_loses_nothing(
    suite: Suite, tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    journal = Journal(path, suite)
    keys = [journal.key(CLASS[0], task) for task in suite.tasks]
    first, second, third = (
        TaskResult(task.name, Verdict.ACCEPTED, "as it should be") for task in suite.tasks
    )
    journal.add(keys[0], first)
    written = path.read_bytes()
    for room in (0, 1, 30):
        with files_of_at_most(len(written) + room), pytest.raises(FileError) as refused:
            journal.add(keys[1], second)
        assert str(refused.value) == (
            f"{path}: File too large; what was graded before is kept, and the same command goes on"
            " from there"
        )
        assert path.read_bytes() == written, "a part of the line is left"
    assert list(journal.results.values()) == [first]
    journal.add(keys[2], third)
    journal.close()
    again = Journal(path, suite)
    again.close()
    assert list(again.results.values()) == [first, third]


def test_other_terms_are_another_suite(suite: Suite, tmp_path: Path) -> None:
    same = suite_digest(small_suite(tmp_path / "a"))
    assert suite_digest(small_suite(tmp_path / "b", title="Another title")) == same
    tasks = manifest()["tasks"]
    changes: list[dict[str, Any]] = [
        {"seconds": 0.4},
        {"overruns": 2},
        {"grace": 0.03},
        {"end_when_decided": True},
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
