"""The server's side of one worker process, and the job that it runs."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import signal
import time
from collections.abc import Callable
from typing import Any

from plyground.core.child_process import child_environment, module_command
from plyground.core.processes import NEW_GROUP, kill_process

LONGEST_LINE = 64 << 20
"""Bytes of a message; the largest are trees, of a megabyte or two."""

Message = dict[str, Any]
Listener = Callable[[Message], None]

_numbers = itertools.count(1)


class QueuedJob:
    """One job from its request to its end, whether it waits or runs."""

    def __init__(self, job: Message, *, urgent: bool, listen: Listener | None) -> None:
        kind, algorithm = job["type"], job.get("algorithm")
        self.number = next(_numbers)
        self.job = job
        self.urgent = urgent
        self.is_timed: bool = urgent and job.get("seconds") is not None
        """A move on a clock, which does not run in the background."""
        self.is_solver: bool = kind == "solve" or algorithm == "perfect"
        """It may run for ever and take much memory."""
        self.is_resumable: bool = kind == "review" or (kind == "search" and algorithm == "engine")
        """It can be continued after an interruption, and loses little."""
        self.cache_key: str = "solver" if self.is_solver else job["source"]
        """The part of a worker's cache that it uses: the tables of a game, or the solver, of which
        a second one in another worker would take as much memory again."""
        self.last_run = 0.0
        """When it was started last; 0 if never."""
        self.last_worker: object = None
        self.future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._listen = listen

    @property
    def rank(self) -> tuple[bool, float]:
        """The least is started first: moves before analyses, new ones before interrupted ones."""
        return not self.urgent, self.last_run

    def report(self, message: Message) -> None:
        if self._listen is None or self.future.done():
            return
        try:
            self._listen(message)
        except Exception as error:  # an error of the listener is one of its job only
            self.future.set_exception(error)

    def succeed(self, result: Message) -> None:
        with contextlib.suppress(asyncio.InvalidStateError):
            self.future.set_result(result)

    def fail(self, error: Exception) -> None:
        with contextlib.suppress(asyncio.InvalidStateError):
            self.future.set_exception(error)
            self.future.exception()  # marked as seen: the caller may have gone


class SearchWorker:
    """Starts a worker process, exchanges messages with it, and knows what it does."""

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

    async def run(self, receive: Callable[[SearchWorker, Message], None]) -> int:
        """Start the process, pass on its messages, and return its status when it has ended."""
        self._process = process = await asyncio.create_subprocess_exec(
            *module_command("plyground.web.workers.main"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
            env=child_environment(),
            start_new_session=True,  # Ctrl-C is for the server, which ends its workers itself
            creationflags=NEW_GROUP,
        )
        if self._is_killed:
            self.kill()
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                receive(self, json.loads(line))
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
            # Not by the process object, which would ask for the status and lose it.
            kill_process(self._process.pid)

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
    killed = f"was ended by {signal.Signals(-status).name}" if status < 0 else ""
    how = killed or f"has ended (status {status})"
    return f"the process that searched {how}; another one has taken its place"
