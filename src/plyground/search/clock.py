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
* Expected waits. A long time between two polls means that the thread waited for a core. The longest
  wait is expected to come again, in this search and in the next; with more threads ready to run
  than there are cores, a wait is expected before the first one came (`SearchDeadlines`).
* No garbage collection during a timed move, and short ones between moves
  (`garbage_collection.py`).

Monte Carlo search (`montecarlo.py`) has the reserve, always that of a busy machine, and no garbage
collection. It reads the clock between batches of simulations, and runs in its caller's thread: it
does without the deadline thread, and so without affinity and expected waits. A wait for a core that
is longer than the reserve makes its move late.
"""

from __future__ import annotations

import _thread
import os
import threading
from collections.abc import Callable, Iterable
from typing import Any

from plyground.search.binding.native import native
from plyground.search.binding.pointers import field
from plyground.search.kernel_memory import DEADLINE, LAST_POLL, LONGEST_WAIT, STOPPED
from plyground.search.system_clock import NANOSECONDS, now, read_clock
from plyground.search.thread_cores import WakeupCore

LARGEST_RESERVE = 0.015
"""Seconds of a time limit that no kernel uses, at most: for what is left to do after a kernel has
stopped, and for a wait longer than those before, as when another program starts during a move or a
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

LARGEST_WAIT = 0.2
"""The largest part of a time limit that a thread is expected to wait, however long it had to."""
WAIT_MEMORY = 0.9
"""How much of the longest wait is expected again in the next search: waits come in clusters of a
few seconds. To expect them for longer, or longer ones, costs far more depth than it makes moves
punctual."""
BUSY_WAIT = 0.2
"""The part of a time limit that a thread is expected to wait at least, while more threads are ready
to run than there are cores. Of 2,000 moves of 75 ms beside two busy processes one was late when
only waits already met were expected again."""

SHORT_SLEEP = NANOSECONDS // 1000


# Polling


@native
def poll_clock(memory_at: Any) -> None:
    """Set STOPPED when the deadline comes near, if there is one.

    A thread may have to wait for a core when time is up, and longer than it had to before. So it
    stops before the deadline, by half as much again as its longest wait.
    """
    settings = field(memory_at, "settings")
    if settings[DEADLINE] == 0:
        return
    counters = field(memory_at, "counters")
    time = now()
    counters[LONGEST_WAIT] = max(counters[LONGEST_WAIT], time - counters[LAST_POLL])
    counters[LAST_POLL] = time
    if time + 3 * counters[LONGEST_WAIT] // 2 >= settings[DEADLINE]:
        counters[STOPPED] = 1


# Deadlines


def reserve_seconds(seconds: float, *, busy: bool) -> float:
    """How much of a time limit no kernel uses. Half of it is left when the caller stops waiting."""
    least = min(LEAST_RESERVE, SHORT_RESERVE * seconds)
    return min(LARGEST_RESERVE, max(least, (BUSY_RESERVE if busy else RESERVE) * seconds))


class SearchDeadlines:
    """The deadlines of one search after another, and the waits that they met."""

    def __init__(self) -> None:
        self.started = 0
        self.answer_deadline: int | None = None
        """When the caller stops waiting; None without a time limit."""
        self._limit: float | None = None
        self._reserve = 0.0
        self._is_busy = False
        self._expected_wait = 0

    @property
    def elapsed(self) -> float:
        """Seconds since the search has started."""
        return (read_clock() - self.started) / NANOSECONDS

    def start(self, seconds: float | None) -> None:
        """A search starts now, with this time limit or none."""
        self.started = read_clock()
        self._limit = seconds
        self.answer_deadline = None
        if seconds is not None:
            self._is_busy = is_machine_busy()
            self._reserve = reserve_seconds(seconds, busy=self._is_busy)
            self.answer_deadline = self._at(seconds - self._reserve / 2)

    def set_deadline(self, memories: Iterable[Any]) -> None:
        """Write the deadline of the kernels and the expected wait into their memories."""
        deadline, wait = 0, 0
        if self._limit is not None:
            deadline = self._at(self._limit - self._reserve)
            wait = min(self._expected_wait, int(LARGEST_WAIT * self._limit * NANOSECONDS))
            if self._is_busy:
                wait = max(wait, int(BUSY_WAIT * self._limit * NANOSECONDS))
        for memory in memories:
            memory.settings[DEADLINE] = deadline
            memory.counters[LAST_POLL] = self.started
            memory.counters[LONGEST_WAIT] = wait

    def start_polling(self, memory: Any) -> None:
        """A kernel starts: the time since its last poll was no wait."""
        memory.counters[LAST_POLL] = read_clock()

    def note_missing_poll(self, memory: Any) -> None:
        """A kernel has not ended in time: it has been waiting since its last poll."""
        counters = memory.counters
        waited = read_clock() - int(counters[LAST_POLL])
        counters[LONGEST_WAIT] = max(int(counters[LONGEST_WAIT]), waited)

    def note_waits(self, memories: Iterable[Any]) -> None:
        """The search is answered: expect its longest wait again."""
        longest = max(int(memory.counters[LONGEST_WAIT]) for memory in memories)
        self._expected_wait = int(WAIT_MEMORY * longest)

    def _at(self, seconds: float) -> int:
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
