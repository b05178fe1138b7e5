"""Bitboards in plain Python: the few operations that rules need and Python has no operator for.

Each function here is ordinary Python, and has a compiled form of a single machine instruction
(`search/binding/bit_operations.py`), so that rules written with them run both ways.

A `Bits` is a whole number from 0 to 2**64 - 1. Uncompiled it is a Python `int`, compiled a 64-bit
unsigned word, so keep results inside 64 bits: mask after a left shift, and after a complement.
Combine words with words: compiled, a word and a plain number (`word - 1`) make a signed number.
"""

from __future__ import annotations

from typing import Annotated

Bits = Annotated[int, "uint64"]
"""The annotation of a State or Board field that holds a 64-bit unsigned word."""

WORD = (1 << 64) - 1
MIX_MULTIPLIER = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio: an odd number whose multiples spread over the whole word."""


def popcount(word: int) -> int:
    """How many bits are set."""
    return word.bit_count()


def lowest(word: int) -> int:
    """The index of the lowest set bit. Undefined for 0: ask first."""
    return (word & -word).bit_length() - 1


def drop_lowest(word: int) -> int:
    """The word without its lowest set bit."""
    return word & (word - 1)


def bit(index: int) -> int:
    """The word with one bit set. `1 << index` would be a signed number in compiled code."""
    return 1 << index


def word(number: int) -> int:
    """A number as Bits: a negative one by its two's complement, as the machine has it."""
    return number & WORD


def mix(seed: int, value: int) -> int:
    """Mix a number into a hash word, in two rounds: after one, the highest bits of the number have
    changed so few others that the next number could undo them.

    The seed is a constant without a pattern, or the result of an earlier `mix`. With a small number
    as a seed, some pairs of seed and value would have the same result."""
    stirred = ((seed ^ value) & WORD) * MIX_MULTIPLIER & WORD
    stirred = (stirred ^ (stirred >> 32)) * MIX_MULTIPLIER & WORD
    return stirred ^ (stirred >> 29)
