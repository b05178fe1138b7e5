"""Connect Four: discs fall into columns, four in a line win."""

from __future__ import annotations

from itertools import pairwise

from plyground.core import diagram
from plyground.core.errors import FormatError
from plyground.games.connectfour.rules import (
    MAX_MOVES,
    Board,
    State,
    evaluate,
    has_four,
    key,
    make_board,
    moves,
    noisy,
    over,
    play,
    start,
    utility,
)

TITLE = "Connect Four"
SUMMARY = "Discs fall into columns; four of a colour in a line win."
PLAYERS = ("Red", "Yellow")
COLOURS = ("#d8443c", "#f6cf45")
RULES = """
- A board of 7 columns and 6 rows that stands upright, empty at the start. Red moves first; the
  players take turns.
- A move drops a disc of one's own colour into a column that is not full. It falls onto the bottom,
  or onto the highest disc.
- Four of one's own discs in a line, straight or diagonal, win. A full board without such a line is
  a draw.
"""
OPTION_TEXTS = {
    "rows": "rows of the board, up to 19; at least 4 rows or 4 columns",
    "columns": "columns of the board, up to 26; (rows + 1) x columns is at most 64",
}
MARKS = "ry"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MAX_BITS = 64
MAX_ROWS = 19
"""A word can be shifted by 63 bits at most, and a diagonal of four spans 3 x (rows + 2)."""
EXAMPLE = "7/7/7/7/7/3r3 y"


def new_board(rows: int = 6, columns: int = 7) -> Board:
    check_size(rows, columns)
    return make_board(rows, columns)


def check_size(rows: int, columns: int) -> None:
    if (
        min(rows, columns) < 1
        or max(rows, columns) < 4
        or rows > MAX_ROWS
        or columns > len(LETTERS)
        or (rows + 1) * columns > MAX_BITS
    ):
        raise FormatError(
            f"a board of {rows} rows and {columns} columns: at least 4 of one and 1 of the other,"
            f" at most {MAX_ROWS} rows, {len(LETTERS)} columns and {MAX_BITS} for"
            " (rows + 1) x columns are possible"
        )


def move_limit(board: Board) -> int:
    return board.columns


def longest_game(board: Board) -> int:
    return board.rows * board.columns


def move_text(board: Board, state: State, move: int) -> str:
    return LETTERS[move]


def touches(board: Board, state: State, move: int) -> tuple[str, ...]:
    """The cell in which a disc lands; the others of its column stand for it."""
    discs = (state.red | state.yellow) >> move * board.height
    return (f"{LETTERS[move]}{(discs & (1 << board.rows) - 1).bit_count() + 1}",)


def parse_move(board: Board, state: State, text: str) -> int:
    """The column that a letter, or a number counted from 1, names; -1 for what is no column."""
    if text.isascii() and text.isdigit() and len(text) <= 2:
        return int(text) - 1
    return LETTERS.find(text.lower()) if len(text) == 1 else -1


def rows_of(board: Board, state: State) -> list[str]:
    """The rows as text, the bottom one first."""
    size = board.rows, board.columns
    return diagram.rows_of((state.red, state.yellow), MARKS, size, (1, board.height))


def position_text(board: Board, state: State) -> str:
    """Rows from the top, digits for runs of empty cells, then whose turn it is."""
    return diagram.write(rows_of(board, state), MARKS, state.turn)


def parse_position(text: str) -> tuple[Board, State]:
    rows, turn = diagram.read(text, MARKS, EXAMPLE)
    check_size(len(rows), len(rows[0]))
    check_support(rows)
    board = make_board(len(rows), len(rows[0]))
    red, yellow = diagram.boards_of(rows, MARKS, (1, board.height))
    check_counts(red.bit_count(), yellow.bit_count(), turn)
    state = State(red, yellow, turn)
    check_lines(board, state)
    return board, state


def check_support(rows: list[str]) -> None:
    for row, (below, marks) in enumerate(pairwise(rows), 2):
        for column, (support, mark) in enumerate(zip(below, marks, strict=True)):
            if mark != "." and support == ".":
                raise FormatError(
                    f"the disc in column {LETTERS[column]}, row {row} from the bottom, hangs in"
                    " the air: discs fall onto the bottom or onto another disc"
                )


def check_counts(red: int, yellow: int, turn: int) -> None:
    if red - yellow != turn:
        raise FormatError(
            f"{red} red and {yellow} yellow discs with {PLAYERS[turn]} to move: Red begins and"
            f" turns alternate, so there must be"
            f" {'one red disc more' if turn else 'as many of each'}"
        )


def check_lines(board: Board, state: State) -> None:
    """A finished game must have been ended by the last disc dropped."""
    last = state.red if state.turn else state.yellow
    other = state.yellow if state.turn else state.red
    if has_four(board, last) and has_four(board, other):
        raise FormatError("both sides have four in a line; the game ends with the first one")
    if has_four(board, other):
        raise FormatError(
            f"{PLAYERS[state.turn]} has four in a line, so the game ended before"
            f" {PLAYERS[1 - state.turn]} dropped the last disc"
        )
    # The last disc lies on top of its column: one short of the marker that the carry leaves.
    on_top = ((state.red | state.yellow) + board.bottom) >> 1 & last
    tops = [1 << cell for cell in range(on_top.bit_length()) if on_top >> cell & 1]
    if has_four(board, last) and all(has_four(board, last & ~top) for top in tops):
        raise FormatError(
            f"no last disc of {PLAYERS[1 - state.turn]}'s can have completed all its lines of four"
        )


def picture(board: Board, state: State) -> str:
    return diagram.draw(rows_of(board, state), LETTERS)


def svg(board: Board, state: State) -> str:
    from plyground.games.connectfour.view import draw

    return draw(board, state, LETTERS, TITLE, caption(board, state))


def caption(board: Board, state: State) -> str:
    return ending(board, state) if over(board, state) else f"{PLAYERS[state.turn]} to move"


def ending(board: Board, state: State) -> str:
    result = utility(board, state)
    if result == 0:
        return "the board is full"
    return f"{PLAYERS[0 if result > 0 else 1]} has four in a line"
