"""Many clients of the web app at once: they play, watch and analyse, and some never read.

Everything runs on one event loop in a process that is not the server's. A client counts as failed
by anything that a person would notice: an error reply, a lost connection, a refused request.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.browser.server import Server

SECONDS_PER_MOVE = 0.075
ENGINE = {"kind": "engine", "seconds": SECONDS_PER_MOVE}
HUMAN = {"kind": "human"}
PLAYER_PAUSE = 2.0
"""Seconds that a player thinks. Thirty of them then keep one engine busy all the time."""
ANALYST_PAUSE = 3.0
PATIENCE = 60.0
COMPILING = 300.0
"""Seconds within which a game must have been compiled."""


@dataclass(frozen=True)
class Crowd:
    """How many clients of each kind."""

    players: int
    watchers: int
    analysts: int
    deaf: int
    """They watch a table or ask for an endless analysis, and never read a word of it."""

    @property
    def size(self) -> int:
        return self.players + self.watchers + self.analysts + self.deaf


@dataclass
class Tally:
    """What the clients saw."""

    games: Sequence[str]
    seconds: list[float] = field(default_factory=list)
    """What each move of an engine took it, as it says itself."""
    lines: int = 0
    errors: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Growth:
    """Memory of the server and its workers in bytes, after warming up and at the end."""

    before: int
    after: int


async def visit(
    server: Server, crowd: Crowd, games: Sequence[str], warm_up: float, seconds: float
) -> tuple[Tally, Growth]:
    """Let the crowd in, and tell what it saw in so many seconds after warming up."""
    tally = Tally(games)
    await load(server, tally)
    async with AsyncExitStack() as held, asyncio.TaskGroup() as tasks:
        ends = time.monotonic() + warm_up + seconds
        clients: list[Callable[[int], Awaitable[None]]] = []
        clients += [lambda number: play(server, tally, number, ends)] * crowd.players
        clients += [lambda number: watch(server, tally, number, ends)] * crowd.watchers
        clients += [lambda number: analyse(server, tally, number, ends)] * crowd.analysts
        for number, client in enumerate(clients):
            tasks.create_task(guarded(tally, client, number))
        await until_tables(tally, crowd.players)
        for number in range(crowd.deaf):
            await held.enter_async_context(deaf(server, tally, number))
        await asyncio.sleep(warm_up)
        tally.seconds.clear()
        before = memory(server.process_id)
        await asyncio.sleep(max(0.0, ends - time.monotonic()))
        after = memory(server.process_id)
    return tally, Growth(before, after)


async def load(server: Server, tally: Tally) -> None:
    """Have every game searched once: to compile it is not what a crowd costs."""
    async with socket_to(server, "/api/think") as socket:
        for number, game in enumerate(tally.games):
            place = {"game": game}
            await tell(socket, {"type": "search", "id": number, "place": place, "depth": 1})
            await hear(socket, tally, "done", patience=COMPILING)


async def guarded(tally: Tally, client: Callable[[int], Awaitable[None]], number: int) -> None:
    """Whatever goes wrong for one client is counted, and the others go on."""
    try:
        await client(number)
    except Exception as error:
        tally.errors.append(f"{type(error).__name__}: {error}")


async def until_tables(tally: Tally, count: int) -> None:
    """Wait until every player sits at a table."""
    async with asyncio.timeout(PATIENCE):
        while len(tally.tables) < count and not tally.errors:
            await asyncio.sleep(0.05)


async def first_reply(server: Server, game: str) -> float:
    """Seconds from a person's first move in a game until the computer's reply."""
    tally = Tally([game])
    settings = {"game": game, "players": [HUMAN, {"kind": "engine", "seconds": 1.0}]}
    table_id = (await request(server, "/api/tables", settings))["id"]
    async with table_socket(server, table_id) as socket:
        table = await hear(socket, tally, "table")
        started = time.monotonic()
        await make_move(socket, tally, table, random.Random(1))
        return time.monotonic() - started


# The clients


async def play(server: Server, tally: Tally, number: int, ends: float) -> None:
    """Play one game after another against an engine, any legal move."""
    chance = random.Random(number)
    while time.monotonic() < ends:
        game = chance.choice(tally.games)
        settings = {"game": game, "players": [HUMAN, ENGINE]}
        table_id = (await request(server, "/api/tables", settings))["id"]
        tally.tables.append(table_id)
        async with table_socket(server, table_id) as socket:
            table = await hear(socket, tally, "table")
            while table["result"] is None and time.monotonic() < ends:
                await asyncio.sleep(PLAYER_PAUSE * chance.uniform(0.5, 1.5))
                table = await make_move(socket, tally, table, chance)


async def make_move(
    socket: ClientConnection, tally: Tally, table: dict[str, Any], chance: random.Random
) -> dict[str, Any]:
    """Play a move and wait for the reply; the table then."""
    known = len(table["nodes"])
    move = chance.choice(table["view"]["moves"])["text"]
    await tell(socket, {"type": "play", "node": table["head"], "move": move})
    while True:
        table = await hear(socket, tally, "table")
        ours = table["view"]["turn"] == 0 and len(table["nodes"]) > known
        if table["result"] is not None or (ours and table["thinking"] is None):
            turns = {node["id"]: node["turn"] for node in table["nodes"]}
            tally.seconds += [
                node["seconds"]
                for node in table["nodes"][known:]
                if turns[node["parent"]] == 1 and node["seconds"] is not None
            ]
            return table


async def watch(server: Server, tally: Tally, number: int, ends: float) -> None:
    """Look at one table after another."""
    await until_tables(tally, 1)
    while time.monotonic() < ends:
        async with table_socket(server, tally.tables[number % len(tally.tables)]) as socket:
            await hear_for(socket, tally, 10.0, ends)


async def analyse(server: Server, tally: Tally, number: int, ends: float) -> None:
    """Ask for the lines of one position after another, along random games."""
    chance = random.Random(number)
    async with socket_to(server, "/api/think") as socket:
        question = 0
        while time.monotonic() < ends:
            place: dict[str, Any] = {"game": chance.choice(tally.games), "moves": []}
            for _ in range(8):
                view = await request(server, "/api/positions", place)
                if view["over"] or time.monotonic() > ends:
                    break
                question += 1
                search = {"type": "search", "id": question, "place": place, "lines": 3}
                await tell(socket, search)
                await hear_for(socket, tally, ANALYST_PAUSE, ends)
                place["moves"].append(chance.choice(view["moves"])["text"])


def deaf(
    server: Server, tally: Tally, number: int
) -> AbstractAsyncContextManager[ClientConnection]:
    """A client that never reads: at a table where something happens, or analysing."""
    if number % 2 == 0:
        return table_socket(server, tally.tables[number % len(tally.tables)])
    return _DeafAnalyst(server, tally.games[number % len(tally.games)])


class _DeafAnalyst(AbstractAsyncContextManager[ClientConnection]):
    """Asks for an endless analysis and does not listen."""

    def __init__(self, server: Server, game: str) -> None:
        self._connection = socket_to(server, "/api/think")
        self._game = game

    async def __aenter__(self) -> ClientConnection:
        socket = await self._connection.__aenter__()
        search = {"type": "search", "id": 1, "place": {"game": self._game}, "lines": 5}
        await tell(socket, search)
        return socket

    async def __aexit__(self, *problem: Any) -> None:
        await self._connection.__aexit__(*problem)


# Talking to the server


def table_socket(server: Server, table_id: str) -> connect:
    return socket_to(server, f"/api/tables/{table_id}/socket")


def socket_to(server: Server, path: str) -> connect:
    """A connection that takes in no more than it is read: what is not read waits at the server."""
    return connect(
        f"{server.address.replace('http', 'ws')}{path}?token={server.token}",
        origin=server.address,  # type: ignore[arg-type]
        max_queue=1,
        ping_interval=None,
        close_timeout=0.2,
        max_size=None,
        proxy=None,
    )


async def tell(socket: ClientConnection, message: dict[str, Any]) -> None:
    await socket.send(json.dumps(message))


async def hear(
    socket: ClientConnection, tally: Tally, kind: str, patience: float = PATIENCE
) -> dict[str, Any]:
    """The next message of a kind. An error is counted, and waited past."""
    async with asyncio.timeout(patience):
        while True:
            message: dict[str, Any] = json.loads(await socket.recv())
            count(tally, message)
            if message["type"] == kind:
                return message


async def hear_for(socket: ClientConnection, tally: Tally, seconds: float, ends: float) -> None:
    """Listen for some time, or until the end."""
    until = min(time.monotonic() + seconds, ends)
    while (left := until - time.monotonic()) > 0:
        try:
            async with asyncio.timeout(left):
                count(tally, json.loads(await socket.recv()))
        except TimeoutError:
            return


def count(tally: Tally, message: dict[str, Any]) -> None:
    if message["type"] == "error":
        tally.errors.append(message["message"])
    tally.lines += message["type"] == "progress" and "lines" in message


async def request(server: Server, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """POST, in a thread: the answer's JSON."""
    return dict(await asyncio.to_thread(server.ask, path, body))


# Memory


def memory(process: int) -> int:
    """Bytes that a process and all its children use, what they share counted once."""
    return sum(_proportional(each) for each in family(process))


def family(process: int) -> list[int]:
    """A process and all that it started, and they in turn."""
    children: list[int] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        children += map(int, (task / "children").read_text().split())
    return [process, *(member for child in children for member in family(child))]


def _proportional(process: int) -> int:
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0
