"""Compiles the games of the catalogue ahead, while people look at the pages.

One process after another runs `plyground prepare` with a low priority. Workers then find the code
on disk. Until a game is compiled, they find moves with an uncompiled search (`jobs/search.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence

from plyground.core.child_process import child_environment, module_command
from plyground.core.processes import NEW_GROUP, kill_process
from plyground.search.preparation import SEARCHES
from plyground.web.catalogue import Catalogue

PURPOSES = tuple(SEARCHES.values())
"""What the moves of the levels need; a position is solved only if a person wants that."""


async def prepare_in_process(source: str) -> None:
    """Compile one game, in a process of its own."""
    purposes = [word for purpose in PURPOSES for word in ("--for", purpose)]
    process = await asyncio.create_subprocess_exec(
        *module_command("plyground", "prepare", source, *purposes, "--low-priority"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,  # a game that does not compile says so when played
        env=child_environment(),
        start_new_session=True,  # Ctrl-C is for the server
        creationflags=NEW_GROUP,
    )
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            kill_process(process.pid)
            await process.wait()


class CompileAhead:
    """The queue of games that are not compiled yet. Belongs to one event loop."""

    def __init__(
        self,
        catalogue: Catalogue,
        prepare: Callable[[str], Awaitable[None]] = prepare_in_process,
    ) -> None:
        self._catalogue = catalogue
        self._prepare = prepare
        self._waiting = catalogue.names
        self._ended: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def start(self, likely: Sequence[str]) -> None:
        """Begin with the games that are most likely to be played."""
        for name in reversed(likely):
            self.prefer(name)
        self._task = asyncio.create_task(self._run())

    def prefer(self, name: str) -> None:
        """Compile a game before all others that wait."""
        if name in self._waiting:
            self._waiting.remove(name)
            self._waiting.insert(0, name)

    def is_ready(self, name: str) -> bool:
        """Whether nothing more is done for a game ahead."""
        return name in self._ended or self._task is None

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while self._waiting:
            name = self._waiting.pop(0)
            with contextlib.suppress(OSError):  # no process can be started: workers compile
                await self._prepare(self._catalogue.source(name))
            self._ended.add(name)
