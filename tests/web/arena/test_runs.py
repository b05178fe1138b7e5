"""Processes that pages start: told about, stopped, killed if they do not end, one at a time."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from plyground.arena.store import process_is_running
from plyground.web.arena import runs as module
from plyground.web.arena.event_commands import EventProblem
from plyground.web.arena.runs import LONGEST_MESSAGE, Run, Runs

WAITS = """
import os, pathlib, signal, sys, time
{prepare}
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
while True:
    time.sleep(60)
"""
STUBBORN = "signal.signal(signal.SIGINT, signal.SIG_IGN)"
POLITE = "signal.signal(signal.SIGINT, lambda *_: sys.exit(130))"


@pytest.fixture(autouse=True)
def run_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command is a Python program instead of `plyground`."""
    monkeypatch.setattr(module, "module_command", lambda _, *words: [sys.executable, "-c", *words])


def with_runs(work: Callable[[Runs, list[None]], Awaitable[None]]) -> None:
    async def main() -> None:
        changes: list[None] = []
        runs = Runs(lambda: changes.append(None))
        try:
            await work(runs, changes)
        finally:
            await runs.close()

    asyncio.run(main())


async def ended(run: Run) -> None:
    async with asyncio.timeout(60):
        while run.is_alive:
            await asyncio.sleep(0.01)


async def started(path: Path) -> int:
    """The process that has written its number to a file."""
    async with asyncio.timeout(60):
        while not path.exists() or not path.read_text():
            await asyncio.sleep(0.01)
    return int(path.read_text())


@pytest.mark.parametrize(
    ("program", "state", "message"),
    [
        ("pass", "ended", ""),
        ("import sys; sys.exit(1)", "ended", ""),
        (
            "import sys; print('first', file=sys.stderr); sys.exit('plyground: no such player')",
            "ended",
            "",
        ),
        (
            "import sys; print('a\\nplyground: no player', file=sys.stderr); sys.exit(2)",
            "failed",
            "plyground: no player",
        ),
        ("import os; os._exit(3)", "failed", "it ended with exit status 3"),
        (
            "import sys; sys.stderr.write('x' * 100_000); sys.exit(2)",
            "failed",
            "x" * LONGEST_MESSAGE,
        ),
    ],
    ids=["done", "no", "one", "refused", "status", "long"],
)
def test_the_end_of_a_run_is_told(program: str, state: str, message: str) -> None:
    async def work(runs: Runs, changes: list[None]) -> None:
        run = await runs.start([program], Path())
        assert run.model.state == "starting"
        await ended(run)
        await asyncio.sleep(0)
        assert (run.model.state, run.model.message) == (state, message)
        assert len(changes) == 2

    with_runs(work)


@pytest.mark.parametrize("prepare", [POLITE, STUBBORN], ids=["polite", "stubborn"])
def test_a_run_is_stopped_and_killed_if_it_does_not_end(
    prepare: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if prepare == STUBBORN:
        monkeypatch.setattr(module, "PATIENCE", 0.1)

    async def work(runs: Runs, _: list[None]) -> None:
        file = tmp_path / "pid"
        run = await runs.start([WAITS.format(prepare=prepare), str(file)], tmp_path, "event")
        process = await started(file)
        assert runs.of("event") is run
        assert process_is_running(process)
        await run.stop()
        assert (run.is_alive, run.model.state, runs.of("event")) == (False, "ended", None)
        assert not process_is_running(process)
        await run.stop()

    with_runs(work)


def test_one_run_at_a_time_and_closing_stops_it(tmp_path: Path) -> None:
    async def work(runs: Runs, _: list[None]) -> None:
        file = tmp_path / "pid"
        run = await runs.start([WAITS.format(prepare=POLITE), str(file)], tmp_path)
        await started(file)
        with pytest.raises(EventProblem, match="two would take each other's cores; stop it first"):
            await runs.start(["pass"], tmp_path)
        await runs.close()
        assert not run.is_alive
        await ended(await runs.start(["pass"], tmp_path / "gone"))
        assert [one.number for one in runs.all] == [1, 2]

    with_runs(work)


def test_only_the_last_runs_are_told_about(tmp_path: Path) -> None:
    async def work(runs: Runs, _: list[None]) -> None:
        for _number in range(6):
            await ended(await runs.start(["pass"], tmp_path))
        assert [run.number for run in runs.all] == [3, 4, 5, 6]

    with_runs(work)


def test_a_process_that_cannot_be_started_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "module_command", lambda *_: [os.fspath(tmp_path / "none")])

    async def work(runs: Runs, _: list[None]) -> None:
        with pytest.raises(EventProblem, match="no process can be started: no such file"):
            await runs.start(["pass"], tmp_path)
        assert runs.all == []

    with_runs(work)
