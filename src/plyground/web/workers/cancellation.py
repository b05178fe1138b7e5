"""How a job that is under way hears from another thread that it is to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

AGAIN = 0.005
"""Seconds until a search that has not stopped yet is told again. It may have been told in the
moment before it began, when searches forget what they were told before."""


class Paused(Exception):
    """A job was stopped. `rest` is the job that goes on from here; `restarts` says that it has to
    begin anew, so that another turn as long as this one might lead nowhere."""

    def __init__(self, rest: dict[str, Any], *, restarts: bool = False) -> None:
        super().__init__("stopped")
        self.rest = rest
        self.restarts = restarts


class Control:
    """One job's control: its own thread asks, another one tells."""

    def __init__(self) -> None:
        self._wanted = threading.Event()
        self._stop: Callable[[], None] | None = None
        self._finished = threading.Event()
        self._lock = threading.Lock()

    @property
    def is_stopped(self) -> bool:
        return self._wanted.is_set()

    def stop(self) -> None:
        """Stop the job, from another thread. Returns at once."""
        self._wanted.set()
        self.heed()
        threading.Thread(target=self._insist, daemon=True).start()

    def heed(self) -> None:
        """Stop what is under way, if that is wanted."""
        with self._lock:
            if self._wanted.is_set() and self._stop is not None:
                self._stop()

    def finish(self) -> None:
        """The job is over, however it ended: nobody needs to insist any more."""
        self._finished.set()

    def wait_until_finished(self, seconds: float) -> bool:
        """Whether the job is over, now or within so many seconds."""
        return self._finished.wait(seconds)

    @contextmanager
    def stopping_by(self, stop: Callable[[], None]) -> Iterator[None]:
        """While inside, this is how to stop."""
        with self._lock:
            self._stop = stop
        try:
            self.heed()
            yield
        finally:
            with self._lock:
                self._stop = None

    def _insist(self) -> None:
        while not self._finished.wait(AGAIN):
            self.heed()
