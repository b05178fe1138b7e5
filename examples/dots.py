"""Dots and Boxes: draw a line between two dots; who closes a box owns it and draws again.

This file shows bitboards. Dots, boxes and lines share one numbering, row * (columns + 1) + column,
from the top left. `across` has a bit for each line from a dot to the right, `down` one for each
line from a dot downwards. So the four sides of box i are across i, across i + width, down i and
down i + 1, and three shifts find every closed box of the board at once.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground import Bits, bit, drop_lowest, lowest, popcount
from plyground.core.errors import FormatError

TITLE = "Dots and Boxes"
SUMMARY = "Draw lines; who closes a box owns it and draws again."

POINT = 1  # the margin counts; evaluations are in whole boxes
DOWN = 64  # a move is the number of a line across, or DOWN + the number of a line down
MAX_MOVES = 112  # the lines of the largest board, 7 by 7

LETTERS = "abcdefgh"


class Board(NamedTuple):
    rows: int  # of boxes
    columns: int
    width: int  # dots in a row
    across: Bits  # every line that can be drawn
    down: Bits


class State(NamedTuple):
    across: Bits  # the lines drawn so far
    down: Bits
    lead: int  # boxes of the first player minus boxes of the second; who owns which is all the same
    turn: int


def new_board(rows: int = 3, columns: int = 3) -> Board:
    if not (1 <= rows <= 7 and 1 <= columns <= 7):
        raise FormatError(f"{rows} rows and {columns} columns: 1 to 7 of each are possible")
    width = columns + 1
    dots = [(row, column) for row in range(rows + 1) for column in range(width)]
    across = sum(1 << row * width + column for row, column in dots if column < columns)
    down = sum(1 << row * width + column for row, column in dots if row < rows)
    return Board(rows, columns, width, across, down)


# The rules. They are compiled: a Bits is a 64-bit word there, and `bit(i)` makes one.


def start(board: Board) -> State:
    return State(across=0, down=0, lead=0, turn=0)


def moves(board: Board, state: State, out: list[int]) -> int:
    count = 0
    across = board.across & ~state.across
    while across:
        out[count] = lowest(across)
        across = drop_lowest(across)
        count += 1
    down = board.down & ~state.down
    while down:
        out[count] = DOWN + lowest(down)
        down = drop_lowest(down)
        count += 1
    return count


def play(board: Board, state: State, move: int) -> State:
    if move < DOWN:
        across, down = state.across | bit(move), state.down
    else:
        across, down = state.across, state.down | bit(move - DOWN)
    gained = boxes(board, across, down) - boxes(board, state.across, state.down)
    if gained == 0:
        return State(across, down, state.lead, 1 - state.turn)
    return State(across, down, state.lead + (gained if state.turn == 0 else -gained), state.turn)


def boxes(board: Board, across: int, down: int) -> int:
    """How many boxes have all four sides drawn."""
    return popcount(across & across >> board.width & down & down >> 1)


def over(board: Board, state: State) -> bool:
    return state.across == board.across and state.down == board.down


def utility(board: Board, state: State) -> int:
    return state.lead


def evaluate(board: Board, state: State) -> int:
    return POINT * state.lead


def noisy(board: Board, state: State, move: int) -> int:
    """How many boxes a line closes."""
    return abs(play(board, state, move).lead - state.lead)


# What people see


def score(board: Board, state: State) -> int:
    return state.lead


def dot_text(board: Board, dot: int) -> str:
    return f"{LETTERS[dot % board.width]}{dot // board.width + 1}"


def move_text(board: Board, state: State, move: int) -> str:
    """A line by the two dots that it joins, as in a1-b1."""
    first, second = (move, move + 1) if move < DOWN else (move - DOWN, move - DOWN + board.width)
    return f"{dot_text(board, first)}-{dot_text(board, second)}"


def picture(board: Board, state: State) -> str:
    """A closed box is filled with ##."""
    closed = state.across & state.across >> board.width & state.down & state.down >> 1
    lines = ["    " + "  ".join(LETTERS[: board.width])]
    for row in range(board.rows + 1):
        dots = range(row * board.width, row * board.width + board.width)
        joined = "".join("+" + ("--" if state.across >> dot & 1 else "  ") for dot in dots)
        lines.append(f"{row + 1:2}  {joined.rstrip()}")
        if row < board.rows:
            sides = "".join(
                ("|" if state.down >> dot & 1 else " ") + ("##" if closed >> dot & 1 else "  ")
                for dot in dots
            )
            lines.append(f"    {sides.rstrip()}")
    return "\n".join(lines) + f"\n\n{'First' if state.turn == 0 else 'Second'} to draw"
