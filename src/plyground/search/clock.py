"""The clock that kernels watch.

A kernel runs with Python's lock released and asks the operating system for the time itself, every
few dozen nodes. That is some 20 ns a call, and a deadline is seen within a fraction of a
millisecond while the kernel has a core. For when it has none see `search/watched.py`.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from plyground.search.binding.native import instruction

NANOSECONDS = 1_000_000_000

SAFETY = 0.015
"""Seconds kept back of a time limit, at most a fifth of it, for what is left to do after a kernel
has stopped and for a first wait that nothing announces: another program that starts in the middle
of a move, or a virtual machine that is not given its core. In the middle of it whoever waits for
the answer wakes up. `python -m benchmarks clock` shows how much of it is needed."""

LARGEST_RESERVE = 0.2
"""The part of a time limit for which a thread is expected to wait at most, however long the waits
that it has met."""
WAIT_MEMORY = 0.9
"""How much of the longest wait for a core is expected again in the next search: waits come in
clusters of a few seconds. To expect them for longer, or longer ones, costs far more depth than it
makes moves punctual."""
BUSY_WAIT = 0.2
"""The part of a time limit that a thread is expected to wait for a core at least, while more
threads want to run than there are cores. A first long wait comes without a warning: of 2,000 moves
of 75 ms beside two busy processes one was late when only waits already met were expected again."""


@instruction
def now(typing_context: Any) -> Any:
    """Nanoseconds on a clock that never goes back. Only differences have a meaning."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, half = ir.IntType(64), ir.IntType(32)
        timespec = ir.LiteralStructType([word, word])
        pointer = cgutils.alloca_once(builder, timespec)
        clock_gettime = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(half, [half, timespec.as_pointer()]), "clock_gettime"
        )
        builder.call(clock_gettime, [ir.Constant(half, time.CLOCK_MONOTONIC), pointer])
        read = builder.load(pointer)
        seconds = builder.mul(builder.extract_value(read, 0), ir.Constant(word, NANOSECONDS))
        return builder.add(seconds, builder.extract_value(read, 1))

    return types.int64(), generate


def read_clock() -> int:
    """`now`, for Python."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def spendable(seconds: float) -> float:
    """How much of a time limit a kernel may use."""
    return seconds - min(SAFETY, seconds / 5)


def watched_for(seconds: float) -> float:
    """How much of a time limit to wait for a kernel that does not see that its time is up."""
    return (spendable(seconds) + seconds) / 2


def is_busy() -> bool:
    """Whether more threads want to run right now than there are cores; False where the system
    does not tell."""
    try:
        with open("/proc/loadavg") as file:
            running = int(file.read().split()[3].partition("/")[0])
    except (OSError, ValueError, IndexError):
        return False
    return running > (os.cpu_count() or 1)


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """A collection in the middle of a timed move can take longer than the move has."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
