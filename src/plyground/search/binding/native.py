"""The two decorators of compiled code, with types: Numba's own have none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.extending import intrinsic

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


INNER = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""For functions that only compiled code calls: the doors for other callers take a third of the time
that the functions themselves take to compile."""


def native(function: Decorated) -> Decorated:
    """A function of ours that is compiled, to be called from kernels."""
    compiled: Decorated = njit(**INNER)(function)
    return compiled


def instruction(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that writes machine instructions. Callers leave out the first parameter."""
    written: Callable[..., Any] = intrinsic(function)
    return written
