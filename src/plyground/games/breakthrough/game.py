"""Breakthrough: the first pawn across wins."""

from __future__ import annotations

from plyground.core import diagram
from plyground.core.errors import FormatError
from plyground.games.breakthrough.rules import (
    DRAWS,
    MAX_MOVES,
    Board,
    State,
    evaluate,
    identity,
    key,
    make_board,
    moves,
    noisy,
    over,
    play,
    settled,
    start,
    target_of,
    utility,
)

TITLE = "Breakthrough"
SUMMARY = "Pawns race and capture; the first one on the far row wins."
PLAYERS = ("White", "Black")
COLOURS = ("#ffffff", "#33363d")
RULES = """
- A board of 6 x 6 cells, or of another size. Each side fills its two nearest rows with pawns (one
  row where the board has only three). White moves first and goes up, Black goes down; the players
  take turns.
- A move takes one pawn one step straight or diagonally forward into an empty cell, or captures an
  enemy pawn one step *diagonally* forward. Captures are never compulsory, and one move makes one
  capture.
- The first pawn on the far row wins. A side without pawns has lost. A side with pawns always has a
  move, so there are no draws.
"""
OPTION_TEXTS = {
    "rows": "rows of the board, at least 3; at most 64 cells in all",
    "columns": "columns of the board, 2 to 21",
}
MARKS = "wb"
LETTERS = "abcdefghijklmnopqrstu"
"""A board has 3 rows at least and 64 cells at most, so 21 columns; x is free to mean a capture."""
MAX_CELLS = 64
EXAMPLE = "bbbbbb/bbbbbb/6/6/wwwwww/wwwwww w"


def new_board(rows: int = 6, columns: int = 6) -> Board:
    check_size(rows, columns)
    return make_board(rows, columns)


def check_size(rows: int, columns: int) -> None:
    if rows < 3 or not 2 <= columns <= len(LETTERS) or rows * columns > MAX_CELLS:
        raise FormatError(
            f"a board of {rows} rows and {columns} columns: at least 3 rows and 2 columns,"
            f" at most {len(LETTERS)} columns and {MAX_CELLS} cells are possible"
        )


def cell_text(board: Board, cell: int) -> str:
    return f"{LETTERS[cell % board.columns]}{cell // board.columns + 1}"


def move_limit(board: Board) -> int:
    return 3 * board.rows * board.columns


def longest_game(board: Board) -> int:
    """No pawn goes farther than the row before the last, but for the move that ends the game."""
    steps = sum(board.rows - 2 - row for row in range(min(2, board.rows // 2)))
    return 2 * board.columns * steps + 1


def move_text(board: Board, state: State, move: int) -> str:
    target = target_of(board, state, move)
    capture = (state.white | state.black) >> target & 1
    return cell_text(board, move // 3) + ("x" if capture else "") + cell_text(board, target)


def parse_move(board: Board, state: State, text: str) -> int:
    """Accepts a capture with or without the x; -1 for what is no move at all."""
    wanted = text.lower().replace("x", "").replace("-", "").replace(" ", "")
    out = [0] * MAX_MOVES
    count = moves(board, state, out)
    for move in out[:count]:
        if move_text(board, state, move).replace("x", "") == wanted:
            return move
    return -1


def rows_of(board: Board, state: State) -> list[str]:
    """The rows as text, the bottom one first."""
    size = board.rows, board.columns
    return diagram.rows_of((state.white, state.black), MARKS, size, (board.columns, 1))


def position_text(board: Board, state: State) -> str:
    """Rows from the top, digits for runs of empty cells, then whose turn it is."""
    return diagram.write(rows_of(board, state), MARKS, state.turn)


def parse_position(text: str) -> tuple[Board, State]:
    rows, turn = diagram.read(text, MARKS, EXAMPLE)
    check_size(len(rows), len(rows[0]))
    board = make_board(len(rows), len(rows[0]))
    white, black = diagram.boards_of(rows, MARKS, (board.columns, 1))
    if white & board.top and black & board.bottom:
        raise FormatError(
            "both sides have reached the far row; only one of them can have been first"
        )
    if not white and not black:
        raise FormatError("there is no pawn on the board")
    return board, State(white, black, turn)


def picture(board: Board, state: State) -> str:
    return diagram.draw(rows_of(board, state), LETTERS)


def svg(board: Board, state: State) -> str:
    from plyground.games.breakthrough.view import draw

    return draw(board, state, LETTERS, TITLE, caption(board, state))


def caption(board: Board, state: State) -> str:
    return ending(board, state) if over(board, state) else f"{PLAYERS[state.turn]} to move"


def ending(board: Board, state: State) -> str:
    if state.white & board.top:
        return "White reached the far row"
    if state.black & board.bottom:
        return "Black reached the far row"
    return "Black has no pawns left" if not state.black else "White has no pawns left"
