"""Connect Four on bitboards. Cell (row, column) is bit column * (rows + 1) + row, row 0 below.

Each column has one bit more than it has cells, and that bit is never set: so a line of four found
by shifting never runs from the top of one column into the foot of the next.

Red (player 0) and Yellow take turns to drop a disc into a column that is not full. Four of one's
own in a line, straight or diagonal, win; a full board without such a line is a draw.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.bits import Bits, bit, mix, popcount

MAX_MOVES = 26
"""A move is the column that it drops a disc into."""


class Board(NamedTuple):
    rows: int
    columns: int
    height: int
    """Bits per column: the rows and the one that stays empty."""
    cells: Bits
    """Every cell of the board."""
    bottom: Bits
    """The bottom row."""
    red_rows: Bits
    """Where a cell that would complete Red's line is likely to fall to Red: see THREAT."""
    yellow_rows: Bits


class State(NamedTuple):
    red: Bits
    yellow: Bits
    turn: int


def make_board(rows: int, columns: int) -> Board:
    height = rows + 1
    bottom = sum(1 << column * height for column in range(columns))
    cells = sum(bottom << row for row in range(rows))
    odd_rows = sum(bottom << row for row in range(0, rows, 2))
    even = rows % 2 == 0
    return Board(
        rows=rows,
        columns=columns,
        height=height,
        cells=cells,
        bottom=bottom,
        red_rows=odd_rows & ~bottom if even else cells,
        yellow_rows=odd_rows << 1 if even else cells,
    )


def start(board: Board) -> State:
    return State(red=0, yellow=0, turn=0)


def moves(board: Board, state: State, out: list[int]) -> int:
    """From the middle outwards: the middle is where most lines pass."""
    taken = state.red | state.yellow
    count = 0
    for step in range(board.columns):
        distance = (step + 1) // 2
        column = board.columns // 2 + (distance if step % 2 == 0 else -distance)
        if taken & bit(column * board.height + board.rows - 1) == 0:
            out[count] = column
            count += 1
    return count


def target_of(board: Board, state: State, move: int) -> int:
    """The cell, as a word, where a disc dropped into a column comes to rest.

    Adding 1 at the foot of the column carries through its discs into the first empty cell.
    """
    taken = state.red | state.yellow
    return (taken + bit(move * board.height)) & ~taken


def play(board: Board, state: State, move: int) -> State:
    target = target_of(board, state, move)
    if state.turn == 0:
        return State(state.red | target, state.yellow, 1)
    return State(state.red, state.yellow | target, 0)


def over(board: Board, state: State) -> bool:
    """Only the side that moved last can have completed a line."""
    last = state.yellow if state.turn == 0 else state.red
    return has_four(board, last) or state.red | state.yellow == board.cells


def utility(board: Board, state: State) -> int:
    if has_four(board, state.red):
        return 1
    return -1 if has_four(board, state.yellow) else 0


def has_four(board: Board, discs: int) -> bool:
    height = board.height
    return (
        fours(discs, 1) | fours(discs, height - 1) | fours(discs, height) | fours(discs, height + 1)
    ) != 0


def fours(discs: int, step: int) -> int:
    """The lowest cell of every four in a line, where the line's next cell is `step` bits on."""
    pairs = discs & discs >> step
    return pairs & pairs >> 2 * step


def noisy(board: Board, state: State, move: int) -> int:
    """The move that completes a line before the one that keeps the other side from doing so."""
    target = target_of(board, state, move)
    own, other = state.red, state.yellow
    if state.turn == 1:
        own, other = other, own
    if has_four(board, own | target):
        return 2
    return 1 if has_four(board, other | target) else 0


def key(board: Board, state: State) -> int:
    """Red's discs below a marker on top of each column, stirred. No two states share a key."""
    return mix(state.red, (state.red | state.yellow) + board.bottom)


# The evaluation. The numbers were measured in matches between evaluations, fixed depth 5 and 6,
# both colours from random openings of six plies.

LINE = 1
"""For a disc, once for each line of four through it that the other side has not spoilt."""
THREAT = 10
"""For an empty cell that would complete a line, in a row that falls to its owner.

Late in the game neither wants to play below such a cell. With an even number of rows Yellow can
answer every disc in its own column, and so takes the even rows; Red has the odd ones. With an odd
number of rows there is no such rule, and every row counts. Measured on 7x6: 0.61 of the points
against no such term, 0.57 against one that counts every row; 5 and 20 are both a little weaker.
"""
DECISIVE = 100_000
"""A line that will be completed at once. Measured: 0.55 of the points against none."""


def evaluate(board: Board, state: State) -> int:
    """Red's prospects: lines still open, cells that would complete one, and the next two plies."""
    red, yellow = state.red, state.yellow
    empty = board.cells & ~(red | yellow)
    playable = ((red | yellow) + board.bottom) & board.cells
    red_threats = completing(board, red) & empty
    yellow_threats = completing(board, yellow) & empty
    if state.turn == 0:
        if red_threats & playable != 0:
            return DECISIVE
        if popcount(yellow_threats & playable) > 1:
            return 1 - DECISIVE
    else:
        if yellow_threats & playable != 0:
            return -DECISIVE
        if popcount(red_threats & playable) > 1:
            return DECISIVE - 1
    lines = open_lines(board, red, yellow) - open_lines(board, yellow, red)
    threats = popcount(red_threats & board.red_rows) - popcount(yellow_threats & board.yellow_rows)
    return LINE * lines + THREAT * threats


def open_lines(board: Board, own: int, other: int) -> int:
    """Over every line of four without a disc of the other side: how many own discs it has."""
    height = board.height
    free = board.cells & ~other
    return (
        discs_in_lines(own, free, 1)
        + discs_in_lines(own, free, height - 1)
        + discs_in_lines(own, free, height)
        + discs_in_lines(own, free, height + 1)
    )


def discs_in_lines(own: int, free: int, step: int) -> int:
    lines = fours(free, step)
    return (
        popcount(lines & own)
        + popcount(lines & own >> step)
        + popcount(lines & own >> 2 * step)
        + popcount(lines & own >> 3 * step)
    )


def completing(board: Board, own: int) -> int:
    """Every cell that would make a line of four with three own discs, and bits off the board."""
    height = board.height
    return (
        completing_along(own, 1)
        | completing_along(own, height - 1)
        | completing_along(own, height)
        | completing_along(own, height + 1)
    )


def completing_along(own: int, step: int) -> int:
    before = own << step
    after = own >> step
    two_before = before & own << 2 * step
    two_after = after & own >> 2 * step
    return (
        two_before & (own << 3 * step | after)  # xxx_ and xx_x
        | two_after & (own >> 3 * step | before)  # _xxx and x_xx
    )
