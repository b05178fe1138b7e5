"""The messages that a worker process sends while a job is under way."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Callable
from typing import IO, Any

from plyground.core.errors import PlygroundError

Message = dict[str, Any]

INTERVAL = 0.05
"""Seconds between two progress messages of a job: twenty a second are as many as a page can use."""


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
