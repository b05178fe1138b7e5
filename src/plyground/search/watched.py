"""Work in a thread of its own, which whoever waits for it can stop waiting for.

A kernel looks at the clock by itself, but a thread that has no core looks at nothing, and on a
shared machine that may last for tens of milliseconds. Seldom are two cores taken at once. So
whoever has to answer in time does not search but sleeps, and is woken on one core by a timer or on
another one by the search that has ended, whichever is there.
"""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import os
import threading
from collections.abc import Callable

from plyground.search.clock import NANOSECONDS, read_clock

SHORT_NAP = NANOSECONDS // 1000


class Watched:
    """Work that begins at once. One thread may wait for it with a deadline."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._ended = threading.Event()
        self._error: BaseException | None = None
        self._sleeper = Sleeper()
        # threading.Thread would wait here until its thread has a core.
        _thread.start_new_thread(self._run, ())

    def wait(self, deadline: int | None = None) -> bool:
        """Wait until it has ended, or until the clock says so; whether it has ended.

        A timer belongs to the core on which it was set, and that is the very one that the work gets
        when we go to sleep. When we are woken it is taken, so we get another: hence a first nap,
        which is short, and more on the way, in case the work moves too.
        """
        if deadline is None:
            return self._ended.wait()
        with self._sleeper:
            nap = SHORT_NAP
            while (left := deadline - read_clock()) > 2 * SHORT_NAP:
                if self._ended.wait(nap / NANOSECONDS):
                    return True
                nap = (deadline - read_clock()) // 2
            return self._ended.wait(max(0, left) / NANOSECONDS)

    def raise_error(self) -> None:
        """Raise what the work has raised, if it has."""
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self._work()
        except BaseException as error:
            self._error = error
        finally:
            self._sleeper.call_over()
            self._ended.set()


class Sleeper:
    """The thread that sleeps in a `with` block, and on which core it will wake up.

    The system wakes a thread where it fell asleep, if nobody else is there; but that core may be
    one that the machine itself has not got at the moment. The core of whoever wakes it is there.
    Where the system does not let us choose, it wakes up where the system likes.
    """

    def __init__(self) -> None:
        self._thread: int | None = None
        self._cores: set[int] = set()
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if hasattr(os, "sched_setaffinity"):
            self._cores = os.sched_getaffinity(0)
            self._thread = threading.get_native_id()

    def __exit__(self, *problem: object) -> None:
        with self._lock:
            self._thread = None
            if self._cores:
                with contextlib.suppress(OSError):
                    os.sched_setaffinity(0, self._cores)

    def call_over(self) -> None:
        """Have the sleeper wake up on the core of the thread that calls."""
        with self._lock:
            if self._thread is not None:
                with contextlib.suppress(OSError, AttributeError):
                    os.sched_setaffinity(self._thread, {ctypes.CDLL(None).sched_getcpu()})
