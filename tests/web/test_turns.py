"""Who gets a worker, decided without any: links that only remember what they were told."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from plyground.web.catalogue import Catalogue
from plyground.web.workers import pool as pool_module
from plyground.web.workers import scheduling as ticket_module
from plyground.web.workers.pool import Pool
from tests.web.job_runner import Message, place


class StillLink:
    """A worker that does nothing by itself: the test says what it answers."""

    all: list[StillLink]

    def __init__(self, heard: Any, ended: Any) -> None:
        self._heard = heard
        self.job: Message | None = None
        self.number = 0
        self.is_told_to_stop = False
        self.is_aside = False
        self.pid = None
        StillLink.all.append(self)

    async def start(self) -> None:
        self._heard(self, {"ready": True})

    async def close(self) -> None:
        pass

    def kill(self) -> None:
        raise AssertionError("nobody hangs here")

    def send(self, message: Message) -> None:
        if "do" in message:
            assert self.job is None, "one job at a time"
            self.number, self.job, self.is_told_to_stop = message["do"], message["job"], False
            self.is_aside = message["aside"]
        else:
            assert message == {"stop": self.number}
            self.is_told_to_stop = True

    @property
    def name(self) -> str | None:
        return None if self.job is None else self.job.get("name", self.job["type"])

    def answer(self, **message: Any) -> None:
        number, self.job = self.number, None
        self._heard(self, {"job": number, **message})

    def pause(self, *, restarts: bool = False) -> None:
        assert self.is_told_to_stop
        self.answer(rest=self.job, restarts=restarts)


class Stage:
    """A pool of still links, and jobs with names."""

    def __init__(self, workers: int) -> None:
        StillLink.all = []
        self.pool = Pool(Catalogue(), workers=workers)
        self.jobs: dict[str, asyncio.Task[Message]] = {}

    async def ask(self, name: str, *, urgent: bool = False, **job: Any) -> None:
        job = {"type": "search", "place": place("breakthrough"), "name": name, **job}
        self.jobs[name] = asyncio.create_task(self.pool.run(job, urgent=urgent))
        await self.settle()

    async def settle(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)

    async def turns_end(self) -> None:
        """So much time that every turn is over."""
        await asyncio.sleep(0.05)

    @property
    def running(self) -> set[str]:
        return {link.name for link in StillLink.all if link.name is not None}

    @property
    def told_to_stop(self) -> set[str]:
        return {link.name for link in StillLink.all if link.name and link.is_told_to_stop}

    def link(self, name: str) -> StillLink:
        return next(link for link in StillLink.all if link.name == name)


def play(monkeypatch: pytest.MonkeyPatch, workers: int, scene: Any) -> None:
    monkeypatch.setattr(pool_module, "Link", StillLink)
    monkeypatch.setattr(ticket_module, "TURN", 0.02)
    monkeypatch.setattr(ticket_module, "SHORT_TURN", 0.01)

    async def run() -> None:
        stage = Stage(workers)
        await stage.pool.start()
        acting: Coroutine[Any, Any, None] = scene(stage)
        await acting
        for job in stage.jobs.values():
            job.cancel()
        await asyncio.gather(*stage.jobs.values(), return_exceptions=True)
        await stage.pool.close()

    asyncio.run(run())


def test_a_search_with_several_threads_is_not_overtaken_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene(stage: Stage) -> None:
        for name in ("one", "two"):
            await stage.ask(name)
        await stage.ask("wide", threads=2)
        await stage.ask("three")
        await stage.turns_end()
        for name in ("one", "two"):
            stage.link(name).pause()
            await stage.settle()
            if name == "one":
                await stage.turns_end()
        assert stage.running == {"wide"}

    play(monkeypatch, 2, scene)


def test_a_job_that_has_had_no_turn_goes_before_those_that_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene(stage: Stage) -> None:
        for name in ("one", "two", "three"):
            await stage.ask(name)
        await stage.turns_end()
        stage.link("one").pause()
        assert stage.running == {"two"}
        await stage.ask("four")
        await stage.turns_end()
        stage.link("two").pause()
        assert stage.running == {"three"}
        await stage.turns_end()
        stage.link("three").pause()
        assert stage.running == {"four"}, "one and two have had a turn"
        await stage.turns_end()
        stage.link("four").pause()
        assert stage.running == {"one"}

    play(monkeypatch, 1, scene)


def test_all_but_moves_on_a_clock_give_way_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        await stage.ask("analysis")
        await stage.ask("move", urgent=True, seconds=1.0)
        assert stage.link("analysis").is_aside
        assert not stage.link("move").is_aside

    play(monkeypatch, 2, scene)


def test_an_analysis_goes_on_while_a_second_solver_waits_for_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene(stage: Stage) -> None:
        await stage.ask("first", type="solve")
        await stage.ask("second", type="solve")
        await stage.ask("analysis")
        await stage.turns_end()
        assert stage.running == {"first", "analysis"}
        assert stage.told_to_stop == {"first"}
        stage.link("first").pause(restarts=True)
        assert stage.running == {"second", "analysis"}

    play(monkeypatch, 2, scene)


def test_an_urgent_search_frees_the_cores_that_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        monkeypatch.setattr(ticket_module, "TURN", 1e9)
        await stage.ask("wide", threads=2)
        await stage.ask("move", urgent=True, seconds=1.0)
        assert stage.told_to_stop == {"wide"}
        stage.link("wide").pause()
        assert stage.running == {"move"}
        stage.link("move").answer(result={})
        assert "wide" in stage.running

    play(monkeypatch, 2, scene)


def test_a_move_on_a_clock_is_never_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        await stage.ask("move", urgent=True, seconds=1.0)
        for name in ("another", "third"):
            await stage.ask(name, urgent=True, seconds=1.0)
        await stage.ask("analysis")
        await stage.turns_end()
        assert stage.told_to_stop == set()
        stage.link("move").answer(result={})
        assert stage.running == {"another"}

    play(monkeypatch, 1, scene)


def test_a_game_that_cannot_be_loaded_is_not_loaded_ahead_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene(stage: Stage) -> None:
        await stage.ask("search")
        stage.link("search").answer(result={})
        assert stage.running == {"warm"}
        stage.link("warm").answer(failed="it has changed")
        await stage.settle()
        assert stage.running == set()

    play(monkeypatch, 2, scene)


def test_a_job_goes_to_the_worker_that_knows_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        workers: dict[str, StillLink] = {}
        for name in ("breakthrough", "tictactoe", "breakthrough", "tictactoe", "tictactoe"):
            await stage.ask(name, place=place(name))
            worker = stage.link(name)
            assert workers.setdefault(name, worker) is worker
            worker.answer(result={})
            stage.link("warm").answer(failed="so that each knows one game only")
        assert len(set(workers.values())) == 2

    play(monkeypatch, 2, scene)


def test_a_new_position_waits_for_the_worker_that_is_about_to_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool_module, "SHORT_WAIT", 1e9)

    async def scene(stage: Stage) -> None:
        await stage.ask("old")
        worker = stage.link("old")
        worker.answer(result={})
        stage.link("warm").answer(failed="only one knows it")
        await stage.ask("old")
        assert worker.name == "old"
        stage.jobs["old"].cancel()
        await stage.ask("new")
        assert stage.running == {"old"}
        worker.pause()
        assert worker.name == "new"

    play(monkeypatch, 2, scene)
