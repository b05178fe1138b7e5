"""One worker process, seen from the process that starts it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Collection
from typing import TYPE_CHECKING

from plyground.core.processes import kill_session, kill_trees
from plyground.executor.messages import READY, decode
from plyground.executor.worker import serve

if TYPE_CHECKING:
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection as Connection
    else:
        from multiprocessing.connection import Connection


PATIENCE = 5.0
"""Seconds in which processes that have nothing to do end by themselves."""


class WorkerProcess:
    """Starts a process that sets up the work and then does one task after the other.

    On Linux it ends with the thread that has started it.
    """

    def __init__(self, pickled_work: bytes, cores: tuple[int, ...] = ()) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection: Connection
        """Has the messages of `executor/messages.py`."""
        self.connection, there = context.Pipe()
        arguments = (there, pickled_work, cores, os.getpid())
        self._process = context.Process(target=serve, args=arguments, daemon=True)
        self._process.start()
        there.close()
        assert self._process.pid is not None
        self.pid = self._process.pid
        self._patience: float | None = None
        self._heard = time.monotonic()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    @property
    def silence(self) -> str | None:
        """Why its task has failed, if nothing was heard of it for longer than the work allows."""
        if self._patience is None or time.monotonic() - self._heard <= self._patience:
            return None
        with contextlib.suppress(OSError):
            if self.connection.poll():  # a message waits to be read
                return None
        return f"nothing was heard of it for {self._patience:g} s, and its worker was ended"

    def receive(self) -> bytes:
        """The next message. Raises EOFError or OSError if the process has ended."""
        message = self.connection.recv_bytes()
        self._heard = time.monotonic()
        if message[0] == READY:
            self._patience = decode(message)[1]
        return message

    def give(self, pickled_payload: bytes) -> None:
        """Send the payload of a task. If the process has ended, reading will tell."""
        self._heard = time.monotonic()
        with contextlib.suppress(OSError):
            self.connection.send_bytes(pickled_payload)

    def dismiss(self) -> None:
        """Let the process end by itself, which it does when it waits for a task."""
        self.connection.close()

    def join(self, seconds: float) -> None:
        """Wait for its end, so long at most."""
        self._process.join(seconds)

    def bury(self) -> str:
        """Wait for its end, and end what it has started and left behind. How it ended, in words."""
        self.connection.close()
        self._process.join()
        kill_session(self.pid)
        status = self._process.exitcode
        if status is not None and status < 0:
            with contextlib.suppress(ValueError):
                return f"signal {-status} ({signal.Signals(-status).name})"
            return f"signal {-status}"
        return f"exit status {status}"


def end_idle(processes: Collection[WorkerProcess]) -> None:
    """End processes that have nothing to do. They have PATIENCE to tidy up."""
    for process in processes:
        process.dismiss()
    until = time.monotonic() + PATIENCE
    for process in processes:
        process.join(max(0.0, until - time.monotonic()))
    kill_trees(process.pid for process in processes if process.is_alive)
    for process in processes:
        process.bury()
