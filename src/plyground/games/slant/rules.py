"""Slant on bitboards: diagonals and circles.

A move fills an empty cell with a diagonal. Under `owned` the first player always draws a slash and
the second always a backslash; under `free` the mover chooses. A line touches the two intersections
that it joins. When the number of lines at a circle reaches the circle's number, the mover scores
that number, once; later touches are worth nothing. The game is over when every cell is filled, and
worth the first player's points minus the second's.

Cells and intersections share one numbering, from the top left, `stride` = columns + 1 bits a row: a
cell has the number of the intersection at its upper left corner, and the last bit of a row is no
cell. So all lines of a board touch their intersections by four shifts of words:

    a slash        touches cell + 1 and cell + stride
    a backslash    touches cell     and cell + stride + 1

and the circles are counted all at once, one bit each. A board has up to 128 intersections in two
words, the near one (index 0) and the far one, which is looked at only if the board is `wide`.

What is still to come depends on little. A circle is *live* if it has not been reached but can be:
it has as many empty cells around it as it needs touches. An empty cell with a live circle at one of
its corners *matters*; all others are but a way to pass. So two positions are worth the same from
here on if the same cells matter, each live circle needs as many touches, the same player moves, and
as many other cells are empty. `sameness.py` makes of this what tables know positions by, and
`outlook.py` what can still become of the score.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from plyground.core.bits import Bits, bit, drop_lowest, lowest, popcount

MAX_MOVES = 210
"""128 intersections leave room for 105 cells (7 x 15), with two lines each."""
POINT = 100
"""Units of evaluation in a point."""
WORD_BITS = 64

Four = tuple[Bits, Bits, Bits, Bits]
Eight = tuple[Bits, Bits, Bits, Bits, Bits, Bits, Bits, Bits]


class Board(NamedTuple):
    rows: int
    columns: int
    stride: int
    free: bool
    """Whether the mover chooses the line."""
    wide: bool
    """Whether there are more than 64 intersections."""
    cells: tuple[Bits, Bits]
    near: Four
    """The circles of the near word by their numbers, the ones first; those that no play can reach
    are not among them."""
    far: Four
    marks: Eight
    """What is written at each intersection, in four bits: 0 nothing, else the number plus 1."""


class State(NamedTuple):
    slashes: tuple[Bits, Bits]
    backslashes: tuple[Bits, Bits]
    first_points: int
    second_points: int
    turn: int


def start(board: Board) -> State:
    return State((0, 0), (0, 0), 0, 0, 0)


# A move is the number of its cell; under `free` twice that, and one more for a backslash.


def moves(board: Board, state: State, out: list[int]) -> int:
    count = list_moves(board, empty_cells(board, state, 0), 0, 0, out)
    if board.wide:
        count = list_moves(board, empty_cells(board, state, 1), WORD_BITS, count, out)
    return count


def list_moves(board: Board, empty: int, offset: int, count: int, out: list[int]) -> int:
    while empty:
        cell = lowest(empty) + offset
        empty = drop_lowest(empty)
        if board.free:
            out[count] = 2 * cell
            out[count + 1] = 2 * cell + 1
            count += 2
        else:
            out[count] = cell
            count += 1
    return count


def empty_cells(board: Board, state: State, half: int) -> int:
    return board.cells[half] & ~(state.slashes[half] | state.backslashes[half])


def cell_of(board: Board, move: int) -> int:
    return move // 2 if board.free else move


def is_slash(board: Board, state: State, move: int) -> bool:
    return move % 2 == 0 if board.free else state.turn == 0


def gain(board: Board, state: State, move: int) -> int:
    """The points that a move scores: the numbers of the circles that its line completes."""
    cell = cell_of(board, move)
    if is_slash(board, state, move):
        one, other = cell + 1, cell + board.stride
    else:
        one, other = cell, cell + board.stride + 1
    if board.wide:
        return wide_gain(board, state, one, other)
    return completed(board.near, near_touches(board, state), bit(one) | bit(other))


def wide_gain(board: Board, state: State, one: int, other: int) -> int:
    points = 0
    for place in (one, other):
        if place < WORD_BITS:
            points += completed(board.near, near_touches(board, state), bit(place))
        else:
            points += completed(board.far, far_touches(board, state), bit(place - WORD_BITS))
    return points


def completed(circles: Four, touches: Four, touched: int) -> int:
    """The sum of the numbers of those touched circles that lack a single line."""
    some, two, three, four = at_least(touches)
    return (
        popcount(touched & circles[0] & ~some)
        + 2 * popcount(touched & circles[1] & some & ~two)
        + 3 * popcount(touched & circles[2] & two & ~three)
        + 4 * popcount(touched & circles[3] & three & ~four)
    )


def play(board: Board, state: State, move: int) -> State:
    points = gain(board, state, move)
    cell = cell_of(board, move)
    near, far = state.slashes if is_slash(board, state, move) else state.backslashes
    if cell < WORD_BITS:
        near |= bit(cell)
    else:
        far |= bit(cell - WORD_BITS)
    slashes, backslashes = state.slashes, state.backslashes
    if is_slash(board, state, move):
        slashes = near, far
    else:
        backslashes = near, far
    if state.turn == 0:
        return State(slashes, backslashes, state.first_points + points, state.second_points, 1)
    return State(slashes, backslashes, state.first_points, state.second_points + points, 0)


def over(board: Board, state: State) -> bool:
    near, far = board.cells
    return (
        state.slashes[0] | state.backslashes[0] == near
        and state.slashes[1] | state.backslashes[1] == far
    )


def score(board: Board, state: State) -> int:
    return state.first_points - state.second_points


def utility(board: Board, state: State) -> int:
    return state.first_points - state.second_points


def noisy(board: Board, state: State, move: int) -> int:
    """The points that a move scores: the more, the sooner it is tried."""
    return gain(board, state, move)


# The circles, all of a word at once


def spread(board: Board, slashes: int, backslashes: int) -> Four:
    """The intersections that these lines touch; four words, since as many lines can meet."""
    return (
        slashes << 1,
        slashes << board.stride,
        backslashes,
        backslashes << (board.stride + 1),
    )


def spread_far(board: Board, slashes: tuple[int, int], backslashes: tuple[int, int]) -> Four:
    """The same for the far word, into which lines of the near one reach."""
    stride = board.stride
    return (
        slashes[1] << 1 | slashes[0] >> (WORD_BITS - 1),
        slashes[1] << stride | slashes[0] >> (WORD_BITS - stride),
        backslashes[1],
        backslashes[1] << (stride + 1) | backslashes[0] >> (WORD_BITS - 1 - stride),
    )


def near_touches(board: Board, state: State) -> Four:
    return spread(board, state.slashes[0], state.backslashes[0])


def far_touches(board: Board, state: State) -> Four:
    return spread_far(board, state.slashes, state.backslashes)


def near_openings(board: Board, state: State) -> Four:
    """Where the next lines can touch: the first two words by slashes, the others by backslashes."""
    empty = empty_cells(board, state, 0)
    return spread(board, empty, empty)


def far_openings(board: Board, state: State) -> Four:
    empty = empty_cells(board, state, 0), empty_cells(board, state, 1)
    return spread_far(board, empty, empty)


def at_least(words: Four) -> Four:
    """The bits that are set in at least one, two, three and four of the words."""
    a, b, c, d = words
    either, both = a | b, a & b
    other, others = c | d, c & d
    return (
        either | other,
        both | others | either & other,
        both & other | either & others,
        both & others,
    )


def reached_circles(circles: Four, touches: Four) -> int:
    some, two, three, four = at_least(touches)
    return some & circles[0] | two & circles[1] | three & circles[2] | four & circles[3]


def live_circles(circles: Four, touches: Four, openings: Four) -> Four:
    """The live circles that need one touch more, two, three and four."""
    ones, twos, threes, fours = circles
    some, two, three, four = at_least(touches)
    once, twice, thrice = some & ~two, two & ~three, three & ~four
    can_one, can_two, can_three, can_four = at_least(openings)
    return (
        can_one & (ones & ~some | twos & once | threes & twice | fours & thrice),
        can_two & (twos & ~some | threes & once | fours & twice),
        can_three & (threes & ~some | fours & once),
        can_four & fours & ~some,
    )


def near_live(board: Board, state: State) -> Four:
    return live_circles(board.near, near_touches(board, state), near_openings(board, state))


def far_live(board: Board, state: State) -> Four:
    return live_circles(board.far, far_touches(board, state), far_openings(board, state))


# Boards


def make_board(rows: int, columns: int, numbers: list[int], free: bool) -> Board:
    """A board from the number at each intersection, row by row from the top; -1 is no circle."""
    stride = columns + 1
    masks = [0] * 10
    marks = 0
    for place, number in enumerate(numbers):
        if number >= 0:
            masks[number] |= 1 << place
            marks |= (number + 1) << 4 * place
    cells = sum(1 << row * stride + column for row in range(rows) for column in range(columns))
    reach = at_least((cells << 1, cells << stride, cells, cells << stride + 1))
    reached = [masks[number] & reach[number - 1] for number in range(1, 5)]
    return Board(
        rows=rows,
        columns=columns,
        stride=stride,
        free=free,
        wide=len(numbers) > WORD_BITS,
        cells=halves(cells),
        near=cast(Four, tuple(halves(circles)[0] for circles in reached)),
        far=cast(Four, tuple(halves(circles)[1] for circles in reached)),
        marks=cast(Eight, tuple(marks >> 64 * word & (1 << 64) - 1 for word in range(8))),
    )


def halves(word: int) -> tuple[int, int]:
    return word & (1 << WORD_BITS) - 1, word >> WORD_BITS


def whole(words: tuple[int, int]) -> int:
    """Both halves as one number: for texts and pictures, which are not compiled."""
    return words[0] | words[1] << WORD_BITS
