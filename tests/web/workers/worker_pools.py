"""Pools of real workers for tests, and the event loop that they run on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any

from plyground.web.catalogue import Catalogue
from plyground.web.workers.pool import WorkerPool
from plyground.web.workers.process import Listener
from tests.web.workers.job_runner import Message, complete, place

PATIENCE = 120.0
"""Seconds until something that never happens is given up."""


class CompletingPool(WorkerPool):
    """Gives the jobs of tests the fields that a message has."""

    async def run(
        self, job: Message, *, urgent: bool = False, listen: Listener | None = None
    ) -> Message:
        return await super().run(complete(job), urgent=urgent, listen=listen)


class PoolRunner:
    """An event loop for several tests, and a pool of one worker."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self.pool = self.new_pool(1)

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return self._runner.run(asyncio.wait_for(coroutine, PATIENCE))

    def new_pool(self, workers: int, *games: str) -> WorkerPool:
        pool = CompletingPool(Catalogue(games), workers=workers)
        self.run(pool.start())
        return pool

    def close(self) -> None:
        self.run(self.pool.close())
        self._runner.close()


class Messages:
    """Collects the messages of a job; tests can wait for them."""

    def __init__(self) -> None:
        self.all: list[Message] = []
        self._arrived = asyncio.Event()

    def __call__(self, message: Message) -> None:
        self.all.append(message)
        self._arrived.set()

    async def more_than(self, count: int) -> None:
        while len(self.all) <= count:
            self._arrived.clear()
            await self._arrived.wait()


ENDLESS: Message = {"type": "search", "place": place("breakthrough")}
QUICK: Message = {"type": "search", "place": place("breakthrough"), "depth": 3}


def urgent_move(pool: WorkerPool) -> Awaitable[Message]:
    job = {"type": "search", "place": place("breakthrough", "a2a3"), "seconds": 0.05}
    return pool.run(job, urgent=True)
