"""Boards, states and identities as kernels hold them: by address.

A kernel is compiled once for all games, so it does not know what a state consists of or how large
it is. It holds the address of one. The rules of a game know the rest, and they are linked to the
kernel later (`search/binding/linking.py`), under the symbols that `search/binding/rule_calls.py`
declares. When both are optimised together, most addresses become registers again.

A new state or identity lies on the stack of the function that requests it, in a slot that belongs
to that place of its code. So it is valid until the same place is reached again, and is never
returned.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from plyground.core.contract import Function
from plyground.search.binding.linking import PREFIX
from plyground.search.binding.native import compiled_form, instruction

WORD = ir.IntType(64)
BYTE_POINTER = ir.IntType(8).as_pointer()
ALIGNMENT = 16


class Handle(types.Type):  # type: ignore[misc]
    """The type of an address in kernels."""


class BoardHandle(Handle):
    pass


class StateHandle(Handle):
    pass


class IdentityHandle(Handle):
    pass


BOARD = BoardHandle("Board")
STATE = StateHandle("State")
IDENTITY = IdentityHandle("Identity")


class _PointerModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, BYTE_POINTER)


for _handle in (BoardHandle, StateHandle, IdentityHandle):
    register_model(_handle)(_PointerModel)


def constant(builder: Any, name: str) -> Any:
    """A number that each game defines; a constant once the game is linked."""
    kind = ir.FunctionType(WORD, [])
    function = cgutils.get_or_insert_function(builder.module, kind, PREFIX + name)
    function.attributes.add("readnone")
    function.attributes.add("nounwind")
    return builder.call(function, [])


def new_slot(builder: Any, size: str, unit: int = 1) -> Any:
    """Memory on the stack of the function that is being compiled: `unit` times as many bytes as the
    constant `size` says. Reserved once a call, however often the place is reached."""
    with builder.goto_entry_block():
        count = builder.mul(constant(builder, size), ir.Constant(WORD, unit))
        slot = builder.alloca(ir.IntType(8), count)
        slot.align = ALIGNMENT
    return slot


@instruction
def identity_width(typing_context: Any, identity: Any) -> Any:
    """How many words an identity has."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return constant(builder, "identity_width")

    return types.int64(identity), generate


@instruction
def identity_word(typing_context: Any, identity: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = builder.bitcast(arguments[0], WORD.as_pointer())
        number = context.cast(builder, arguments[1], index, types.intp)
        return builder.load(builder.gep(words, [number]))

    return types.uint64(identity, index), generate


@compiled_form(len)
def _identity_length(identity: Any) -> Any:
    if isinstance(identity, IdentityHandle):
        return lambda identity: identity_width(identity)
    return None


@compiled_form(operator.getitem)
def _identity_item(identity: Any, index: Any) -> Any:
    if isinstance(identity, IdentityHandle):
        return lambda identity, index: identity_word(identity, index)
    return None


@compiled_form(operator.eq)
def _equal_identities(first: Any, second: Any) -> Any:
    if not (isinstance(first, IdentityHandle) and isinstance(second, IdentityHandle)):
        return None

    def compare(first: Any, second: Any) -> Any:
        equal = True
        for index in range(len(first)):
            equal &= first[index] == second[index]
        return equal

    return compare


def copy_instruction() -> Function:
    """What copies a state to where another one lies."""

    def copy_state(typing_context: Any, state: Any, target: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            size = constant(builder, "state_size")
            cgutils.raw_memcpy(builder, arguments[1], arguments[0], size, 1)
            return context.get_dummy_value()

        return types.none(state, target), generate

    written: Function = intrinsic(copy_state)
    return written
