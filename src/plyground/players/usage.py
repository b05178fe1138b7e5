"""CPU time, waiting time and memory of processes, as Linux reports them.

How a move is timed: the clock runs from the question to the answer, and the time in which the
program was ready to run but waited for a core is taken off. So CPU time decides who is late, and
sleeping counts as well. Three rules keep a program from gaining time by waiting:

* Waiting is excused only as far as the program did not compute itself: waiting caused by its own
  threads and processes is not excused.
* Of several threads the longest wait counts, not the sum: a program could start threads that only
  wait.
* All CPU time of all its processes must fit in the time for a move (`Choice.charged_seconds`).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

Thread = tuple[int, int]
"""The numbers of a process and of one of its threads."""
PROCESS_CLOCK = 2
"""In the number of a clock: the CPU time of a process, see clock_getcpuclockid(3)."""
PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = 1 / os.sysconf("SC_CLK_TCK")
"""Seconds: the unit in which the CPU time of ended processes is counted."""


@dataclass(frozen=True)
class Usage:
    """The resources that a program and its descendants have used so far; times are in seconds."""

    waits: Mapping[Thread, float]
    """How long each thread was ready to run and waited for a core."""
    referee_waited: float
    """The same for the thread that asks the program."""
    computed: float
    """CPU time of all processes on all cores."""
    memory: int = 0
    """Bytes that all processes hold now."""

    @classmethod
    def read(cls, root: int) -> Usage:
        """`root` is the process that all others of the program descend from."""
        waits: dict[Thread, float] = {}
        computed, memory, pending = 0.0, 0, [root]
        while pending:
            process = pending.pop()
            computed += _cpu_time(process) + _cpu_time_of_ended_children(process)
            memory += _memory(process)
            for thread in _threads(process):
                waits[process, thread] = time_waited(process, thread)
                pending += _children(process, thread)
        referee = time_waited(os.getpid(), threading.get_native_id())
        return cls(waits, referee, computed, memory)

    def excused(self, before: Usage, seconds: float) -> float:
        """The part of the seconds since `before` that is taken off the program's time."""
        longest = max(
            (waited - before.waits.get(thread, 0.0) for thread, waited in self.waits.items()),
            default=0.0,
        )
        waited = self.referee_waited - before.referee_waited + longest
        return max(0.0, min(waited, seconds - (self.computed - before.computed)))


def time_waited(pid: int, thread: int) -> float:
    """Seconds that a thread was ready to run and waited for a core so far; 0 if unknown."""
    try:
        return int(_read(f"/proc/{pid}/task/{thread}/schedstat").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def killed_for_memory() -> int:
    """How many processes this machine has ended so far for lack of memory; 0 if unknown."""
    try:
        words = Path("/proc/vmstat").read_text().split()
        return int(words[words.index("oom_kill") + 1])
    except (OSError, ValueError):
        return 0


def _read(place: str) -> bytes:
    """A short file in /proc. Reading it as text would take longer."""
    descriptor = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 1 << 14)
    finally:
        os.close(descriptor)


def _cpu_time(pid: int) -> float:
    try:
        return time.clock_gettime((~pid << 3) | PROCESS_CLOCK)
    except (OSError, OverflowError):
        return 0.0


def _cpu_time_of_ended_children(pid: int) -> float:
    try:
        after_name = _read(f"/proc/{pid}/stat").rpartition(b")")[2]
        user, system = after_name.split()[13:15]
        return (int(user) + int(system)) * TICK
    except (OSError, ValueError):
        return 0.0


def _memory(pid: int) -> int:
    try:
        return int(_read(f"/proc/{pid}/statm").split()[1]) * PAGE
    except (OSError, ValueError, IndexError):
        return 0


def _threads(pid: int) -> list[int]:
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


def _children(pid: int, thread: int) -> list[int]:
    """The processes that a thread has started."""
    try:
        return [int(child) for child in _read(f"/proc/{pid}/task/{thread}/children").split()]
    except (OSError, ValueError):
        return []
