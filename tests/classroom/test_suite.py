"""Suites: what a manifest may say, and what is said of one that is wrong."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.classroom.grading import Grader
from plyground.classroom.manifest import OPPONENTS
from plyground.classroom.opponents import make_opponent
from plyground.classroom.submission import Submission
from plyground.classroom.suite import (
    Opponent,
    built_in_suites,
    find_suite,
    load_suite,
)
from plyground.classroom.verdict import Verdict
from plyground.core.errors import FileError, PlygroundError
from plyground.core.game import Option
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from tests.classroom.small_suite import DAYS, manifest, write_suite

TASK = manifest()["tasks"][0]
TICTACTOE = find_game("tictactoe")


def refusal(folder: Path, **changes: Any) -> str:
    """What is said of a suite with these changes; the place of the manifest comes first."""
    write_suite(folder, **changes)
    with pytest.raises(PlygroundError) as refused:
        load_suite(folder)
    told = str(refused.value)
    assert told.startswith(str(folder))
    assert told.isprintable()
    return told.removeprefix(str(folder / "suite.json")).removeprefix(": ")


def test_a_suite_is_read(tmp_path: Path) -> None:
    suite = load_suite(write_suite(tmp_path / "short"))
    assert (suite.name, suite.title, suite.game.name) == ("short", "Two short days", "derby")
    assert (suite.seconds, suite.grace, suite.overruns) == (0.5, 0.0, 1)
    assert [(task.name, task.kind, task.side) for task in suite.tasks] == [
        ("below", "win", 0),
        ("aside", "win", 0),
    ]
    assert [suite.level(points) for points in (0, 1, 2)] == [None, "E", "A"]


def test_what_need_not_be_said_has_a_default(tmp_path: Path) -> None:
    document = {"format": "plyground-suite-1", "game": "tictactoe"}
    document["tasks"] = [{"name": "start", "task": "win"}]  # type: ignore[assignment]
    (tmp_path / "suite.json").write_text(json.dumps(document))
    suite = load_suite(tmp_path)
    assert (suite.title, suite.seconds, suite.overruns) == (tmp_path.name, None, 1)
    assert suite.levels == ()
    assert suite.level(1) is None
    assert suite.tasks[0].start == TICTACTOE.start()
    assert suite.tasks[0].opponent == Opponent("perfect")


def test_a_suite_says_whether_games_end_when_they_are_decided(tmp_path: Path) -> None:
    assert not load_suite(write_suite(tmp_path)).end_when_decided
    assert load_suite(write_suite(tmp_path, end_when_decided=True)).end_when_decided
    assert find_suite(find_game("derby")).end_when_decided


def test_a_suite_may_allow_an_answer_some_seconds_more_than_the_player_is_told(
    tmp_path: Path,
) -> None:
    for grace in (0, 0.03, 60, None):
        suite = load_suite(write_suite(tmp_path, grace=grace))
        assert suite.grace == (grace or 0.0)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "another format": ({"format": "x"}, "format: must be 'plyground-suite-1', not 'x'"),
    "an unknown entry": ({"titel": ""}, "the manifest: 'titel' is unknown; known are format, game"),
    "no game": ({"game": None}, "game: must be a text, not null"),
    "an unknown game": ({"game": "chess"}, "chess"),
    "tasks that are no list": ({"tasks": {}}, "tasks: must be a list"),
    "no tasks": ({"tasks": []}, "tasks: must have at least 1 entry"),
    "too many tasks": ({"tasks": [TASK] * 1001}, "tasks: must have at most 1000 entries"),
    "two of a name": ({"tasks": [TASK, TASK]}, "two tasks are called 'below'"),
    "no time": ({"seconds": 0}, "seconds: must be at least 0.001, not 0"),
    "a negative grace": ({"grace": -1}, "grace: must be at least 0, not -1"),
    "a grace without end": ({"grace": 61}, "grace: must be at most 60, not 61"),
    "a grace in words": ({"grace": "1"}, "grace: must be a number, not '1'"),
    "time in words": ({"seconds": "1"}, "seconds: must be a number, not '1'"),
    "a truth for a number": ({"overruns": True}, "overruns: must be a whole number, not true"),
    "half an overrun": ({"overruns": 1.5}, "overruns: must be a whole number, not 1.5"),
    "no overruns": ({"overruns": 0}, "overruns: must be at least 1, not 0"),
    "a title that is no text": ({"title": 7}, "title: must be a text, not 7"),
    "a level that is no object": ({"levels": ["A"]}, "level 1: must be an object, not 'A'"),
    "a level without a name": ({"levels": [{"points": 1}]}, "level 1, name: is missing"),
    "a level without points": ({"levels": [{"name": "A"}]}, "level 1, points: is missing"),
    "a level with more": (
        {"levels": [{"name": "A", "points": 1, "x": 1}]},
        "level 1: 'x' is unknown; known are name, points",
    ),
}
WRONG_TASKS: dict[str, tuple[Any, str]] = {
    "that is no object": (7, "task 1: must be an object, not 7"),
    "with an unknown entry": ({**TASK, "points": 2}, "task 1: 'points' is unknown; known are"),
    "without a name": (
        {**TASK, "name": ""},
        "task 1, name: must have at least 1 character, not ''",
    ),
    "with a name that is a path": (
        {**TASK, "name": "../x"},
        "task 1, name: '../x' must be of letters, digits, - and _",
    ),
    "with a long name": ({**TASK, "name": "x" * 61}, "must be of letters, digits, - and _"),
    "of no kind": ({**TASK, "task": "draw"}, "task 1, task: must be 'win' or 'best', not 'draw'"),
    "without a kind": ({"name": "x"}, "task 1, task: is missing"),
    "with options that are none": (
        {**TASK, "options": 1},
        "task 1, options: must be an object, not 1",
    ),
    "with unknown options": ({**TASK, "options": {"x": 1}}, "task 1: "),
    "with file and position": (
        {**TASK, "position": "x"},
        "task 1: give a file or a position, not both",
    ),
    "with a file elsewhere": (
        {**TASK, "file": "../below.json"},
        "task 1: '../below.json' is not the name of a file in the suite's folder",
    ),
    "with a file that is a folder's": ({**TASK, "file": ".."}, "task 1: '..' is not the name"),
    "with a position that is none": (
        {"name": "x", "task": "win", "position": "{}"},
        "task 1: ",
    ),
    "on a third side": ({**TASK, "side": 2}, "task 1, side: must be at most 1, not 2"),
    "between the sides": ({**TASK, "side": 0.5}, "task 1, side: must be a whole number, not 0.5"),
    "without a best move": (
        {**TASK, "task": "best"},
        'task 1: list the moves that earn the point as "best"',
    ),
    "with a best move that is none": (
        {**TASK, "task": "best", "best": ["castle"]},
        "task 1: 'castle' is not",
    ),
    "with best moves that are no list": (
        {**TASK, "best": "up"},
        "task 1, best: must be a list, not 'up'",
    ),
    "with a proof that is none": (
        {**TASK, "proof": []},
        "task 1, proof: must be an object",
    ),
    "with an opponent by name": (
        {**TASK, "opponent": "engine"},
        "task 1, opponent: must be an object, not 'engine'",
    ),
    "with an opponent of no kind": ({**TASK, "opponent": {}}, "task 1, opponent, kind: is missing"),
    "with an unknown opponent": (
        {**TASK, "opponent": {"kind": "god"}},
        "task 1, opponent: kind must be one of perfect, engine,",
    ),
    "with an opponent's unknown entry": (
        {**TASK, "opponent": {"kind": "engine", "elo": 1}},
        "task 1, opponent: 'elo' is unknown; known are kind, depth, nodes, seconds, seed",
    ),
    "with an opponent's unknown feature": (
        {**TASK, "opponent": {"kind": "engine", "features": "table,magic"}},
        "task 1, opponent: the engine has no feature 'magic'; none, table, killers,",
    ),
    "with an opponent of no depth": (
        {**TASK, "opponent": {"kind": "engine", "depth": 0}},
        "task 1, opponent, depth: must be at least 1, not 0",
    ),
    "with an opponent of half a ply": (
        {**TASK, "opponent": {"kind": "engine", "depth": 1.5}},
        "task 1, opponent, depth: must be a whole number, not 1.5",
    ),
    "with a limit that its opponent does not know": (
        {**TASK, "opponent": {"kind": "random", "depth": 3}},
        "task 1, opponent: depth means nothing to random",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_manifest_is_refused_with(what: str, tmp_path: Path) -> None:
    changes, told = WRONG[what]
    assert told in refusal(tmp_path, **changes)


@pytest.mark.parametrize("what", WRONG_TASKS)
def test_a_task_is_refused(what: str, tmp_path: Path) -> None:
    task, told = WRONG_TASKS[what]
    assert told in refusal(tmp_path, tasks=[task])


def test_a_task_of_which_no_game_could_be_recorded_is_refused(tmp_path: Path) -> None:
    """Who is graded on it would get the point for nothing, by the judge's fault."""
    told = refusal(tmp_path, title="x" * 10_000)
    assert told == (
        "task 1: no game of it can be recorded:"
        " 'event' has 10007 characters: at most 10000 are possible"
    )
    told = refusal(tmp_path, title="half a \ud800")
    assert told == "title: holds half a character (a surrogate), which no file can hold"


