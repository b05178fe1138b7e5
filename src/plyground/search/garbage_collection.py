"""Work that Python's garbage collector must not interrupt, or slows down for nothing."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


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
