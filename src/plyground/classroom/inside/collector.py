"""Python's garbage collector, kept out of the time in which a player thinks.

A search tree of nodes that know their parents is full of cycles, so that it is freed by the
collector alone, in full collections of 30 to 100 ms that strike in the middle of a move. So while a
player thinks there is no collection, unless so much was made that memory nears the limit; and when
there is enough garbage the referee gives time for a collection between two moves.

What a player sets itself is respected. After `gc.enable()` or `gc.set_threshold()` the collector is
the player's own, on the player's own clock. After `gc.disable()` it does not strike even where
memory is short. `gc.collect()` between an answer and the next turn waits for the referee's time.
"""

from __future__ import annotations

import gc
import os
import sys
import time

MUCH = 100_000
"""New objects since the last collection, from which on another one is worth its time."""
OBJECTS_A_SECOND = 5_000_000
"""A collection that took long, because so much is alive, is worth its time only after more new
objects: so many for each second that it took."""
OBJECT_SIZE = 256
"""Bytes: what an object of a tree takes together with what it holds, dictionaries above all."""
USUAL_MEMORY = 1 << 30
"""Bytes, where no limit is set."""
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Collector:
    """Takes the place of `gc.enable`, `gc.set_threshold` and `gc.collect` for the player."""

    def __init__(self) -> None:
        self._enable, self._set_threshold, self._collect = gc.enable, gc.set_threshold, gc.collect
        self._usual_threshold = gc.get_threshold()
        self._limit = _memory_limit()
        self._is_players_own = False
        self._is_thinking = True
        self._is_wanted = False
        self._due = MUCH
        self._began = 0.0
        self.seconds = 0.0
        """What collections have taken since the turn began."""
        gc.enable = self._enable_for_player
        gc.set_threshold = self._set_threshold_for_player
        gc.collect = self._collect_for_player
        gc.callbacks.append(self._measure)

    # What the player calls

    def _enable_for_player(self) -> None:
        """Enable automatic garbage collection."""
        if not self._is_players_own:
            self._set_threshold(*self._usual_threshold)
        self._is_players_own = True
        self._enable()

    def _set_threshold_for_player(self, *thresholds: int) -> None:
        """Set the collection thresholds."""
        self._is_players_own = True
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
        """Called when the player is ready, and after each answer: whether there is so much garbage
        that the referee should give time to collect it."""
        self._is_thinking = False
        if self._is_players_own:
            return self._is_wanted
        most = self._most_objects()
        self._set_threshold(most, *self._usual_threshold[1:])
        return self._is_wanted or gc.get_count()[0] > min(self._due, most // 2)

    def collect(self) -> int:
        """Collect all garbage; the microseconds that this took. None of it counts if code of the
        player's ran meanwhile, a destructor for example: nobody thinks in the referee's time."""
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
        self._due = max(MUCH, int(took * OBJECTS_A_SECOND))
        return 0 if "call" in players_code else int(took * 1e6)

    def _most_objects(self) -> int:
        """How many new objects fill half of the memory that is left."""
        return max(MUCH, (self._limit - _memory_size()) // 2 // OBJECT_SIZE)


def _memory_limit() -> int:
    try:
        import resource
    except ImportError:  # not on this system
        return USUAL_MEMORY
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return USUAL_MEMORY if limit == resource.RLIM_INFINITY else limit


def _memory_size() -> int:
    """Bytes of address space that this process has; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * PAGE
    except (OSError, ValueError, IndexError):
        return 0
