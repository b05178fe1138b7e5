"""Tasks on this machine: one process for each worker, each on cores of its own."""

from __future__ import annotations

import pickle
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import wait

from plyground.core.processes import kill_trees
from plyground.executor.cores import share_cores
from plyground.executor.messages import DONE, ERROR, FAILED, READY, REPORT, decode
from plyground.executor.process import WorkerProcess, end_idle
from plyground.executor.task import ATTEMPTS, Done, Event, Failed, Report, Task, Work, WorkersLost

INTERVAL = 0.2
"""Seconds that a wait lasts: on Windows, Ctrl-C does not end one."""
MOST_WORKERS = 60 if sys.platform == "win32" else 512
"""Windows waits for 63 channels at most."""


@dataclass(eq=False)
class _Worker:
    process: WorkerProcess
    cores: tuple[int, ...]
    task: Task | None
    """The task that it works on, or waits for while it starts."""
    is_ready: bool = False


class LocalExecutor:
    """Processes of this machine. Each runs one task at a time.

    `cores_each` is the number of threads that a task uses: with `pin`, a worker is bound to so many
    cores of its own, if there are enough for all. docs/cluster.md has what a task costs beyond its
    own time.
    """

    def __init__(self, workers: int, *, pin: bool = True, cores_each: int = 1) -> None:
        assert workers >= 1
        assert cores_each >= 1
        self.slots = workers
        self._pin = pin
        self._cores_each = cores_each

    def run(self, work: Work, tasks: Iterable[Task | None]) -> Generator[Event, None, None]:
        pool = _Pool(work, iter(tasks), self._places())
        try:
            yield from pool.events()
        finally:
            pool.close()

    def _places(self) -> list[tuple[int, ...]]:
        return share_cores(self.slots, self._cores_each) if self._pin else [()] * self.slots


class _Pool:
    """The workers of one run."""

    def __init__(
        self, work: Work, tasks: Iterator[Task | None], places: list[tuple[int, ...]]
    ) -> None:
        self._work = pickle.dumps(work)
        self._tasks = tasks
        self._places = places
        """Cores of the workers that have not been started, one entry each."""
        self._returned: deque[Task] = deque()
        """Tasks whose worker ended before it began with them."""
        self._attempts: dict[str, int] = {}
        """How often the worker of a task was lost."""
        self._workers: list[_Worker] = []
        self._starter = ThreadPoolExecutor(1)
        """The thread that starts workers. The system ends them with that thread, and the thread of
        the consumer may be another one for each event."""
        self._lost = ""
        """How a worker ended that could not begin."""

    def events(self) -> Iterator[Event]:
        self._give_out()
        while any(worker.task for worker in self._workers):
            ready = set(wait([worker.process.connection for worker in self._workers], INTERVAL))
            # If a worker left its end of the channel to another process, its end is not heard.
            for worker in [
                worker
                for worker in self._workers
                if worker.process.connection in ready or not (ready or worker.process.is_alive)
            ]:
                event = self._receive(worker)
                if event is not None:
                    yield event
                    self._give_out()
            for worker in [worker for worker in self._workers if worker.task and worker.is_ready]:
                silence = worker.process.silence
                if silence is not None:
                    yield self._end_silent(worker, silence)
                    self._give_out()
        end_idle([worker.process for worker in self._workers])
        self._workers.clear()

    def close(self) -> None:
        """End the workers and their descendants."""
        # In this order: workers end with the thread that started them, and then their children
        # could not be found any more.
        self._starter.submit(int).result()  # it may be starting one
        kill_trees(worker.process.pid for worker in self._workers if worker.process.is_alive)
        self._starter.shutdown()
        for worker in self._workers:
            worker.process.bury()
        self._workers.clear()

    def _give_out(self) -> None:
        """Give a task to every worker that is free, and start workers for more."""
        idle = [worker for worker in self._workers if worker.task is None]
        while idle or self._places:
            task = self._returned.popleft() if self._returned else next(self._tasks, None)
            if task is None:
                return
            if idle:
                self._assign(idle.pop(0), task)
            else:
                self._starter.submit(self._start, self._places.pop(0), task).result()
        if not self._workers:
            raise WorkersLost(
                f"no worker could begin: {self._lost}; plyground doctor tells what is wrong"
            )

    def _start(self, cores: tuple[int, ...], task: Task) -> None:
        self._workers.append(_Worker(WorkerProcess(self._work, cores), cores, task))

    def _assign(self, worker: _Worker, task: Task) -> None:
        worker.task = task
        if worker.is_ready:
            worker.process.give(pickle.dumps(task.payload))

    def _receive(self, worker: _Worker) -> Event | None:
        try:
            if not worker.process.connection.poll():
                return self._replace(worker)  # it has ended and left its channel open
            kind, value = decode(worker.process.receive())
        except (EOFError, OSError):
            return self._replace(worker)
        if kind == ERROR:
            raise value
        task = worker.task
        assert task is not None
        if kind == READY:
            worker.is_ready = True
            self._assign(worker, task)
            return None
        if kind == REPORT:
            return Report(task.id, value)
        worker.task = None
        self._attempts.pop(task.id, None)
        assert kind in (DONE, FAILED)
        return Done(task.id, value) if kind == DONE else Failed(task.id, value)

    def _end_silent(self, worker: _Worker, reason: str) -> Event:
        """End a worker whose task would never end. The next task gets another one."""
        self._workers.remove(worker)
        kill_trees([worker.process.pid])
        worker.process.bury()
        self._places.append(worker.cores)
        assert worker.task is not None
        self._attempts.pop(worker.task.id, None)
        return Failed(worker.task.id, reason)

    def _replace(self, worker: _Worker) -> Event | None:
        """A worker has ended. Its task is tried once more in a new one. A worker that ended before
        its first task is not replaced: the next one would end as well."""
        self._workers.remove(worker)
        status = worker.process.bury()
        task = worker.task
        if not worker.is_ready:
            self._lost = status
            if task is not None:
                self._returned.append(task)
            self._give_out()
            return None
        if task is None:
            self._places.append(worker.cores)
            return None
        self._attempts[task.id] = self._attempts.get(task.id, 0) + 1
        if self._attempts[task.id] < ATTEMPTS:
            self._starter.submit(self._start, worker.cores, task).result()
            return None
        self._places.append(worker.cores)
        del self._attempts[task.id]
        return Failed(task.id, f"its worker ended {ATTEMPTS} times: {status}")
