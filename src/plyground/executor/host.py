"""The part of a cluster run that lives in a Dask worker: it lets worker processes do tasks.

A task runs in a child process of the Dask worker, not in one of its threads: it can be ended, it
may crash, Dask's own work does not disturb its clocks, and it has a main thread as on one machine.
What a task tells goes to the client as an event through the scheduler, at once. So nothing that has
been told is lost with a worker.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import current_process
from typing import Any

from plyground.core.processes import kill_trees
from plyground.executor.messages import BEGUN, DONE, ERROR, FAILED, LOST, READY, UNABLE, encode
from plyground.executor.process import WorkerProcess, end_idle
from plyground.executor.task import reason_of

TOPIC = "plyground"
"""Of the events. A scheduler keeps the last events of each topic, so that there is only one."""
INTERVAL = 0.5
"""Seconds between two looks whether a task is still wanted."""
IDLE_SECONDS = 60.0
"""How long processes are kept that have nothing to do: their client may have been killed."""

_starter = ThreadPoolExecutor(1, thread_name_prefix="plyground-starter")
"""Processes end with the thread that has started them, and Dask's threads come and go."""


class _RunOnHost:
    """The processes of a run on this Dask worker."""

    def __init__(self, slots: int) -> None:
        self.free = threading.BoundedSemaphore(slots)
        self.has_ended = False
        self._idle: list[WorkerProcess] = []
        self._busy: list[WorkerProcess] = []
        self._last_used = time.monotonic()
        self._lock = threading.Lock()

    def take(self, pickled_work: bytes) -> tuple[WorkerProcess, bool]:
        """A process that has nothing to do, and whether it has been set up already."""
        with self._lock:
            is_ready = bool(self._idle)
            if is_ready:
                process = self._idle.pop()
            else:
                process = _starter.submit(_start, pickled_work).result()
            self._busy.append(process)
        return process, is_ready

    def put_back(self, process: WorkerProcess) -> None:
        with self._lock:
            self._busy.remove(process)
            self._idle.append(process)
            self._last_used = time.monotonic()

    def remove(self, process: WorkerProcess) -> str:
        """End a process that was taken; how it ended, in words."""
        with self._lock:
            self._busy.remove(process)
        kill_trees([process.pid] if process.is_alive else [])
        return process.bury()

    def end(self) -> None:
        """End all processes; those who have taken one see its end. Those that have nothing to do
        may tidy up."""
        with self._lock:
            self.has_ended = True
            idle, self._idle = self._idle, []
            kill_trees(process.pid for process in self._busy if process.is_alive)
        end_idle(idle)

    def is_abandoned(self) -> bool:
        return not self._busy and time.monotonic() - self._last_used > IDLE_SECONDS


_runs: dict[str, _RunOnHost] = {}
_lock = threading.Lock()


def do_task(pickled_work: bytes, run_name: str, slots: int, key: str, payload: bytes) -> None:
    """What Dask calls: do a task in a process of the run, and tell the client about it."""
    from distributed import get_worker

    dask_worker = get_worker()

    def tell(message: bytes) -> None:
        dask_worker.log_event(TOPIC, [run_name, key, message])

    def is_wanted() -> bool:
        task = dask_worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    run = _find_run(run_name, slots)
    with run.free:
        if run.has_ended or not is_wanted():
            return
        try:
            process, is_ready = run.take(pickled_work)
        except Exception as error:
            tell(encode(UNABLE, reason_of(error)))
            return
        last = READY
        try:
            if is_ready:
                tell(encode(BEGUN, None))
                process.give(payload)
            for message in _messages(process, is_wanted):
                last = message[0]
                if last == READY:
                    is_ready = True
                    tell(encode(BEGUN, None))
                    process.give(payload)
                else:
                    tell(message)
                if last in (DONE, FAILED):
                    run.put_back(process)
                    return
        except BaseException:
            run.remove(process)
            raise
        silence = process.silence
        status = run.remove(process)
        if silence is not None:
            tell(encode(FAILED, silence))
        elif last != ERROR:
            tell(encode(LOST if is_ready else UNABLE, status))


def _messages(process: WorkerProcess, is_wanted: Callable[[], bool]) -> Iterator[bytes]:
    """The messages of a process, until it ends, its task is not wanted any more, or there were none
    for too long."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            while not process.connection.poll(INTERVAL):
                if process.silence is not None or not (process.is_alive and is_wanted()):
                    return
            yield process.receive()


def _start(pickled_work: bytes) -> WorkerProcess:
    """Start a process. Python forbids it to processes that end with their parent, as Dask's workers
    do, because their children would stay; ours end when their channel does."""
    settings: dict[str, Any] = current_process()._config  # type: ignore[attr-defined]
    ends_with_parent = settings.pop("daemon", None)
    try:
        return WorkerProcess(pickled_work)
    finally:
        if ends_with_parent is not None:
            settings["daemon"] = ends_with_parent


def _find_run(name: str, slots: int) -> _RunOnHost:
    with _lock:
        if not _runs:
            threading.Thread(target=_end_abandoned_runs, daemon=True).start()
        return _runs.setdefault(name, _RunOnHost(slots))


def _end_abandoned_runs() -> None:
    while True:
        time.sleep(INTERVAL)
        with _lock:
            names = [name for name, run in _runs.items() if run.is_abandoned()]
            abandoned = [_runs.pop(name) for name in names]
            is_last = not _runs
        for run in abandoned:
            run.end()
        if is_last:
            return


def end_run(name: str) -> None:
    """End the processes of a run on this Dask worker, at once."""
    with _lock:
        run = _runs.get(name)
    if run is not None:
        run.end()


def unchanged(pickled_work: bytes) -> bytes:
    """As a Dask task, it makes the work known to all workers, and again if those are lost that have
    it."""
    return pickled_work
