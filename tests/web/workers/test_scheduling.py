"""Which job a worker gets, decided with fake workers that answer when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from plyground.web.catalogue import Catalogue
from plyground.web.workers import pool as pool_module
from plyground.web.workers.pool import WorkerLost, WorkerPool
from plyground.web.workers.process import SearchWorker
from tests.web.workers.job_runner import Message, complete, place


class FakeWorker(SearchWorker):
    """A worker without a process: it does nothing by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.given: Message | None = None
        """The job that it was sent and has not answered."""
        self.is_asked_to_stop = False
        self.is_background = False
        self._number = 0
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def run(self, receive: Callable[[SearchWorker, Message], None]) -> int:
        self._receive = receive
        receive(self, {"ready": True})
        return await self._ended

    def send(self, message: Message) -> None:
        if "run" in message:
            assert self.given is None, "one job at a time"
            self._number, self.given = message["run"], message["job"]
            self.is_background, self.is_asked_to_stop = message["background"], False
        else:
            assert message == {"stop": self._number}
            self.is_asked_to_stop = True

    def kill(self) -> None:
        if not self._ended.done():
            self._ended.set_result(-9)

    @property
    def name(self) -> str | None:
        return None if self.given is None else self.given["name"]

    def say(self, **message: Any) -> None:
        self._receive(self, message)

    def answer(self, **message: Any) -> None:
        self.given = None
        self.say(job=self._number, **message)

    def give_way(self) -> None:
        assert self.is_asked_to_stop
        self.answer(rest=self.given)


class Scene:
    """A pool of fake workers, and jobs with names."""

    def __init__(self, workers: int) -> None:
        self.workers: list[FakeWorker] = []
        self.jobs: dict[str, asyncio.Task[Message]] = {}
        self.ended: list[str] = []
        self.pool = WorkerPool(Catalogue(), workers=workers, new_worker=self._new_worker)

    def _new_worker(self) -> FakeWorker:
        self.workers.append(FakeWorker())
        return self.workers[-1]

    async def ask(self, name: str, *, urgent: bool = False, **job: Any) -> None:
        job = {"place": place("breakthrough"), "name": name, "type": "search", **job}
        job = complete(job)
        self.jobs[name] = asyncio.create_task(self.pool.run(job, urgent=urgent))
        await settle()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(60):
            while not condition():
                await asyncio.sleep(0.001)

    @property
    def running(self) -> set[str]:
        return {worker.name for worker in self.workers if worker.name is not None}

    @property
    def stopping(self) -> set[str]:
        return {each.name for each in self.workers if each.name and each.is_asked_to_stop}

    def worker(self, name: str) -> FakeWorker:
        return next(worker for worker in self.workers if worker.name == name)

    async def interrupt(self, name: str) -> None:
        """Wait until a job is interrupted, and let it give way."""
        await self.until(lambda: name in self.stopping)
        self.worker(name).give_way()


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def several_checks() -> None:
    """Time enough for all turns to end."""
    await asyncio.sleep(0.1)


def play(workers: int, script: Callable[[Scene], Awaitable[None]]) -> None:
    async def run() -> None:
        scene = Scene(workers)
        await scene.pool.start()
        await settle()
        await script(scene)
        for job in scene.jobs.values():
            job.cancel()
        await asyncio.gather(*scene.jobs.values(), return_exceptions=True)
        await scene.pool.close()

    asyncio.run(run())


@pytest.fixture(autouse=True)
def short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "TURN", 0.02)
    monkeypatch.setattr(pool_module, "LONG_TURN", 0.02)
    monkeypatch.setattr(pool_module, "TICK", 0.005)


def test_a_new_job_goes_before_those_that_were_interrupted() -> None:
    async def script(scene: Scene) -> None:
        for name in ("one", "two", "three"):
            await scene.ask(name)
        await scene.interrupt("one")
        assert scene.running == {"two"}
        await scene.ask("four")
        await scene.interrupt("two")
        assert scene.running == {"three"}
        await scene.interrupt("three")
        assert scene.running == {"four"}, "one and two have run before"
        await scene.interrupt("four")
        assert scene.running == {"one"}

    play(1, script)


