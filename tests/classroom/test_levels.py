"""The levels of Fishing Derby's suite: depth decides, and reference players land in theirs."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plyground.classroom.forge.derby import SPARE, DerbyForge
from plyground.classroom.grading import Grader
from plyground.classroom.interfaces import INSIDE
from plyground.classroom.interfaces.derby import DerbyInterface
from plyground.classroom.opponents import Perfect
from plyground.classroom.submission import Submission
from plyground.classroom.suite import find_suite
from plyground.core.game import Position
from plyground.core.registry import find_game
from tests.classroom import derby_levels
from tests.classroom.student_processes import STUDENTS

SUITE = find_suite(find_game("derby"))
POINTS = derby_levels.points_by_depth(SUITE)
PLAIN, DEEPENING, WITH_TABLE = range(10, 15), range(15, 20), range(20, 26)


def source(name: str, *changes: tuple[str, str]) -> str:
    text = (STUDENTS / f"derby_reference_{name}.py").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def points_without_clock(text: str) -> int:
    """What a player earns that has all the time in the world: the same on every machine."""
    grader = Grader(replace(SUITE, seconds=None), trusted=True)
    submission = Submission("reference", {"player.py": text.encode()})
    results = [grader.grade(submission, task) for task in SUITE.tasks]
    assert {result.verdict.value for result in results} <= {"AC", "WA"}
    return sum(result.point for result in results)


def test_points_grow_with_depth_from_level_to_level() -> None:
    assert list(POINTS.values()) == sorted(POINTS.values())
    assert len(set(POINTS.values())) >= 7
    assert all(POINTS[depth] in PLAIN for depth in (2, 3, 4))
    assert all(POINTS[depth] in DEEPENING for depth in (5, 6))
    assert all(POINTS[depth] in WITH_TABLE for depth in range(7, 13))
    assert all(task.proof["lucky"] == 0 for task in SUITE.tasks)


def test_the_plot_shows_the_proofs() -> None:
    assert derby_levels.FILE.read_text(encoding="utf-8") == derby_levels.plot(SUITE)


def test_the_end_of_the_day_decides_nothing() -> None:
    for task in SUITE.tasks[::8]:
        line = Perfect(SUITE.game).solver.solve(task.start, every_move=False).line
        assert len(line) <= task.start.board.plies - SPARE, task.name


@pytest.mark.parametrize("depth", [2, 3])
def test_the_plain_search_chooses_as_the_reference_player_does(depth: int) -> None:
    forge = DerbyForge()
    if str(INSIDE) not in sys.path:
        sys.path.append(str(INSIDE))
    names: dict[str, Any] = {}
    exec(source("minimax", ("DEPTH = 3", f"DEPTH = {depth}")), names)
    player = names["PlayerControllerMinimax"]()
    for task in SUITE.tasks[::4]:
        position = task.start
        for ply in range(24):
            if position.is_over:
                break
            chosen = forge.yardstick.at_depth(depth)(position)
            if position.turn == 0:
                answer = player.search_best_next_move(root_of(position))
                if position.parse_move(answer) in position.legal_moves:
                    assert position.parse_move(answer) == chosen, (task.name, ply)
            position = position.after(chosen)


def root_of(position: Position) -> Any:
    """The node that a player gets for a position."""
    from fishing_game_core.game_tree import Node

    interface = DerbyInterface()
    interface.begin(position, 0, None)
    turn = interface.turn(position, None)
    scenario_fish = interface.begin(position, 0, None)["fish"]
    places = {int(fish): tuple(place) for fish, place in turn["fish"].items()}
    message = {
        "hooks_positions": dict(enumerate(map(tuple, turn["hooks"]))),
        "fishes_positions": places,
        "observations": {fish: list(map(int, turn["codes"][str(fish)])) for fish in places},
        "fish_scores": {fish: scenario_fish[str(fish)]["score"] for fish in places},
        "player_scores": dict(enumerate(turn["points"])),
        "caught_fish": dict(enumerate(turn["held"])),
    }
    return Node(message=message, player=0)


def test_plain_minimax_reaches_the_first_level_and_not_the_second() -> None:
    assert points_without_clock(source("minimax")) == POINTS[3]


def test_iterative_deepening_reaches_the_second_level_and_not_the_third() -> None:
    text = source("iterative", ("TIME_LIMIT = 0.055", "TIME_LIMIT = 1e9"), ("min(20,", "min(5,"))
    assert points_without_clock(text) in DEEPENING


def test_a_table_of_seen_states_reaches_the_third_level() -> None:
    text = source("table", ("TIME_LIMIT = 0.055", "TIME_LIMIT = 1e9"), ("min(20,", "min(8,"))
    assert points_without_clock(text) in WITH_TABLE


def test_reference_players_are_as_students_write_them() -> None:
    """No help from plyground, and nothing but the course's package."""
    for name in ("minimax", "iterative", "table"):
        imports = [line for line in source(name).splitlines() if "import" in line]
        assert all("fishing_game_core" in line or line == "import time" for line in imports)
        assert Path(STUDENTS / f"derby_reference_{name}.py").stat().st_size < 6000
