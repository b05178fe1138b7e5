"""What the memory of every kernel has in common: counters, limits, polling, busy marks.

A kernel works on one tuple of flat arrays, its memory, and passes the address of that tuple down
the recursion (`search/binding/pointers.py`). A tuple cannot be written to, so single numbers lie
in small arrays, under the names below. A memory that is polled has these three:

* `counters`, written by one thread alone. They begin with NODES and STOPPED.
* `settings`, fixed while a kernel runs. They begin with NODE_LIMIT and THREADS.
* `shared`, read by all threads of a search and written by any. It begins with STOP.

When STOPPED is set, a kernel returns at once, and what it returns has no meaning. DEADLINE is for
kernels that poll the clock too (`search/clock.py`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from plyground.search.binding.native import native, types
from plyground.search.binding.pointers import field

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
AnyMemory = TypeVar("AnyMemory", bound=Any)
"""A named tuple of arrays."""

NODES, STOPPED, FIRST_COUNTER = range(3)
NODE_LIMIT, THREADS, DEADLINE, FIRST_SETTING = range(4)
"""FIRST_COUNTER and FIRST_SETTING are where a kernel's own numbers begin."""
STOP = 0

NO_LIMIT = 1 << 62

COUNTERS = 16
"""The size of `counters`."""
BUSY_SLOTS = 1 << 14
"""The size of `busy`."""
LINE_PAIR = 16
"""Words in two cache lines: a processor fetches them in pairs."""


def numbers(size: int) -> Numbers:
    return words(size).view(np.int64)


def words(size: int) -> Words:
    """Zeros, on cache lines of their own: two threads that write to the same line, each to an array
    of its own, wait for each other at every access."""
    zeros = np.zeros((size // LINE_PAIR + 2) * LINE_PAIR, np.uint64)
    start = -(zeros.ctypes.data // zeros.itemsize) % LINE_PAIR
    return zeros[start : start + size]


def control_arrays() -> dict[str, Numbers]:
    """The arrays of a memory that is polled."""
    return {"counters": numbers(COUNTERS), "settings": numbers(16), "shared": numbers(8)}


def another_thread(memory: AnyMemory, shared_fields: Collection[str]) -> AnyMemory:
    """The memory of one more thread: new arrays, but for the fields that all threads share."""
    own = {
        name: words(len(getattr(memory, name))).view(getattr(memory, name).dtype)
        for name in memory._fields
        if name not in shared_fields
    }
    thread: AnyMemory = memory._replace(**own)
    return thread


@native
def poll(memory_at: Any) -> None:
    """Set STOPPED if the stop flag is set, or as many nodes were visited as the limit says."""
    counters = field(memory_at, "counters")
    limit = field(memory_at, "settings")[NODE_LIMIT]
    if field(memory_at, "shared")[STOP] != 0 or counters[NODES] >= limit:
        counters[STOPPED] = 1


# Busy marks: what some thread is searching right now, so that the others search something else
# first. `busy` is an array of words whose length is a power of two. Threads write to it without
# locks, and two words may want the same slot: either only costs a needless delay.


@native
def is_marked(memory_at: Any, word: Any) -> Any:
    busy = field(memory_at, "busy")
    return busy[types.int64(word & types.uint64(len(busy) - 1))] == word


@native
def mark(memory_at: Any, word: Any) -> None:
    busy = field(memory_at, "busy")
    busy[types.int64(word & types.uint64(len(busy) - 1))] = word


@native
def unmark(memory_at: Any, word: Any) -> None:
    busy = field(memory_at, "busy")
    slot = types.int64(word & types.uint64(len(busy) - 1))
    if busy[slot] == word:
        busy[slot] = 0


@native
def next_random(memory_at: Any) -> Any:
    """A random word (xorshift64*, by Vigna); its upper bits are the best. The state of the
    generator is the array `random`, one word that is not 0."""
    random = field(memory_at, "random")
    word = random[0]
    word ^= word >> types.uint64(12)
    word ^= word << types.uint64(25)
    word ^= word >> types.uint64(27)
    random[0] = word
    return word * types.uint64(0x2545F4914F6CDD1D)


@native
def random_below(memory_at: Any, limit: Any) -> Any:
    """A random number from 0 to limit - 1."""
    word = next_random(memory_at) >> types.uint64(32)
    return types.int64((word * types.uint64(limit)) >> types.uint64(32))
