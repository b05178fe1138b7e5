"""Passing structures down a recursion by address.

Passed by value, an array takes seven machine words and a reference count, and a search passes a
dozen of them at every node. `address_of` puts a tuple of arrays on the stack of the caller, once,
and returns its address; `fetch` reads it back without touching any reference count. The address is
valid while the function that called `address_of` runs, which is longer than everything it calls.
Measured on Breakthrough: half as many nodes again per second as with arrays as arguments.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from plyground.search.binding.native import cgutils, instruction, types


@instruction
def address_of(typing_context: Any, value: Any) -> Any:
    """The address of a copy of a value, on the stack of the calling function."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # In memory a bool is a byte, in a register a bit.
        stored = context.data_model_manager[value].as_data(builder, arguments[0])
        return cgutils.alloca_once_value(builder, stored)

    return types.CPointer(value)(value), generate


@instruction
def fetch(typing_context: Any, pointer: Any) -> Any:
    """The value at an address from `address_of`; its arrays own nothing."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        model = context.data_model_manager[pointer.dtype]
        value = model.from_data(builder, builder.load(arguments[0]))
        return _unowned(context, builder, pointer.dtype, value)

    return pointer.dtype(pointer), generate


@instruction
def field(typing_context: Any, pointer: Any, name: Any) -> Any:
    """One field of the tuple at an address. Far less to compile than fetching all to use one."""
    if not isinstance(name, types.StringLiteral):
        return None
    index = pointer.dtype.fields.index(name.literal_value)
    kind = pointer.dtype.types[index]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        part = cgutils.gep_inbounds(builder, arguments[0], 0, index)
        return _unowned(context, builder, kind, builder.load(part))

    return kind(pointer, name), generate


def _unowned(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A value whose arrays own nothing, so that the compiler drops all counting of references."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value=value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for index, item in enumerate(kind.types):
            part = _unowned(context, builder, item, builder.extract_value(value, index))
            value = builder.insert_value(value, part, index)
    return value


@instruction
def identity_at(typing_context: Any, words: Any, index: Any) -> Any:
    """The identity whose words lie in an array from this index on."""
    from plyground.search.binding.handles import BYTE_POINTER, IDENTITY

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(element(context, builder, words, arguments), BYTE_POINTER)

    return IDENTITY(words, index), generate


@instruction
def prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Start fetching an array's element into the cache: it will be read a little later."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = element(context, builder, array, arguments)
        byte, half = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [byte, half, half, half]),
            "llvm.prefetch.p0i8",
        )
        flags = [ir.Constant(half, flag) for flag in (0, 3, 1)]  # a read, keep it, a data cache
        builder.call(function, [builder.bitcast(address, byte), *flags])
        return context.get_dummy_value()

    return types.void(array, index), generate


def element(context: Any, builder: Any, kind: Any, arguments: Any) -> Any:
    """The address of an array's element; the arguments are the array and an index."""
    structure = context.make_array(kind)(context, builder, arguments[0])
    return builder.gep(structure.data, [arguments[1]])
