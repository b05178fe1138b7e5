"""What a game's rules consist of: the functions they call, and a digest of all of it."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

from plyground.core import bits, values
from plyground.core.contract import COMPILED, Function, Rules

BUILT_IN: frozenset[Function] = frozenset(
    {bits.popcount, bits.lowest, bits.drop_lowest, bits.bit, bits.mix}
)
"""What `search/dispatch.py` gives a compiled form of its own."""

DIGEST_LENGTH = 16

NEVER_COMPILED = frozenset(
    "alphabeta explain game_tree heuristics result sources steps textbook transpositions".split()
)
"""Modules of the search package that no kernel calls. A change of any other one compiles all
kernels anew; forgetting to list a module here costs that and nothing else."""


def reachable_functions(function: Function) -> list[tuple[Any, dict[str, Any]]]:
    """A function and the plain functions it calls, callees first, each with its callees by name."""
    found: dict[Any, dict[str, Any]] = {}
    order: list[tuple[Any, dict[str, Any]]] = []

    def visit(current: Any) -> None:
        if current in found:
            return
        called = {
            name: value
            for name, value in _referenced(current)
            if isinstance(value, FunctionType) and value not in BUILT_IN and value is not current
        }
        found[current] = called
        for callee in called.values():
            visit(callee)
        order.append((current, called))

    visit(function)
    return order


def _referenced(function: Any) -> Iterator[tuple[str, Any]]:
    """The globals that a function names, in it or in the functions within it."""
    pending: list[CodeType] = [function.__code__]
    while pending:
        code = pending.pop()
        pending += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        for name in code.co_names:
            if name in function.__globals__:
                yield name, function.__globals__[name]


def digest_of(rules: Rules) -> str:
    """A short name for everything that decides what the compiled code does."""
    digest = hashlib.sha256(_surroundings())
    for part in (
        rules.name,
        rules.path,
        rules.board_fields,
        rules.state_fields,
        sorted(rules.defaults),
        rules.point,
        rules.max_moves,
    ):
        digest.update(repr(part).encode())
    for name in COMPILED:
        for function, _ in reachable_functions(rules.function(name)):
            digest.update(_source(function).encode())
            for constant, value in sorted(_referenced(function), key=lambda item: item[0]):
                digest.update(f"{constant}={_constant(value)};".encode())
    return digest.hexdigest()[:DIGEST_LENGTH]


def _source(function: Any) -> str:
    """The text of a function, or what the interpreter made of it where there is no text."""
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        code = function.__code__
        return repr((code.co_code, code.co_names, code.co_varnames, code.co_consts))


def _constant(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, FunctionType | ModuleType | type):
        return value.__name__
    return repr(value)


@cache
def _surroundings() -> bytes:
    """The compiler, the way it is set up, and our own sources that are compiled into a kernel."""
    config = numba.config
    settings = (numba.__version__, np.__version__, config.BOUNDSCHECK, config.OPT, config.DEBUG)
    ours = [
        path
        for path in sorted(Path(__file__).parent.glob("*.py"))
        if path.stem not in NEVER_COMPILED
    ]
    texts = [path.read_bytes() for path in (Path(bits.__file__), Path(values.__file__), *ours)]
    compiled = b"".join(hashlib.sha256(text).digest() for text in texts)
    return hashlib.sha256(repr(settings).encode() + compiled).digest()
