"""The built-in suites: each can be read, drawn again, and gone through by a beginner's player."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plyground.arena.match import Terms, play_match
from plyground.classroom.forge import FORGES, make_forge
from plyground.classroom.forge.difficulty import LEVELS
from plyground.classroom.grading import Grader
from plyground.classroom.opponents import Fresh, make_opponent
from plyground.classroom.submission import read_submission
from plyground.classroom.suite import (
    Opponent,
    Suite,
    built_in_suites,
    find_suite,
    load_suite,
)
from plyground.classroom.verdict import Verdict
from plyground.core.errors import FileError, PlygroundError
from plyground.core.registry import find_game
from plyground.players.simple import random_player
from tests.classroom.small_suite import manifest, write_suite
from tests.cli.runner import plyground

BUILT_IN = built_in_suites()


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
def test_an_opponent_plays_every_game_as_if_it_were_its_first(opponent: Opponent) -> None:
    game = find_game("breakthrough")
    house = make_opponent(game, opponent)

    def played(seed: int) -> list[str]:
        match = play_match(game.start(), [random_player(seed), house], Terms())
        return [ply.move for ply in match.record.plies]

    first = played(5)
    played(6)
    assert played(5) == first


def test_what_is_wrong_with_an_opponent_is_said_before_any_game() -> None:
    game = find_game("breakthrough")
    with pytest.raises(PlygroundError, match="depth means nothing to monte-carlo"):
        make_opponent(game, Opponent("monte-carlo", depth=3))
    assert isinstance(make_opponent(game, Opponent("engine", depth=1)), Fresh)


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_starter_gets_through_a_task(name: str, tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    assert plyground("init", name, file).status == 0
    suite = replace(suite_for(name), overruns=1000)  # this machine may be slow, and is not graded
    grader = Grader(suite, trusted=True)
    result = grader.grade(read_submission(file), suite.tasks[0])
    assert result.verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER), result
    assert result.moves >= 1
    assert result.depth is not None


# What is wrong with a suite of one's own


def complaint(folder: Path) -> str:
    with pytest.raises(PlygroundError) as caught:
        load_suite(folder)
    return str(caught.value).replace(str(folder), "FOLDER")


def changed_task(**changes: Any) -> dict[str, Any]:
    task = manifest()["tasks"][0] | changes
    return {"tasks": [{name: value for name, value in task.items() if value is not None}]}


FAULTS = [
    ({"format": "other"}, "format: must be 'plyground-suite-1', not 'other'"),
    ({"colour": 1}, "the manifest: 'colour' is unknown; known are format, game,"),
    ({"tasks": []}, "tasks: must have at least 1 entry"),
    ({"tasks": 7}, "tasks: must be a list, not 7"),
    ({"seconds": -1}, "seconds: must be at least 0.001, not -1"),
    ({"levels": [7]}, "level 1: must be an object, not 7"),
    ({"tasks": [7]}, "task 1: must be an object, not 7"),
    (changed_task(task="lose"), "task 1, task: must be 'win' or 'best', not 'lose'"),
    (changed_task(name="a/b"), "task 1, name: 'a/b' must be of letters, digits, - and _"),
    (changed_task(name=None), "task 1, name: is missing"),
    (changed_task(task="best"), 'task 1: list the moves that earn the point as "best"'),
    (changed_task(position="x"), "task 1: give a file or a position, not both"),
    (changed_task(file="../below.json"), "'../below.json' is not the name of a file in the suite"),
    (
        changed_task(opponent={"kind": "engine", "features": "table,magic"}),
        "task 1, opponent: the engine has no feature 'magic'; none, table, killers,",
    ),
    (changed_task(opponent={"kind": "chess"}), "task 1, opponent: kind must be one of perfect,"),
    (changed_task(side=2), "task 1, side: must be at most 1, not 2"),
    (changed_task(file=None, position="{}"), "task 1: "),
]


@pytest.mark.parametrize(("changes", "said"), FAULTS, ids=lambda value: str(value)[:40])
def test_a_fault_in_a_manifest_is_told_with_its_place(
    changes: dict[str, Any], said: str, tmp_path: Path
) -> None:
    found = complaint(write_suite(tmp_path / "suite", **changes))
    assert found.startswith("FOLDER/suite.json: ")
    assert said in found


def test_two_tasks_of_one_name_are_told(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "suite", tasks=[manifest()["tasks"][0]] * 2)
    assert complaint(folder) == "FOLDER/suite.json: the manifest: two tasks are called 'below'"


def test_a_folder_without_a_manifest_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"suite\.json: No such file or directory"):
        load_suite(tmp_path)


def test_a_manifest_that_is_not_json_is_told_with_its_line(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "suite")
    (folder / "suite.json").write_text('{"format":\n?}')
    assert complaint(folder) == "FOLDER/suite.json, line 2: not JSON: Expecting value at column 1"
    (folder / "suite.json").write_bytes(b"\xff")
    assert complaint(folder) == "FOLDER/suite.json: not UTF-8"


def test_a_suite_for_another_game_is_told(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "suite")
    with pytest.raises(PlygroundError, match="this suite is for derby, not for slant"):
        find_suite(find_game("slant"), folder)
    with pytest.raises(PlygroundError, match="there is no built-in suite for tictactoe, only for"):
        find_suite(find_game("tictactoe"))


def test_a_position_that_is_over_is_no_task(tmp_path: Path) -> None:
    task = {"name": "one", "task": "win", "position": "xxx/oo1/3 o"}
    (tmp_path / "suite.json").write_text(json.dumps(manifest(game="tictactoe", tasks=[task])))
    assert "task 1: the game is over already: " in complaint(tmp_path)
