"""The results of tasks in the order of the tasks, whichever is done first."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from typing import Any

from plyground.core.errors import PlygroundError
from plyground.executor.task import Done, Executor, Failed, Task, Work


class TaskFailed(PlygroundError):
    """A task without whose result the others are worth nothing has failed."""


def in_order(executor: Executor, work: Work, payloads: Iterable[Any]) -> Generator[Any, None, None]:
    """What the tasks return, one task for each payload. Raises TaskFailed."""
    tasks = (Task(str(number), payload) for number, payload in enumerate(payloads))
    early: dict[str, Any] = {}
    following = 0
    with closing(executor.run(work, tasks)) as events:
        for event in events:
            if isinstance(event, Failed):
                raise TaskFailed(event.reason)
            if isinstance(event, Done):
                early[event.task] = event.value
            while str(following) in early:
                yield early.pop(str(following))
                following += 1
