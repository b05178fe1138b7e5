"""The clock of time limits: one that never goes back, read by kernels and by Python.

A kernel calls a function of the system by its name, so that its code can be kept on disk.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from llvmlite import ir

from plyground.search.binding.native import cgutils, instruction, types

NANOSECONDS = 1_000_000_000

WORD, HALF = ir.IntType(64), ir.IntType(32)


def _call(builder: Any, name: str, *arguments: Any) -> None:
    """Write a call of a function of the system that returns a status."""
    signature = ir.FunctionType(HALF, [argument.type for argument in arguments])
    builder.call(cgutils.get_or_insert_function(builder.module, signature, name), arguments)


if sys.platform == "win32":

    def _read(builder: Any) -> Any:
        """Write instructions that read the clock. The parts of a second are counted on their own:
        all ticks since the machine was started, in nanoseconds, would not fit in a word."""

        def ask(name: str) -> Any:
            pointer = cgutils.alloca_once(builder, WORD)
            _call(builder, name, pointer)
            return builder.load(pointer)

        frequency, ticks = ask("QueryPerformanceFrequency"), ask("QueryPerformanceCounter")
        billion = ir.Constant(WORD, NANOSECONDS)
        seconds = builder.mul(builder.udiv(ticks, frequency), billion)
        parts = builder.udiv(builder.mul(builder.urem(ticks, frequency), billion), frequency)
        return builder.add(seconds, parts)

    def read_clock() -> int:
        """`now`, for Python, which has the same counter in the same unit."""
        return time.perf_counter_ns()

else:

    def _read(builder: Any) -> Any:
        """Write instructions that read the clock."""
        pointer = cgutils.alloca_once(builder, ir.LiteralStructType([WORD, WORD]))
        _call(builder, "clock_gettime", ir.Constant(HALF, time.CLOCK_MONOTONIC), pointer)
        timespec = builder.load(pointer)
        seconds = builder.mul(builder.extract_value(timespec, 0), ir.Constant(WORD, NANOSECONDS))
        return builder.add(seconds, builder.extract_value(timespec, 1))

    def read_clock() -> int:
        """`now`, for Python."""
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


@instruction
def now(typing_context: Any) -> Any:
    """Nanoseconds on a clock that never goes back. Only differences have a meaning."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _read(builder)

    return types.int64(), generate
