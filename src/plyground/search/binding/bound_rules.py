"""The rules of a game as the compiler takes them: a Numba type, and a compiled function for each.

Numba caches a kernel on disk only if the types of its arguments are the same in every process. So
each game has a type of its own, which is known by the digest of the rules.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np
from numba import types
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from plyground.core.contract import Field, Function
from plyground.core.game import Game
from plyground.search.binding import bit_operations  # noqa: F401  rules may call them
from plyground.search.binding.native import native
from plyground.search.binding.sources import reachable_functions

SCALARS = {"int64": types.int64, "uint64": types.uint64, "bool": types.boolean}

by_digest: dict[str, BoundRules] = {}
"""The rules that were bound in this process. A Numba type is kept on disk and holds no objects: it
finds its rules here."""


class BoundRules:
    """The rules of one game, each compiled when it is first needed."""

    def __init__(self, game: Game, digest: str) -> None:
        self.game = game
        self.digest = digest
        # The compiler has a type of its own for tuples whose fields are all alike; this picks it.
        self.state_type = types.BaseTuple.from_types(
            [_field_type(field) for field in game.rules.state_fields], game.rules.state_class
        )
        self._rules: dict[str, Any] = {}

    def compiled(self, name: str) -> Any:
        """One rule, compiled."""
        if name not in self._rules:
            self._rules[name] = compilable(self.game.rules.function(name), self.digest)
        return self._rules[name]

    def pack_state(self, state: Any) -> Any:
        """A state as kernels take it: words of 64 bits marked as unsigned."""
        return _packed(self.game.rules.state_class, self.game.rules.state_fields, state)

    def pack_board(self, board: Any) -> Any:
        return _packed(self.game.rules.board_class, self.game.rules.board_fields, board)


def compilable(function: Function, digest: str) -> Any:
    """The function and every plain function it calls, compiled; the originals stay as they are.

    Rules are plain Python and call plain Python, which the compiler does not do by itself. So each
    function is copied with globals in which the functions it calls are compiled ones.
    """
    reachable = reachable_functions(function)
    compiled: dict[Function, Any] = {}
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
        # Symbols are named after functions. Two versions of a function that were compiled in two
        # processes and are loaded from disk into one must not share a symbol.
        copy.__qualname__ = f"{original.__qualname__}_{digest}"
        compiled[original] = native(copy)
    for original, called in reachable:
        namespace = compiled[original].py_func.__globals__
        namespace.update({name: compiled[callee] for name, callee in called.items()})
    return compiled[function]


def _field_type(field: Field) -> Any:
    scalar = SCALARS[field.kind]
    return types.UniTuple(scalar, field.length) if field.length else scalar


def _packed(tuple_class: type[Any], fields: tuple[Field, ...], values: Any) -> Any:
    if all(field.kind != "uint64" for field in fields):
        return values
    packed = []
    for field, value in zip(fields, values, strict=True):
        if field.kind == "uint64":
            value = tuple(map(np.uint64, value)) if field.length else np.uint64(value)
        packed.append(value)
    return tuple_class(*packed)


# The type


class GameType(types.Type):  # type: ignore[misc]
    """The Numba type of one game. Equal digests mean equal rules, in this process or another."""

    def __init__(self, name: str, digest: str) -> None:
        self.game_name = name
        self.digest = digest
        super().__init__(name=f"Game({name},{digest})")

    @property
    def key(self) -> tuple[str, str]:
        return self.game_name, self.digest

    @property
    def bound(self) -> BoundRules:
        return by_digest[self.digest]


@typeof_impl.register(BoundRules)  # type: ignore[untyped-decorator]
def _type_of_game(value: BoundRules, context: Any) -> GameType:
    return GameType(value.game.name, value.digest)


@register_model(GameType)
class _GameModel(models.OpaqueModel):  # type: ignore[misc]
    """A game holds nothing at run time: its rules are in the code."""


@unbox(GameType)  # type: ignore[untyped-decorator]
def _unbox_game(kind: Any, value: Any, context: Any) -> NativeValue:
    return NativeValue(context.context.get_dummy_value())
