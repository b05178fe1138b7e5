"""The engine on a clock: it answers in time, also when its search thread does not run."""

from __future__ import annotations

import _thread
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.search.engine import engine as engine_module
from plyground.search.engine.engine import Engine
from plyground.search.result import Limits, SearchResult
from tests.paths import SAMPLE_GAMES

FINISHED = 3
"""Depths that are finished before the search thread blocks."""


class BlockedEngine:
    """Its search thread blocks after a few depths, as if it had no core, until `resume` is set."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.engine = Engine(position.game, memory=1)
        self.resume = threading.Event()
        self.reports: list[SearchResult] = []

    def search(self, seconds: float) -> SearchResult:
        return self.engine.search(self.position, Limits(seconds=seconds), progress=self._progress)

    def _progress(self, result: SearchResult) -> None:
        self.reports.append(result)
        if result.depth == FINISHED:
            assert self.resume.wait(60)


@pytest.fixture
def start() -> Position:
    return find_game("breakthrough").start()


@pytest.fixture
def blocked(start: Position) -> Iterator[BlockedEngine]:
    blocked = BlockedEngine(start)
    yield blocked
    blocked.resume.set()
    blocked.engine.wait_until_idle()


def test_an_answer_does_not_wait_for_a_thread_without_a_core(blocked: BlockedEngine) -> None:
    result = blocked.search(1)
    assert not blocked.resume.is_set()
    assert result.depth == FINISHED
    assert (result.move, result.value) == (blocked.reports[-1].move, blocked.reports[-1].value)


def test_what_is_found_too_late_is_not_reported(blocked: BlockedEngine) -> None:
    blocked.search(1)
    blocked.resume.set()
    blocked.engine.wait_until_idle()
    assert [report.depth for report in blocked.reports] == list(range(1, FINISHED + 1))


def test_the_next_search_does_not_wait_for_it_either(
    blocked: BlockedEngine, start: Position
) -> None:
    blocked.search(0.5)
    result = blocked.search(0.05)
    assert not blocked.resume.is_set()
    assert (result.depth, result.nodes) == (0, 0)
    assert result.move in start.legal_moves


def test_afterwards_the_engine_is_as_good_as_before(
    blocked: BlockedEngine, start: Position
) -> None:
    blocked.search(0.5)
    blocked.resume.set()
    blocked.engine.clear()
    fresh = Engine(start.game, memory=1).search(start, Limits(depth=6))
    found = blocked.engine.search(start, Limits(depth=6))
    assert (found.value, found.line) == (fresh.value, fresh.line)


@pytest.mark.parametrize("limits", [Limits(depth=3, seconds=600), Limits(depth=3)])
def test_garbage_is_collected_unless_there_is_a_time_limit(start: Position, limits: Limits) -> None:
    collecting: list[bool] = []
    engine = Engine(start.game, memory=1)
    engine.search(start, limits, progress=lambda _: collecting.append(gc.isenabled()))
    assert collecting == [limits.seconds is None] * 3
    assert gc.isenabled()


def test_an_error_in_the_search_thread_is_raised(start: Position) -> None:
    def fail(result: SearchResult) -> None:
        raise ZeroDivisionError(result.depth)

    engine = Engine(start.game, memory=1)
    with pytest.raises(ZeroDivisionError, match="1"):
        engine.search(start, Limits(seconds=60), progress=fail)
    assert engine.search(start, Limits(depth=4)).depth == 4


def test_where_no_thread_can_be_started_the_search_runs_by_itself(
    start: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(function: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(engine_module, "DeadlineThread", refuse)
    assert Engine(start.game, memory=1).search(start, Limits(depth=4, seconds=600)).depth == 4


def test_a_rule_that_does_not_end_is_reported_and_delays_no_answer(tmp_path: Path) -> None:
    """In a process of its own, since the thread goes on for as long as that."""
    program = """
import os
import sys

from plyground.core.errors import GameFileError
from plyground.core.registry import find_game
from plyground.search.engine import engine as engine_module
from plyground.search.result import Limits

game = find_game(sys.argv[1])
engine = engine_module.Engine(game, memory=1)
result = engine.search(game.start(), Limits(seconds=0.5))
print("depth", result.depth)
engine_module.LONGEST_STOP = 0
try:
    engine.search(game.start(), Limits(seconds=0.1))
except GameFileError as error:
    print(error.problem)
sys.stdout.flush()
os._exit(0)
"""
    stuck = SAMPLE_GAMES / "stuck.py"
    ran = subprocess.run(
        [sys.executable, "-c", program, stuck], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "depth 2\none of the rules does not come to an end\n"


@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="the system cannot set the cores of a thread"
)
def test_a_search_leaves_its_caller_all_cores(blocked: BlockedEngine, start: Position) -> None:
    allowed = os.sched_getaffinity(0)
    Engine(start.game, memory=1).search(start, Limits(seconds=0.02))
    assert os.sched_getaffinity(0) == allowed
    blocked.search(0.2)
    assert os.sched_getaffinity(0) == allowed
    blocked.resume.set()
    blocked.engine.wait_until_idle()
    assert os.sched_getaffinity(0) == allowed


@pytest.mark.parametrize("threads", [1, 4])
def test_no_thread_is_left_behind(threads: int) -> None:
    position = find_game("tictactoe").start()
    before = _thread._count()
    engine = Engine(position.game, memory=1, threads=threads)
    for limits in (Limits(depth=9), Limits(seconds=0.05), Limits(seconds=0.001)):
        engine.search(position, limits)
    engine.clear()
    until = time.monotonic() + 60
    while _thread._count() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert _thread._count() <= before  # one of an earlier test's may have ended meanwhile
