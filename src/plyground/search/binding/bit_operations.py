"""The compiled forms of `core/bits.py`: one machine instruction each."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils

from plyground.core import bits
from plyground.search.binding.native import compiled_form, instruction, native


@instruction
def _population(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@instruction
def _trailing_zeros(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.int64(types.uint64), generate


@compiled_form(bits.popcount)
def _popcount(word: Any) -> Any:
    return lambda word: _population(types.uint64(word))


@compiled_form(bits.lowest)
def _lowest(word: Any) -> Any:
    return lambda word: _trailing_zeros(types.uint64(word))


@compiled_form(bits.drop_lowest)
def _drop_lowest(word: Any) -> Any:
    one = types.uint64(1)
    return lambda word: types.uint64(word) & (types.uint64(word) - one)


@compiled_form(bits.bit)
def _bit(index: Any) -> Any:
    one = types.uint64(1)
    return lambda index: one << types.uint64(index)


@compiled_form(bits.word)
def _word(number: Any) -> Any:
    return lambda number: types.uint64(number)


@compiled_form(bits.mix)
def _mix(seed: Any, value: Any) -> Any:
    return lambda seed, value: _stirred(types.uint64(seed) ^ types.uint64(value))


@native
def _stirred(word: Any) -> Any:
    word *= types.uint64(bits.MIX_MULTIPLIER)
    word = (word ^ (word >> types.uint64(32))) * types.uint64(bits.MIX_MULTIPLIER)
    return word ^ (word >> types.uint64(29))
