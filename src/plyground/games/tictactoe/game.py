"""Tic-tac-toe: three in a line."""

from __future__ import annotations

from plyground.core.contract import NoBoard
from plyground.core.diagram import cells_with, draw_diagram, read_diagram, write_diagram
from plyground.core.errors import FormatError
from plyground.games.tictactoe.rules import (
    MAX_MOVES,
    State,
    evaluate,
    has_line,
    key,
    moves,
    noisy,
    over,
    play,
    start,
    utility,
)

__all__ = [
    "MAX_MOVES",
    "State",
    "evaluate",
    "key",
    "moves",
    "noisy",
    "over",
    "play",
    "start",
    "utility",
]

TITLE = "Tic-tac-toe"
SUMMARY = "Three marks in a line win; with good play nobody gets them."
PLAYERS = ("X", "O")
MARKS = "xo"
LETTERS = "abc"
EXAMPLE = "o2/1x1/3 x"


def move_text(board: NoBoard, state: State, move: int) -> str:
    return f"{LETTERS[move % 3]}{move // 3 + 1}"


def parse_move(board: NoBoard, state: State, text: str) -> int:
    """The cell that a text names, taken or not; -1 for what is no cell at all."""
    wanted = text.lower()
    for move in range(9):
        if move_text(board, state, move) == wanted:
            return move
    return -1


def rows_of(state: State) -> list[str]:
    """The rows as text, the bottom one first."""
    marks = [
        MARKS[0] if state.crosses >> cell & 1 else MARKS[1] if state.noughts >> cell & 1 else "."
        for cell in range(9)
    ]
    return ["".join(marks[row * 3 : row * 3 + 3]) for row in range(3)]


def position_text(board: NoBoard, state: State) -> str:
    """Rows from the top, digits for runs of empty cells, then whose turn it is."""
    return write_diagram(rows_of(state), MARKS, state.turn)


def parse_position(text: str) -> tuple[NoBoard, State]:
    rows, turn = read_diagram(text, MARKS, EXAMPLE)
    if len(rows) != 3 or len(rows[0]) != 3:
        raise FormatError(f"{len(rows)} rows of {len(rows[0])} cells: the grid has 3 rows of 3")
    crosses, noughts = (
        sum(1 << row * 3 + column for row, column in cells_with(rows, mark)) for mark in MARKS
    )
    check_counts(crosses.bit_count(), noughts.bit_count(), turn)
    if has_line(crosses) and has_line(noughts):
        raise FormatError("both sides have three in a line; the game ends with the first one")
    if has_line(noughts if turn else crosses):
        raise FormatError(
            f"{PLAYERS[turn]} has three in a line, so the game ended before"
            f" {PLAYERS[1 - turn]} made the last move"
        )
    return NoBoard(), State(crosses, noughts, turn)


def check_counts(crosses: int, noughts: int, turn: int) -> None:
    if crosses - noughts != turn:
        raise FormatError(
            f"{crosses} x and {noughts} o with {PLAYERS[turn]} to move: X begins and turns"
            f" alternate, so there must be {'one more x than o' if turn else 'as many x as o'}"
        )


def picture(board: NoBoard, state: State) -> str:
    return draw_diagram(rows_of(state), LETTERS)


def svg(board: NoBoard, state: State) -> str:
    from plyground.games.tictactoe.view import draw

    return draw(state, LETTERS, TITLE, caption(board, state))


def caption(board: NoBoard, state: State) -> str:
    return ending(board, state) if over(board, state) else f"{PLAYERS[state.turn]} to move"


def ending(board: NoBoard, state: State) -> str:
    result = utility(board, state)
    if result == 0:
        return "the grid is full"
    return f"{PLAYERS[0 if result > 0 else 1]} has three in a line"
