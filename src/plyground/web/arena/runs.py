"""Runs: the commands that pages have started. Each is a process of its own, as in a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from plyground.core.child_process import child_environment, module_command
from plyground.core.processes import NEW_GROUP, interrupt_process, kill_trees
from plyground.web.arena.event_commands import EventProblem
from plyground.web.protocol.arena import RunModel

MOST_RUNNING = 1
"""An event uses all cores. With two at the same time, timed moves would come late."""
KEPT = 3
"""Runs that have ended and are told about."""
PATIENCE = 10.0
"""Seconds in which an interrupted run ends by itself."""
LONGEST_ERROR = 10_000
"""Bytes of its last output that are kept."""
LONGEST_MESSAGE = 1000
FINE = (0, 1, 130)
"""Exit statuses: done; the answer is no; interrupted."""


class Run:
    """One process."""

    def __init__(self, number: int, command: Sequence[str], event: str | None) -> None:
        self.number = number
        self.command = tuple(command)
        """The arguments of `plyground`, which the store keeps with the event."""
        self.event = event
        self.message = ""
        self.is_stopped = False
        self.is_seen = False
        """Whether the store has shown its event as running."""
        self._process: asyncio.subprocess.Process | None = None
        self._ended = asyncio.Event()

    @property
    def is_alive(self) -> bool:
        return not self._ended.is_set()

    @property
    def model(self) -> RunModel:
        state = "starting" if self.event is None else "running"
        if not self.is_alive:
            state = "failed" if self.message else "ended"
        return RunModel(
            number=self.number,
            command=shlex.join(["plyground", *self.command]),
            event=self.event,
            state=state,  # type: ignore[arg-type]
            message=self.message,
        )

    async def start(self, folder: Path) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *module_command("plyground", *self.command),
            cwd=folder,
            env=child_environment(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server, which then ends it
            creationflags=NEW_GROUP,
        )

    async def wait(self) -> None:
        """Wait for the end of the process, and find out what it said last."""
        process = self._process
        assert process is not None
        assert process.stderr is not None
        try:
            said = b""
            while part := await process.stderr.read(LONGEST_ERROR):
                said = (said + part)[-LONGEST_ERROR:]
            status = await process.wait()
            lines = said.decode("utf-8", "replace").strip().splitlines()
            if status not in FINE and not self.is_stopped:
                last = lines[-1] if lines else f"it ended with exit status {status}"
                self.message = last[:LONGEST_MESSAGE]
        finally:
            self._ended.set()

    async def stop(self) -> None:
        """Interrupt the process. It keeps its games, and is killed if it does not end."""
        self.is_stopped = True
        process = self._process
        if process is None or not self.is_alive:
            return
        interrupt_process(process.pid)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._ended.wait()
        if self.is_alive:
            await asyncio.to_thread(kill_trees, [process.pid])
            await self._ended.wait()


class Runs:
    """All runs of a server. Belongs to one event loop."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._on_change = on_change
        self._runs: list[Run] = []
        self._count = 0
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def all(self) -> list[Run]:
        """Those that run, and those that have ended last."""
        return list(self._runs)

    def of(self, event: str) -> Run | None:
        """The run that plays an event now."""
        return next((run for run in self._runs if run.event == event and run.is_alive), None)

    async def start(self, command: Sequence[str], folder: Path, event: str | None = None) -> Run:
        """Start a command. `event` is its event, if that is known already."""
        alive = [run for run in self._runs if run.is_alive]
        if len(alive) >= MOST_RUNNING:
            raise EventProblem(
                "an event that was started here is running, and two would take each other's cores;"
                " stop it first, or wait"
            )
        self._count += 1
        run = Run(self._count, command, event)
        self._runs = [*(one for one in self._runs if one.is_alive), *self._ended()[-KEPT:], run]
        try:
            await run.start(folder if folder.is_dir() else Path.cwd())
        except OSError as error:
            self._runs.remove(run)
            raise EventProblem(
                f"no process can be started: {os.strerror(error.errno or 0).lower()}"
            ) from None
        task = asyncio.create_task(self._watch(run))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._on_change()
        return run

    def _ended(self) -> list[Run]:
        return [run for run in self._runs if not run.is_alive]

    async def _watch(self, run: Run) -> None:
        await run.wait()
        self._on_change()

    async def close(self) -> None:
        """Stop everything. What was played is kept, and a later server can go on with it."""
        await asyncio.gather(*(run.stop() for run in self._runs if run.is_alive))
        await asyncio.gather(*self._tasks)
