"""The two decorators of compiled code, with types: Numba's own have none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.extending import intrinsic

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def native(function: Decorated) -> Decorated:
    """A function of ours that is compiled, with Python's lock released while it runs."""
    compiled: Decorated = njit(nogil=True)(function)
    return compiled


def instruction(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that writes machine instructions. Callers leave out the first parameter."""
    written: Callable[..., Any] = intrinsic(function)
    return written
