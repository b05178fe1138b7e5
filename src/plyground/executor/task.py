"""Tasks, what is told about them while they run, and the interface of an executor.

An executor gives out tasks to workers and yields what they tell, as it happens. It keeps nothing:
the caller stores what must survive.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from plyground.core.errors import PlygroundError

ATTEMPTS = 2
"""How often a task is given out if its worker is lost."""


@dataclass(frozen=True)
class Task:
    """One unit of work."""

    id: str
    """Deterministic, and unique in a run."""
    payload: Any
    """Picklable. A game is given as `Game`, not as a path: a cluster sends its files along."""


@dataclass(frozen=True)
class Report:
    """What a worker tells while it works on a task: a finished game, a position."""

    task: str
    value: Any


@dataclass(frozen=True)
class Done:
    """The value that the function of a task returned."""

    task: str
    value: Any


@dataclass(frozen=True)
class Failed:
    """The task could not be done: its worker was lost twice, it raised an exception, or it reported
    nothing for too long."""

    task: str
    reason: str


Event = Report | Done | Failed
Tell = Callable[[Any], None]
"""With it, a task reports."""
TaskFunction = Callable[[Any, Tell], Any]
"""`run(payload, report) -> value`: does one task. If it has a method `close`, that is called after
the last task of its worker; not if the worker is ended."""


@dataclass(frozen=True)
class Work:
    """What the tasks of a run have in common."""

    setup: Callable[[Any], TaskFunction]
    """A function of a module. It is called once in each worker, with `settings`, and returns the
    function that does tasks. A PlygroundError that it raises is raised by `Executor.run`."""
    settings: Any
    """Picklable."""
    patience: float | None = None
    """Seconds. A task that reports nothing for longer never will: its worker is ended, and it has
    failed. None: it may take as long as it likes."""


class WorkersLost(PlygroundError):
    """Tasks are left, but no worker that could do them."""


class Executor(Protocol):
    """Where tasks run."""

    @property
    def slots(self) -> int:
        """How many tasks run at the same time."""

    def run(self, work: Work, tasks: Iterable[Task | None]) -> Generator[Event, None, None]:
        """Do tasks, and yield what is told about them.

        A task is taken from `tasks` only when a worker is free, after all earlier events have been
        consumed, so that tasks may depend on results. None instead of a task means that there is
        none at the moment: `tasks` is asked again after the next event. If no task is running then,
        there will be no event, and the run ends.

        A task ends with exactly one Done or Failed, and its reports come before that, in order. The
        worker of a task may be lost; then the task is given out once more from its beginning, so
        that reports may come twice. A task that reports nothing for longer than the work allows is
        not: it would take as long again. Where tasks run in this process they are not watched.

        Closing the generator ends all workers at once.
        """


def close_function(run: TaskFunction) -> None:
    """There is no other task for the function: let it release what it holds, such as programs."""
    close = getattr(run, "close", None)
    if close is not None:
        with contextlib.suppress(OSError):
            close()


def reason_of(error: BaseException) -> str:
    """An exception in one line. An error of the user's says all by itself."""
    text = " ".join(str(error).split())
    if isinstance(error, PlygroundError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
