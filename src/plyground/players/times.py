"""What the system tells of the time of processes: waiting for a core, and computing.

Only the first is no fault of a program's own, and only as far as it did not keep the cores busy
itself: whoever starts a dozen helpers beside himself waits for them, not for the machine.

A virtual machine has a second way of waiting: it is not given the core that it seems to have. The
scheduler inside knows nothing of that; gaps of 23 ms were seen in a program that did nothing but
look at the clock. The system counts how much was stolen so, in ticks, of all cores together.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

PROCESS_CLOCK = 2
"""In the number of a clock: that it is a process's, counted by the scheduler; see
clock_getcpuclockid(3)."""


TICK = 1 / os.sysconf("SC_CLK_TCK")
"""Seconds. How finely the system counts what was stolen, and what ended processes computed."""


@dataclass(frozen=True)
class Times:
    """Of a program, up to now, in seconds."""

    waited: float
    """What its first thread, or whoever asks it, was ready to run and waited for a core."""
    computed: float
    """What all its processes have used of all cores."""
    stolen: float = 0.0
    """What the machine was kept from its cores by others on the same hardware."""

    @classmethod
    def read(cls, program: int, family: int) -> Times:
        """Of the process `program`; `family` is the one that it and all it started descend from."""
        asking = time_waited(os.getpid(), threading.get_native_id())
        return cls(time_waited(program) + asking, time_computed(family), time_stolen())

    def excused(self, before: Times, seconds: float) -> float:
        """How much of the seconds since then was waiting for a machine that others kept busy."""
        idle = seconds - (self.computed - before.computed)
        waited, stolen = self.waited - before.waited, self.stolen - before.stolen
        if stolen > 0:
            stolen += TICK  # up to one of them may not have been counted yet
        return max(0.0, min(waited + stolen, idle))


def time_waited(pid: int, thread: int | None = None) -> float:
    """Seconds that a thread, or else a process's first one, has spent ready to run and waiting for
    a core so far; 0 where the system does not tell."""
    try:
        told = _read(f"/proc/{pid}/task/{pid if thread is None else thread}/schedstat")
        return int(told.split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def time_stolen() -> float:
    """Seconds that this machine wanted to run on a core and others on the same hardware did, all
    its cores together; 0 where the system does not tell."""
    try:
        return int(_read("/proc/stat").split(None, 9)[8]) * TICK
    except (OSError, ValueError, IndexError):
        return 0.0


def time_computed(pid: int) -> float:
    """Seconds that a process and all that descend from it have computed, the ended ones too; 0
    where the system does not tell."""
    total, waiting = 0.0, [pid]
    while waiting:
        process = waiting.pop()
        total += _own_time(process) + _time_of_ended_children(process)
        waiting += _children(process)
    return total


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


def _children(pid: int) -> Iterator[int]:
    """The children of every thread of a process."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return
    for thread in threads:
        try:
            yield from map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
        except (OSError, ValueError):
            continue
