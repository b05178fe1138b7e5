"""What the system tells of processes: how long they waited for a core and computed, what they hold.

Of its time only waiting is no fault of a program's own, and only as far as it did not keep the
cores busy itself: waiting caused by its own threads is not excused. Of several threads the one that
waited longest counts, not all together: a program could start threads only for them to wait.

A virtual machine has a second way of waiting: it is not given the core that it seems to have. The
scheduler inside knows nothing of that; gaps of 23 ms were seen in a program that did nothing but
look at the clock. The system counts how much was stolen so, in ticks, of all cores together.
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
"""In the number of a clock: that it is a process's, counted by the scheduler; see
clock_getcpuclockid(3)."""
PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = 1 / os.sysconf("SC_CLK_TCK")
"""Seconds. How finely the system counts what was stolen, and what ended processes computed."""


@dataclass(frozen=True)
class Usage:
    """Of a program and all that it has started, up to now; times are in seconds."""

    waits: Mapping[Thread, float]
    """For each of its threads, how long it was ready to run and waited for a core."""
    asker_waited: float
    """The same of the thread that asks it."""
    computed: float
    """What all its processes have used of all cores."""
    stolen: float = 0.0
    """What the machine was kept from its cores by others on the same hardware."""
    memory: int = 0
    """Bytes that all its processes hold right now."""

    @classmethod
    def read(cls, family: int) -> Usage:
        """`family` is the process that all others of the program descend from."""
        waits: dict[Thread, float] = {}
        computed, memory, waiting = 0.0, 0, [family]
        while waiting:
            process = waiting.pop()
            computed += _own_time(process) + _time_of_ended_children(process)
            memory += memory_of(process)
            for thread in _threads(process):
                waits[process, thread] = time_waited(process, thread)
                waiting += _children(process, thread)
        asker = time_waited(os.getpid(), threading.get_native_id())
        return cls(waits, asker, computed, time_stolen(), memory)

    def excused(self, before: Usage, seconds: float) -> float:
        """How much of the seconds since then was waiting for a machine that others kept busy."""
        computed = self.computed - before.computed
        waited, stolen = self.waited_since(before), self.stolen - before.stolen
        if stolen > 0:
            # Up to a tick may not have been counted yet. A sleeping program has no stolen time.
            stolen = min(stolen, computed) + TICK
        return max(0.0, min(waited + stolen, seconds - computed))

    def waited_since(self, before: Usage) -> float:
        """What the asker and, of the program's threads, the one that waited longest have waited."""
        longest = max(
            (waited - before.waits.get(thread, 0.0) for thread, waited in self.waits.items()),
            default=0.0,
        )
        return self.asker_waited - before.asker_waited + longest


def time_waited(pid: int, thread: int) -> float:
    """Seconds that a thread has spent ready to run and waiting for a core so far; 0 where the
    system does not tell."""
    try:
        return int(_read(f"/proc/{pid}/task/{thread}/schedstat").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def time_stolen() -> float:
    """Seconds that this machine wanted to run on a core and others on the same hardware did, all
    its cores together; 0 where the system does not tell."""
    try:
        return int(_read("/proc/stat").split(None, 9)[8]) * TICK
    except (OSError, ValueError, IndexError):
        return 0.0


def memory_of(pid: int) -> int:
    """Bytes of memory that a process holds; 0 where the system does not tell."""
    try:
        return int(_read(f"/proc/{pid}/statm").split()[1]) * PAGE
    except (OSError, ValueError, IndexError):
        return 0


def killed_for_memory() -> int:
    """How many processes this machine has ended so far because its memory was short; 0 where it
    does not tell."""
    try:
        words = Path("/proc/vmstat").read_text().split()
        return int(words[words.index("oom_kill") + 1])
    except (OSError, ValueError):
        return 0


def _read(place: str) -> bytes:
    """A short file of the system's, quicker than it can be read as a text."""
    descriptor = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 1 << 14)
    finally:
        os.close(descriptor)


def _own_time(pid: int) -> float:
    try:
        return time.clock_gettime((~pid << 3) | PROCESS_CLOCK)
    except (OSError, OverflowError):
        return 0.0


def _time_of_ended_children(pid: int) -> float:
    try:
        after_name = _read(f"/proc/{pid}/stat").rpartition(b")")[2]
        user, system = after_name.split()[13:15]
        return (int(user) + int(system)) * TICK
    except (OSError, ValueError):
        return 0.0


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
