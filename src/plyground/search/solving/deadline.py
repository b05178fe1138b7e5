"""The time of a solver: how much it has used, and a limit for it.

The kernels of a solver watch a stop flag and no clock. So a time limit is a thread that sets the
flag. What it takes to compile kernels, or to load them from disk, does not count: the first solve
on a machine is given as much time as any later one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from plyground.search.binding.compile import Bound
from plyground.search.result import check_seconds

AGAIN = 0.005
"""Seconds until a solver that has not stopped yet is told again: between two questions of its own
it may clear the flag."""
LONGEST_SLEEP = 3600.0
"""Seconds; what a thread can sleep has a limit on every system."""


class Stopwatch:
    """The seconds of solving since it was made."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._started = self._now()

    @property
    def seconds(self) -> float:
        return self._now() - self._started

    def _now(self) -> float:
        return time.monotonic() - self._bound.seconds_preparing


@contextmanager
def time_limit(
    seconds: float | None, stopwatch: Stopwatch, stop: Callable[[], None]
) -> Iterator[None]:
    """While inside, `stop` is called as soon as the stopwatch shows so many seconds, and again
    until the block is left. None is no limit."""
    if seconds is None:
        yield
        return
    check_seconds(seconds)
    limit = seconds
    left = threading.Event()

    def watch() -> None:
        while not left.wait(min(LONGEST_SLEEP, max(AGAIN, limit - stopwatch.seconds))):
            if stopwatch.seconds >= limit:
                stop()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        left.set()
        watcher.join()  # so that it stops nothing that comes later
