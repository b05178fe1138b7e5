"""Which positions of Slant are worth the same from here on: key and identity.

Both rest on what the head of `rules.py` says. They are made of words with a bit for each
intersection: the cells that matter, and how many touches each live circle needs, in binary. One
that needs four takes no bit of its own: it alone is a four with four cells around it that matter.
"""

from __future__ import annotations

from plyground.core.bits import bit, mix, popcount
from plyground.games.slant.rules import (
    WORD_BITS,
    Board,
    Four,
    State,
    empty_cells,
    live_circles,
)

FIRST_PATTERN = 0x2545F4914F6CDD
PASS_PATTERN = 0x5851F42D4C957F
"""Numbers without a pattern, and small enough for sums of a hundred to stay inside 63 bits."""


def key(board: Board, state: State) -> int:
    """What decides all that is to come: see the head of the file. The points are not in it."""
    one, two, three, four = live_circles(board, state, 0)
    empty = empty_cells(board, state, 0)
    matter = empty & corners(board, one | two | three | four)
    passes = popcount(empty) - popcount(matter)
    if board.wide:
        return wide_key(board, state)
    # A live circle that needs four touches needs no word: only it has four cells that matter.
    word = mix(PASS_PATTERN * passes + FIRST_PATTERN * (1 + state.turn), matter)
    return mix(mix(word, one | three), two | three)


def corners(board: Board, circles: int) -> int:
    """The cells with one of these intersections at a corner, and bits that are no cells."""
    return circles | circles >> 1 | circles >> board.stride | circles >> (board.stride + 1)


def wide_key(board: Board, state: State) -> int:
    one, two, three, four = live_circles(board, state, 0)
    far_one, far_two, far_three, far_four = live_circles(board, state, 1)
    live, far_live = one | two | three | four, far_one | far_two | far_three | far_four
    stride = board.stride
    across = (
        far_live << (WORD_BITS - 1)
        | far_live << (WORD_BITS - stride)
        | far_live << (WORD_BITS - 1 - stride)
    )
    empty, far_empty = empty_cells(board, state, 0), empty_cells(board, state, 1)
    matter = empty & (corners(board, live) | across)
    far_matter = far_empty & corners(board, far_live)
    passes = popcount(empty) + popcount(far_empty) - popcount(matter) - popcount(far_matter)
    word = mix(PASS_PATTERN * passes + FIRST_PATTERN * (1 + state.turn), matter)
    word = mix(mix(mix(word, far_matter), one | three), two | three)
    return mix(mix(word, far_one | far_three), far_two | far_three)


def identity(board: Board, state: State) -> Four:
    """The key unmixed, and passes only by their parity, which the turn and the other cells tell.

    On a wide board it is the lines themselves: nobody solves one from far off, and four words stay
    enough. Bit 63 is no cell of a board that is not wide, and so holds the turn.
    """
    if board.wide:
        return (
            state.slashes[0],
            state.slashes[1],
            state.backslashes[0],
            state.backslashes[1],
        )
    one, two, three, four = live_circles(board, state, 0)
    matter = empty_cells(board, state, 0) & corners(board, one | two | three | four)
    turn = bit(WORD_BITS - 1) if state.turn else bit(0) & ~bit(0)
    return matter | turn, one | three, two | three, board.cells[1]
