"""Time limits: when a kernel stops, and when its caller gets an answer.

A move of the engine is in time because of these parts:

* A kernel polls the clock itself, with Python's lock released (`poll_clock`). A call takes some
  20 ns, and a deadline is seen within a fraction of a millisecond while the kernel has a core.
* A reserve: a kernel uses all of a time limit but a part, which is larger on a busy machine
  (`reserve_seconds`).
* A deadline thread. A thread without a core polls nothing, and on a shared machine that may last
  for tens of milliseconds. So a search with a time limit runs in a thread of its own
  (`DeadlineThread`), while the caller sleeps until half of the reserve is used. If the search has
  not ended by then, the depth that it finished last is the answer.
* Affinity: two cores are seldom taken at the same time, so the caller is woken on another core than
  the one where it fell asleep (`WakeupCore`).
* An expected wait. With more threads ready to run than there are cores, a thread has to wait for a
  core now and then, so its kernel stops earlier by the time of such a wait (`SearchDeadlines`).
* Shares of the cores. Threads of one search that wake each other up would be put on the same core
  (`use_share_of_cores`).
* No garbage collection during a timed move, and short ones between moves
  (`garbage_collection.py`).

Monte Carlo search (`montecarlo.py`) has the reserve, always that of a busy machine, and no garbage
collection. It reads the clock between batches of simulations, and runs in its caller's thread: it
does without the deadline thread, and so without affinity and expected waits. A wait for a core that
is longer than the reserve makes its move late.

`python -m benchmarks clock_parts` counts late moves without the reserve, the deadline thread,
affinity, its short sleeps and the expected wait, one at a time; what shares of the cores and
garbage collection change is said where they are defined. To expect the longest wait of this search,
or of the last one, again did not show there: it made no move more punctual, and cost a fifth of the
time where cores are often taken away.
"""

from __future__ import annotations

import _thread
import os
import threading
from collections.abc import Callable
from typing import Any

from plyground.search.binding.native import native
from plyground.search.binding.pointers import field
from plyground.search.kernel_memory import DEADLINE, STOPPED
from plyground.search.system_clock import NANOSECONDS, now, read_clock
from plyground.search.thread_cores import WakeupCore

LARGEST_RESERVE = 0.015
"""Seconds of a time limit that no kernel uses, at most: for what is left to do after a kernel has
stopped, and for a wait that was not expected, as when another program starts during a move or a
virtual machine is not given its core. `python -m benchmarks clock` shows how much is needed."""
RESERVE, BUSY_RESERVE = 0.04, 0.2
"""The part of a short time limit that is the reserve: usually, and while more threads are ready to
run than there are cores. A fifth after every wait of a millisecond, too, made moves hardly more
punctual (`python -m benchmarks clock`), and 83 instead of 91 % of 100 ms were used."""
LEAST_RESERVE, SHORT_RESERVE = 0.004, 0.08
"""Seconds that a reserve has at least, and the part of a very short limit that it has instead. The
host of a virtual machine takes a core for a few milliseconds far more often than for longer, and a
referee does not see less than 10 ms (`players/move_timer.py`): of 17 such pauses of more
than 1.5 ms that CPU time contained, three were longer than 4 ms."""

BUSY_WAIT, LARGEST_WAIT = 0.3, 0.05
"""The wait for a core that is expected while more threads are ready to run than there are cores: a
part of the time limit, and seconds at most."""

SHORT_SLEEP = NANOSECONDS // 1000


# Polling


@native
def poll_clock(memory_at: Any) -> None:
    """Set STOPPED when the deadline has come, if there is one."""
    deadline = field(memory_at, "settings")[DEADLINE]
    if deadline != 0 and now() >= deadline:
        field(memory_at, "counters")[STOPPED] = 1


# Deadlines


def reserve_seconds(seconds: float, *, busy: bool) -> float:
    """How much of a time limit no kernel uses. Half of it is left when the caller stops waiting."""
    least = min(LEAST_RESERVE, SHORT_RESERVE * seconds)
    return min(LARGEST_RESERVE, max(least, (BUSY_RESERVE if busy else RESERVE) * seconds))


class SearchDeadlines:
    """The deadlines of a search: of its kernels, and of its caller. One object serves all searches
    of an engine, one after the other."""

    def __init__(self) -> None:
        self.started = 0
        self.kernel_deadline = 0
        """When kernels stop; 0 without a time limit."""
        self.answer_deadline: int | None = None
        """When the caller stops waiting; None without a time limit."""

    @property
    def elapsed(self) -> float:
        """Seconds since the search has started."""
        return (read_clock() - self.started) / NANOSECONDS

    def start(self, seconds: float | None) -> None:
        """A search starts now, with this time limit or none."""
        self.started = read_clock()
        self.kernel_deadline, self.answer_deadline = 0, None
        if seconds is not None:
            busy = is_machine_busy()
            reserve = reserve_seconds(seconds, busy=busy)
            wait = min(BUSY_WAIT * seconds, LARGEST_WAIT) if busy else 0.0
            self.kernel_deadline = self._after(seconds - reserve - wait)
            self.answer_deadline = self._after(seconds - reserve / 2)

    def _after(self, seconds: float) -> int:
        return self.started + int(seconds * NANOSECONDS)


def is_machine_busy() -> bool:
    """Whether more threads are ready to run right now than there are cores; False where the system
    does not say."""
    try:
        with open("/proc/loadavg") as file:
            running = int(file.read().split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        return False
    return running > (os.cpu_count() or 1)


# Waiting until a deadline


class DeadlineThread:
    """A thread that runs a function at once. One other thread may wait for it until a deadline."""

    def __init__(self, function: Callable[[], None]) -> None:
        self._function = function
        self._ended = threading.Event()
        self._error: BaseException | None = None
        self._wakeup = WakeupCore()
        # threading.Thread would wait here until its thread has a core.
        _thread.start_new_thread(self._run, ())

    def wait(self, deadline: int | None = None) -> bool:
        """Wait until it has ended or the deadline has come; whether it has ended.

        A timer belongs to the core on which it was set, and that core is given to the other thread
        as soon as this one sleeps. When this one wakes up there it gets another core: hence a first
        sleep that is short, and more on the way, in case the other thread moves too.
        """
        if deadline is None:
            return self._ended.wait()
        with self._wakeup:
            sleep = SHORT_SLEEP
            while (left := deadline - read_clock()) > 2 * SHORT_SLEEP:
                if self._ended.wait(sleep / NANOSECONDS):
                    return True
                sleep = (deadline - read_clock()) // 2
            return self._ended.wait(max(0, left) / NANOSECONDS)

    def raise_error(self) -> None:
        """Raise what the function has raised, if it has."""
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self._function()
        except BaseException as error:
            self._error = error
        finally:
            self._wakeup.use_this_core()
            self._ended.set()
