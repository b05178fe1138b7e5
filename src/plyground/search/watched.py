"""Work in a thread of its own, which whoever waits for it can stop waiting for.

A kernel looks at the clock by itself, but a thread that has no core looks at nothing, and on a
shared machine that may last for tens of milliseconds. Seldom are two cores taken at once. So
whoever has to answer in time does not search but sleeps, and is woken by a timer on another core.
"""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable

from plyground.search.clock import NANOSECONDS, read_clock

SHORT_NAP = NANOSECONDS // 1000


class Watched:
    """Work that begins at once."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._ended = threading.Event()
        self._error: BaseException | None = None
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
            self._ended.set()
