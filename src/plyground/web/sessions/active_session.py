"""A session in use: its pages, the one way to change it, and its file.

All changes go through `change`, one after another, in a thread, because the rules of a user's game
may be slow. After each change the file is saved, autoplay is updated, and all pages get the new
state: what a page shows is on disk.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from plyground.core.errors import PlygroundError
from plyground.web.protocol.socket import Outbox, encode
from plyground.web.sessions.autoplay import Autoplay
from plyground.web.sessions.session import GameSession
from plyground.web.sessions.storage import SessionStorage, write_document
from plyground.web.sessions.view import session_message
from plyground.web.user_games.remote_game import RemoteGame
from plyground.web.workers.pool import WorkerPool

T = TypeVar("T")

SUSPEND_AFTER = 5.0
"""Seconds without a page until the session is suspended. A reload takes less."""

log = logging.getLogger("plyground.web")


class ActiveSession:
    """One session in memory. Belongs to one event loop."""

    def __init__(
        self,
        session: GameSession,
        pool: WorkerPool,
        storage: SessionStorage,
        on_suspended: Callable[[ActiveSession], None],
        *,
        saved: bool,
    ) -> None:
        """`saved` says whether the session was just read from its file."""
        self.session = session
        self.is_deleted = False
        self.autoplay = Autoplay(self, pool)
        self._storage = storage
        self._on_suspended = on_suspended
        self._pages: set[Outbox] = set()
        self._told_edited: set[Outbox] = set()
        self._lock = asyncio.Lock()
        self._saved_revision = session.revision if saved else None
        self._suspension: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    # Changing and reading

    async def change(self, action: Callable[[float], T]) -> T:
        """Change the session; `action` gets the time. A change is completed even if the caller is
        cancelled."""
        return await asyncio.shield(self.start_task(self._change(action)))

    async def _change(self, action: Callable[[float], T]) -> T:
        async with self._lock:
            before = self.session.version
            try:
                return await asyncio.to_thread(action, time.monotonic())
            finally:
                if self.session.version != before:
                    await self._save()
                    self.autoplay.update()
                    await self._send_state(self._pages)

    async def read(self, query: Callable[[GameSession], T]) -> T:
        """Read the session while it does not change."""
        async with self._lock:
            return await asyncio.to_thread(query, self.session)

    def state(self, session: GameSession) -> str:
        """The session as JSON for pages. To be called with `read`."""
        return encode(session_message(session, time.monotonic(), self.autoplay.progress))

    # Pages

    def join(self, page: Outbox) -> None:
        """Add a page. It gets the state at once."""
        self._pages.add(page)
        if self._suspension is not None:
            self._suspension.cancel()
            self._suspension = None
        self.start_task(self._welcome(page))

    async def _welcome(self, page: Outbox) -> None:
        if not self.session.is_watched:
            await self.change(self.session.watch)  # sends the state to all pages
        else:
            async with self._lock:
                await self._send_state([page])

    def leave(self, page: Outbox) -> None:
        self._pages.discard(page)
        self._told_edited.discard(page)
        self.autoplay.cancel_hint(page)
        self.suspend_later()

    async def _send_state(self, pages: Iterable[Outbox]) -> None:
        game = self.session.game
        try:
            text = await asyncio.to_thread(self.state, self.session)
        except PlygroundError as error:  # the drawing of a user's game failed; the game goes on
            for page in pages:
                page.put_error(str(error))
            return
        for page in pages:
            page.put("table", text)
        if isinstance(game, RemoteGame) and await asyncio.to_thread(lambda: game.is_edited):
            self._tell_edited(game, pages)

    def _tell_edited(self, game: RemoteGame, pages: Iterable[Outbox]) -> None:
        """Tell pages, once each, that the game's file has changed."""
        file = f"the file {game.name}.py has changed"
        text = f"{file}; this game keeps its rules, a new game has the new ones"
        for page in pages:
            if page not in self._told_edited:
                page.put("edited", {"type": "notice", "text": text})
                self._told_edited.add(page)

    def broadcast(self, kind: str, message: Mapping[str, Any]) -> None:
        """Send a message to all pages. It replaces a waiting one of its kind."""
        for page in self._pages:
            page.put(kind, message)

    def report_error(self, text: str) -> None:
        """Send an error to all pages."""
        for page in self._pages:
            page.put_error(text)

    # Suspension

    def suspend_later(self) -> None:
        """Suspend the session if no page joins within SUSPEND_AFTER seconds."""
        if not self._pages and self._suspension is None:
            since = time.monotonic()
            self._suspension = asyncio.get_running_loop().call_later(
                SUSPEND_AFTER, lambda: self.start_task(self._suspend(since))
            )

    async def _suspend(self, since: float) -> None:
        self._suspension = None
        if not self._pages:
            await self.close(since)
            if not self._pages:
                self._on_suspended(self)

    async def close(self, since: float) -> None:
        """Suspend the session as of `since`, and save it."""
        if self.session.is_watched:
            await self.change(lambda _now: self.session.suspend(since))
        await self.save()

    # Its file

    @property
    def is_saved(self) -> bool:
        return self._saved_revision == self.session.revision

    async def save(self) -> None:
        """Write the session, unless its file is up to date."""
        async with self._lock:
            await self._save()

    async def _save(self) -> None:
        if self.is_saved or self.is_deleted:
            return
        try:
            await asyncio.to_thread(self._write)
        except PlygroundError as error:
            log.warning("%s", error)
            self.report_error(f"the game could not be saved: {error}")
        else:
            self._saved_revision = self.session.revision

    def _write(self) -> None:
        changed = datetime.now(UTC).isoformat(timespec="seconds")
        document = write_document(self.session, time.monotonic(), changed)
        self._storage.write(self.session.id, document)

    async def delete(self) -> None:
        """The session is deleted: stop everything, and write nothing more."""
        self.is_deleted = True
        async with self._lock:  # a write in progress ends first
            self.autoplay.stop()
        self.report_error("this game has been deleted")
        for page in self._pages:
            page.close()

    # Tasks

    async def stop(self) -> None:
        """Cancel all tasks, for good."""
        self.autoplay.stop()
        if self._suspension is not None:
            self._suspension.cancel()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def start_task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run in the background; the task is referenced until it ends."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def _task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, PlygroundError):
            log.error("a task of a session failed", exc_info=error)
