"""Watches a store and tells pages what has changed.

The store is read in a thread, some times a second while pages are connected. Each page gets the
messages that differ from what it has got before.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from plyground.web.arena.event_commands import EventProblem, EventRules, command_of, problems
from plyground.web.arena.event_commands import resumed_command as resumed
from plyground.web.arena.reader import Reading, StoreReader
from plyground.web.arena.runs import Run, Runs
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.arena import Arena, EventCard, NewEvent
from plyground.web.protocol.models import Sent
from plyground.web.protocol.socket import Outbox

T = TypeVar("T")

INTERVAL = 0.3
"""Seconds between two readings."""


@dataclass(eq=False)
class ConnectedPage:
    """A connected page."""

    outbox: Outbox = field(default_factory=Outbox)
    event: str | None = None
    sent: dict[object, str] = field(default_factory=dict)

    def send(self, kind: object, message: Sent) -> None:
        """Send a message, unless the page has just got the same."""
        text = message.model_dump_json()
        if self.sent.get(kind) != text:
            self.sent[kind] = text
            self.outbox.put(kind, text)


class ArenaWatcher:
    """The arena of a server. Belongs to one event loop."""

    def __init__(self, store: Path, catalogue: Catalogue, *, engines: bool) -> None:
        self.rules = EventRules(catalogue, store.absolute(), engines)
        self.runs = Runs(self._wake)
        self._reader = StoreReader(store.absolute(), catalogue)
        self._thread = ThreadPoolExecutor(1)
        self._pages: set[ConnectedPage] = set()
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._watch())
        self._reading = Reading()

    async def close(self) -> None:
        await self.runs.close()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await self.in_thread(self._reader.close)
        self._thread.shutdown()

    async def in_thread(self, work: Callable[..., T], *arguments: object) -> T:
        """Do something in the thread that reads the store."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    @property
    def reader(self) -> StoreReader:
        """To be used in its thread only."""
        return self._reader

    # Pages

    def join(self, page: ConnectedPage) -> None:
        self._pages.add(page)
        self._wake()

    def leave(self, page: ConnectedPage) -> None:
        self._pages.discard(page)

    def watch(self, page: ConnectedPage, event: str | None) -> None:
        """Tell a page about an event from now on."""
        page.event = event
        page.sent = {kind: text for kind, text in page.sent.items() if kind == "arena"}
        self._wake()

    # Events

    async def start(self, new: NewEvent) -> Run:
        """Start an event. Raises EventProblem if it cannot be started."""
        found = await asyncio.to_thread(problems, new, self.rules)
        if found:
            raise EventProblem(found[0].message)
        return await self.runs.start(self._with_store(command_of(new, self.rules)), Path.cwd())

    async def resume(self, name: str) -> Run:
        """Go on with an event of the store."""
        event = await self.in_thread(self._reader.event, name)
        if event.is_running:
            raise EventProblem("this event is running already")
        folder = Path(str(event.settings.get("folder", ".")))
        command = await asyncio.to_thread(resumed, event.command, folder, self.rules)
        return await self.runs.start(self._with_store(command), folder, name)

    async def stop(self, name: str) -> None:
        """Stop an event that this server runs."""
        run = self.runs.of(name)
        if run is None:
            raise EventProblem(
                "this event is not run by this server; press Ctrl-C in the terminal that runs it"
            )
        await run.stop()

    def _with_store(self, command: list[str]) -> list[str]:
        verb, *words = command
        return [verb, "--store", str(self.rules.store), "--quiet", *words]

    # Watching

    def _wake(self) -> None:
        self._changed.set()

    async def _watch(self) -> None:
        while True:
            if self._pages:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(INTERVAL):
                        await self._changed.wait()
            else:
                await self._changed.wait()
            self._changed.clear()
            await self._update()

    async def _update(self) -> None:
        watched = frozenset(page.event for page in self._pages if page.event is not None)
        reading = await self.in_thread(self._reader.read, watched)
        self._reading = self._reading if reading is None else reading
        self._find_events()
        cards = [self._with_run(card) for card in self._reading.cards]
        summary = Arena(
            store=str(self.rules.store),
            problem=self._reading.problem,
            engines=self.rules.engines,
            events=cards,
            runs=[run.model for run in self.runs.all],
        )
        for page in self._pages:
            page.send("arena", summary)
            self._tell(page)

    def _tell(self, page: ConnectedPage) -> None:
        """Send what is new about the event that a page watches."""
        if page.event is None or page.event not in self._reading.details:
            return
        detail = self._reading.details[page.event]
        page.send("event", detail.model_copy(update={"card": self._with_run(detail.card)}))
        boards, models = self._reading.boards[page.event]
        page.send("boards", boards)
        for model in models:
            page.send(("board", model.slot), model)

    def _find_events(self) -> None:
        """Find the events of new runs: the store has them with their commands."""
        for run in self.runs.all:
            for event in self._reading.events:
                if run.event is None and event.command == run.command:
                    run.event = event.id
                if run.event == event.id and event.is_running:
                    run.is_seen = True

    def _with_run(self, card: EventCard) -> EventCard:
        run = self.runs.of(card.id)
        if run is None:
            return card
        status = card.status if run.is_seen else "starting"
        return card.model_copy(update={"own": True, "status": status})
