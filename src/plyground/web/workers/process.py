"""The server's side of one worker process: starts it, exchanges messages, knows what it does."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyground.web.workers.queued_job import QueuedJob

PACKAGE = Path(__file__).parents[2]

LONGEST_LINE = 64 << 20
"""Bytes of a message; the largest are trees, of a megabyte or two."""
LARGE_LINE = 64 << 10
"""A longer message is parsed in another thread, so that the event loop does not wait for it."""

Message = dict[str, Any]


class WorkerProcess:
    """One worker process and the job that it runs."""

    def __init__(self) -> None:
        self.job: QueuedJob | None = None
        self.is_ready = False
        self.is_compiling = False
        self._process: asyncio.subprocess.Process | None = None
        self._is_killed = False
        self._started_at = 0.0
        self._stopped_at: float | None = None
        self._last_used: dict[str, float] = {}

    # The process

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def run(self, receive: Callable[[WorkerProcess, Message], None]) -> int:
        """Start the process, pass on its messages, and return its status when it has ended."""
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # the current folder is not searched for modules
            "-m",
            "plyground.web.workers.main",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            env=_environment(),
            process_group=0,  # Ctrl-C is for the server, which ends its workers itself
        )
        if self._is_killed:
            self.kill()
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                if len(line) > LARGE_LINE:
                    message = await asyncio.to_thread(json.loads, line)
                else:
                    message = json.loads(line)
                receive(self, message)
        except ValueError:  # not JSON, or a line without end
            pass
        finally:
            self.kill()
        return await process.wait()

    def send(self, message: Message) -> None:
        """Send a message; one to a process that has just died is lost."""
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, RuntimeError):
            self._process.stdin.write(json.dumps(message).encode() + b"\n")

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        self._is_killed = True
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                # Not by the process object, which would ask for the status and lose it.
                os.kill(self._process.pid, signal.SIGKILL)

    # Its job

    @property
    def is_idle(self) -> bool:
        return self.is_ready and self.job is None

    @property
    def is_stopping(self) -> bool:
        return self._stopped_at is not None

    @property
    def running_for(self) -> float:
        """Seconds since its job was started here."""
        return time.monotonic() - self._started_at

    @property
    def stopping_for(self) -> float:
        """Seconds since its job was stopped; 0 if it was not."""
        return 0.0 if self._stopped_at is None else time.monotonic() - self._stopped_at

    def suitability(self, job: QueuedJob) -> tuple[bool, float]:
        """How much of what a job needs is in the cache of this worker: it has run the same job
        before, or lately one of the same `cache_key`."""
        return job.last_worker is self, self._last_used.get(job.cache_key, 0.0)

    def start(self, job: QueuedJob) -> None:
        """Start a job, or continue it."""
        self.job, job.last_worker = job, self
        self._started_at = self._last_used[job.cache_key] = job.last_run = time.monotonic()
        self.send({"run": job.number, "job": job.job, "background": not job.is_timed})

    def stop(self) -> None:
        """Ask the process to stop its job, once."""
        if self.job is not None and self._stopped_at is None:
            self._stopped_at = time.monotonic()
            self.send({"stop": self.job.number})

    def finish(self) -> None:
        """Its job has ended or was interrupted."""
        self.job, self._stopped_at, self.is_compiling = None, None, False


def why_lost(status: int) -> str:
    """What to say about a job whose process has ended with this status."""
    if status < 0:
        name = signal.Signals(-status).name
        return f"the process that searched was ended by {name}; another one has taken its place"
    return f"the process that searched has ended (status {status}); another one is there now"


def _environment() -> dict[str, str]:
    """The server's environment, in which the worker finds this very package."""
    here = str(PACKAGE.parent)
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*paths, here])}
