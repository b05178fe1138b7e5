"""Breakthrough: the first pawn across wins."""

from __future__ import annotations

from plyground.core.errors import FormatError
from plyground.games.breakthrough.rules import (
    MAX_MOVES,
    MOVE_LIMIT,
    Board,
    State,
    evaluate,
    make_board,
    moves,
    noisy,
    over,
    play,
    start,
    target_of,
    utility,
)

__all__ = [
    "MAX_MOVES",
    "MOVE_LIMIT",
    "Board",
    "State",
    "evaluate",
    "moves",
    "noisy",
    "over",
    "play",
    "start",
    "utility",
]

TITLE = "Breakthrough"
SUMMARY = "Pawns race and capture; the first one on the far row wins."
PLAYERS = ("White", "Black")
LETTERS = "abcdefghijklmnopqrstu"
"""A board has 3 rows at least and 64 cells at most, so 21 columns; x is free to mean a capture."""
MAX_CELLS = 64


def new_board(rows: int = 6, columns: int = 6) -> Board:
    check_size(rows, columns)
    return make_board(rows, columns)


def check_size(rows: int, columns: int, line: int | None = None) -> None:
    if rows < 3 or not 2 <= columns <= len(LETTERS) or rows * columns > MAX_CELLS:
        raise FormatError(
            f"a board of {rows} rows and {columns} columns: at least 3 rows and 2 columns,"
            f" at most {len(LETTERS)} columns and {MAX_CELLS} cells are possible",
            line=line,
        )


def cell_text(board: Board, cell: int) -> str:
    return f"{LETTERS[cell % board.columns]}{cell // board.columns + 1}"


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


def position_text(board: Board, state: State) -> str:
    """Rows from the top, digits for runs of empty cells, then whose turn it is."""
    rows = []
    for row in reversed(range(board.rows)):
        text, empty = "", 0
        for column in range(board.columns):
            mark = mark_at(board, state, row * board.columns + column)
            if mark == ".":
                empty += 1
                continue
            text += (str(empty) if empty else "") + mark
            empty = 0
        rows.append(text + (str(empty) if empty else ""))
    return "/".join(rows) + (" w" if state.turn == 0 else " b")


def mark_at(board: Board, state: State, cell: int) -> str:
    if state.white >> cell & 1:
        return "w"
    return "b" if state.black >> cell & 1 else "."


def parse_position(text: str) -> tuple[Board, State]:
    words = text.split()
    if len(words) != 2 or words[1] not in ("w", "b"):
        raise FormatError(
            "a position is its rows from the top and whose turn it is, like"
            " 'bbbbbb/bbbbbb/6/6/wwwwww/wwwwww w'"
        )
    rows = words[0].split("/")
    if len(rows) > MAX_CELLS:
        raise FormatError(f"{len(rows)} rows are more than any board has")
    cells = [_parse_row(row, number) for number, row in enumerate(rows, 1)]
    columns = len(cells[0])
    for number, row in enumerate(cells, 1):
        if len(row) != columns:
            raise FormatError(
                f"row {number} from the top ({rows[number - 1]!r}) has {len(row)} cells,"
                f" the first has {columns}"
            )
    check_size(len(rows), columns)
    board = make_board(len(rows), columns)
    marks = "".join(reversed(cells))
    white = sum(1 << cell for cell, mark in enumerate(marks) if mark == "w")
    black = sum(1 << cell for cell, mark in enumerate(marks) if mark == "b")
    if white & board.top and black & board.bottom:
        raise FormatError("both sides have reached the far row; only one of them can have been first")
    if not white and not black:
        raise FormatError("there is no pawn on the board")
    return board, State(white, black, 0 if words[1] == "w" else 1)


def _parse_row(text: str, number: int) -> str:
    """A row with its empty cells written out, as many as any board can have at most."""
    cells, digits = "", ""
    for mark in text + "/":
        if mark.isascii() and mark.isdigit() and len(digits) < 2:
            digits += mark
            continue
        cells += "." * int(digits or 0)
        digits = ""
        if mark in ("w", "b"):
            cells += mark
        elif mark != "/":
            raise FormatError(
                f"row {number} from the top: {mark!r} is neither w, b nor a number of empty cells"
            )
        if len(cells) > len(LETTERS):
            raise FormatError(f"row {number} from the top has more cells than any board")
    return cells


def picture(board: Board, state: State) -> str:
    lines = []
    for row in reversed(range(board.rows)):
        marks = (mark_at(board, state, row * board.columns + c) for c in range(board.columns))
        lines.append(f"{row + 1:>2}  " + " ".join(marks))
    return "\n".join([*lines, "", "    " + " ".join(LETTERS[: board.columns])])


def svg(board: Board, state: State) -> str:
    from plyground.games.breakthrough.view import draw

    return draw(board, state)


def ending(board: Board, state: State) -> str:
    if state.white & board.top:
        return "White reached the far row"
    if state.black & board.bottom:
        return "Black reached the far row"
    return "Black has no pawns left" if not state.black else "White has no pawns left"
