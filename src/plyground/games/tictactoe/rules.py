"""Tic-tac-toe on bitboards. Cell (row, column) is bit row * 3 + column, row 0 at the bottom.

X (player 0) and O take turns to fill an empty cell. Three of one's own in a line win; a full grid
without such a line is a draw.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.bits import Bits, bit, drop_lowest, lowest, mix, popcount, word
from plyground.core.contract import NoBoard

CELLS = 0b111_111_111
LINES = (
    *(0b000_000_111, 0b000_111_000, 0b111_000_000),  # rows
    *(0b001_001_001, 0b010_010_010, 0b100_100_100),  # columns
    *(0b100_010_001, 0b001_010_100),  # diagonals
)
WITH_LINE = tuple(
    sum(1 << low for low in range(64) if any(~(high << 6 | low) & line == 0 for line in LINES))
    for high in range(8)
)
"""For every set of marks a bit that says whether they hold a line: 64 sets to a word."""
MAX_MOVES = 9
"""A move is the cell that it fills."""


class State(NamedTuple):
    crosses: Bits
    noughts: Bits
    turn: int


def start(board: NoBoard) -> State:
    return State(crosses=0, noughts=0, turn=0)


def moves(board: NoBoard, state: State, out: list[int]) -> int:
    # A word, as `drop_lowest` gives: of two kinds of numbers the compiler would make a float.
    empty = word(CELLS) & ~(state.crosses | state.noughts)
    count = 0
    while empty:
        out[count] = lowest(empty)
        empty = drop_lowest(empty)
        count += 1
    return count


def play(board: NoBoard, state: State, move: int) -> State:
    if state.turn == 0:
        return State(state.crosses | bit(move), state.noughts, 1)
    return State(state.crosses, state.noughts | bit(move), 0)


def over(board: NoBoard, state: State) -> bool:
    """Only the side that moved last can have completed a line."""
    last = state.noughts if state.turn == 0 else state.crosses
    return has_line(last) or state.crosses | state.noughts == CELLS


def utility(board: NoBoard, state: State) -> int:
    if has_line(state.crosses):
        return 1
    return -1 if has_line(state.noughts) else 0


def has_line(marks: int) -> bool:
    return WITH_LINE[marks >> 6] >> (marks & 63) & 1 != 0


def noisy(board: NoBoard, state: State, move: int) -> int:
    """The move that completes a line before the one that keeps the other side from doing so."""
    own, other = state.crosses, state.noughts
    if state.turn == 1:
        own, other = other, own
    if has_line(own | bit(move)):
        return 2
    return 1 if has_line(other | bit(move)) else 0


def key(board: NoBoard, state: State) -> int:
    """Both sides in one word, stirred. Stirring loses nothing: no two states share a key."""
    return mix(state.crosses, state.noughts << 9)


PAIR = 3
"""The worth of two marks in a line that is still open; one mark is worth 1."""


def evaluate(board: NoBoard, state: State) -> int:
    """The textbooks' measure: 3 times X's open pairs plus X's open singles, less the same for O."""
    value = 0
    for line in LINES:
        crosses = popcount(state.crosses & line)
        noughts = popcount(state.noughts & line)
        if noughts == 0:
            value += PAIR if crosses == 2 else crosses
        elif crosses == 0:
            value -= PAIR if noughts == 2 else noughts
    return value
