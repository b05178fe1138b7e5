"""The built-in suites: each can be read, drawn again, and gone through by a beginner's player."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from plyground.classroom import grading
from plyground.classroom.forge import FORGES, make_forge
from plyground.classroom.forge.difficulty import LEVELS
from plyground.classroom.grading import Grader
from plyground.classroom.opponents import make_opponent
from plyground.classroom.submission import Submission, read_submission
from plyground.classroom.suite import Opponent, Suite, built_in_suites, find_suite
from plyground.classroom.verdict import Verdict
from plyground.core.errors import PlygroundError
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from plyground.players.simple import random_player
from tests.cli.runner import plyground

BUILT_IN = built_in_suites()
MOST_SECONDS = 0.5
"""For a move, where the player is not graded."""
PLAYER = Submission("ann", {"player.py": b"def choose(position, clock): pass"})


def suite_for(name: str) -> Suite:
    return find_suite(find_game(name))


def test_four_games_have_a_suite() -> None:
    assert BUILT_IN == ["blocker", "breakthrough", "derby", "slant"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_suite_has_tasks_a_clock_and_levels_that_can_be_reached(name: str) -> None:
    suite = suite_for(name)
    assert len(suite.tasks) == (25 if name == "derby" else 20)
    assert suite.seconds is not None
    points = [level.points for level in suite.levels]
    assert [level.name for level in suite.levels] == ["E/D", "C", "B/A"]
    assert points == sorted(points)
    assert [suite.level(reached) for reached in (0, *points)] == [None, "E/D", "C", "B/A"]
    assert suite.level(len(suite.tasks)) == "B/A"


@pytest.mark.parametrize("name", FORGES)
def test_a_seed_in_a_proof_draws_the_position_again(name: str) -> None:
    forge = make_forge(name)
    for task in suite_for(name).tasks:
        again = forge.draw(task.proof["seed"])
        assert again is not None
        assert again.text == task.start.text, task.name


@pytest.mark.parametrize("name", [name for name in FORGES if make_forge(name).kind == "best"])
def test_nobody_gets_far_by_always_giving_the_same_answer(name: str) -> None:
    """Nor by always taking the first move, or the last."""
    tasks = suite_for(name).tasks
    answers = Counter(answer for task in tasks for answer in task.best)
    assert max(answers.values()) <= len(tasks) / 3
    for which in (0, -1):
        lucky = (task.start.move_text(task.start.legal_moves[which]) in task.best for task in tasks)
        assert sum(lucky) < suite_for(name).levels[0].points


@pytest.mark.parametrize("name", FORGES)
def test_the_tasks_of_every_level_are_in_its_band(name: str) -> None:
    bands = {level.name: level for level in LEVELS.values()}
    met = []
    for task in suite_for(name).tasks:
        level = bands[task.proof["level"]]
        depth = task.proof["depth"]
        assert level.least <= (99 if depth is None else depth) <= (level.most or 99)
        met.append(level.name)
    assert met == sorted(met, key=list(bands).index)
    assert set(met) == set(bands)


@pytest.mark.parametrize("name", ["blocker", "slant"])
def test_not_every_move_of_a_position_is_best(name: str) -> None:
    for task in suite_for(name).tasks:
        assert task.kind == "best"
        assert 0 < len(task.best) < len(task.start.legal_moves)
        assert task.side == task.start.turn


def test_the_ladder_has_both_colours_on_every_rung_and_no_opponent_by_the_clock() -> None:
    tasks = suite_for("breakthrough").tasks
    for white, black in zip(tasks[::2], tasks[1::2], strict=True):
        assert white.opponent == black.opponent
        assert (white.side, black.side) == (0, 1)
        assert white.name.removesuffix("-white") == black.name.removesuffix("-black")
    for opponent in (task.opponent for task in tasks):
        assert opponent.seconds is None
        assert opponent.kind != "random" or opponent.seed is not None


@pytest.mark.parametrize(
    "opponent",
    [Opponent("random", seed=1), Opponent("engine", nodes=300), Opponent("monte-carlo", nodes=50)],
    ids=lambda opponent: opponent.kind,
)
def test_an_opponent_plays_every_game_as_if_it_were_its_first(
    opponent: Opponent, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = suite_for("breakthrough")
    grader = Grader(suite, trusted=True)
    task = replace(suite.tasks[0], opponent=opponent)

    def played(seed: int) -> list[str]:
        student = random_player(seed)
        monkeypatch.setattr(student, "stderr", "", raising=False)
        monkeypatch.setattr(student, "is_ready", True, raising=False)
        monkeypatch.setattr(grading, "start_player", lambda *_, **__: student)
        record = grader.grade(PLAYER, task).record
        return [ply.move for ply in GameRecord.from_text(record).plies]

    first = played(5)
    played(6)
    assert played(5) == first


def test_what_is_wrong_with_an_opponent_is_said() -> None:
    with pytest.raises(PlygroundError, match="depth means nothing to monte-carlo"):
        make_opponent(find_game("breakthrough"), Opponent("monte-carlo", depth=3))


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_starter_gets_through_a_task(name: str, tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    assert plyground("init", name, file).status == 0
    # This machine may be slow, and is not graded. Some starters use all the time that they have.
    suite = replace(suite_for(name), overruns=1000)
    suite = replace(suite, seconds=min(suite.seconds or MOST_SECONDS, MOST_SECONDS))
    grader = Grader(suite, trusted=True)
    result = grader.grade(read_submission(file), suite.tasks[0])
    assert result.verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER), result
    assert result.moves >= 1
    assert result.depth is not None
