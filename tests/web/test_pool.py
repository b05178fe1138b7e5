"""The pool: real workers, and who gets one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from typing import Any

import pytest

from plyground.core.registry import find_game
from plyground.search.result import Limits
from plyground.web.catalogue import Catalogue
from plyground.web.workers import scheduling as ticket_module
from plyground.web.workers.pool import Pool
from plyground.web.workers.scheduling import WorkerLost
from tests.web.job_runner import Message, place
from tests.web.worker_pools import ENDLESS, QUICK, Heard, Loop, urgent_move


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


# Answers


def test_a_workers_searches_are_the_engines_own(loop: Loop) -> None:
    """Nodes and all, search after search: it has kept its table just as the engine has."""
    from plyground.search.engine.engine import Engine

    position = find_game("breakthrough").start()
    engine = Engine(position.game)
    pool = loop.new_pool(1)
    for depth, lines in ((5, 1), (7, 1), (6, 3)):
        job = {**QUICK, "depth": depth, "lines": lines}
        found = loop.run(pool.run(job))
        result = engine.search(position, Limits(depth=depth), lines=lines)
        assert found["move"] == position.move_text(result.move)
        assert (found["value"], found["nodes"]) == (result.value, result.nodes)
        position = position.play(result.move)
        QUICK["place"]["moves"].append(found["move"])
    QUICK["place"]["moves"].clear()
    loop.run(pool.close())


def test_an_analysis_without_limits_ends_by_itself_when_all_is_proven(loop: Loop) -> None:
    found = loop.run(loop.pool.run({"type": "search", "place": place("tictactoe")}))
    assert found["proven"]


# Stopping


def test_a_job_that_is_cancelled_makes_room_for_the_next(loop: Loop) -> None:
    async def scene() -> None:
        for _ in range(5):
            heard = Heard()
            analysis = asyncio.create_task(loop.pool.run(ENDLESS, listen=heard))
            await heard.more_than(1)
            analysis.cancel()
            assert (await loop.pool.run(QUICK))["depth"] == 3
            assert analysis.cancelled()
            told = len(heard.messages)
            await loop.pool.run(QUICK)
            assert len(heard.messages) == told

    pids = loop.pool.pids
    loop.run(scene())
    assert loop.pool.pids == pids


def test_a_job_can_be_cancelled_before_its_turn(loop: Loop) -> None:
    async def scene() -> None:
        heard, unheard = Heard(), Heard()
        analysis = asyncio.create_task(loop.pool.run(ENDLESS, listen=heard))
        await heard.more_than(0)
        waiting = asyncio.create_task(loop.pool.run(QUICK, listen=unheard))
        await asyncio.sleep(0)
        waiting.cancel()
        await heard.more_than(len(heard.messages))
        analysis.cancel()
        await loop.pool.run(QUICK)
        assert unheard.messages == []

    loop.run(scene())


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
def test_every_kind_of_job_can_be_stopped(job: Message, loop: Loop) -> None:
    async def scene() -> None:
        task = asyncio.create_task(loop.pool.run(job))
        await asyncio.sleep(0.2)
        task.cancel()
        assert (await loop.pool.run(QUICK))["depth"] == 3

    pids = loop.pool.pids
    loop.run(scene())
    assert loop.pool.pids == pids


def test_closing_fails_what_is_under_way_and_what_waits(loop: Loop) -> None:
    async def scene() -> Any:
        pool = Pool(Catalogue(), workers=1)
        await pool.start()
        heard = Heard()
        running = asyncio.create_task(pool.run(ENDLESS, listen=heard))
        await heard.more_than(0)
        waiting = asyncio.create_task(pool.run(QUICK))
        await asyncio.sleep(0)
        await pool.close()
        late = asyncio.create_task(pool.run(QUICK))
        return await asyncio.gather(running, waiting, late, return_exceptions=True)

    for error in loop.run(scene()):
        assert isinstance(error, WorkerLost)
        assert str(error) == "the server has been closed"


# Turns


def test_an_urgent_job_takes_the_place_of_an_analysis_which_goes_on_later(loop: Loop) -> None:
    async def scene() -> None:
        heard = Heard()
        analysis = asyncio.create_task(loop.pool.run(ENDLESS, listen=heard))
        await heard.more_than(3)
        for _ in range(3):
            assert (await urgent_move(loop.pool))["move"]
            assert not analysis.done()
        before = len(heard.messages)
        await heard.more_than(before)
        assert heard.messages[-1]["nodes"] > heard.messages[before - 1]["nodes"]
        analysis.cancel()

    loop.run(scene())


def test_an_urgent_job_goes_before_all_that_wait(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticket_module, "TURN", 1e9)

    async def scene() -> None:
        ended: list[str] = []

        async def note(name: str, job: Awaitable[Message]) -> None:
            await job
            ended.append(name)

        timed = {**QUICK, "depth": None, "seconds": 0.2}
        first = asyncio.create_task(note("urgent", loop.pool.run(timed, urgent=True)))
        await asyncio.sleep(0)
        others = [asyncio.create_task(note("other", loop.pool.run(QUICK))) for _ in range(3)]
        await asyncio.sleep(0)
        second = asyncio.create_task(note("urgent", urgent_move(loop.pool)))
        await asyncio.gather(first, second, *others)
        assert ended == ["urgent", "urgent", "other", "other", "other"]

    loop.run(scene())


def test_many_analyses_take_turns(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ticket_module, "TURN", 0.1)

    async def scene() -> None:
        all_heard = [Heard() for _ in range(4)]
        analyses = [
            asyncio.create_task(loop.pool.run({**ENDLESS, "lines": 1 + number}, listen=heard))
            for number, heard in enumerate(all_heard)
        ]
        for heard in all_heard:
            await heard.more_than(2)
        marks = [len(heard.messages) for heard in all_heard]
        for heard, mark in zip(all_heard, marks, strict=True):
            await heard.more_than(mark)
        for analysis in analyses:
            assert not analysis.done()
            analysis.cancel()
        for heard in all_heard:
            depths = [told["depth"] for told in heard.messages]
            nodes = [told["nodes"] for told in heard.messages]
            assert depths == sorted(set(depths))
            assert nodes == sorted(nodes)

    loop.run(scene())


def test_what_begins_anew_gets_longer_turns_until_it_ends(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticket_module, "TURN", 0.02)
    slow = {**ENDLESS, "algorithm": "minimax", "depth": 3}

    async def scene() -> None:
        heard = Heard()
        analysis = asyncio.create_task(loop.pool.run(ENDLESS, listen=heard))
        await heard.more_than(0)
        found = await loop.pool.run(slow)
        assert found["nodes"] == 4581
        assert not analysis.done()
        analysis.cancel()

    loop.run(scene())


def test_solvers_leave_a_worker_for_others(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ticket_module, "TURN", 1e9)
    board = place("breakthrough", rows=8, columns=8)

    async def scene() -> None:
        pool = Pool(Catalogue(), workers=2)
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

    loop.run(scene())


def test_idle_workers_load_the_games_that_others_have_loaded(loop: Loop) -> None:
    async def scene() -> None:
        pool = Pool(Catalogue(), workers=3)
        await pool.start()
        await pool.run(QUICK)
        while pool.loaded != [["breakthrough"]] * 3:
            await asyncio.sleep(0.01)
        await pool.close()

    loop.run(scene())


def test_a_job_that_goes_on_returns_to_its_worker(loop: Loop) -> None:
    async def scene() -> None:
        pool = Pool(Catalogue(), workers=2)
        await pool.start()
        for name in ("tictactoe", "breakthrough"):
            await pool.run({"type": "search", "place": place(name), "depth": 2})
        heard = Heard()
        analysis = asyncio.create_task(pool.run(ENDLESS, listen=heard))
        await heard.more_than(2)
        first = pool.working
        for _ in range(3):
            await asyncio.gather(urgent_move(pool), urgent_move(pool))
        await heard.more_than(len(heard.messages))
        assert pool.working == first
        analysis.cancel()
        await pool.close()

    loop.run(scene())
