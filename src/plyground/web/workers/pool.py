"""The worker pool: a queue of jobs in front of a few worker processes.

    result = await pool.run({"type": "search", "place": {...}, ...}, urgent=True)

A job is a message of /api/think without its id and what is None in it. `run` returns its result, or
raises a PlygroundError with a sentence for the user; when it is cancelled, it stops the job.
`listen` gets the messages that the socket sends before the result, without id, and
{"type": "notice", "text"} when something takes longer for the first time.

* Moves (`urgent`) start before analyses. If no worker is free, a move interrupts an analysis; a
  move is never interrupted.
* An analysis without limits never ends, and there may be more of them than workers: the thirty of
  the benchmark `web`, or a few open pages. So one that can be continued (`is_resumable`) gives way
  after a while to analyses that wait. It waits again, with what is left of its limits and the
  deepest result so far. Other analyses run to their end, or to the next move.
* Solvers never occupy the last worker, and are interrupted for the move of a solver only.
* A worker that dies, or does not stop when asked to, is replaced. Its job has failed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from plyground.core.errors import PlygroundError
from plyground.executor.cores import usable_cores
from plyground.web.catalogue import Catalogue
from plyground.web.workers.process import Listener, Message, QueuedJob, SearchWorker, why_lost

LEAST_WORKERS = 2
TURN = 0.25
"""Seconds after which an analysis gives way to one that has not run yet: its page shows nothing."""
LONG_TURN = 1.0
"""The same for one that has run before. An analysis that goes on searches its first depths again;
in this time it gets further than it was."""
GRACE = 20.0
"""Seconds in which a job must have stopped. A search takes milliseconds; loading a game's compiled
code takes longer on a busy machine, and cannot be interrupted."""
COMPILING_GRACE = 120.0
"""The same while a game is compiled, here or in another worker that this one waits for."""
OVERTIME = 60.0
"""Seconds beyond its own after which a move on a clock is stopped: its game seems to hang."""
TICK = 0.05
"""Seconds between two checks of what runs."""

CLOSED = "the server has been closed"
HANGS = "the search did not end when it was told to: do the game's rules go on for ever?"


class WorkerLost(PlygroundError):
    """The process of a job has ended before the job."""


class WorkerPool:
    """All workers of a server. Belongs to one event loop."""

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        workers: int | None = None,
        new_worker: Callable[[], SearchWorker] = SearchWorker,
    ) -> None:
        self._catalogue = catalogue
        self._size = workers or max(LEAST_WORKERS, usable_cores())
        self._new_worker = new_worker
        self._workers: dict[SearchWorker, asyncio.Task[None]] = {}
        self._waiting: list[QueuedJob] = []
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    async def start(self) -> None:
        """Start all workers. Jobs may come before they are ready."""
        self._start_workers()

    async def close(self) -> None:
        """End all workers. Jobs that wait or run have failed."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        for worker in self._workers:
            worker.kill()
        await asyncio.gather(*self._workers.values())
        self._fail_waiting(CLOSED)

    async def run(
        self, job: Message, *, urgent: bool = False, listen: Listener | None = None
    ) -> Message:
        """Run a job, as soon as there is a worker for it."""
        if self._closed:
            raise WorkerLost(CLOSED)
        source = self._catalogue.source(job["place"]["game"])
        queued = QueuedJob({**job, "source": source}, urgent=urgent, listen=listen)
        self._waiting.append(queued)
        self._start_workers()
        self._schedule()
        try:
            return await queued.future
        finally:
            self._cancel(queued)

    def _cancel(self, job: QueuedJob) -> None:
        """The result of a job is there, or not wanted any more."""
        job.future.cancel()
        if job in self._waiting:
            self._waiting.remove(job)
        for worker in self._workers:
            if worker.job is job:
                worker.stop()

    @property
    def pids(self) -> list[int]:
        """The processes of all workers."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    @property
    def working(self) -> list[int]:
        """The processes of the workers that run a job. Only tests ask: that a job has been stopped
        cannot be seen from outside."""
        return [worker.pid for worker in self._workers if worker.job and worker.pid is not None]

    # Workers

    def _start_workers(self) -> None:
        """Start as many workers as are missing."""
        for _ in range(self._size - len(self._workers)):
            worker = self._new_worker()
            self._workers[worker] = asyncio.create_task(self._operate(worker))

    async def _operate(self, worker: SearchWorker) -> None:
        """Run one worker process to its end, and replace it then."""
        try:
            status = await worker.run(self._receive)
            reason, lost = f"status {status}", why_lost(status)
        except OSError as error:
            reason = lost = error.strerror or str(error)
        del self._workers[worker]
        if worker.job is not None:
            worker.job.fail(WorkerLost(CLOSED if self._closed else lost))
        if self._closed:
            return
        if worker.is_ready:
            self._start_workers()
        elif not self._workers:  # the next job tries again
            self._fail_waiting(f"the process that searches does not start ({reason})")
        self._schedule()

    def _fail_waiting(self, why: str) -> None:
        for job in self._waiting:
            job.fail(WorkerLost(why))
        self._waiting.clear()

    def _receive(self, worker: SearchWorker, message: Message) -> None:
        """Take a message of a worker; `main.py` lists them."""
        job = worker.job
        if "ready" in message:
            worker.is_ready = True
        elif job is None:
            return
        elif "compiling" in message:
            worker.is_compiling = True
            job.report({"type": "notice", "text": message["compiling"]})
            return
        elif "progress" in message:
            worker.is_compiling = False
            job.report(message["progress"])
            return
        else:
            worker.finish()
            self._end(job, message)
        self._schedule()

    def _end(self, job: QueuedJob, message: Message) -> None:
        """A job is done, has failed or was stopped."""
        if "result" in message:
            job.succeed(message["result"])
        elif "failed" in message:
            job.fail(PlygroundError(message["failed"]))
        elif not job.future.done():
            job.job = message["rest"]
            self._waiting.append(job)

    # Scheduling

    def _schedule(self) -> None:
        """Start the jobs that can start, and interrupt others for those that cannot."""
        if self._closed:
            return
        soon_free = sum(w.is_stopping and w.stopping_for < TURN for w in self._workers)
        for job in sorted(self._waiting, key=lambda job: job.rank):
            may_start = not job.is_solver or self._has_room_for_solver
            idle = [worker for worker in self._workers if worker.is_idle and may_start]
            if idle:
                self._waiting.remove(job)
                max(idle, key=lambda worker: worker.suitability(job)).start(job)
            elif soon_free > 0:
                soon_free -= 1
            else:
                self._interrupt_for(job)
        if self._timer is None and any(worker.job for worker in self._workers):
            self._timer = asyncio.get_running_loop().call_later(TICK, self._tick)

    @property
    def _has_room_for_solver(self) -> bool:
        solvers = sum(worker.job is not None and worker.job.is_solver for worker in self._workers)
        return solvers < max(1, self._size - 1)

    def _interrupt_for(self, job: QueuedJob) -> None:
        """Interrupt a running job for one that waits: one that loses little, if possible."""
        candidates = [
            (running.is_resumable, worker.running_for, worker)
            for worker in self._workers
            if (running := worker.job) is not None and self._may_interrupt(worker, running, job)
        ]
        if candidates:
            max(candidates, key=lambda candidate: candidate[:2])[2].stop()

    def _may_interrupt(self, worker: SearchWorker, running: QueuedJob, job: QueuedJob) -> bool:
        """Whether the job that a worker runs may be interrupted now for one that waits."""
        if worker.is_stopping or running.urgent:
            return False
        if running.is_solver and not job.is_solver:
            return False
        if job.is_solver and not running.is_solver and not self._has_room_for_solver:
            return False
        if job.urgent:
            return True
        turn = LONG_TURN if job.last_run else TURN
        return running.is_resumable and worker.running_for >= turn

    def _tick(self) -> None:
        """Stop moves that never come, and kill workers that do not stop."""
        self._timer = None
        grace = COMPILING_GRACE if any(each.is_compiling for each in self._workers) else GRACE
        for worker in self._workers:
            job = worker.job
            if job is not None and worker.stopping_for > grace:
                job.fail(WorkerLost(HANGS))
                worker.kill()
            elif job and job.is_timed and worker.running_for > job.job["seconds"] + OVERTIME:
                worker.stop()
        self._schedule()
