"""Work that Python's garbage collector must not interrupt, or slows down for nothing."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from functools import cache


@contextlib.contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Switch the collector off while inside. Two threads may be inside at the same time: it is on
    again at the latest when both have left."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def no_garbage_collection_on_clock(
    seconds: float | None,
) -> contextlib.AbstractContextManager[None]:
    """Switch the collector off during a search with this time limit, or not if it has none: such a
    search may run for hours, while other threads of this process leave garbage."""
    return contextlib.nullcontext() if seconds is None else no_garbage_collection()


@cache
def exempt_loaded_objects() -> None:
    """Exempt all objects that exist now from later collections, once in a process.

    Most belong to modules that were imported. A full collection that goes through them takes 4 to
    11 ms, and of 6,000 short searches one had such a collection between the end of its kernel and
    its answer: longer than the reserve of a move of 75 ms. Without them it takes 0.01 ms.
    """
    gc.collect()
    gc.freeze()
