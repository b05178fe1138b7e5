"""What each part of the engine's clock is worth while cores are taken away from it.

A virtual machine loses a core for some milliseconds when its host gives it to another one. Here a
process does that which goes before all others. Each row lacks one part of `search/clock.py`; those
that concern several threads or garbage have none. Moves are those of Fishing Derby, which use all
of their time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from benchmarks.clock import BUSY_PROCESSES, busy_processes, describe, time_moves
from benchmarks.derby import POSITIONS, middle_positions
from benchmarks.report import Row, UnavailableError
from plyground.core.registry import find_game
from plyground.search import clock
from plyground.search.engine.engine import Engine
from plyground.search.result import Limits
from plyground.search.thread_cores import WakeupCore

MOVES = 700
"""In each row."""
SHORTEST_LOSS, LONGEST_LOSS = 0.005, 0.03
"""Seconds for which a core is taken away."""
BETWEEN_LOSSES = 0.2
"""Seconds between two such times, on average."""
SEED = 5
UNAVAILABLE = "only root may take cores away from other programs, and on Linux"


@dataclass(frozen=True)
class Part:
    """A part of the clock: what replaces it when it is switched off."""

    name: str
    target: Any
    attribute: str
    replacement: Any

    def switched_off(self) -> contextlib.AbstractContextManager[Any]:
        return patch.object(self.target, self.attribute, self.replacement)


wait_until_deadline = clock.DeadlineThread.wait


def wait_until_ended(thread: clock.DeadlineThread, deadline: int | None = None) -> bool:
    return wait_until_deadline(thread)


PARTS = (
    Part("the deadline thread", clock.DeadlineThread, "wait", wait_until_ended),
    Part("affinity", WakeupCore, "use_this_core", lambda _: None),
    Part("short sleeps", clock, "SHORT_SLEEP", 1 << 60),
    Part("the reserve", clock, "LARGEST_RESERVE", 0.0),
    Part("the expected wait", clock, "BUSY_WAIT", 0.0),
)


def run(quick: bool) -> Iterator[Row]:
    if not may_take_cores_away():
        raise UnavailableError(UNAVAILABLE)
    count = 8 if quick else MOVES
    game = find_game("derby")
    engine = Engine(game)
    engine.search(game.start(), Limits(depth=2))  # compiling is not a matter of the clock
    found = middle_positions(game, min(count, POSITIONS))
    positions = [found[number % len(found)] for number in range(count)]
    for busy in (0, BUSY_PROCESSES):
        beside = f" beside {busy} busy processes" if busy else ""
        with cores_taken_away(), busy_processes(busy):
            moves = time_moves({"derby": engine}, positions)
            yield describe(f"with all parts{beside}", moves, judged=False)
            for part in PARTS:
                with part.switched_off():
                    moves = time_moves({"derby": engine}, positions)
                yield describe(f"without {part.name}{beside}", moves, judged=False)


def may_take_cores_away() -> bool:
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            use_highest_priority()
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
            return True
    return False


def use_highest_priority() -> None:
    """Let this process go before all ordinary ones."""
    assert sys.platform == "linux"
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


@contextlib.contextmanager
def cores_taken_away() -> Iterator[None]:
    """While the block runs, cores are taken away from all ordinary processes, one at a time."""
    process = multiprocessing.get_context("spawn").Process(target=take_cores_away, daemon=True)
    process.start()
    time.sleep(0.5)  # until it has started
    try:
        yield
    finally:
        process.kill()
        process.join()


def take_cores_away() -> None:
    assert sys.platform == "linux"
    use_highest_priority()
    draw = random.Random(SEED)
    cores = sorted(os.sched_getaffinity(0))
    while True:
        time.sleep(draw.uniform(0.5, 1.5) * BETWEEN_LOSSES)
        os.sched_setaffinity(0, {draw.choice(cores)})
        until = time.perf_counter() + draw.uniform(SHORTEST_LOSS, LONGEST_LOSS)
        while time.perf_counter() < until:
            pass
