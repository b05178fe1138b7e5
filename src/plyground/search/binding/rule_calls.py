"""The instructions behind the names of `search/binding/dispatch.py`: calls of symbols that a game
defines. Imported when a kernel is compiled."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from plyground.core.contract import Function
from plyground.search.binding.handles import (
    BOARD,
    IDENTITY,
    STATE,
    constant,
    copy_instruction,
    new_slot,
)
from plyground.search.binding.linking import PREFIX

MOVES = types.Array(types.int64, 1, "C")
ITEMS = types.Array(types.uint64, 1, "C")

RULES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "moves": (types.int64, (BOARD, STATE, MOVES)),
    "play": (types.none, (BOARD, STATE, types.int64, STATE)),
    "over": (types.boolean, (BOARD, STATE)),
    "utility": (types.int64, (BOARD, STATE)),
    "turn": (types.int64, (BOARD, STATE)),
    "evaluate": (types.int64, (BOARD, STATE)),
    "noisy": (types.int64, (BOARD, STATE, types.int64)),
    "key": (types.uint64, (BOARD, STATE)),
    "score": (types.int64, (BOARD, STATE)),
    "bounds": (types.UniTuple(types.int64, 2), (BOARD, STATE)),
    "settled": (types.int64, (BOARD, STATE)),
    "identity": (types.none, (BOARD, STATE, IDENTITY)),
    "flatten": (types.none, (STATE, ITEMS)),
    "rebuild": (types.none, (ITEMS, STATE)),
}
"""For each function of a game what it returns and takes."""

RESULTS = {
    "play": (STATE, "state_size", 1),
    "identity": (IDENTITY, "identity_width", 8),
    "rebuild": (STATE, "state_size", 1),
}
"""What functions write to the address that they take last, and its size: a constant of the game,
and how many bytes it counts. Kernels call these functions without that address."""


BOOLEAN_CONSTANTS = ("has_noisy", "has_settled", "has_score", "has_bounds", "repeats")
CONSTANTS = ("state_size", *BOOLEAN_CONSTANTS, "point", "max_moves")
"""Numbers that a game defines. `identity_width` comes with `identity`."""


def instruction_of(name: str) -> Function:
    """What a name of `dispatch` stands for."""
    if name == "copy_state":
        return copy_instruction()
    if name == "copied":
        return _copied()
    if name == "advance":
        return _advance()
    if name in CONSTANTS:
        return _constant(name)
    returned, kinds = RULES[name]
    if name not in RESULTS:

        def call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return _call(context, builder, name, arguments)

        return _instruction(name, returned(*kinds), call)

    written, size, unit = RESULTS[name]

    def call_with_slot(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        slot = new_slot(builder, size, unit)
        _call(context, builder, name, [*arguments, slot])
        return slot

    return _instruction(name, written(*kinds[:-1]), call_with_slot)


def _copied() -> Function:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        slot = new_slot(builder, "state_size")
        cgutils.raw_memcpy(builder, slot, arguments[0], constant(builder, "state_size"), 1)
        return slot

    return _instruction("copied", STATE(STATE), generate)


def _advance() -> Function:
    """The rule reads all of the state before the new one is written, so both may be the same."""
    _, kinds = RULES["play"]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _call(context, builder, "play", [*arguments, arguments[1]])
        return context.get_dummy_value()

    return _instruction("advance", types.none(*kinds[:-1]), generate)


def _call(context: Any, builder: Any, name: str, arguments: Any) -> Any:
    """Write a call of a game's function. If it fails, so does the function that is being
    compiled."""
    returned, kinds = RULES[name]
    convention = context.call_conv
    kind = convention.get_function_type(returned, kinds)
    function = cgutils.get_or_insert_function(builder.module, kind, PREFIX + name)
    status, result = convention.call_function(builder, function, returned, kinds, arguments)
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return result


def _constant(name: str) -> Function:
    kind = types.boolean if name in BOOLEAN_CONSTANTS else types.int64

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, constant(builder, name), types.int64, kind)

    return _instruction(name, kind(), generate)


def _instruction(name: str, signature: Any, generate: Function) -> Function:
    def typed(typing_context: Any, *arguments: Any) -> Any:
        return signature, generate

    typed.__name__ = name
    # Numba counts the parameters that it finds here.
    names = ("typing_context", *(f"argument{index}" for index in range(len(signature.args))))
    parameters = [Parameter(each, Parameter.POSITIONAL_ONLY) for each in names]
    typed.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    written: Function = intrinsic(typed)
    return written
