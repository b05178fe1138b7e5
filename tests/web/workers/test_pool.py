"""The pool with real workers: answers, cancellation, priorities and turns."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest

from plyground.core.registry import find_game
from plyground.search.result import Limits
from plyground.web.catalogue import Catalogue
from plyground.web.workers import pool as pool_module
from plyground.web.workers.pool import WorkerLost
from tests.web.workers.job_runner import Message, place
from tests.web.workers.worker_pools import (
    ENDLESS,
    QUICK,
    CompletingPool,
    Messages,
    PoolRunner,
    urgent_move,
)

# Answers


def test_a_workers_searches_are_the_engines_own(runner: PoolRunner) -> None:
    """Nodes and all, search after search: it has kept its table just as the engine has."""
    from plyground.search.engine.engine import Engine

    position = find_game("breakthrough").start()
    engine = Engine(position.game, evaluation=None)  # as the pages do
    pool = runner.new_pool(1)
    for depth, lines in ((5, 1), (7, 1), (6, 3)):
        job = {**QUICK, "depth": depth, "lines": lines}
        found = runner.run(pool.run(job))
        result = engine.search(position, Limits(depth=depth), lines=lines)
        assert found["move"] == position.move_text(result.move)
        assert (found["value"], found["nodes"]) == (result.value, result.nodes)
        position = position.play(result.move)
        QUICK["place"]["moves"].append(found["move"])
    QUICK["place"]["moves"].clear()
    runner.run(pool.close())


def test_an_analysis_without_limits_ends_by_itself_when_all_is_proven(runner: PoolRunner) -> None:
    found = runner.run(runner.pool.run({"type": "search", "place": place("tictactoe")}))
    assert found["proven"]


# Stopping


def test_a_job_that_is_cancelled_makes_room_for_the_next(runner: PoolRunner) -> None:
    async def scene() -> None:
        for _ in range(5):
            messages = Messages()
            analysis = asyncio.create_task(runner.pool.run(ENDLESS, listen=messages))
            await messages.more_than(1)
            analysis.cancel()
            assert (await runner.pool.run(QUICK))["depth"] == 3
            assert analysis.cancelled()
            count = len(messages.all)
            await runner.pool.run(QUICK)
            assert len(messages.all) == count

    pids = runner.pool.pids
    runner.run(scene())
    assert runner.pool.pids == pids


def test_a_job_can_be_cancelled_before_it_starts(runner: PoolRunner) -> None:
    async def scene() -> None:
        messages, none = Messages(), Messages()
        analysis = asyncio.create_task(runner.pool.run(ENDLESS, listen=messages))
        await messages.more_than(0)
        waiting = asyncio.create_task(runner.pool.run(QUICK, listen=none))
        await asyncio.sleep(0)
        waiting.cancel()
        await messages.more_than(len(messages.all))
        analysis.cancel()
        await runner.pool.run(QUICK)
        assert none.all == []

    runner.run(scene())


@pytest.mark.parametrize(
    "job",
    [
        {"type": "solve", "place": place("breakthrough", rows=8, columns=8), "memory": 64},
        {**ENDLESS, "algorithm": "alpha-beta", "depth": 60},
        {**ENDLESS, "algorithm": "monte-carlo", "nodes": 10**15},
        {**ENDLESS, "algorithm": "perfect"},
        {"type": "review", "place": place("breakthrough", "a2a3"), "seconds": 60},
    ],
    ids=["solve", "alpha-beta", "monte-carlo", "perfect", "review"],
)
def test_every_kind_of_job_can_be_stopped(job: Message, runner: PoolRunner) -> None:
    async def scene() -> None:
        task = asyncio.create_task(runner.pool.run(job))
        await asyncio.sleep(0.2)
        task.cancel()
        assert (await runner.pool.run(QUICK))["depth"] == 3

    pids = runner.pool.pids
    runner.run(scene())
    assert runner.pool.pids == pids


def test_closing_fails_what_is_under_way_and_what_waits(runner: PoolRunner) -> None:
    async def scene() -> Any:
        pool = CompletingPool(Catalogue(), workers=1)
        await pool.start()
        messages = Messages()
        running = asyncio.create_task(pool.run(ENDLESS, listen=messages))
        await messages.more_than(0)
        waiting = asyncio.create_task(pool.run(QUICK))
        await asyncio.sleep(0)
        await pool.close()
        late = asyncio.create_task(pool.run(QUICK))
        return await asyncio.gather(running, waiting, late, return_exceptions=True)

    for error in runner.run(scene()):
        assert isinstance(error, WorkerLost)
        assert str(error) == "the server has been closed"


# Priorities and turns


def test_a_move_interrupts_an_analysis_which_goes_on_later(
    runner: PoolRunner,
) -> None:
    async def scene() -> None:
        messages = Messages()
        analysis = asyncio.create_task(runner.pool.run(ENDLESS, listen=messages))
        await messages.more_than(3)
        for _ in range(3):
            assert (await urgent_move(runner.pool))["move"]
            assert not analysis.done()
        before = len(messages.all)
        await messages.more_than(before)
        assert messages.all[-1]["nodes"] > messages.all[before - 1]["nodes"]
        analysis.cancel()

    runner.run(scene())


def test_a_move_goes_before_all_jobs_that_wait(runner: PoolRunner) -> None:
    async def scene() -> None:
        ended: list[str] = []

        async def note(name: str, job: Awaitable[Message]) -> None:
            await job
            ended.append(name)

        timed = {**QUICK, "depth": None, "seconds": 0.2}
        first = asyncio.create_task(note("urgent", runner.pool.run(timed, urgent=True)))
        await asyncio.sleep(0)
        others = [asyncio.create_task(note("other", runner.pool.run(QUICK))) for _ in range(3)]
        await asyncio.sleep(0)
        second = asyncio.create_task(note("urgent", urgent_move(runner.pool)))
        await asyncio.gather(first, second, *others)
        assert ended == ["urgent", "urgent", "other", "other", "other"]

    runner.run(scene())


def test_many_analyses_all_make_progress(runner: PoolRunner) -> None:
    async def scene() -> None:
        collected = [Messages() for _ in range(4)]
        analyses = [
            asyncio.create_task(runner.pool.run({**ENDLESS, "lines": 1 + number}, listen=messages))
            for number, messages in enumerate(collected)
        ]
        for messages in collected:
            await messages.more_than(2)
        marks = [len(messages.all) for messages in collected]
        for messages, mark in zip(collected, marks, strict=True):
            await messages.more_than(mark)
        for analysis in analyses:
            assert not analysis.done()
            analysis.cancel()
        for messages in collected:
            depths = [message["depth"] for message in messages.all]
            nodes = [message["nodes"] for message in messages.all]
            assert depths == sorted(set(depths))
            assert nodes == sorted(nodes)

    runner.run(scene())


def test_what_would_have_to_start_over_runs_to_its_end(
    runner: PoolRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "TURN", 0.02)
    monkeypatch.setattr(pool_module, "LONG_TURN", 0.02)
    slow = {**ENDLESS, "algorithm": "minimax", "depth": 3}

    async def scene() -> None:
        messages = Messages()
        analysis = asyncio.create_task(runner.pool.run(ENDLESS, listen=messages))
        await messages.more_than(0)
        found = await runner.pool.run(slow)
        assert found["nodes"] == 4581
        assert not analysis.done()
        analysis.cancel()

    runner.run(scene())


def test_solvers_leave_a_worker_for_others(runner: PoolRunner) -> None:
    board = place("breakthrough", rows=8, columns=8)

    async def scene() -> None:
        pool = CompletingPool(Catalogue(), workers=2)
        await pool.start()
        solves = [
            asyncio.create_task(pool.run({"type": "solve", "place": board, "memory": 64}))
            for _ in range(3)
        ]
        for _ in range(3):
            assert (await pool.run(QUICK))["depth"] == 3
            assert (await urgent_move(pool))["move"]
        assert not any(solve.done() for solve in solves)
        for solve in solves:
            solve.cancel()
        await pool.close()

    runner.run(scene())
