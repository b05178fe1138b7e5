"""Grading the grader: each hostile player gets its own verdict, and no other player is affected."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from plyground.classroom.grading import LONGEST_STDERR, Grader
from plyground.classroom.submission import Submission
from plyground.classroom.suite import load_suite
from plyground.classroom.verdict import TaskResult
from plyground.core.records.record import GameRecord
from plyground.players import program
from tests.classroom.hostile_players import ACTS, SILENT
from tests.classroom.sandboxes import descendants, need_sandbox, nobody_is_left
from tests.classroom.small_suite import day, manifest, small_suite, write_suite

HONEST = Submission("honest", {"player.py": ACTS["right"].file})


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the suite and the other submissions are."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "other.py").write_bytes(HONEST.files["player.py"])
    return folder


@pytest.fixture(scope="module")
def grader(elsewhere: Path) -> Grader:
    need_sandbox()
    return Grader(small_suite(elsewhere / "suite"))


@pytest.fixture(scope="module")
def long_grader(elsewhere: Path) -> Grader:
    """A day on which nothing happens for hundreds of moves."""
    need_sandbox()
    folder = write_suite(
        elsewhere / "long",
        tasks=[{**manifest()["tasks"][0], "opponent": {"kind": "random", "seed": 1}}],
    )
    (folder / "below.json").write_text(json.dumps(day((5, 18), (5, 0), plies=900)))
    return Grader(load_suite(folder))


def grade(grader: Grader, submission: Submission) -> list[TaskResult]:
    return [grader.grade(submission, task) for task in grader.suite.tasks]


def essence(results: list[TaskResult]) -> list[object]:
    """All of some results but what clocks have told."""
    return [
        (
            replace(result, slowest=0.0, record=""),
            [ply.move for ply in GameRecord.from_text(result.record).plies],
        )
        for result in results
    ]


@pytest.fixture(scope="module")
def honest(grader: Grader) -> list[object]:
    """What an honest player earned before all this."""
    return essence(grade(grader, HONEST))


@pytest.mark.parametrize("name", ACTS)
def test_a_player_gets_the_verdict_it_has_earned_and_an_honest_one_after_it_as_well(
    name: str,
    grader: Grader,
    long_grader: Grader,
    honest: list[object],
    elsewhere: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    act = ACTS[name]
    # On a busy machine a late player takes long; a silent one need not be waited for.
    monkeypatch.setattr(program, "PATIENCE", 2 if act.reason == SILENT else 60)
    before = descendants()
    file = act.file.replace(b"{elsewhere}", str(elsewhere).encode())
    results = grade(long_grader if act.long else grader, Submission(name, {"player.py": file}))
    for result in results:
        assert result.verdict.value == act.verdict, result
        assert re.fullmatch(act.reason.replace("{name}", name), result.reason), result.reason
        assert act.complaint in result.complaints, result.complaints
        assert "gained" not in result.complaints, result.complaints
        assert len(result.complaints) <= LONGEST_STDERR
        assert result.point == (act.verdict == "AC")
    assert nobody_is_left(before)
    assert essence([grader.grade(HONEST, grader.suite.tasks[0])]) == honest[:1]


def test_there_are_enough_of_them() -> None:
    assert len(ACTS) >= 25


def test_an_honest_player_earns_the_same_after_all_of_them(
    grader: Grader, honest: list[object]
) -> None:
    assert essence(grade(grader, HONEST)) == honest
    assert all(result.point for result in grade(grader, HONEST))
