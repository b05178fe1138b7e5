"""Kernels: functions of the search package, compiled once for all games.

A kernel is a plain function. It calls rules through
`search/binding/dispatch.py` and helpers that are `native`. Compiled, it is LLVM bitcode in which
the symbols of the game are still missing (`search/binding/linking.py` links them).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
from numba import types

from plyground.core.contract import COMPILED, Function
from plyground.search.binding import bit_operations, dispatch
from plyground.search.binding.handles import BOARD, STATE
from plyground.search.binding.layout import PackedArrays, PackedBoard, PackedState
from plyground.search.binding.linking import ENTRY
from plyground.search.binding.native import kernel_dispatcher, optimised_module, resolve
from plyground.search.binding.pointers import fetch
from plyground.search.binding.sources import reachable_functions


def kernel_bitcode(function: Function, arguments: Sequence[Any]) -> bytes:
    """A kernel for arguments of the types of these, without the game."""
    resolve(globals(), function.__globals__, vars(bit_operations))  # kernels may call those
    kernel = kernel_dispatcher(function)

    def entry(arguments_at: Any) -> Any:
        return kernel(*fetch(arguments_at))

    kinds = types.Tuple(list(map(_kind, arguments)))
    module, name = optimised_module(kernel_dispatcher(entry), (types.CPointer(kinds),))
    module.get_function(name).name = ENTRY
    code: bytes = module.as_bitcode()
    return code


def rules_called(function: Function) -> set[str]:
    """The rules that a kernel calls, itself or by the functions that it calls."""
    resolve(function.__globals__)
    named = {
        name
        for each, _ in reachable_functions(function)
        if dispatch in each.__globals__.values()
        for name in each.__code__.co_names
    }
    return named & set(COMPILED) | ({"play"} if "advance" in named else set())


def _kind(argument: Any) -> Any:
    if isinstance(argument, PackedBoard):
        return BOARD
    if isinstance(argument, PackedState):
        return STATE
    if isinstance(argument, bool):
        return types.int64
    return numba.typeof(argument.source if isinstance(argument, PackedArrays) else argument)
