"""All tables: new ones, those in use, and those that wait in their files."""

from __future__ import annotations

import asyncio
import secrets
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from plyground.web.catalogue import Catalogue
from plyground.web.protocol.models import LiveSpec, NewTable, TableCard
from plyground.web.sessions.active_session import Room
from plyground.web.sessions.document import restore
from plyground.web.sessions.file_import import read_opening
from plyground.web.sessions.move_requests import Pool
from plyground.web.sessions.session import Table
from plyground.web.sessions.session_record import table_of, today
from plyground.web.sessions.setup import HUMAN, Setup
from plyground.web.sessions.storage import TableFiles

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
ID_LENGTH = 12


class Tables:
    """The tables of one server, kept in a folder. Used as a context: at its end all is saved."""

    def __init__(self, folder: Path, catalogue: Catalogue, pool: Pool) -> None:
        self.files = TableFiles(folder)
        self._catalogue = catalogue
        self._pool = pool
        self._rooms: dict[str, Room] = {}
        self._loading = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        now = time.monotonic()
        for room in list(self._rooms.values()):
            await room.close(now)
            await room.stop()

    # New tables

    async def create(self, new: NewTable) -> str:
        """Set up a table; its id is returned once it is saved."""
        like = None if new.like is None else (await self.room(new.like)).table
        table = await asyncio.to_thread(self._set_up, new, like)
        return await self._keep(table)

    async def open(self, name: str, text: str, game: str | None) -> str:
        """Set up a table with what a file holds."""
        table = await asyncio.to_thread(
            lambda: table_of(_new_id(), read_opening(self._catalogue, name, text, game))
        )
        return await self._keep(table)

    async def _keep(self, table: Table) -> str:
        room = self._seat(table)
        await room.save()
        room.rest_soon()
        return table.id

    def _set_up(self, new: NewTable, like: Table | None) -> Table:
        table = Table(_new_id(), self._setup(new, like), new.moves or ())
        table.headers.date = today()
        return table

    def _setup(self, new: NewTable, like: Table | None) -> Setup:
        """What was asked for; the rest as at the table that it is to be like."""
        given = new.model_fields_set
        old = None if like is None else like.setup
        name = new.game if new.game is not None or old is None else old.game.name
        assert name is not None, "a new table has a game, or is like another one"
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
        if like is not None and same_game and "live" not in given and "clock" not in given:
            live = None if like.live is None else LiveSpec(seconds=like.live.seconds)
        return Setup(game, options, text, players, clock, live)

    # Tables in use

    async def room(self, name: str) -> Room:
        """The room of a table; it is loaded if it is not in use."""
        async with self._loading:
            if name not in self._rooms:
                table = await asyncio.to_thread(self._load, name)
                self._seat(table).rest_soon()
            return self._rooms[name]

    def _load(self, name: str) -> Table:
        return restore(self.files.read(name), self._catalogue)

    def _seat(self, table: Table) -> Room:
        room = Room(table, self._pool, self.files, self._unseat)
        self._rooms[table.id] = room
        return room

    def _unseat(self, room: Room) -> None:
        """Nobody uses a table any more: its file is enough."""
        if self._rooms.get(room.table.id) is room and room.is_saved:
            del self._rooms[room.table.id]

    # Saved tables

    async def recent(self) -> list[TableCard]:
        """The latest tables, newest first; also what has not been written yet is told."""
        for room in list(self._rooms.values()):
            if not room.is_saved:
                await room.save()
        return await asyncio.to_thread(self.files.recent)

    async def delete(self, name: str) -> None:
        """Forget a table for good; pages that look on are told."""
        async with self._loading:
            room = self._rooms.pop(name, None)
            if room is not None:
                await room.delete()
            await asyncio.to_thread(self.files.delete, name)


def _new_id() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))