def test_an_analysis_is_not_interrupted_while_no_job_waits() -> None:
    async def script(scene: Scene) -> None:
        for name in ("one", "two"):
            await scene.ask(name)
        await several_checks()
        assert scene.stopping == set()

    play(2, script)


def test_a_move_interrupts_an_analysis_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "TURN", 1e9)

    async def script(scene: Scene) -> None:
        for name in ("one", "two"):
            await scene.ask(name)
        await scene.ask("move", urgent=True, seconds=1.0)
        assert scene.stopping == {"one"}
        await scene.interrupt("one")
        assert scene.running == {"move", "two"}
        scene.worker("move").answer(result={})
        assert scene.running == {"one", "two"}

    play(2, script)


def test_a_move_interrupts_rather_what_can_be_continued(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "TURN", 1e9)

    async def script(scene: Scene) -> None:
        await scene.ask("tree", type="tree")
        await scene.ask("analysis")
        await scene.ask("move", urgent=True, seconds=1.0)
        assert scene.stopping == {"analysis"}

    play(2, script)


@pytest.mark.parametrize("limit", [{"seconds": 1.0}, {"algorithm": "alpha-beta", "depth": 9}])
def test_a_move_is_never_interrupted(limit: dict[str, Any]) -> None:
    async def script(scene: Scene) -> None:
        await scene.ask("move", urgent=True, **limit)
        for name in ("another", "third"):
            await scene.ask(name, urgent=True, seconds=1.0)
        await scene.ask("analysis")
        await several_checks()
        assert scene.stopping == set()
        scene.worker("move").answer(result={})
        assert scene.running == {"another"}

    play(1, script)


def test_what_would_have_to_start_over_is_interrupted_for_moves_only() -> None:
    async def script(scene: Scene) -> None:
        await scene.ask("textbook", algorithm="minimax", depth=9)
        await scene.ask("analysis")
        await several_checks()
        assert scene.stopping == set()
        await scene.ask("move", urgent=True, seconds=1.0)
        await scene.interrupt("textbook")
        assert scene.running == {"move"}

    play(1, script)


def test_what_has_run_before_waits_longer_than_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "LONG_TURN", 1e9)

    async def script(scene: Scene) -> None:
        await scene.ask("one")
        await scene.ask("two")
        await scene.interrupt("one")
        assert scene.running == {"two"}
        await several_checks()
        assert scene.stopping == set()
        await scene.ask("three")
        await scene.interrupt("two")
        assert scene.running == {"three"}

    play(1, script)


def test_all_but_moves_on_a_clock_run_in_the_background() -> None:
    async def script(scene: Scene) -> None:
        await scene.ask("analysis")
        await scene.ask("move", urgent=True, seconds=1.0)
        assert scene.worker("analysis").is_background
        assert not scene.worker("move").is_background

    play(2, script)


def test_a_second_solver_waits_for_the_first_unless_it_has_to_move() -> None:
    async def script(scene: Scene) -> None:
        await scene.ask("first", type="solve")
        await scene.ask("second", type="solve")
        await scene.ask("analysis")
        await several_checks()
        assert scene.running == {"first", "analysis"}
        assert scene.stopping == set()
        await scene.ask("move", urgent=True, algorithm="perfect")
        await scene.interrupt("first")
        assert scene.running == {"move", "analysis"}

    play(2, script)


def test_a_solver_is_not_interrupted_for_moves_and_analyses() -> None:
    async def script(scene: Scene) -> None:
        await scene.ask("solver", type="solve")
        await scene.ask("one")
        await scene.ask("two")
        await scene.ask("move", urgent=True, seconds=1.0)
        await scene.interrupt("one")
        await several_checks()
        assert scene.running == {"solver", "move"}
        assert scene.stopping == set()

    play(2, script)


