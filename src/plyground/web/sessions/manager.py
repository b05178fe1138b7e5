"""The session manager: creates, loads, lists and deletes sessions."""

from __future__ import annotations

import asyncio
import secrets
import string
import time
from datetime import date
from pathlib import Path

from plyground.web.catalogue import Catalogue
from plyground.web.protocol.models import LiveSpec, NewTable, TableCard
from plyground.web.sessions.active_session import ActiveSession
from plyground.web.sessions.import_export import import_session
from plyground.web.sessions.session import HUMAN, GameSession, SessionSetup
from plyground.web.sessions.storage import SessionStorage, restore_session
from plyground.web.workers.pool import Pool

ID_LETTERS = string.ascii_lowercase + string.digits
ID_LENGTH = 12


class SessionManager:
    """All sessions of a server, stored in a folder."""

    def __init__(self, folder: Path, catalogue: Catalogue, pool: Pool) -> None:
        self._storage = SessionStorage(folder)
        self._catalogue = catalogue
        self._pool = pool
        self._active: dict[str, ActiveSession] = {}
        self._loading = asyncio.Lock()

    async def close(self) -> None:
        """Suspend and save all sessions."""
        now = time.monotonic()
        for active in list(self._active.values()):
            await active.close(now)
            await active.stop()

    # New sessions

    async def create(self, new: NewTable) -> str:
        """Create and save a session; its id is returned."""
        like = None if new.like is None else (await self.get(new.like)).session
        return await self._add(await asyncio.to_thread(self._new_session, new, like))

    async def import_file(self, name: str, text: str, game: str | None) -> str:
        """Create and save a session from the text of a file; its id is returned."""
        return await self._add(
            await asyncio.to_thread(import_session, _new_id(), self._catalogue, name, text, game)
        )

    async def _add(self, session: GameSession) -> str:
        active = self._activate(session)
        await active.save()
        active.suspend_later()
        return session.id

    def _new_session(self, new: NewTable, like: GameSession | None) -> GameSession:
        session = GameSession(_new_id(), self._setup(new, like), new.moves or ())
        session.headers.date = date.today().isoformat()
        return session

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
        async with self._loading:
            if name not in self._active:
                session = await asyncio.to_thread(self._load, name)
                self._activate(session).suspend_later()
            return self._active[name]

    @property
    def active_ids(self) -> list[str]:
        """The sessions in memory."""
        return list(self._active)

    def _load(self, name: str) -> GameSession:
        return restore_session(self._storage.read(name), self._catalogue)

    def _activate(self, session: GameSession) -> ActiveSession:
        active = ActiveSession(session, self._pool, self._storage, self._unload)
        self._active[session.id] = active
        return active

    def _unload(self, active: ActiveSession) -> None:
        """Drop a suspended session from memory once its file is up to date."""
        if self._active.get(active.session.id) is active and active.is_saved:
            del self._active[active.session.id]

    # Saved sessions

    async def recent(self) -> list[TableCard]:
        """The latest sessions, newest first. Unsaved changes are saved first."""
        for active in list(self._active.values()):
            await active.save()
        return await asyncio.to_thread(self._storage.recent)

    async def delete(self, name: str) -> None:
        """Delete a session for good; its pages get an error."""
        async with self._loading:
            active = self._active.pop(name, None)
            if active is not None:
                await active.delete()
            await asyncio.to_thread(self._storage.delete, name)


def _new_id() -> str:
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))
