"""Slant: draw diagonals, and be the one who completes the circles."""

from __future__ import annotations

import re

from plyground.core.errors import FormatError
from plyground.games.slant.boards import BOARDS, RANDOM, random_circles
from plyground.games.slant.notation import (
    LETTERS,
    ORIENTATIONS,
    OWNED,
    check_size,
    parse_position,
    position_text,
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

TITLE = "Slant"
SUMMARY = "Fill cells with diagonals; whoever draws the line that a circle lacks scores its number."
PLAYERS = ("First", "Second")
COLOURS = ("#1f5fa8", "#b8521b")
RULES = r"""
- A board of cells, whose corners meet at intersections. Some intersections carry a circle with a
  number.
- A move fills an empty cell with a diagonal line. With `orientation=owned` the first player always
  draws `/` and the second always `\`, so that a move is just a cell. With `orientation=free` the
  mover chooses the line.
- A line touches the two intersections that it joins. When the number of lines that touch a circle
  reaches its number, the mover scores that number, once; later touches are worth nothing. One line
  can score two circles. Scoring gives no further move, and loops are allowed.
- The game is over when every cell is filled. The first player's result is their points minus the
  other's.

A number out of reach (above 1 in a corner, above 2 on an edge, above 4 anywhere) is legal and dead,
and so is 0. With `owned`, two of the corners can be touched only by `/` and two only by `\`.

In the picture a circle with a thick rim lacks a single line; one that is filled and ticked is
reached, and one that is pale and struck out is lost: too few empty cells are left around it. `/` is
a solid line, `\` a dashed one. In the terminal `(2)` is a circle that is reached and `[2]` one that
is lost.
"""
CHOICES = {"board": (*BOARDS, RANDOM), "orientation": ORIENTATIONS}
OPTION_TEXTS = {
    "board": "one of the built-in boards, or `random`",
    "orientation": r"`owned`: the first player draws `/`, the other `\`; `free`: the mover chooses",
    "rows": "rows of cells on a random board",
    "columns": "columns of cells on a random board, up to 26",
    "circles": "per cent of a random board's intersections that carry a circle",
    "seed": "of a random board: the same seed draws the same board everywhere",
}
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
    return parse_position(text, orientation)[0]


def move_limit(board: Board) -> int:
    return board.rows * board.stride * (2 if board.free else 1)


def longest_game(board: Board) -> int:
    return board.rows * board.columns


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
