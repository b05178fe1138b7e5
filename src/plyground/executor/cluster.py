"""Tasks on a Dask cluster.

Dask only runs them. Which worker does which task, how often a task is tried and what has arrived is
decided and known here: a task is sent to one Dask worker, with few ahead of those that run.
"""

from __future__ import annotations

import contextlib
import logging
import time
import uuid
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Self, TypeVar

from plyground.core.errors import PlygroundError
from plyground.executor import messages
from plyground.executor.host import TOPIC, do_task, end_run, unchanged
from plyground.executor.identity import difference, identity
from plyground.executor.messages import decode
from plyground.executor.shipping import pickle_for_others
from plyground.executor.task import (
    ATTEMPTS,
    Done,
    Event,
    Failed,
    Report,
    Task,
    Work,
    WorkersLost,
    reason_of,
)

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 10.0
"""How long a scheduler may take to answer."""
PATIENCE = 60.0
"""Seconds to wait for a first worker, and for another one when all are lost."""
INTERVAL = 0.2
"""Seconds that a wait lasts."""
REFRESH_SECONDS = 1.0
"""Seconds between two looks at the workers of the cluster."""
LATEST_SECONDS = 10.0
"""How long after its end a task's result may arrive: it was sent before."""
MOST_LOSSES = 10
"""How often a task is sent again whose worker was lost, perhaps before it had the task."""
AHEAD = 1
"""Tasks that wait at each worker, so that it does not wait for the network."""

CallResult = TypeVar("CallResult")

log = logging.getLogger("plyground.cluster")


class ClusterError(PlygroundError):
    """The cluster does not answer, or cannot be used."""


