"""Connect Four as a picture. Red discs bear a ring, yellow ones a star, winning ones a rim.

The discs lie behind the frame, in which they are seen through holes: on a page they fall into it.
"""

from __future__ import annotations

from math import cos, pi, sin

from plyground.core.svg import element, themed, thing
from plyground.games.connectfour.rules import Board, State, fours
from plyground.games.sheet import CELL, PAPER, middle, sheet, square

FRAME = "#2d5fa8"
FRAME_EDGE = "#1f4680"
RED, RED_MARK = "#d8443c", "#8e1f1a"
YELLOW, YELLOW_MARK = "#f6cf45", "#97720a"
RADIUS = CELL * 0.4


def draw(board: Board, state: State, letters: str, title: str, caption: str) -> str:
    holes, discs, rims = [], [], []
    winning = cells_in_fours(board, state.red) | cells_in_fours(board, state.yellow)
    for column in range(board.columns):
        standing = height_of(board, state, column)
        for row in range(board.rows):
            cell = column * board.height + row
            x, y = middle(board.rows, row, column)
            above = f"{x:g} {-CELL / 2:g}"
            said = "empty"
            if state.red >> cell & 1:
                said = "red disc"
                discs.append(thing("red", x, y, red_disc(), data_enters=above))
            elif state.yellow >> cell & 1:
                said = "yellow disc"
                discs.append(thing("yellow", x, y, yellow_disc(), data_enters=above))
            landing = f"{letters[column]}{min(standing, board.rows - 1) + 1}"
            name = f"{letters[column]}{row + 1}"
            # What is seen through a hole. Touching it drops a disc, which lands where it can.
            look = {"data_stands_for": landing, **themed("paper")}
            holes.append(square(x, y, name, said, PAPER, **look))
            if winning >> cell & 1:
                rims.append(thing("rim", x, y, rim()))
    drawing = "".join([*holes, *discs, frame(board), *rims])
    return sheet(board.rows, letters[: board.columns], drawing, title, caption)


def height_of(board: Board, state: State, column: int) -> int:
    """How many discs a column holds."""
    discs = (state.red | state.yellow) >> column * board.height
    return (discs & (1 << board.rows) - 1).bit_count()


def cells_in_fours(board: Board, discs: int) -> int:
    """Every disc that is part of a line of four."""
    cells = 0
    for step in (1, board.height - 1, board.height, board.height + 1):
        first = fours(discs, step)
        cells |= first | first << step | first << 2 * step | first << 3 * step
    return cells


def frame(board: Board) -> str:
    """The rounded frame with a hole for each cell."""
    wide, high = board.columns * CELL - 16, board.rows * CELL - 16
    outline = (
        f"M8-4h{wide}a12 12 0 0 1 12 12v{high}a12 12 0 0 1-12 12"
        f"h-{wide}a12 12 0 0 1-12-12v-{high}a12 12 0 0 1 12-12z"
    )
    wider = RADIUS + 1
    for row in range(board.rows):
        for column in range(board.columns):
            x, y = middle(board.rows, row, column)
            half = f"a{wider:g} {wider:g} 0 0 1 "
            outline += f"M{x - wider:g} {y:g}{half}{2 * wider:g} 0{half}{-2 * wider:g} 0z"
    return element(
        "path", d=outline, fill=FRAME, fill_rule="evenodd", stroke=FRAME_EDGE, stroke_width=2
    )


def red_disc() -> str:
    disc = element("circle", r=RADIUS, fill=RED, stroke=RED_MARK, stroke_width=2)
    return disc + element("circle", r=RADIUS * 0.6, fill="none", stroke=RED_MARK, stroke_width=3)


def yellow_disc() -> str:
    disc = element("circle", r=RADIUS, fill=YELLOW, stroke=YELLOW_MARK, stroke_width=2)
    return disc + element("path", d=star(RADIUS * 0.62), fill=YELLOW_MARK)


def star(size: float) -> str:
    """A star of five points, one of them up."""
    corners = []
    for corner in range(10):
        reach = size if corner % 2 == 0 else size * 0.42
        angle = corner * pi / 5
        corners.append(f"{reach * sin(angle):.1f} {-reach * cos(angle):.1f}")
    return "M" + "L".join(corners) + "Z"


def rim() -> str:
    return element("circle", r=RADIUS, fill="none", stroke="#ffffff", stroke_width=5)
