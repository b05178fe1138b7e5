"""The rules of a game as the compiler takes them: types, and a compiled function for each rule."""

from __future__ import annotations

import ctypes
from functools import cached_property
from types import FunctionType
from typing import Any

from plyground.core.contract import Field, Function
from plyground.core.game import Game, Position
from plyground.search.binding import layout
from plyground.search.binding.native import dispatcher, resolve, types
from plyground.search.binding.sources import reachable_functions

SCALARS = {"int64": "int64", "uint64": "uint64", "bool": "boolean"}
"""The compiler's names of the kinds of numbers."""


class BoundRules:
    """The rules of one game, each compiled when it is first needed."""

    def __init__(self, game: Game, digest: str) -> None:
        self.game = game
        self.digest = digest
        self._copies: dict[Function, Any] = {}

    @cached_property
    def state_type(self) -> Any:
        """The compiler's type of a state."""
        rules = self.game.rules
        return _tuple_type(map(_field_type, rules.state_fields), rules.state_class)

    def compiled(self, name: str) -> Any:
        """One rule, compiled. Rules that call the same function share its compiled copy."""
        return compilable(self.game.rules.function(name), self.digest, self._copies)

    def board_type(self, board: Any) -> Any:
        """The compiler's type of a board; boards of one game may hold arrays of different types."""
        import numba

        rules = self.game.rules
        kinds = [
            numba.typeof(value) if field.kind == "array" else _field_type(field)
            for field, value in zip(rules.board_fields, board, strict=True)
        ]
        return _tuple_type(kinds, rules.board_class)

    @cached_property
    def _state_structure(self) -> type[layout.PackedState]:
        return layout.state_structure(self.game.rules.state_fields)

    @property
    def state_size(self) -> int:
        """Bytes."""
        return ctypes.sizeof(self._state_structure)

    def pack_state(self, state: Any) -> layout.PackedState:
        """A state as kernels take it."""
        return layout.pack_state(self._state_structure, state)

    def unpack_state(self, packed: layout.PackedState) -> Any:
        rules = self.game.rules
        return layout.unpack_state(rules.state_fields, rules.state_class, packed)

    def pack_board(self, board: Any) -> layout.PackedBoard:
        return layout.pack_board(self.game.rules.board_fields, board)

    def pack(self, position: Position) -> tuple[layout.PackedBoard, layout.PackedState]:
        """Board and state of a position, as kernels take them."""
        return self.pack_board(position.board), self.pack_state(position.state)


def compilable(function: Function, digest: str, copies: dict[Function, Any]) -> Any:
    """The function and every plain function it calls, compiled; the originals stay as they are.

    Rules are plain Python and call plain Python, which the compiler does not do by itself. So each
    function is copied with globals in which the functions it calls are compiled ones. `copies` has
    those of earlier calls, and is given the new ones.
    """
    if function in copies:
        return copies[function]
    from plyground.search.binding import bit_operations  # rules may call them

    resolve(vars(bit_operations))
    reachable = [each for each in reachable_functions(function) if each[0] not in copies]
    for original, _ in reachable:
        copy = FunctionType(
            original.__code__,
            dict(original.__globals__),
            original.__name__,
            original.__defaults__,
            original.__closure__,
        )
        copy.__kwdefaults__ = original.__kwdefaults__
        copy.__module__ = original.__module__
        # Symbols are named after functions. Two versions of a function must not share a symbol.
        copy.__qualname__ = f"{original.__qualname__}_{digest}"
        copies[original] = dispatcher(copy)
    for original, called in reachable:
        namespace = copies[original].py_func.__globals__
        namespace.update({name: copies[callee] for name, callee in called.items()})
    return copies[function]


def _tuple_type(kinds: Any, tuple_class: type[Any]) -> Any:
    # The compiler has a type of its own for tuples whose fields are all alike; this picks it.
    return types.BaseTuple.from_types(list(kinds), tuple_class)


def _field_type(field: Field) -> Any:
    scalar = getattr(types, SCALARS[field.kind])
    return types.UniTuple(scalar, field.length) if field.length else scalar
