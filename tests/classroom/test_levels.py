"""The levels of Fishing Derby's suite: depth decides, and reference players land in theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plyground.classroom.forge.derby import SPARE, DerbyForge
from plyground.classroom.opponents import Perfect
from plyground.classroom.suite import find_suite
from plyground.core.registry import find_game
from plyground.players.player import Clock
from tests.classroom import derby_levels
from tests.classroom.derby_messages import messages_of
from tests.classroom.simulated_clock import (
    COSTS,
    ReferencePlayer,
    SimulatedClock,
    is_won,
    reference_source,
    simulated_player,
    won_days,
)
from tests.classroom.student_processes import STUDENTS, inside

SUITE = find_suite(find_game("derby"))
POINTS = derby_levels.points_by_depth(SUITE)
PLAIN, DEEPENING, WITH_TABLE = range(10, 15), range(15, 20), range(20, 26)


def test_points_grow_with_depth_from_level_to_level() -> None:
    assert list(POINTS.values()) == sorted(POINTS.values())
    assert len(set(POINTS.values())) >= 7
    assert all(POINTS[depth] in PLAIN for depth in (2, 3, 4))
    assert all(POINTS[depth] in DEEPENING for depth in (5, 6, 7))
    assert all(POINTS[depth] in WITH_TABLE for depth in range(8, 13))
    assert all(task.proof["lucky"] == 0 for task in SUITE.tasks)


def test_the_plot_shows_the_proofs() -> None:
    assert derby_levels.FILE.read_text(encoding="utf-8") == derby_levels.plot(SUITE)


@pytest.mark.parametrize("depth", [2, 3])
def test_the_plain_search_chooses_as_the_reference_player_does(depth: int) -> None:
    forge = DerbyForge()
    node = inside("fishing_game_core.game_tree").Node
    names: dict[str, Any] = {}
    source = reference_source("minimax")
    assert "DEPTH = 3" in source
    exec(source.replace("DEPTH = 3", f"DEPTH = {depth}"), names)
    player = names["PlayerControllerMinimax"]()
    for task in SUITE.tasks[::4]:
        position = task.start
        for ply in range(24):
            if position.is_over:
                break
            chosen = forge.plain_search.at_depth(depth)(position)
            if position.turn == 0:
                root = node(message=messages_of(position, position)[1], player=0)
                answer = player.search_best_next_move(root)
                if position.parse_move(answer) in position.legal_moves:
                    assert position.parse_move(answer) == chosen, (task.name, ply)
            position = position.after(chosen)


# Players with a clock, on a simulated one

LOWEST, HIGHEST = 0.6, 1.6
"""Speeds of a machine, between which a player must stay in its level."""
GAMES = [
    *(("iterative", LOWEST, day, True) for day in ("day-14", "day-15", "day-16")),
    ("iterative", HIGHEST, "day-18", True),
    *(("iterative", HIGHEST, day, False) for day in ("day-19", "day-20")),
    *(("table", LOWEST, day, True) for day in ("day-14", "day-15", "day-16")),
    *(("table", LOWEST, day, True) for day in ("day-18", "day-19", "day-20", "day-21")),
]
"""Player, speed, day, and whether it is won: games on days where a player could lose its level.
`python -m benchmarks classroom` plays all days, also at the speeds in between."""


@pytest.fixture(scope="module")
def red() -> Perfect:
    """What it has solved for one player it knows for the next."""
    return Perfect(SUITE.game)


@pytest.mark.parametrize("name", sorted({day for _, _, day, _ in GAMES}))
def test_a_day_is_won_by_players_of_its_level(red: Perfect, name: str) -> None:
    """And the end of the day decides nothing: with correct play the sea is empty before."""
    day = next(task for task in SUITE.tasks if task.name == name)
    line = red.solver.solve(day.start, every_move=False).line
    assert len(line) <= day.start.board.plies - SPARE
    assert not is_won(day, ReferencePlayer("minimax", DEPTH=4), red)
    for player, speed, played, won in GAMES:
        if played == name:
            assert won_days(player, speed, [day], red) == ({name} if won else set()), player


def test_enough_days_are_won_for_the_levels() -> None:
    """With those that the plain search of four plies wins."""
    for player, level in (("iterative", DEEPENING), ("table", WITH_TABLE)):
        won = sum(game[:2] == (player, LOWEST) and game[3] for game in GAMES)
        assert POINTS[4] + won in level


def test_the_simulated_clock_advances_with_nodes_and_fish() -> None:
    """A machine of twice the speed makes twice as many nodes in the same time."""
    start = SUITE.tasks[0].start
    made = []
    for speed in (0.1, 0.2):
        clock = SimulatedClock(COSTS["table"], speed)
        choice = simulated_player("table", clock).choose(start, Clock())
        assert clock.time() == pytest.approx(0.055, abs=0.001 / speed)
        assert clock.fish == 3 * clock.nodes
        assert choice.depth is not None
        made.append(clock.nodes)
    assert made[1] == pytest.approx(2 * made[0], rel=0.05)


def test_reference_players_are_as_students_write_them() -> None:
    """No help from plyground, and nothing but the course's package."""
    for name in ("minimax", "iterative", "table"):
        imports = [line for line in reference_source(name).splitlines() if "import" in line]
        assert all("fishing_game_core" in line or line == "import time" for line in imports)
        assert Path(STUDENTS / f"derby_reference_{name}.py").stat().st_size < 6000