def long_day(fish: int, plies: int) -> str:
    """The text of a day that is as long as a real one, or longer."""
    options: dict[str, Option] = {"board": "random", "seed": 1, "fish": fish, "plies": plies}
    return find_game("derby").start(options).text


@pytest.mark.parametrize(("fish", "plies"), [(30, 900), (64, 1000)])
def test_the_longest_days_at_sea_are_tasks_and_their_games_are_recorded(
    fish: int, plies: int, tmp_path: Path
) -> None:
    task = {**TASK, "opponent": {"kind": "random", "seed": 1}}
    folder = write_suite(tmp_path, tasks=[task])
    (folder / "below.json").write_text(long_day(fish, plies))
    suite = load_suite(folder)
    source = "class PlayerControllerMinimax: pass"
    result = Grader(suite, trusted=True).grade(
        Submission("ann", {"player.py": source.encode()}), suite.tasks[0]
    )
    assert (result.verdict, result.point) == (Verdict.RUNTIME_ERROR, False)
    record = GameRecord.from_text(result.record)
    assert record.first_position() == suite.tasks[0].start


def test_a_game_that_is_over_is_no_task(tmp_path: Path) -> None:
    over = {"name": "x", "task": "win", "position": "xxx/oo./... o"}
    told = refusal(tmp_path, game="tictactoe", tasks=[over])
    assert told.startswith("task 1: the game is over already: ")


