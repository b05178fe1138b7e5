"""Keeps Python's garbage collector out of a player's moves.

Nodes of a search tree that refer to their parents are cycles, which only the collector frees, in
full collections of 30 to 100 ms. So there is no collection during a move, unless memory nears the
limit. When there is enough garbage, the referee allows a collection between two moves.

The player's own settings are respected. After `gc.enable()` or `gc.set_threshold()` the collector
runs as the player wants, on the player's clock. After `gc.disable()` it never runs during a move.
`gc.collect()` between an answer and the next turn is delayed to the referee's time.
"""

from __future__ import annotations

import gc
import os
import sys
import time

ENOUGH = 100_000
"""New objects since the last collection after which the next one is due."""
OBJECTS_A_SECOND = 5_000_000
"""After a long collection, because much is alive, the next one is due after this many new objects
for each second that it took."""
OBJECT_SIZE = 256
"""Bytes of an object of a tree together with what it holds, dictionaries above all."""
USUAL_MEMORY = 1 << 30
"""Bytes, where no limit is set."""


class Collector:
    """Replaces `gc.enable`, `gc.set_threshold` and `gc.collect` for the player."""

    def __init__(self) -> None:
        self._enable, self._set_threshold, self._collect = gc.enable, gc.set_threshold, gc.collect
        self._usual_threshold = gc.get_threshold()
        self._limit = _memory_limit()
        self._is_set_by_player = False
        self._is_thinking = True
        self._is_wanted = False
        self._due = ENOUGH
        self._began = 0.0
        self.seconds = 0.0
        """Duration of all collections since the turn began."""
        gc.enable = self._enable_for_player
        gc.set_threshold = self._set_threshold_for_player
        gc.collect = self._collect_for_player
        gc.callbacks.append(self._measure)

    # What the player calls

    def _enable_for_player(self) -> None:
        """Enable automatic garbage collection."""
        if not self._is_set_by_player:
            self._set_threshold(*self._usual_threshold)
        self._is_set_by_player = True
        self._enable()

    def _set_threshold_for_player(self, *thresholds: int) -> None:
        """Set the collection thresholds."""
        self._is_set_by_player = True
        self._set_threshold(*thresholds)

    def _collect_for_player(self, generation: int = 2) -> int:
        """Run the garbage collector: now, or off the clock if this is between two moves."""
        if self._is_thinking:
            return self._collect(generation)
        self._is_wanted = True
        return 0

    def _measure(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.perf_counter()
        else:
            self.seconds += time.perf_counter() - self._began

    # What the runner calls

    def turn_begins(self) -> None:
        self._is_thinking = True
        self.seconds = 0.0

    def turn_ends(self) -> bool:
        """Called when the player is ready, and after each answer. Returns whether a collection is
        due."""
        self._is_thinking = False
        if self._is_set_by_player:
            return self._is_wanted
        most = self._most_objects()
        self._set_threshold(most, *self._usual_threshold[1:])
        return self._is_wanted or gc.get_count()[0] > min(self._due, most // 2)

    def collect(self) -> int:
        """Collect all garbage. Returns the microseconds that the collector took: 0 if code of the
        player ran meanwhile, such as a destructor, because then the time is the player's own."""
        players_code: list[object] = []
        callbacks, profile = gc.callbacks[:], sys.getprofile()
        gc.callbacks.clear()
        started = time.thread_time()
        sys.setprofile(lambda _frame, event, _argument: players_code.append(event))
        try:
            self._collect()
        finally:
            sys.setprofile(profile)
        took = time.thread_time() - started
        gc.callbacks.extend(callbacks)
        self._is_wanted = False
        if "call" in players_code:
            took = 0.0
        self._due = max(ENOUGH, int(took * OBJECTS_A_SECOND))
        return int(took * 1e6)

    def _most_objects(self) -> int:
        """The number of new objects that fill half of the memory that is left."""
        return max(ENOUGH, (self._limit - _memory_size()) // 2 // OBJECT_SIZE)


def _memory_limit() -> int:
    if sys.platform != "linux":
        return USUAL_MEMORY
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return USUAL_MEMORY if limit == resource.RLIM_INFINITY else limit


def _memory_size() -> int:
    """Bytes of address space that this process has; 0 if unknown."""
    if sys.platform != "linux":
        return 0
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
