"""One job in a worker process: what it works with, how it reports and how it is stopped."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from plyground.core.errors import PlygroundError
from plyground.web.workers.search_cache import SearchCache

Job = dict[str, Any]
"""A message of /api/think without its id and what is None in it, and `source`: what `find_game`
finds the game by. Defaults are those of `protocol/messages.py`, so all other fields are there."""
Message = dict[str, Any]
"""What a worker process answers."""

INTERVAL = 0.05
"""Seconds between two progress messages of a job: twenty a second are as many as a page can use."""
REPEAT = 0.005
"""Seconds until a search that still runs is stopped again. A search that begins resets its stop
flag, so that a stop shortly before has no effect."""


@dataclass
class Interrupted(Exception):
    """A job was stopped. `rest` is the job that continues from here; of most kinds the same job,
    which begins anew."""

    rest: Job


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


class MessageWriter:
    """Writes messages as lines of JSON, from any thread."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output
        self._lock = threading.Lock()

    def write(self, message: Message) -> None:
        line = json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            try:
                self._output.write(line)
                self._output.flush()
            except OSError:
                os._exit(0)  # the server is gone


class JobReporter:
    """Sends the messages of one job."""

    def __init__(self, writer: MessageWriter, number: int) -> None:
        self._writer = writer
        self._number = number
        self._newest: Callable[[], Message] | None = None
        self._next_time = 0.0
        """When the next report may be sent; the first one at once."""
        self._lock = threading.Lock()

    def send(self, message: Message) -> None:
        """Report something that must not be lost."""
        self._writer.write({"job": self._number, "progress": message})

    def progress(self, make: Callable[[], Message]) -> None:
        """Report how far the job is: the first time at once, then the newest report of each
        INTERVAL. For these another thread calls `make`, so that the search does not wait. The first
        one does not wait until another thread has a core: a page waits for it."""
        with self._lock:
            is_waiting, self._newest = self._newest is not None, make
            is_first, delay = not self._next_time, self._next_time - time.monotonic()
        if is_first:
            self.send_newest()
        elif not is_waiting:
            threading.Timer(max(0.0, delay), self.send_newest).start()

    def send_newest(self) -> None:
        """Send the newest progress, if it was not sent yet."""
        with self._lock:
            make, self._newest = self._newest, None
            self._next_time = time.monotonic() + INTERVAL
            if make is not None:
                with contextlib.suppress(PlygroundError):  # the same error ends the job
                    self.send(make())


@dataclass(frozen=True)
class JobRun:
    """A job that is under way."""

    job: Job
    cache: SearchCache
    reporter: JobReporter
    cancellation: Cancellation
