"""Sets of cells of a board, in words: cell number 64 * i + j is bit j of word i.

The first word of a set is its near word, the others are its far words. Boards of up to 64 cells
have nothing in the far words, and the rules look at these as little as possible.
"""

from __future__ import annotations

from plyground.core.bits import WORD, Bits, bit, popcount, word

WORD_BITS = 64
WORDS = 3
MAX_CELLS = WORD_BITS * WORDS

Far = tuple[Bits, Bits]
Cells = tuple[Bits, Bits, Bits]


def far_only(cell: int) -> Far:
    """The far words of the set of a single cell, which is a far one."""
    if cell < WORD_BITS:
        return word(0), word(0)
    if cell < 2 * WORD_BITS:
        return bit(cell - WORD_BITS), word(0)
    return word(0), bit(cell - 2 * WORD_BITS)


def holds(near: int, far: Far, cell: int) -> bool:
    if cell < WORD_BITS:
        return near & bit(cell) != 0
    one = far_only(cell)
    return far[0] & one[0] | far[1] & one[1] != 0


def far_with(far: Far, cell: int) -> Far:
    one = far_only(cell)
    return far[0] | one[0], far[1] | one[1]


def far_without(far: Far, cell: int) -> Far:
    one = far_only(cell)
    return far[0] & ~one[0], far[1] & ~one[1]


def no_cells() -> Cells:
    return word(0), word(0), word(0)


def only(cell: int) -> Cells:
    """The set of a single cell."""
    if cell < WORD_BITS:
        return bit(cell), word(0), word(0)
    one = far_only(cell)
    return word(0), one[0], one[1]


def joined(near: int, far: Far) -> Cells:
    return near, far[0], far[1]


def either(one: Cells, other: Cells) -> Cells:
    return one[0] | other[0], one[1] | other[1], one[2] | other[2]


def without(one: Cells, other: Cells) -> Cells:
    return one[0] & ~other[0], one[1] & ~other[1], one[2] & ~other[2]


def is_empty(cells: Cells) -> bool:
    return cells[0] | cells[1] | cells[2] == 0


def size(cells: Cells) -> int:
    return popcount(cells[0]) + popcount(cells[1]) + popcount(cells[2])


# For texts and pictures, which are not compiled


def words_of(number: int) -> Cells:
    """The set whose cells are the bits of a number of any size."""
    return number & WORD, number >> WORD_BITS & WORD, number >> 2 * WORD_BITS
