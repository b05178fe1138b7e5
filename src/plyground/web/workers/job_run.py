"""One job in a worker process: what it works with, and how it is stopped from another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from plyground.web.workers.progress import JobReporter
from plyground.web.workers.search_cache import SearchCache

Job = dict[str, Any]
"""A message of /api/think without its id, and `source`: what `find_game` finds the game by."""

REPEAT = 0.005
"""Seconds until a search that still runs is stopped again. A search that begins resets its stop
flag, so that a stop shortly before has no effect."""


@dataclass
class Interrupted(Exception):
    """A job was stopped. `rest` is the job that continues from here; `restarts` says that the job
    made no progress that it can continue from, so that it needs a longer slice."""

    rest: Job
    restarts: bool = False


class Cancellation:
    """The request to stop one job. The job polls it; another thread makes it."""

    def __init__(self) -> None:
        self._requested = threading.Event()
        self._finished = threading.Event()
        self._stop: Callable[[], None] | None = None
        self._lock = threading.Lock()

    @property
    def is_requested(self) -> bool:
        return self._requested.is_set()

    def request(self) -> None:
        """Stop the job. Returns at once; the stop is repeated until the job has finished."""
        self._requested.set()
        self._call_stop()
        threading.Thread(target=self._repeat, daemon=True).start()

    def finish(self) -> None:
        """The job has ended."""
        self._finished.set()

    @contextmanager
    def stopping_by(self, stop: Callable[[], None]) -> Iterator[None]:
        """Within this context, a request calls `stop`."""
        with self._lock:
            self._stop = stop
        try:
            yield
        finally:
            with self._lock:
                self._stop = None

    def _repeat(self) -> None:
        while not self._finished.wait(REPEAT):
            self._call_stop()

    def _call_stop(self) -> None:
        with self._lock:
            if self._stop is not None:
                self._stop()


@dataclass(frozen=True)
class JobRun:
    """A job that is under way. What the job leaves out has its default in
    `protocol/messages.py`."""

    job: Job
    cache: SearchCache
    reporter: JobReporter
    cancellation: Cancellation
