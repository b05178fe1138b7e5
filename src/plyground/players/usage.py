"""CPU time and memory of processes, and stolen time of cores, as Linux reports them.

Other systems report nothing here: then a move takes as long as the clock says.
"""

from __future__ import annotations

import mmap
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

PROCESS_CLOCK = 2
"""In the number of a clock: the CPU time of a process, see clock_getcpuclockid(3)."""
TICK_SECONDS = 0.01
"""The unit in which Linux tells programs the time of ended processes and of cores."""
CORE_TIMES = "/proc/stat"
STOLEN = 8
"""The word of a line in that file that has the stolen time of a core, see proc_stat(5)."""


@dataclass(frozen=True)
class Usage:
    """The resources that a program and its descendants have used so far."""

    computed: float = 0.0
    """CPU time of all processes on all cores, in seconds; 0 if unknown."""
    memory: int = 0
    """Bytes that all processes hold now."""

    @classmethod
    def read(cls, root: int) -> Usage:
        """`root` is the process that all others of the program descend from."""
        computed, memory, pending = 0.0, 0, [root]
        while pending:
            process = pending.pop()
            computed += _cpu_time(process) + _cpu_time_of_ended_children(process)
            memory += _memory(process)
            for thread in _threads(process):
                pending += _children(process, thread)
        return cls(computed, memory)


def killed_for_memory() -> int:
    """How many processes this machine has ended so far for lack of memory; 0 if unknown."""
    try:
        words = Path("/proc/vmstat").read_text().split()
        return int(words[words.index("oom_kill") + 1])
    except (OSError, ValueError):
        return 0


def stolen_ticks() -> dict[int, int]:
    """How long the host of this virtual machine has kept it from each of its cores so far; empty if
    unknown."""
    found = {}
    try:
        # The first line has the sum of all cores, and the last may be cut off.
        for line in _read(CORE_TIMES).splitlines()[1:-1]:
            words = line.split()
            if not words[0].startswith(b"cpu"):
                break
            found[int(words[0][3:])] = int(words[STOLEN])
    except (OSError, ValueError, IndexError):
        return {}
    return found


def _read(place: str) -> bytes:
    """A short file in /proc. Reading it as text would take longer."""
    descriptor = os.open(place, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)


def _cpu_time(pid: int) -> float:
    if sys.platform != "linux":
        return 0.0
    try:
        return time.clock_gettime((~pid << 3) | PROCESS_CLOCK)
    except (OSError, OverflowError):
        return 0.0


def _cpu_time_of_ended_children(pid: int) -> float:
    if sys.platform != "linux":
        return 0.0
    try:
        after_name = _read(f"/proc/{pid}/stat").rpartition(b")")[2]
        user, system = after_name.split()[13:15]
        return (int(user) + int(system)) * TICK_SECONDS
    except (OSError, ValueError):
        return 0.0


def _memory(pid: int) -> int:
    try:
        return int(_read(f"/proc/{pid}/statm").split()[1]) * mmap.PAGESIZE
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
