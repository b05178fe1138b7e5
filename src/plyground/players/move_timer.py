"""Times a move, without what the host of a virtual machine took from the player's cores.

A host may run something else on a core for 100 ms and more. Linux reports it as stolen time, and
leaves it out of CPU time, but not always all of it. So the CPU time of a player counts no further
than to what its cores could compute meanwhile: the time on the wall without the stolen time. From
the CPU time itself nothing is subtracted: who computes for too long is late on such a machine, too.

Linux counts the stolen time of each core in ticks of 10 ms. Where a tick has come, up to one more
may have passed, and the doubt is the player's benefit. Where none has come, or where the system
reports nothing, nothing is stolen.
"""

from __future__ import annotations

import os
import sys
import time
from typing import NamedTuple

from plyground.players.usage import TICK_SECONDS, stolen_ticks


class MoveTime(NamedTuple):
    """How long a move took."""

    seconds: float
    """On the wall."""
    stolen: float
    """Seconds of them that the player was without each of its cores."""
    cores: int
    """How many cores the player could use."""

    @property
    def available(self) -> float:
        """Seconds in which the player had a core."""
        return self.seconds - self.stolen


class MoveTimer:
    """Starts when it is made. The player runs in this process or in a child, on the same cores."""

    def __init__(self) -> None:
        self._cores = cores_of_players()
        self._ticks_before = stolen_ticks()
        self.started = time.perf_counter()

    def stop(self) -> MoveTime:
        seconds = time.perf_counter() - self.started
        before, after = self._ticks_before, stolen_ticks()
        ticks = 0
        if self._cores and self._cores <= before.keys() & after.keys():
            ticks = min(after[core] - before[core] for core in self._cores)
        stolen = (ticks + 1) * TICK_SECONDS if ticks > 0 else 0.0
        return MoveTime(seconds, min(stolen, seconds), max(1, len(self._cores)))


if sys.platform == "linux":

    def cores_of_players() -> set[int]:
        """Those that this process and its children may use."""
        return os.sched_getaffinity(0)

else:

    def cores_of_players() -> set[int]:
        """Those of which stolen time is reported: none."""
        return set()