def test_what_cannot_be_read_is_said_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"suite\.json: No such file"):
        load_suite(tmp_path)
    path = tmp_path / "suite.json"
    for content, told in (
        (b"{\n,", "line 2: not JSON"),
        (b"\xff", "not UTF-8"),
        (b"[" * 100_000, "not JSON: it is nested too deeply"),
        (b"1" * 5000, "not JSON: Exceeds the limit"),
        (b" " * (1 << 20) + b"{}", "more than 1048576 bytes"),
        (b"[]", "the manifest: must be an object"),
    ):
        path.write_bytes(content)
        with pytest.raises(PlygroundError) as refused:
            load_suite(tmp_path)
        assert str(path) in str(refused.value)
        assert told in str(refused.value)


def test_a_file_of_a_task_is_one_of_the_folder_and_no_link(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "suite")
    (folder / "below.json").rename(tmp_path / "elsewhere.json")
    with pytest.raises(FileError, match=r"below\.json: No such file"):
        load_suite(folder)
    (folder / "below.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(PlygroundError, match="not the name of a file in the suite's folder"):
        load_suite(folder)


def test_the_suite_of_another_game_is_refused(tmp_path: Path) -> None:
    write_suite(tmp_path)
    with pytest.raises(PlygroundError, match="this suite is for derby, not for tictactoe"):
        find_suite(TICTACTOE, tmp_path)


def test_a_game_without_a_suite_says_who_has_one() -> None:
    with pytest.raises(PlygroundError, match="there is no built-in suite for tictactoe, only for"):
        find_suite(TICTACTOE)
    assert "derby" in built_in_suites()


@pytest.mark.parametrize("kind", OPPONENTS)
def test_every_opponent_can_be_made_with_all_that_it_can_be_told(kind: str) -> None:
    everything: dict[str, Any] = {"depth": 2, "nodes": 100, "seconds": 0.1, "seed": 3}
    everything["features"] = "table,scout"
    told = {name: everything[name] for name in OPPONENTS[kind]}
    assert make_opponent(TICTACTOE, Opponent(kind, **told)).name
    assert make_opponent(TICTACTOE, Opponent(kind)).name


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
PLACES = [
    *((name,) for name in manifest()),
    ("levels", 0),
    ("levels", 0, "points"),
    ("tasks", 0),
    *(("tasks", 0, name) for name in "name task file position options side best proof".split()),
    ("tasks", 0, "opponent"),
    *(("tasks", 0, "opponent", name) for name in "kind depth nodes seconds seed".split()),
]


@given(place=st.sampled_from(PLACES), value=JSON)
def test_whatever_stands_in_a_manifest_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, place: tuple[str | int, ...], value: Any
) -> None:
    folder = tmp_path_factory.getbasetemp() / "fuzzed"
    folder.mkdir(exist_ok=True)
    for name, scenario in DAYS.items():
        (folder / f"{name}.json").write_text(json.dumps(scenario))
    document: Any = json.loads(json.dumps(manifest()))
    inner = document
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    (folder / "suite.json").write_text(json.dumps(document))
    with contextlib.suppress(PlygroundError):
        load_suite(folder)
