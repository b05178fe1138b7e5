"""What the host of a virtual machine takes from the cores of a player makes no move late."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plyground.core.registry import find_game
from plyground.players import engine_program, move_timer, program, search_player, usage
from plyground.players.engine_program import EngineProgram
from plyground.players.move_timer import MoveTime, MoveTimer
from plyground.players.player import Choice, Clock
from plyground.players.search_player import SearchPlayer
from plyground.players.usage import Usage
from plyground.search.searcher import UNLIMITED, RandomSearcher
from tests.players import small_engine
from tests.players.line_programs import START, begun

LIMIT = Clock(0.05)


# The timer


def replies(*values: Any) -> Callable[..., Any]:
    """A function that returns one value after another."""
    left = iter(values)
    return lambda *_: next(left)


def time_move(
    monkeypatch: pytest.MonkeyPatch, before: dict[int, int], after: dict[int, int], cores: set[int]
) -> MoveTime:
    """A move of 200 ms on these cores, with the ticks stolen up to then."""
    monkeypatch.setattr(move_timer, "time", SimpleNamespace(perf_counter=replies(10.0, 10.2)))
    monkeypatch.setattr(move_timer, "stolen_ticks", replies(before, after))
    monkeypatch.setattr(move_timer, "cores_of_players", lambda: cores)
    return MoveTimer().stop()


@pytest.mark.parametrize(
    ("after", "cores", "stolen"),
    [
        ({0: 5, 1: 7}, {0}, 0.0),
        ({0: 6, 1: 7}, {0}, 0.02),  # one tick: 20 ms at most
        ({0: 13, 1: 7}, {0}, 0.09),
        ({0: 13, 1: 7}, {1}, 0.0),  # from another core
        ({0: 13, 1: 7}, {0, 1}, 0.0),  # it had the other core
        ({0: 13, 1: 10}, {0, 1}, 0.04),
        ({0: 99, 1: 7}, {0}, 0.2),  # no more than the move took
    ],
)
def test_stolen_is_what_was_taken_from_each_core_of_the_player(
    monkeypatch: pytest.MonkeyPatch, after: dict[int, int], cores: set[int], stolen: float
) -> None:
    took = time_move(monkeypatch, {0: 5, 1: 7}, after, cores)
    assert took.seconds == pytest.approx(0.2)
    assert took.stolen == pytest.approx(stolen)
    assert took.available == pytest.approx(0.2 - stolen)
    assert took.cores == len(cores)


@pytest.mark.parametrize("cores", [set(), {0}, {0, 1}])
def test_where_the_system_reports_nothing_nothing_is_stolen(
    monkeypatch: pytest.MonkeyPatch, cores: set[int]
) -> None:
    took = time_move(monkeypatch, {}, {}, cores)
    assert took.available == took.seconds
    assert took.cores == max(1, len(cores))


def test_where_only_the_second_reading_succeeds_nothing_is_stolen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert time_move(monkeypatch, {}, {0: 99}, {0}).stolen == 0
    assert time_move(monkeypatch, {0: 5}, {}, {0}).stolen == 0


STAT = b"""\
cpu  100 0 50 900 0 0 0 42 0 0
cpu0 60 0 20 400 1 2 3 30 0 0
cpu1 40 0 30 500 1 2 3 12 0 0
intr 12345 0 9
softirq 1 2 3
"""


def test_stolen_ticks_of_each_core_are_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "stat"
    monkeypatch.setattr(usage, "CORE_TIMES", str(path))
    path.write_bytes(STAT)
    assert usage.stolen_ticks() == {0: 30, 1: 12}
    path.write_bytes(STAT[: STAT.index(b" 12 0 0") + 2])
    assert usage.stolen_ticks() == {0: 30}, "not a part of a number"


@pytest.mark.parametrize("text", [None, "", "cpu 1\ncpu0 1 2\n\n", "?\n", "cpu 1\n\nintr\n"])
def test_a_system_that_does_not_report_stolen_ticks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str | None
) -> None:
    path = tmp_path / "stat"
    monkeypatch.setattr(usage, "CORE_TIMES", str(path))
    if text is not None:
        path.write_text(text)
    assert usage.stolen_ticks() == {}


# The players


class ScriptedTimer(MoveTimer):
    """A timer that was stopped before it started."""

    took: MoveTime

    def stop(self) -> MoveTime:
        return self.took


@pytest.fixture
def moves_take(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets how long the moves of all players take."""
    for module in (search_player, program, engine_program):
        monkeypatch.setattr(module, "MoveTimer", ScriptedTimer)

    def set_time(seconds: float, stolen: float = 0.0, cores: int = 1) -> None:
        monkeypatch.setattr(ScriptedTimer, "took", MoveTime(seconds, stolen, cores), raising=False)

    return set_time


