"""Slant: draw diagonals, and be the one who completes the circles."""

from __future__ import annotations

import re

from plyground.core.errors import FormatError
from plyground.games.slant.boards import BOARDS, RANDOM, random_circles
from plyground.games.slant.notation import (
    FREE,
    LETTERS,
    ORIENTATIONS,
    OWNED,
    check_size,
    read_position,
    write_position,
)
from plyground.games.slant.outlook import bounds, evaluate
from plyground.games.slant.rules import (
    MAX_MOVES,
    POINT,
    Board,
    State,
    cell_of,
    is_slash,
    moves,
    noisy,
    over,
    play,
    score,
    start,
    utility,
)
from plyground.games.slant.sameness import identity, key

__all__ = [
    "BOARDS",
    "MAX_MOVES",
    "POINT",
    "Board",
    "State",
    "bounds",
    "evaluate",
    "identity",
    "key",
    "moves",
    "noisy",
    "over",
    "play",
    "score",
    "start",
    "utility",
]

TITLE = "Slant"
SUMMARY = "Fill cells with diagonals; whoever draws the line that a circle lacks scores its number."
PLAYERS = ("First", "Second")
CHOICES = {"board": (*BOARDS, RANDOM), "orientation": ORIENTATIONS}
ROWS, COLUMNS, CIRCLES, SEED = 4, 4, 35, 0
"""The defaults of a random board."""
MOVE = re.compile(r"(?:([0-9]{1,3})[ ,]+([0-9]{1,3})|([a-z]) ?([0-9]{1,3})) ?([/\\])?")


def new_board(
    board: str = "example_a",
    orientation: str = OWNED,
    rows: int = ROWS,
    columns: int = COLUMNS,
    circles: int = CIRCLES,
    seed: int = SEED,
) -> Board:
    """A built-in board by its name, or a random one, to which the last four options belong."""
    for name, value in (("board", board), ("orientation", orientation)):
        if value not in CHOICES[name]:
            raise FormatError(
                f"option {name} must be one of {', '.join(CHOICES[name])}, not {value[:40]!r}"
            )
    if board == RANDOM:
        check_size(rows, columns)
        text = random_circles(rows, columns, circles, seed)
    elif (rows, columns, circles, seed) != (ROWS, COLUMNS, CIRCLES, SEED):
        raise FormatError(
            f"the options rows, columns, circles and seed go with board={RANDOM};"
            f" the board {board!r} has its own"
        )
    else:
        text = BOARDS[board]
    return read_position(text, orientation)[0]


def move_text(board: Board, state: State, move: int) -> str:
    row, column = divmod(cell_of(board, move), board.stride)
    line = ("/" if is_slash(board, state, move) else "\\") if board.free else ""
    return f"{LETTERS[column]}{board.rows - row}{line}"


def parse_move(board: Board, state: State, text: str) -> int:
    """A cell by its name (rows from the bottom) or as row and column (from the top), and its line.

    Under `owned` a line may be named as well, if it is the mover's. -1 for what is no move.
    """
    found = MOVE.fullmatch(text.lower())
    if found is None:
        return -1
    if found[1]:
        row, column = int(found[1]) - 1, int(found[2]) - 1
    else:
        row, column = board.rows - int(found[4]), LETTERS.index(found[3])
    if not (0 <= row < board.rows and 0 <= column < board.columns):
        return -1
    cell, line = row * board.stride + column, found[5]
    if board.free:
        return -1 if line is None else 2 * cell + (line == "\\")
    return cell if line in (None, "/\\"[state.turn]) else -1


def position_text(board: Board, state: State) -> str:
    return write_position(board, state)


def parse_position(text: str, orientation: str = "") -> tuple[Board, State]:
    """A board file, its circles in one line, or a whole position."""
    if orientation not in ("", *ORIENTATIONS):
        raise FormatError(f"option orientation must be {OWNED} or {FREE}, not {orientation[:40]!r}")
    return read_position(text, orientation)


def picture(board: Board, state: State) -> str:
    from plyground.games.slant.view import sketch

    return "\n".join([*sketch(board, state, LETTERS), "", points_text(state)])


def svg(board: Board, state: State) -> str:
    from plyground.games.slant.view import draw

    return draw(board, state, LETTERS, TITLE, caption(board, state))


def points_text(state: State) -> str:
    return f"{PLAYERS[0]} {state.first_points}, {PLAYERS[1]} {state.second_points}"


def caption(board: Board, state: State) -> str:
    if over(board, state):
        return f"{points_text(state)}: {ending(board, state)}"
    return f"{points_text(state)}; {PLAYERS[state.turn]} to move"


def ending(board: Board, state: State) -> str:
    margin = utility(board, state)
    if margin == 0:
        return "the board is full and the points are even"
    return f"the board is full, {PLAYERS[0 if margin > 0 else 1]} wins by {abs(margin)}"
