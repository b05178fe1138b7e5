"""Which positions of Slant are worth the same from here on: key and identity.

Both say which empty cells matter, how many touches each live circle needs, and who moves; see the
head of `rules.py`. One step more makes more positions the same: a cell with a single live circle at
its corners is as good as another one that is like it and beside the same circle, so it does not
matter which of the two is still empty. Under `owned` cells on opposite sides of the circle are
alike, since the same player's lines touch it there; under `free` all four are. The first ones of
them count as the empty ones.

All of this is a renaming of cells, which leaves what can follow the same move by move. So keys hold
for a search to any depth. They count the passes: empty cells that do not matter. The identity is
for values at the end of the game, and keeps only whether their number is odd, which follows from
all the rest: two passes more change nothing, since the other player can take the second.

The words, with a bit for each intersection: the cells that matter, and in binary the touches that
each live circle needs, where 4 is written as 1. The two cannot be mistaken for each other, because
only a circle that needs four has four empty cells around it.
"""

from __future__ import annotations

from plyground.core.bits import bit, mix, popcount
from plyground.games.slant.rules import (
    WORD_BITS,
    Board,
    Four,
    State,
    at_least,
    empty_cells,
    far_live,
    near_live,
    over,
)

TURN_PATTERN = 0x2545F4914F6CDD
PASS_PATTERN = 0x5851F42D4C957F
"""Numbers without a pattern, and small enough for sums of a hundred to stay inside 63 bits."""
TURN_BIT = 63
OVER_BIT = 62
"""No cells of a board of up to 64 intersections."""


def key(board: Board, state: State) -> int:
    if board.wide:
        return wide_key(board, state)
    empty = empty_cells(board, state, 0)
    one, two, three, four = near_live(board, state)
    matter = cells_that_matter(board, empty, one | two | three | four)
    passes = popcount(empty) - popcount(matter)
    word = mix(PASS_PATTERN * passes + TURN_PATTERN * (1 + state.turn), matter)
    return mix(mix(word, one | three | four), two | three)


def identity(board: Board, state: State) -> Four:
    """Equal for positions that perfect play makes the same of.

    On a wide board it is the lines themselves: no solver begins there early, and four words are
    enough.
    """
    if board.wide:
        return (
            state.slashes[0],
            state.slashes[1],
            state.backslashes[0],
            state.backslashes[1],
        )
    empty = empty_cells(board, state, 0)
    one, two, three, four = near_live(board, state)
    matter = cells_that_matter(board, empty, one | two | three | four)
    if state.turn == 1:
        matter |= bit(TURN_BIT)
    if over(board, state):
        matter |= bit(OVER_BIT)
    return matter, one | three | four, two | three, board.cells[1]


def cells_that_matter(board: Board, empty: int, live: int) -> int:
    """The empty cells with a live circle at a corner, the first ones of those that are alike."""
    stride = board.stride
    some, several, _, _ = at_least((live, live >> 1, live >> stride, live >> (stride + 1)))
    lone = board.cells[0] & some & ~several
    # The lone cells around each live circle, shifted to its bit, and which of them are empty.
    right, below = (lone & live >> 1) << 1, (lone & live >> stride) << stride
    left, above = lone & live, (lone & live >> (stride + 1)) << (stride + 1)
    open_right, open_below = right & empty << 1, below & empty << stride
    open_left, open_above = left & empty, above & empty << (stride + 1)
    moved = open_below & right & ~open_right
    open_right, open_below = open_right | moved, open_below ^ moved
    moved = open_above & left & ~open_left
    open_left, open_above = open_left | moved, open_above ^ moved
    if board.free:
        moved = open_left & right & ~open_right
        open_right, open_left = open_right | moved, open_left ^ moved
        moved = open_above & right & ~open_right
        open_right, open_above = open_right | moved, open_above ^ moved
        moved = open_left & below & ~open_below
        open_below, open_left = open_below | moved, open_left ^ moved
        moved = open_above & below & ~open_below
        open_below, open_above = open_below | moved, open_above ^ moved
        moved = open_above & left & ~open_left
        open_left, open_above = open_left | moved, open_above ^ moved
    return (
        empty & several
        | open_right >> 1
        | open_below >> stride
        | open_left
        | open_above >> (stride + 1)
    )


def wide_key(board: Board, state: State) -> int:
    """Without the renaming of cells: what it saves is near the end, where boards are solved."""
    one, two, three, four = near_live(board, state)
    far_one, far_two, far_three, far_four = far_live(board, state)
    near, far = one | two | three | four, far_one | far_two | far_three | far_four
    stride = board.stride
    across = far << (WORD_BITS - 1) | far << (WORD_BITS - stride) | far << (WORD_BITS - 1 - stride)
    empty, far_empty = empty_cells(board, state, 0), empty_cells(board, state, 1)
    matter = empty & (corners(board, near) | across)
    far_matter = far_empty & corners(board, far)
    passes = popcount(empty) + popcount(far_empty) - popcount(matter) - popcount(far_matter)
    word = mix(PASS_PATTERN * passes + TURN_PATTERN * (1 + state.turn), matter)
    word = mix(mix(mix(word, far_matter), one | three | four), two | three)
    return mix(mix(word, far_one | far_three | far_four), far_two | far_three)


def corners(board: Board, circles: int) -> int:
    """The cells with one of these intersections at a corner, and bits that are no cells."""
    return circles | circles >> 1 | circles >> board.stride | circles >> (board.stride + 1)