def search_move(monkeypatch: pytest.MonkeyPatch, computed: float, threads: int = 1) -> Choice:
    """The move of a search whose process has computed for so long, as the system says."""
    clock = SimpleNamespace(process_time=replies(3.0, 3.0 + computed))
    monkeypatch.setattr(search_player, "time", clock)
    player = SearchPlayer(RandomSearcher(), UNLIMITED, name="search", threads=threads)
    return player.choose(find_game("tictactoe").start(), LIMIT)


def program_move(computed: float) -> Choice:
    """The move of a program whose processes have computed for so long, as the system says."""
    player = begun("say(type='move', move='a1')", [Usage(0.005), Usage(0.005 + computed)])
    choice = player.choose(START, LIMIT)
    player.close()
    return choice


def engine_program_move() -> Choice:
    player = EngineProgram([sys.executable, "-I", str(Path(small_engine.__file__)), "plays"])
    start = find_game("tictactoe").start()
    player.begin(start, 0, Clock(120.0))
    choice = player.choose(start, Clock(120.0))
    player.close()
    return choice


ROBBED = [
    # on the wall, stolen, CPU time as the system says, charged
    (0.141, 0.1, 0.041, 0.041),  # it has left out what was stolen
    (0.141, 0.1, 0.141, 0.041),  # it has counted it
    (0.141, 0.1, 0.090, 0.041),  # it has counted a part
    (0.141, 0.1, 0.010, 0.010),  # the player waited for a core as well
]
TOO_LONG = [
    (0.060, 0.0, 0.060, 0.060),
    (0.160, 0.1, 0.060, 0.060),
    (0.160, 0.1, 0.160, 0.060),
    (0.260, 0.1, 0.060, 0.060),
]


@pytest.mark.parametrize("kind", ["search", "program"])
@pytest.mark.parametrize(("seconds", "stolen", "computed", "charged"), [*ROBBED, *TOO_LONG])
def test_who_was_robbed_is_not_late_but_who_computed_too_long_is(
    monkeypatch: pytest.MonkeyPatch,
    moves_take: Callable[..., None],
    kind: str,
    seconds: float,
    stolen: float,
    computed: float,
    charged: float,
) -> None:
    moves_take(seconds, stolen)
    choice = search_move(monkeypatch, computed) if kind == "search" else program_move(computed)
    assert (choice.seconds, choice.stolen) == (seconds, stolen)
    assert choice.charged_seconds == pytest.approx(charged)
    assert LIMIT.is_late(choice) is (charged > 0.05)


def test_a_program_that_is_charged_by_the_wall_clock_is_not_charged_what_was_stolen(
    moves_take: Callable[..., None],
) -> None:
    moves_take(0.141, 0.1)
    choice = engine_program_move()
    assert choice.charged_seconds == pytest.approx(0.041)
    assert not LIMIT.is_late(choice)
    moves_take(0.141)
    assert LIMIT.is_late(engine_program_move()), "it may have slept"


def test_the_cpu_time_of_several_cores_counts(
    monkeypatch: pytest.MonkeyPatch, moves_take: Callable[..., None]
) -> None:
    moves_take(0.130, 0.1, cores=2)
    assert program_move(0.2).charged_seconds == pytest.approx(0.06), "both cores, 30 ms each"
    assert search_move(monkeypatch, 0.2, threads=2).charged_seconds == pytest.approx(0.03)
    moves_take(0.030, cores=2)
    assert program_move(0.2).charged_seconds == pytest.approx(0.2), (
        "nothing was stolen, so nothing is bounded"
    )
