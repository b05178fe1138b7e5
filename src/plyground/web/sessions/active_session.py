"""A table in use: the pages that look on, the one way to change it, and its file.

Every change goes through `change`, one after another, in a thread, since the rules of a game may
take their time. What is new is then told to all pages, saved a moment later, and given to `Turns`,
who see to it that somebody thinks where somebody should. Two pages on one table see the same.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, TypeVar

from plyground.core.errors import PlygroundError
from plyground.web.sessions.autoplay import Turns
from plyground.web.sessions.document import write_document
from plyground.web.sessions.move_requests import Pool
from plyground.web.sessions.outbox import Mailbox, encode
from plyground.web.sessions.session import Table
from plyground.web.sessions.storage import TableFiles
from plyground.web.sessions.view import node_view, table_message

Given = TypeVar("Given")

SAVE_AFTER = 0.1
"""Seconds from a change until it is written: moves that follow at once are written with it."""
REST_AFTER = 5.0
"""Seconds without a page until the game rests: a reload takes less."""

log = logging.getLogger("plyground.web")


class Room:
    """One table in use, on one event loop."""

    def __init__(
        self, table: Table, pool: Pool, files: TableFiles, on_rest: Callable[[Room], None]
    ) -> None:
        self.table = table
        self.files = files
        self.pages: set[Mailbox] = set()
        self.is_deleted = False
        self.progress: dict[str, Any] | None = None
        """What the search that thinks about a move has told last."""
        self.turns = Turns(self, pool)
        self._lock = asyncio.Lock()
        self._file_lock = asyncio.Lock()
        self._shown: tuple[int, dict[str, Any]] | None = None
        self._saving: asyncio.Task[None] | None = None
        self._saved_version: int | None = None
        self._resting: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._on_rest = on_rest

    # Changing it

    async def change(self, action: Callable[[float], Given]) -> Given:
        """Do something to the table, and tell everybody. It is done even if the caller goes away:
        half a change would be worse than one that nobody waits for."""
        return await asyncio.shield(self.spawn(self._change(action)))

    async def _change(self, action: Callable[[float], Given]) -> Given:
        async with self._lock:
            before = self.table.version
            try:
                return await asyncio.to_thread(action, time.monotonic())
            finally:
                if self.table.version != before:
                    await self._tell(self.pages)
                    self._save_soon()
                    self.turns.arrange()

    async def message(self) -> str:
        """The table as it is now, as pages read it."""
        async with self._lock:
            return await asyncio.to_thread(self._message)

    async def ask(self, question: Callable[[Table], Given]) -> Given:
        """Read something from the table while nobody changes it."""
        async with self._lock:
            return await asyncio.to_thread(question, self.table)

    def _message(self) -> str:
        table = self.table
        if self._shown is None or self._shown[0] != table.current:
            self._shown = table.current, node_view(table, table.current)
        thinking = table.to_think if table.live is None else None
        told = self.progress if thinking is not None else None
        return encode(
            table_message(
                table,
                self._shown[1],
                time.monotonic(),
                thinking=thinking,
                progress=None if told is None else _thought(told),
                worked=0.0 if told is None else told["seconds"],
            )
        )

    # Pages

    def join(self, page: Mailbox) -> None:
        """A page looks on from now on. It is told the table at once."""
        self.pages.add(page)
        if self._resting is not None:
            self._resting.cancel()
            self._resting = None
        self.spawn(self._welcome(page))

    async def _welcome(self, page: Mailbox) -> None:
        if not self.table.awake:
            await self.change(self.table.wake)  # of which all pages are told
        else:
            async with self._lock:
                await self._tell([page])

    def leave(self, page: Mailbox) -> None:
        self.pages.discard(page)
        self.turns.forget(page)
        self.rest_soon()

    def rest_soon(self) -> None:
        """If nobody comes within a while, the game rests from now on."""
        if not self.pages and self._resting is None:
            since = time.monotonic()
            loop = asyncio.get_running_loop()
            self._resting = loop.call_later(REST_AFTER, lambda: self.spawn(self._rest(since)))

    async def _rest(self, since: float) -> None:
        self._resting = None
        if not self.pages:
            await self.close(since)
            if not self.pages:
                self._on_rest(self)

    async def close(self, since: float) -> None:
        """Nobody looks on since then: no time runs, nobody thinks, and all is saved."""
        if self.table.awake:
            await self.change(lambda _now: self.table.rest(since))
        await self.save()

    async def _tell(self, pages: Iterable[Mailbox]) -> None:
        try:
            text = await asyncio.to_thread(self._message)
        except PlygroundError as error:  # a game's own file draws wrongly: the game itself goes on
            for page in pages:
                page.put_error({"type": "error", "message": str(error)})
            return
        for page in pages:
            page.put("table", text)

    async def tell(self) -> None:
        """Tell all pages the table, though nothing about it is worth saving."""
        async with self._lock:
            await self._tell(self.pages)

    def complain(self, message: str) -> None:
        """Tell all pages that something went wrong."""
        for page in self.pages:
            page.put_error({"type": "error", "message": message})

    def notify(self, text: str) -> None:
        """Tell all pages that something takes its time."""
        for page in self.pages:
            page.put("notice", {"type": "notice", "text": text})

    # Its file

    @property
    def is_saved(self) -> bool:
        return self._saved_version == self.table.version

    async def delete(self) -> None:
        """The table has been deleted: nothing goes on, and nothing is written any more."""
        self.is_deleted = True
        async with self._file_lock:  # whoever writes just now has finished then
            self.turns.stop()
        self.complain("this game has been deleted")
        for page in self.pages:
            page.close()

    def _save_soon(self) -> None:
        if self._saving is None or self._saving.done():
            self._saving = self.spawn(self._save_later())
        # Otherwise the one that waits or writes will look again when it has written.

    async def _save_later(self) -> None:
        await asyncio.sleep(SAVE_AFTER)
        await self.save()

    async def save(self) -> None:
        """Write what is not written yet: one file after another, and the latest last."""
        async with self._file_lock:
            while self._saved_version != self.table.version and not self.is_deleted:
                changed = datetime.now(UTC).isoformat(timespec="seconds")
                async with self._lock:
                    version, now = self.table.version, time.monotonic()
                    text = await asyncio.to_thread(write_document, self.table, now, changed)
                try:
                    await asyncio.to_thread(self.files.write, self.table.id, text)
                except PlygroundError as error:
                    log.warning("%s", error)
                    self.complain(f"the game could not be saved: {error}")
                    return
                self._saved_version = version

    # Tasks

    async def stop(self) -> None:
        """End everything, for good."""
        self.turns.stop()
        if self._resting is not None:
            self._resting.cancel()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        """Start something that nobody may wait for; it is kept until it has ended."""
        task: asyncio.Task[Any] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, PlygroundError):
            log.error("a table's task failed", exc_info=error)


def _thought(told: dict[str, Any]) -> dict[str, Any]:
    return {name: told.get(name) for name in ("depth", "nodes", "value_text")}
