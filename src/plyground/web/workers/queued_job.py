"""A job of the pool: its priority, its slices of time and who waits for its result."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]
Listener = Callable[[Message], None]

_numbers = itertools.count(1)


class QueuedJob:
    """One job from its request to its end, whether it waits or runs."""

    def __init__(
        self, job: Message, *, urgent: bool, listen: Listener | None, slice_seconds: float
    ) -> None:
        kind, algorithm = job["type"], job.get("algorithm", "engine")
        self.number = next(_numbers)
        self.job = job
        self.urgent = urgent
        self.is_timed: bool = urgent and job.get("seconds") is not None
        """A move on a clock, which is never interrupted."""
        self.is_solver: bool = kind == "solve" or algorithm == "perfect"
        """It may run for ever and take much memory."""
        self.is_resumable: bool = kind == "review" or (kind == "search" and algorithm == "engine")
        """It loses little by an interruption."""
        self.cache_key: str = "solver" if self.is_solver else job["source"]
        """The part of a worker's cache that it uses: the tables of a game, or the solver, of which
        a second one in another worker would take as much memory again."""
        self.slice_seconds = slice_seconds
        """How long it runs while others wait; doubled if it got nowhere in that time."""
        self.last_run = 0.0
        """When it was started last; 0 if never."""
        self.last_worker: object = None
        self.future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._listen = listen

    @property
    def is_new(self) -> bool:
        return self.last_run == 0.0

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
            self.future.exception()  # marked as seen: perhaps nobody waits any more
