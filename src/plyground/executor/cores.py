"""Which cores a worker may use. Only Linux lets a program choose."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

if sys.platform == "linux":
    from pathlib import Path

    def usable_cores() -> int:
        """How many cores this process may use."""
        return len(os.sched_getaffinity(0))

    def free_cores() -> list[int]:
        """The cores that this process may use and to which no other program is bound. Two runs
        that began with the first core would share it, with other cores idle."""
        return sorted(os.sched_getaffinity(0) - set(_cores_taken()))

    def _cores_taken() -> Iterator[int]:
        everywhere = os.cpu_count() or 1
        mine = os.sched_getaffinity(0)
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal():
                continue
            with contextlib.suppress(OSError):  # it has ended, or is not ours to see
                cores = os.sched_getaffinity(int(entry.name))
                # Threads of the system are bound to cores, too, but have no command line.
                if len(cores) < everywhere and cores != mine and (entry / "cmdline").read_bytes():
                    yield from cores

    def bind_to_cores(cores: tuple[int, ...]) -> None:
        """Let this process and its children run on these cores only; on all if there are none."""
        if cores:
            with contextlib.suppress(OSError):  # the cores may have been taken from us meanwhile
                os.sched_setaffinity(0, cores)

else:

    def usable_cores() -> int:
        """How many cores this process may use."""
        return os.cpu_count() or 1

    def free_cores() -> list[int]:
        """The cores to which a process can be bound: none."""
        return []

    def bind_to_cores(cores: tuple[int, ...]) -> None:
        """The system chooses the core."""


def count_free_cores() -> int:
    """How many cores a run can have for itself. Where no program can be bound to a core, none is
    known to be taken."""
    return len(free_cores()) if sys.platform == "linux" else usable_cores()


def share_cores(workers: int, each: int) -> list[tuple[int, ...]]:
    """Cores for each worker, no core twice. Empty where there are too few: then it is better that
    the system divides them."""
    free = free_cores()
    if len(free) < workers * each:
        return [()] * workers
    return [tuple(free[at : at + each]) for at in range(0, workers * each, each)]
