"""The engine on a clock: it answers in time, whatever keeps the thread that searches."""

from __future__ import annotations

import _thread
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.core.position import Position
from plyground.core.registry import find_game
from plyground.search.clock import NANOSECONDS, read_clock, spendable, watched_for
from plyground.search.engine import engine as alphabeta
from plyground.search.engine.engine import Engine
from plyground.search.result import Limits, SearchResult
from plyground.search.watched import Sleeper, Watched
from tests.paths import SAMPLE_GAMES

needs_cores = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="the system does not let threads choose a core"
)

FINISHED = 3
"""Depths that are searched before the thread is kept from its core."""


class Kept(Engine):
    """Its thread is kept from going on until somebody opens the door."""

    def __init__(self, position: Position) -> None:
        super().__init__(position.game, memory=1)
        self.door = threading.Event()

    def _iterate(self, job: Any, depth: int, values: list[int]) -> int | None:
        if depth > FINISHED:
            assert self.door.wait(60)
        return super()._iterate(job, depth, values)


@pytest.fixture
def start() -> Position:
    return find_game("breakthrough").start()


@pytest.fixture
def kept(start: Position) -> Iterator[Kept]:
    engine = Kept(start)
    yield engine
    engine.door.set()
    engine.wait_until_idle()


def test_an_answer_does_not_wait_for_a_thread_without_a_core(kept: Kept, start: Position) -> None:
    reports: list[SearchResult] = []
    result = kept.search(start, Limits(seconds=1), progress=reports.append)
    assert not kept.door.is_set()
    assert result.depth == FINISHED
    assert (result.move, result.value) == (reports[-1].move, reports[-1].value)


def test_what_is_found_too_late_is_told_to_nobody(kept: Kept, start: Position) -> None:
    reports: list[SearchResult] = []
    kept.search(start, Limits(seconds=1), progress=reports.append)
    kept.door.set()
    kept.wait_until_idle()
    assert [report.depth for report in reports] == list(range(1, FINISHED + 1))


def test_the_next_search_does_not_wait_for_it_either(kept: Kept, start: Position) -> None:
    kept.search(start, Limits(seconds=0.5))
    result = kept.search(start, Limits(seconds=0.05))
    assert not kept.door.is_set()
    assert (result.depth, result.nodes) == (0, 0)
    assert result.move in start.legal_moves


def test_afterwards_the_engine_is_as_good_as_before(kept: Kept, start: Position) -> None:
    kept.search(start, Limits(seconds=0.5))
    kept.door.set()
    kept.clear()
    fresh = Engine(start.game, memory=1).search(start, Limits(depth=6))
    found = kept.search(start, Limits(depth=6))
    assert (found.value, found.line) == (fresh.value, fresh.line)


def test_a_long_wait_is_expected_again(kept: Kept, start: Position) -> None:
    kept.search(start, Limits(seconds=1))
    assert kept._expected_wait > 0.1 * NANOSECONDS


def test_what_goes_wrong_in_the_other_thread_is_raised(start: Position) -> None:
    def fail(result: SearchResult) -> None:
        raise ZeroDivisionError(result.depth)

    engine = Engine(start.game, memory=1)
    with pytest.raises(ZeroDivisionError, match="1"):
        engine.search(start, Limits(seconds=60), progress=fail)
    assert engine.search(start, Limits(depth=4)).depth == 4


def test_where_no_thread_can_be_started_the_search_runs_by_itself(
    start: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(work: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(alphabeta, "Watched", refuse)
    assert Engine(start.game, memory=1).search(start, Limits(depth=4, seconds=600)).depth == 4


def test_a_rule_that_does_not_end_is_told_and_keeps_nobody(tmp_path: Path) -> None:
    """In a process of its own, since the thread goes on for as long as that."""
    program = """
import os
import sys

from plyground.core.errors import GameFileError
from plyground.core.registry import find_game
from plyground.search.engine import engine as alphabeta
from plyground.search.result import Limits

game = find_game(sys.argv[1])
engine = alphabeta.Engine(game, memory=1)
result = engine.search(game.start(), Limits(seconds=0.5))
print("depth", result.depth)
alphabeta.PATIENCE = 0
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


# The parts


def test_who_waits_is_woken_before_the_time_is_up_and_after_the_kernel_should_have_stopped() -> (
    None
):
    for seconds in (1e-6, 0.001, 0.075, 1.0, 3600.0):
        assert spendable(seconds) < watched_for(seconds) < seconds


def test_work_that_has_ended_is_not_waited_for() -> None:
    done: list[int] = []
    watched = Watched(lambda: done.append(1))
    assert watched.wait()
    assert done == [1]
    assert watched.wait(read_clock() + 3600 * NANOSECONDS)
    watched.raise_error()


def test_work_that_goes_on_is_waited_for_until_the_deadline() -> None:
    door = threading.Event()
    watched = Watched(lambda: assert_open(door))
    deadline = read_clock() + NANOSECONDS // 50
    assert not watched.wait(deadline)
    assert read_clock() >= deadline
    assert not watched.wait(deadline)
    door.set()
    assert watched.wait()
    watched.raise_error()


def test_the_error_of_work_is_kept_until_it_is_asked_for() -> None:
    watched = Watched(lambda: assert_open(threading.Event(), seconds=0))
    assert watched.wait()
    with pytest.raises(AssertionError):
        watched.raise_error()


@needs_cores
def test_a_sleeper_is_woken_on_the_core_of_whoever_wakes_it_and_may_go_where_it_likes_then() -> (
    None
):
    allowed = os.sched_getaffinity(0)
    sleeper = Sleeper()
    with sleeper:
        sleeper.call_over()
        (core,) = os.sched_getaffinity(0)
        assert core in allowed
    assert os.sched_getaffinity(0) == allowed
    sleeper.call_over()  # nobody sleeps any more
    assert os.sched_getaffinity(0) == allowed


@needs_cores
def test_a_search_leaves_its_caller_all_cores(kept: Kept, start: Position) -> None:
    allowed = os.sched_getaffinity(0)
    Engine(start.game, memory=1).search(start, Limits(seconds=0.02))
    assert os.sched_getaffinity(0) == allowed
    kept.search(start, Limits(seconds=0.2))
    assert os.sched_getaffinity(0) == allowed
    kept.door.set()
    kept.wait_until_idle()
    assert os.sched_getaffinity(0) == allowed


def assert_open(door: threading.Event, seconds: float = 60) -> None:
    assert door.wait(seconds)


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
