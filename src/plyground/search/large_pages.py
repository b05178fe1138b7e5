"""Memory for tables that are read at random, in large pages where the system has them.

A probe goes to a random place and has to find its page first. On small boards of Slant, a solver
is two to three times as quick as in small pages.
"""

from __future__ import annotations

import contextlib
import mmap
import sys

import numpy as np

from plyground.search.kernel_memory import Words

if sys.platform == "linux":
    MADV_POPULATE_WRITE = 23
    """Python does not know it by name, nor do old versions of Linux."""

    def zero_words(count: int, *, touched: bool = False) -> Words:
        """So many words. Those that are touched have their memory already, so that no timed search
        waits for it. (The memory is private: what could be shared would get small pages.)"""
        memory = mmap.mmap(-1, 8 * count, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        for advice in (mmap.MADV_HUGEPAGE, *([MADV_POPULATE_WRITE] if touched else [])):
            with contextlib.suppress(OSError):
                memory.madvise(advice)
        return np.frombuffer(memory, np.uint64)

else:

    def zero_words(count: int, *, touched: bool = False) -> Words:
        """So many words. Those that are touched have their memory already, so that no timed search
        waits for it."""
        words = np.zeros(count, np.uint64)
        if touched:
            words.fill(0)
        return words
