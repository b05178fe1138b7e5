"""Pools of real workers for tests, and the event loop that they live on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any

from plyground.web.catalogue import Catalogue
from plyground.web.workers.pool import Pool
from tests.web.job_runner import Message, place

PATIENCE = 120.0
"""Seconds until something that never happens is given up."""


class Loop:
    """An event loop that lives as long as the tests of this file, and a pool of one worker."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self.pool = self.new_pool(1)

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return self._runner.run(asyncio.wait_for(coroutine, PATIENCE))

    def new_pool(self, workers: int, *games: str) -> Pool:
        pool = Pool(Catalogue(games), workers=workers)
        self.run(pool.start())
        return pool

    def close(self) -> None:
        self.run(self.pool.close())
        self._runner.close()


class Heard:
    """What a job tells; others can wait for it."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._arrived = asyncio.Condition()
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, message: Message) -> None:
        self.messages.append(message)
        task = asyncio.create_task(self._notify())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _notify(self) -> None:
        async with self._arrived:
            self._arrived.notify_all()

    async def more_than(self, count: int) -> None:
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.messages) > count)


ENDLESS: Message = {"type": "search", "place": place("breakthrough")}
QUICK: Message = {"type": "search", "place": place("breakthrough"), "depth": 3}


def urgent_move(pool: Pool) -> Awaitable[Message]:
    job = {"type": "search", "place": place("breakthrough", "a2a3"), "seconds": 0.05}
    return pool.run(job, urgent=True)
