"""The messages that a worker process sends while a job is under way."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable
from typing import IO, Any, Protocol

from plyground.core.errors import PlygroundError

Message = dict[str, Any]

INTERVAL = 0.05
"""Seconds between two progress messages of a job: twenty a second are as many as a page can use."""


class Reporter(Protocol):
    """Takes the messages of one job."""

    def progress(self, make: Callable[[], Message]) -> None:
        """Report how far the job is. Only the newest report counts: `make` is called when there is
        time to send it, perhaps later and in another thread."""

    def send(self, message: Message) -> None:
        """Report something that must not be lost."""


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
    """The `Reporter` of one job: sends the first progress at once, then the newest every INTERVAL.

    A thread of its own makes the messages, so that the search does not wait for them.
    """

    def __init__(self, writer: MessageWriter, number: int) -> None:
        self._writer = writer
        self._number = number
        self._newest: Callable[[], Message] | None = None
        self._ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._send_newest, daemon=True)
        self._thread.start()

    def send(self, message: Message) -> None:
        self._writer.write({"job": self._number, "progress": message})

    def progress(self, make: Callable[[], Message]) -> None:
        with self._changed:
            self._newest = make
            self._changed.notify()

    def end(self) -> None:
        """Send the newest progress, if it was not sent yet, and no more after that."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join()

    def _send_newest(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._newest is not None or self._ended)
                make, self._newest = self._newest, None
            if make is None:
                return
            with contextlib.suppress(PlygroundError):  # the same error ends the job
                self.send(make())
            with self._changed:
                self._changed.wait_for(lambda: self._ended, INTERVAL)
