"""A site whose workers are played by the test: nothing searches, and nobody waits for a search."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from plyground.core.errors import PlygroundError
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.models import Place
from plyground.web.sessions.manager import Tables
from tests.web.running_server import Running, running

PATIENCE = 60.0
"""Seconds until a test gives up waiting; nothing takes as long unless it is broken."""


class FakePool:
    """Stands in for the worker pool: answers with the first legal move, as soon as it may."""

    latest: FakePool

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.reset()
        FakePool.latest = self

    def reset(self) -> None:
        """Forget what has been asked and how to answer."""
        self.jobs: list[dict[str, Any]] = []
        """What was asked, in order."""
        self.stopped: list[dict[str, Any]] = []
        """What was asked and then stopped."""
        self.urgent: list[bool] = []
        self.holds = False
        """While this is set, answers wait."""
        self.errors: dict[str, str] = {}
        """What is wrong, for the algorithms that cannot answer."""
        self.seconds = 0.05

    async def start(self) -> None:
        """Nothing to start."""

    async def close(self) -> None:
        """Nothing to close."""

    async def run(
        self,
        job: dict[str, Any],
        *,
        urgent: bool = False,
        listen: Callable[[dict[str, Any]], None] | None = None,
    ) -> dict[str, Any]:
        self.jobs.append(job)
        self.urgent.append(urgent)
        try:
            position = self._catalogue.position(Place(**job["place"]))[0]
            moves = position.legal_moves
            answer = {
                "move": position.move_text(moves[0]) if moves else None,
                "touches": list(position.touches(moves[0])) if moves else [],
                "value": 7,
                "value_text": "+7",
                "depth": 3,
                "nodes": 100,
                "seconds": self.seconds,
            }
            if listen is not None:
                listen({"type": "notice", "text": "compiling"})
                listen({"type": "progress", **answer, "seconds": self.seconds / 2})
            await asyncio.sleep(0)
            while self.holds:
                await asyncio.sleep(0.002)
        except asyncio.CancelledError:
            self.stopped.append(job)
            raise
        if job["algorithm"] in self.errors:
            raise PlygroundError(self.errors[job["algorithm"]])
        return answer


class Page:
    """A page at a table, which remembers what it was told last."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.table: dict[str, Any] = {}
        self.errors: list[dict[str, Any]] = []
        self.notices: list[str] = []
        self.until(lambda page: bool(page.table))

    def send(self, kind: str, **content: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **content}))

    def hear(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(self.socket.recv(PATIENCE))
        if message["type"] == "table":
            assert message["version"] >= self.table.get("version", 0)
            self.table = message
        elif message["type"] == "error":
            self.errors.append(message)
        elif message["type"] == "notice":
            self.notices.append(message["text"])
        return message

    def until(self, condition: Callable[[Page], bool]) -> dict[str, Any]:
        """Listen until something holds; the table is returned."""
        while not condition(self):
            self.hear()
        return self.table

    def play(self, move: str) -> dict[str, Any]:
        """Play a move at the head, and hear of it."""
        plies = len(self.table["main"])
        self.send("play", node=self.table["head"], move=move)
        return self.until(lambda page: len(page.table["main"]) > plies)

    def refusal(self, kind: str, **content: Any) -> str:
        """What is said to a message that is wrong."""
        before = len(self.errors)
        self.send(kind, **content)
        self.until(lambda page: len(page.errors) > before)
        return str(self.errors[-1]["message"])

    @property
    def moves(self) -> list[str]:
        """The moves of the game."""
        nodes = {node["id"]: node for node in self.table["nodes"]}
        return [nodes[step]["move"] for step in self.table["main"][1:]]


class Site:
    """The server as it is, but for its workers."""

    def __init__(self, found: Running, home: Path) -> None:
        self._running = found
        self.folder = home / "games"
        self.ask = found.ask
        self.connect = found.connect
        self.pool = FakePool.latest

    @property
    def tables(self) -> Tables:
        tables: Tables = self._running.server.app.state.tables
        return tables

    def create(self, game: str | None = "tictactoe", **settings: Any) -> str:
        given = settings if game is None else {"game": game, **settings}
        answer = self.ask("/api/tables", given)
        assert answer.status == 200, answer.body
        return str(answer.document["id"])

    def table(self, name: str) -> Any:
        """A table as HTTP tells it."""
        answer = self.ask(f"/api/tables/{name}")
        assert answer.status == 200, answer.body
        return answer.document

    @contextmanager
    def page(self, name: str) -> Iterator[Page]:
        with self.connect(f"/api/tables/{name}/socket") as socket:
            yield Page(socket)

    def clear(self) -> None:
        """Delete all tables, and stop what goes on at them."""
        for name in [*self.tables._rooms, *(file.stem for file in self.folder.glob("*.json"))]:
            self.ask(f"/api/tables/{name}", method="DELETE")
        self.pool.reset()

    def refusal(self, status: int, path: str, *given: Any, **settings: Any) -> str:
        """The sentence of a refusal with this status."""
        answer = self.ask(path, *given, **settings)
        assert answer.status == status, answer.body
        return answer.message


@contextmanager
def open_site(home: Path, games: tuple[str, ...] = ()) -> Iterator[Site]:
    """A site with its tables below `home`; whatever happens there is over with the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plyground.web.app.Pool", FakePool)
        with running(home, games) as found:
            yield Site(found, home)


def eventually(condition: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.002)
