"""Tic-tac-toe: three in a line."""

from __future__ import annotations

from plyground.core import diagram
from plyground.core.contract import NoBoard
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

TITLE = "Tic-tac-toe"
SUMMARY = "Three marks in a line win; with good play nobody gets them."
PLAYERS = ("X", "O")
COLOURS = ("#b3372f", "#1f5fa8")
RULES = """
- A grid of 3 x 3 cells, empty at the start. X moves first; the players take turns.
- A move fills an empty cell with one's mark. Nothing is ever moved or taken off.
- Three of one's own marks in a row, a column or a diagonal win. A full grid without such a line is
  a draw.
"""
MARKS = "xo"
LETTERS = "abc"
EXAMPLE = "o2/1x1/3 x"


def move_limit(board: NoBoard) -> int:
    return 9


def longest_game(board: NoBoard) -> int:
    return 9


def move_text(board: NoBoard, state: State, move: int) -> str:
    return f"{LETTERS[move % 3]}{move // 3 + 1}"


def rows_of(state: State) -> list[str]:
    """The rows as text, the bottom one first."""
    return diagram.rows_of((state.crosses, state.noughts), MARKS, (3, 3), (3, 1))


def position_text(board: NoBoard, state: State) -> str:
    """Rows from the top, digits for runs of empty cells, then whose turn it is."""
    return diagram.write(rows_of(state), MARKS, state.turn)


def parse_position(text: str) -> tuple[NoBoard, State]:
    rows, turn = diagram.read(text, MARKS, EXAMPLE)
    if len(rows) != 3 or len(rows[0]) != 3:
        raise FormatError(f"{len(rows)} rows of {len(rows[0])} cells: the grid has 3 rows of 3")
    crosses, noughts = diagram.boards_of(rows, MARKS, (3, 1))
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
    return diagram.draw(rows_of(state), LETTERS)


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
