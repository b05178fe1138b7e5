"""A server with a fake worker pool: searches return at once, and tests decide what they find."""

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
from plyground.web.sessions.manager import SessionManager
from tests.web.running_server import Running, running

PATIENCE = 60.0
"""Seconds until a test fails that waits for something."""


class FakePool:
    """Stands in for the worker pool: every search finds the first legal move."""

    latest: FakePool

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.reset()
        FakePool.latest = self

    def reset(self) -> None:
        """Forget all jobs and settings."""
        self.jobs: list[dict[str, Any]] = []
        """All jobs, in order."""
        self.stopped: list[dict[str, Any]] = []
        """Jobs that were cancelled."""
        self.urgent: list[bool] = []
        self.holds = False
        """While this is set, searches do not end."""
        self.errors: dict[str, str] = {}
        """Errors of algorithms that fail."""
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
            position = self._catalogue.positions(Place(**job["place"]))[-1]
            moves = position.legal_moves
            answer = {
                "move": position.move_text(moves[0]) if moves else None,
                "touches": list(position.touches(moves[0])) if moves else [],
                "value": 7,
                "value_text": "+7",
                "depth": 3,
                "nodes": 100,
                "evaluation": "own",
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
    """A page of a session, with the last state that it received."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.table: dict[str, Any] = {}
        self.errors: list[dict[str, Any]] = []
        self.notices: list[str] = []
        self.progress: list[dict[str, Any]] = []
        self.until(lambda page: bool(page.table))

    def send(self, kind: str, **content: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **content}))

    def receive(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(self.socket.recv(PATIENCE))
        if message["type"] == "table":
            assert message["version"] >= self.table.get("version", 0)
            self.table = message
        elif message["type"] == "error":
            self.errors.append(message)
        elif message["type"] == "notice":
            self.notices.append(message["text"])
        elif message["type"] == "progress":
            self.progress.append(message)
        return message

    def until(self, condition: Callable[[Page], bool]) -> dict[str, Any]:
        """Receive until a condition holds; the last table is returned."""
        while not condition(self):
            self.receive()
        return self.table

    def play(self, move: str) -> dict[str, Any]:
        """Play a move at the head, and wait for the new state."""
        plies = len(self.table["main"])
        self.send("play", node=self.table["head"], move=move)
        return self.until(lambda page: len(page.table["main"]) > plies)

    def refusal(self, kind: str, **content: Any) -> str:
        """The error that a message gets."""
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
    """A running server with the fake pool."""

    def __init__(self, found: Running, home: Path) -> None:
        self._running = found
        self.folder = home / "games"
        self.ask = found.ask
        self.connect = found.connect
        self.pool = FakePool.latest

    @property
    def active_ids(self) -> list[str]:
        """The sessions in memory."""
        manager: SessionManager = self._running.server.app.state.sessions
        return manager.active_ids

    def create(self, game: str | None = "tictactoe", **settings: Any) -> str:
        given = settings if game is None else {"game": game, **settings}
        answer = self.ask("/api/tables", given)
        assert answer.status == 200, answer.body
        return str(answer.document["id"])

    def table(self, name: str) -> Any:
        """A session as HTTP returns it."""
        answer = self.ask(f"/api/tables/{name}")
        assert answer.status == 200, answer.body
        return answer.document

    @contextmanager
    def page(self, name: str) -> Iterator[Page]:
        with self.connect(f"/api/tables/{name}/socket") as socket:
            yield Page(socket)

    def clear(self) -> None:
        """Delete all sessions, and stop their tasks."""
        for name in [*self.active_ids, *(file.stem for file in self.folder.glob("*.json"))]:
            self.ask(f"/api/tables/{name}", method="DELETE")
        self.pool.reset()

    def refusal(self, status: int, path: str, *given: Any, **settings: Any) -> str:
        """The sentence of a refusal with this status."""
        answer = self.ask(path, *given, **settings)
        assert answer.status == status, answer.body
        return answer.message


@contextmanager
def open_site(home: Path, games: tuple[str, ...] = ()) -> Iterator[Site]:
    """A site with its sessions below `home`, for as long as the block lasts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plyground.web.app.WorkerPool", FakePool)
        with running(home, games) as found:
            yield Site(found, home)


def eventually(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.002)