class ClusterExecutor:
    """The workers of a Dask cluster, `cores_each` of their threads for a task."""

    def __init__(
        self, address: str, *, cores_each: int = 1, ahead: int = AHEAD, patience: float = PATIENCE
    ) -> None:
        self._address = address
        self._cores_each = cores_each
        self._ahead = ahead
        self._patience = patience
        self._client = _connect(address)
        try:
            self._wait_for_worker()
        except BaseException:
            self.close()
            raise

    @property
    def slots(self) -> int:
        """How many tasks run at the same time, with the workers of this moment."""
        return sum(self.slots_by_worker().values())

    def run(self, work: Work, tasks: Iterable[Task | None]) -> Generator[Event, None, None]:
        run = _ClusterRun(self, self._client, work, iter(tasks), self._ahead)
        try:
            yield from run.events(self._patience)
        finally:
            run.close()

    def slots_by_worker(self) -> dict[str, int]:
        """How many tasks each worker can do at the same time, by its address."""
        threads = self.call(lambda: self._client.nthreads())
        slots = {worker: count // self._cores_each for worker, count in threads.items()}
        return {worker: count for worker, count in slots.items() if count}

    def call(self, function: Callable[[], CallResult]) -> CallResult:
        """Call a function of Dask. Raises ClusterError if the scheduler does not answer."""
        try:
            return function()
        except Exception as error:
            if self.is_connected and not isinstance(error, OSError):
                raise
            raise self.lost() from None

    def lost(self) -> ClusterError:
        return ClusterError(f"the scheduler at {self._address} does not answer any more")

    @property
    def is_connected(self) -> bool:
        return bool(self._client.status == "running")

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._client.close(timeout=2 if self.is_connected else 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _wait_for_worker(self) -> None:
        until = time.monotonic() + self._patience
        while not self.slots_by_worker():
            if time.monotonic() > until:
                raise self.no_workers()
            time.sleep(INTERVAL)

    def no_workers(self) -> ClusterError:
        threads = "" if self._cores_each == 1 else f" with {self._cores_each} threads"
        return ClusterError(
            f"the cluster at {self._address} has no worker{threads}; start one with:"
            f" dask worker {self._address} --nthreads {self._cores_each}"
        )


def _connect(address: str) -> Client:
    try:
        from distributed import Client
        from distributed.comm import resolve_address
    except ImportError:
        raise ClusterError(
            "a cluster needs Dask: pip install 'plyground[cluster]' (the same on every worker)"
        ) from None
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":  # errors are told in a line of our own
            logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        resolve_address(address)  # a Client that is given no address cannot be closed
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="plyground")
    except (OSError, ValueError) as error:
        why = "" if isinstance(error, TimeoutError) or not str(error) else f" ({error})"
        raise ClusterError(
            f"no Dask scheduler answers at {address}{why}; an address is written as"
            " tcp://HOST:8786, and dask scheduler prints it"
        ) from None


@dataclass(eq=False)
class _Host:
    """A Dask worker."""

    slots: int
    keys: set[str] = field(default_factory=set)
    """Of the tasks that were sent to it."""
    is_able: bool = True
    """Whether its processes can begin."""

    @property
    def load(self) -> float:
        return len(self.keys) / self.slots


@dataclass(eq=False)
class _Flight:
    """A task that was sent to a worker."""

    task: Task
    host: _Host
    future: Future
    has_begun: bool = False
    """Whether a process had it. If not, the loss of its worker was not its doing."""
    ended_at: float | None = None
    """When Dask said that it is over."""


class _ClusterRun:
    """What is where in one run."""

    def __init__(
        self,
        cluster: ClusterExecutor,
        client: Client,
        work: Work,
        tasks: Iterator[Task | None],
        ahead: int,
    ) -> None:
        self._cluster = cluster
        self._client = client
        self._tasks = tasks
        self._ahead = ahead
        self._name = f"plyground-{uuid.uuid4().hex}"
        self._pickled_work = pickle_for_others(work)
        self._work: Future | None = None
        self._hosts: dict[str, _Host] = {}
        """By their addresses."""
        self._flights: dict[str, _Flight] = {}
        """By their keys."""
        self._sent = 0
        self._returned: deque[Task] = deque()
        """Tasks to be given out again."""
        self._losses: Counter[str] = Counter()
        """How often the worker of a task was lost."""
        self._attempts: Counter[str] = Counter()
        """How often it was while it did the task."""
        self._futures: dict[str, Future] = {}
        """Those that Dask has not ended. It forgets one that is not kept."""
        self._has_begun = False
        """Whether a process of any worker could begin. If none could, waiting does not help."""
        self._unable: PlygroundError | None = None
        """Why a worker cannot be given tasks."""
        self._inbox: SimpleQueue[tuple[str, bytes | None]] = SimpleQueue()
        """Messages, each with the key of its task; None: Dask says that the task is over."""

    def events(self, patience: float) -> Iterator[Event]:
        self._client.subscribe_topic(TOPIC, self._hear)
        refreshed = able_seen = time.monotonic()
        self._refresh()
        self._give_out()
        while not self._is_over():
            with contextlib.suppress(Empty):
                event = self._receive(*self._inbox.get(timeout=INTERVAL))
                if event is not None:
                    yield event
                self._give_out()
            now = time.monotonic()
            if self._able:
                able_seen = now
            elif now - able_seen > patience or (self._hosts and not self._has_begun):
                raise self._nobody_able()
            if now - refreshed > REFRESH_SECONDS:
                yield from self._refresh()
                self._give_out()
                refreshed = now

    def _is_over(self) -> bool:
        """Whether nothing runs and no task is left. While no worker is able, no task is taken for
        one: so one is taken here, to wait for a worker."""
        if self._flights or self._returned:
            return False
        task = next(self._tasks, None)
        if task is not None:
            self._returned.append(task)
        return task is None

    def close(self) -> None:
        """End the processes of this run on all workers."""
        with contextlib.suppress(Exception):
            if self._cluster.is_connected:
                self._client.unsubscribe_topic(TOPIC)
                self._client.cancel(list(self._futures.values()))
                self._client.run(end_run, self._name, on_error="ignore")
        self._futures.clear()
        self._work = None

    # Workers

    @property
    def _able(self) -> dict[str, _Host]:
        """The workers that can be given tasks."""
        return {address: host for address, host in self._hosts.items() if host.is_able}

    def _nobody_able(self) -> PlygroundError:
        return (self._unable if self._hosts else None) or self._cluster.no_workers()

    def _refresh(self) -> list[Event]:
        """Look at the workers of the cluster. The failures of tasks that were lost."""
        slots = self._cluster.slots_by_worker()
        self._admit({worker: slots[worker] for worker in slots.keys() - self._hosts.keys()})
        failures = []
        for address in self._hosts.keys() - slots.keys():
            host = self._hosts.pop(address)
            failures += [self._lose(key, f"{address} was lost") for key in list(host.keys)]
        now = time.monotonic()
        for key, flight in list(self._flights.items()):
            if flight.ended_at is not None and now - flight.ended_at > LATEST_SECONDS:
                failures.append(self._lose(key, "its result did not arrive"))
        return [failure for failure in failures if failure is not None]

    def _admit(self, slots: Mapping[str, int]) -> None:
        """Use workers from now on. If one differs from this machine, raises ClusterError before the
        first task; later the worker is named, and gets no tasks."""
        if not slots:
            return
        answers = self._cluster.call(
            lambda: self._client.run(identity, workers=list(slots), on_error="return")
        )
        for address, answer in answers.items():
            if isinstance(answer, OSError):  # it has gone
                continue
            if isinstance(answer, Exception):
                why: str | None = f"cannot load plyground ({reason_of(answer)})"
            else:
                why = difference(identity(), answer)
            host = self._hosts[address] = _Host(slots[address])
            if why is not None:
                differs = ClusterError(
                    f"the worker {address} differs: {why}; install the same plyground, and the"
                    " same Python, on all machines"
                )
                if not self._sent:
                    raise differs
                host.is_able = False
                self._unable = differs
                log.warning("%s; it gets no tasks", differs)

    # Tasks

    def _give_out(self) -> None:
        """Send tasks, to the workers that have least to do, until all have enough."""
        while True:
            able = self._able
            if not able:
                return
            address, host = min(able.items(), key=lambda item: (item[1].load, item[0]))
            if len(host.keys) >= host.slots + self._ahead:
                return
            task = self._returned.popleft() if self._returned else next(self._tasks, None)
            if task is None:
                return
            self._send(task, address, host)

    def _send(self, task: Task, address: str, host: _Host) -> None:
        self._sent += 1
        key = f"{self._name}-{self._sent}"
        payload = pickle_for_others(task.payload)

        def submit() -> Future:
            if self._work is None:
                with warnings.catch_warnings(action="ignore"):  # about its size
                    self._work = self._client.submit(
                        unchanged, self._pickled_work, key=f"{self._name}-work", pure=False
                    )
            return self._client.submit(
                do_task,
                self._work,
                self._name,
                host.slots,
                key,
                payload,
                key=key,
                pure=False,
                workers=[address],
                allow_other_workers=False,
            )

        future = self._cluster.call(submit)
        host.keys.add(key)
        self._flights[key] = _Flight(task, host, future)
        self._futures[key] = future
        future.add_done_callback(lambda _: self._inbox.put((key, None)))

    def _hear(self, event: tuple[float, tuple[str, str, bytes]]) -> None:
        name, key, message = event[1]
        if name == self._name:
            self._inbox.put((key, bytes(message)))

    def _receive(self, key: str, message: bytes | None) -> Event | None:
        if message is None:
            return self._end(key)
        flight = self._flights.get(key)
        if flight is None:  # it was given up before
            return None
        kind, value = decode(message)
        match kind:
            case messages.ERROR:
                raise value
            case messages.BEGUN:
                flight.has_begun = self._has_begun = True
                return None
            case messages.REPORT:
                return Report(flight.task.id, value)
            case messages.LOST:
                return self._lose(key, value)
            case messages.UNABLE:
                self._disable(flight.host, value)
                return None
        self._remove(key)
        assert kind in (messages.DONE, messages.FAILED)
        if kind == messages.FAILED:
            return Failed(flight.task.id, value)
        return Done(flight.task.id, value)

    def _end(self, key: str) -> Event | None:
        """Dask says that a task is over. Its result was sent before, and has arrived in general."""
        future, flight = self._futures.pop(key, None), self._flights.get(key)
        if future is None or flight is None:
            return None
        if future.status == "finished":
            flight.ended_at = time.monotonic()
            return None
        if not self._cluster.is_connected:
            raise self._cluster.lost()
        how = reason_of(future.exception()) if future.status == "error" else future.status
        return self._lose(key, how)

    def _lose(self, key: str, how: str) -> Failed | None:
        """The worker of a task was lost: give the task out once more, or let it fail."""
        flight = self._remove(key)
        self._futures.pop(key, None)
        self._cluster.call(flight.future.cancel)
        task = flight.task
        self._losses[task.id] += 1
        self._attempts[task.id] += flight.has_begun
        if self._attempts[task.id] < ATTEMPTS and self._losses[task.id] < MOST_LOSSES:
            self._returned.append(task)
            return None
        return Failed(task.id, f"its worker ended {ATTEMPTS} times: {how}")

    def _disable(self, host: _Host, how: str) -> None:
        """The processes of a worker cannot begin: give it no more tasks."""
        host.is_able = False
        for key in list(host.keys):
            flight = self._remove(key)
            self._cluster.call(flight.future.cancel)
            self._returned.append(flight.task)
        self._unable = WorkersLost(f"no worker could begin: {how}; their own logs tell why")

    def _remove(self, key: str) -> _Flight:
        flight = self._flights.pop(key)
        flight.host.keys.remove(key)
        return flight