def test_a_move_does_not_wait_for_a_worker_that_does_not_stop() -> None:
    async def script(scene: Scene) -> None:
        for name in ("hanging", "analysis"):
            await scene.ask(name)
        scene.jobs["hanging"].cancel()
        await scene.ask("move", urgent=True, seconds=1.0)
        await scene.interrupt("analysis")
        assert scene.running == {"hanging", "move"}

    play(2, script)


def test_a_job_goes_to_the_worker_that_has_its_game() -> None:
    async def script(scene: Scene) -> None:
        workers: dict[str, FakeWorker] = {}
        for name in ("breakthrough", "tictactoe"):
            await scene.ask(name, place=place(name))
            workers[name] = scene.worker(name)
        for worker in workers.values():
            worker.answer(result={})
        for name in ("tictactoe", "breakthrough", "breakthrough", "tictactoe"):
            await scene.ask(name, place=place(name))
            assert scene.worker(name) is workers[name]
            workers[name].answer(result={})

    play(2, script)


def test_a_job_that_was_interrupted_goes_back_to_its_worker() -> None:
    async def script(scene: Scene) -> None:
        await scene.ask("analysis")
        worker = scene.worker("analysis")
        for name in ("move", "cancelled"):
            await scene.ask(name, urgent=True, seconds=1.0)
        scene.jobs["cancelled"].cancel()
        await settle()
        scene.worker("move").answer(result={})
        await scene.interrupt("analysis")
        assert scene.worker("analysis") is worker

    play(2, script)


def test_solvers_go_to_the_worker_that_has_a_solver() -> None:
    async def script(scene: Scene) -> None:
        await scene.ask("analysis")
        await scene.ask("solve", type="solve")
        worker = scene.worker("solve")
        for name in ("solve", "analysis"):
            scene.worker(name).answer(result={})
        await scene.ask("another", type="solve", place=place("tictactoe"))
        assert scene.worker("another") is worker

    play(2, script)


def test_compiling_is_announced_and_gives_a_job_more_time_to_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool_module, "GRACE", 0.0)

    async def script(scene: Scene) -> None:
        messages: list[Message] = []
        job = complete({"type": "search", "place": place("breakthrough"), "name": "new"})
        scene.jobs["new"] = asyncio.create_task(scene.pool.run(job, listen=messages.append))
        await settle()
        (worker,) = scene.workers
        worker.say(compiling="compiling Breakthrough")
        assert messages == [{"type": "notice", "text": "compiling Breakthrough"}]
        await scene.ask("waiting")
        await scene.until(lambda: "new" in scene.stopping)
        await several_checks()
        assert scene.workers == [worker], "it was not killed"
        worker.give_way()
        assert scene.running == {"waiting"}

    play(1, script)


def test_a_worker_that_does_not_stop_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "GRACE", 0.01)

    async def script(scene: Scene) -> None:
        await scene.ask("hanging")
        await scene.ask("waiting")
        with pytest.raises(WorkerLost, match="do the game's rules go on for ever"):
            await scene.jobs["hanging"]
        await scene.until(lambda: len(scene.workers) == 2 and scene.workers[1].name == "waiting")

    play(1, script)


def test_an_error_of_a_listener_ends_its_job_only() -> None:
    def fail(message: Message) -> None:
        raise ValueError("this listener has a defect")

    async def script(scene: Scene) -> None:
        job = complete({"type": "search", "place": place("breakthrough"), "name": "reported"})
        scene.jobs["reported"] = asyncio.create_task(scene.pool.run(job, listen=fail))
        await settle()
        worker = scene.worker("reported")
        worker.say(job=1, progress={"type": "progress"})
        with pytest.raises(ValueError, match="has a defect"):
            await scene.jobs["reported"]
        assert worker.is_asked_to_stop
        worker.give_way()
        await scene.ask("next")
        assert scene.running == {"next"}

    play(1, script)
