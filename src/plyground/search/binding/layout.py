"""Boards, states and arguments of kernels in memory, as compiled code reads them: C structures."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from plyground.core.contract import Field

SCALARS: dict[str, Any] = {
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "bool": ctypes.c_bool,
}


class Packed(ctypes.Structure):
    """A board or a state."""


class PackedBoard(Packed):
    source: Any = None
    """The board itself, which keeps its arrays alive."""


class PackedState(Packed):
    pass


class PackedArrays:
    """A tuple of arrays that a kernel is called with again and again, described once. To describe
    an array takes a microsecond: as long as a search of a few nodes."""

    def __init__(self, source: Any) -> None:
        self.source = source
        """The arrays themselves, which are kept alive."""
        self.words: list[int] = []
        _append(self.words, source)


def state_structure(fields: tuple[Field, ...]) -> type[PackedState]:
    """The structure of a state with these fields."""
    members = [(field.name, _member(field)) for field in fields]
    return type("State", (PackedState,), {"_fields_": members})


def pack_state(structure: type[PackedState], state: Any) -> PackedState:
    return structure(*map(_plain, state))


def unpack_state(fields: tuple[Field, ...], state_class: Any, packed: PackedState) -> Any:
    """The state as its own class, of plain numbers."""
    values = (getattr(packed, field.name) for field in fields)
    return state_class(
        *(
            tuple(value) if field.length else value
            for field, value in zip(fields, values, strict=True)
        )
    )


def pack_board(fields: tuple[Field, ...], board: Any) -> PackedBoard:
    members, values = [], []
    for field, value in zip(fields, board, strict=True):
        if field.kind == "array":
            described = array_words(value)
            kind = ctypes.c_int64 * len(described)
            value = kind(*described)
        else:
            kind, value = _member(field), _plain(value)
        members.append((field.name, kind))
        values.append(value)
    packed = _board_structure(tuple(members))(*values)
    packed.source = board
    return packed


@cache
def _board_structure(members: tuple[tuple[str, Any], ...]) -> type[PackedBoard]:
    """Kept, because a class takes longer to make than a short search takes to begin."""
    return type("Board", (PackedBoard,), {"_fields_": members})


def _plain(value: Any) -> Any:
    """A number of Python's own, or a tuple of them: rules may compute with NumPy's."""
    return tuple(map(int, value)) if isinstance(value, tuple) else int(value)


def _member(field: Field) -> Any:
    scalar = SCALARS[field.kind]
    return scalar * field.length if field.length else scalar


def array_words(array: Any) -> list[int]:
    """An array as the compiler describes it: no owner, its size and where its items are."""
    return [0, 0, array.size, array.itemsize, array.ctypes.data, *array.shape, *array.strides]


def pack_arguments(arguments: Sequence[Any]) -> Any:
    """The arguments of a kernel in a row: numbers, arrays, tuples of them, and the addresses of
    boards and states."""
    words: list[int] = []
    _append(words, arguments)
    return np.array(words, np.int64)


def _append(words: list[int], arguments: Sequence[Any]) -> None:
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            words += array_words(argument)
        elif isinstance(argument, tuple):
            _append(words, argument)
        elif isinstance(argument, PackedArrays):
            words += argument.words
        elif isinstance(argument, Packed):
            words.append(ctypes.addressof(argument))
        else:
            number = int(argument)
            words.append(number if number < 1 << 63 else number - (1 << 64))


def describe(arguments: Sequence[Any]) -> str:
    """The types of arguments as text: the same text means that the same code can be used."""
    return ",".join(map(_described, arguments))


def describe_arrays(board: Any) -> str:
    """The types of the arrays of a board. Its other fields have the same types in every board."""
    return describe([value for value in board if not isinstance(value, int | tuple)])


def _described(value: Any) -> str:
    if isinstance(value, PackedArrays):
        value = value.source
    if isinstance(value, np.ndarray):
        flags = value.flags
        order = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return f"{value.dtype.str}{value.ndim}{order}{'w' if flags.writeable else 'r'}"
    if isinstance(value, tuple):
        return f"{type(value).__qualname__}({describe(value)})"
    if isinstance(value, Packed):
        return type(value).__name__
    return "number"
