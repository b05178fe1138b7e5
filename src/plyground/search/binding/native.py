"""The decorators of compiled code, with types: Numba's own have none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba.extending import intrinsic, overload

from plyground.search.binding.bitcode_target import RecursiveDispatcher, bitcode_function

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


INNER = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""For functions that only compiled code calls. Entry points for other callers would take a third
more time to compile."""


def native(function: Decorated) -> Decorated:
    """A function of ours that is compiled, to be called from kernels."""
    compiled: Any = bitcode_function(function, **INNER)
    return compiled  # type: ignore[no-any-return]


def recursive(returned: Any) -> Callable[[Decorated], Decorated]:
    """Marks a `native` function that calls itself, and names the type of what it returns."""

    def decorate(function: Decorated) -> Decorated:
        compiled: Any = RecursiveDispatcher(function, returned, **INNER)
        return compiled  # type: ignore[no-any-return]

    return decorate


def instruction(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that writes machine instructions. Callers leave out the first parameter."""
    written: Callable[..., Any] = intrinsic(function)
    return written


def compiled_form(name: Callable[..., Any]) -> Callable[[Decorated], Decorated]:
    """Marks the function that gives the compiled form of a name, for arguments of given types."""

    def decorate(typed: Decorated) -> Decorated:
        # Not strict: Numba would compare the annotations of `typed` with those of a lambda.
        overload(name, jit_options=INNER, strict=False)(typed)
        return typed

    return decorate


def optimised_module(function: Any, kinds: tuple[Any, ...]) -> tuple[Any, str]:
    """The LLVM module of a `native` function for arguments of these types, with all that it calls,
    and the name of the function in it."""
    function.compile(kinds)
    compiled = function.overloads[kinds]
    name = compiled.fndesc.llvm_func_name
    return compiled.library.linked_module(name), name
