"""Tasks one after the other in this process.

A process of its own takes a second to start, which is long for a short run. In return, the reports
of a task come with its end, and a task that ends the process ends everything.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import Any

from plyground.executor.task import (
    Done,
    Event,
    Failed,
    Report,
    Task,
    TaskFunction,
    Work,
    close_function,
    reason_of,
)


class SerialExecutor:
    """One worker: this process."""

    slots = 1

    def run(self, work: Work, tasks: Iterable[Task | None]) -> Generator[Event, None, None]:
        run: TaskFunction | None = None
        try:
            for task in tasks:
                if task is None:
                    return  # nothing runs that could change it
                if run is None:
                    run = work.setup(work.settings)
                yield from _do(task, run)
        finally:
            if run is not None:
                close_function(run)


def _do(task: Task, run: TaskFunction) -> Iterator[Event]:
    reports: list[Any] = []
    end: Done | Failed
    try:
        end = Done(task.id, run(task.payload, reports.append))
    except Exception as error:
        end = Failed(task.id, reason_of(error))
    for value in reports:
        yield Report(task.id, value)
    yield end
