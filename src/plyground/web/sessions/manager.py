"""The session manager: creates, loads, lists and deletes sessions."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import string
import time
from datetime import date
from pathlib import Path

from plyground.core.errors import PlygroundError
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.models import LiveSpec, NewTable, TableCard
from plyground.web.sessions.active_session import ActiveSession
from plyground.web.sessions.import_export import import_session
from plyground.web.sessions.session import HUMAN, GameSession, SessionSetup
from plyground.web.sessions.storage import NoSession, SessionStorage, restore_session
from plyground.web.workers.pool import WorkerPool

ID_LETTERS = string.ascii_lowercase + string.digits
ID_LENGTH = 12


class SessionManager:
    """All sessions of a server, stored in a folder."""

    def __init__(self, folder: Path, catalogue: Catalogue, pool: WorkerPool) -> None:
        self._storage = SessionStorage(folder)
        self._catalogue = catalogue
        self._pool = pool
        self._active: dict[str, ActiveSession] = {}
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._deleting: set[str] = set()

    async def close(self) -> None:
        """Suspend and save all sessions."""
        now = time.monotonic()
        for active in list(self._active.values()):
            with contextlib.suppress(PlygroundError):  # of the rules of a user's game
                await active.close(now)
            await active.stop()

    # New sessions

    async def create(self, new: NewTable) -> str:
        """Create and save a session; its id is returned."""
        like = None if new.like is None else (await self.get(new.like)).session
        session = await asyncio.to_thread(
            lambda: GameSession(_new_id(), self._setup(new, like), new.moves or ())
        )
        session.headers.date = date.today().isoformat()
        return await self._add(session)

    async def import_file(self, name: str, text: str, game: str | None) -> str:
        """Create and save a session from the text of a file; its id is returned."""
        return await self._add(
            await asyncio.to_thread(import_session, _new_id(), self._catalogue, name, text, game)
        )

    async def _add(self, session: GameSession) -> str:
        active = self._activate(session, saved=False)
        await active.save()
        active.suspend_later()
        return session.id

    def _setup(self, new: NewTable, like: GameSession | None) -> SessionSetup:
        """The settings of the request; those not given are taken from the session `like`."""
        given = new.model_fields_set
        old = None if like is None else like.setup
        name = new.game if new.game is not None or old is None else old.game.name
        assert name is not None, "validation requires a game or a session to be like"
        game = self._catalogue.find(name)
        same_game = old is not None and old.game.name == name
        options, text = dict(new.options or {}), new.text
        if old is not None and same_game and not given & {"options", "text"}:
            options, text = dict(old.options), old.text
        players = (HUMAN, HUMAN) if like is None else like.players
        if new.players is not None:
            players = new.players
        if new.swap:
            players = players[1], players[0]
        clock = new.clock if old is None or "clock" in given else old.clock
        live = new.live
        if like is not None and same_game and not given & {"live", "clock"}:
            live = None if like.live is None else LiveSpec(seconds=like.live.seconds)
        return SessionSetup(game, options, text, players, clock, live)

    # Active sessions

    async def get(self, name: str) -> ActiveSession:
        """The active session with this id; it is loaded from its file if necessary."""
        while name not in self._active:
            if name in self._deleting:
                raise NoSession("this game has been deleted")
            if name not in self._loading:
                self._loading[name] = asyncio.create_task(self._load(name))
            await asyncio.shield(self._loading[name])
        return self._active[name]

    async def _load(self, name: str) -> None:
        try:
            saved = await asyncio.to_thread(self._storage.read, name)
            session = await asyncio.to_thread(restore_session, saved, self._catalogue)
            self._activate(session, saved=True).suspend_later()
        finally:
            del self._loading[name]

    @property
    def active_ids(self) -> list[str]:
        """The sessions in memory. Only tests ask: it cannot be seen from outside."""
        return list(self._active)

    def _activate(self, session: GameSession, *, saved: bool) -> ActiveSession:
        active = ActiveSession(session, self._pool, self._storage, self._unload, saved=saved)
        self._active[session.id] = active
        return active

    def _unload(self, active: ActiveSession) -> None:
        """Drop a suspended session from memory once its file is up to date."""
        if self._active.get(active.session.id) is active and active.is_saved:
            del self._active[active.session.id]

    # Saved sessions

    async def recent(self) -> list[TableCard]:
        """The latest sessions, newest first."""
        return await asyncio.to_thread(self._storage.recent)

    async def delete(self, name: str) -> None:
        """Delete a session for good; its pages get an error."""
        while name in self._loading:
            await asyncio.wait([self._loading[name]])
        self._deleting.add(name)
        try:
            active = self._active.pop(name, None)
            if active is not None:
                await active.delete()
            await asyncio.to_thread(self._storage.delete, name)
        finally:
            self._deleting.discard(name)


def _new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
