"""Connect Four as a picture. Red discs bear a ring, yellow ones a star, winning ones a rim."""

from __future__ import annotations

from math import cos, pi, sin

from plyground.core.svg import element
from plyground.games.connectfour.rules import Board, State, fours
from plyground.games.sheet import CELL, PAPER, middle, sheet

FRAME = "#2d5fa8"
FRAME_EDGE = "#1f4680"
RED, RED_MARK = "#d8443c", "#8e1f1a"
YELLOW, YELLOW_MARK = "#f6cf45", "#97720a"
RADIUS = CELL * 0.4


def draw(board: Board, state: State, letters: str, title: str, caption: str) -> str:
    drawing = [
        element(
            "rect",
            x=-4,
            y=-4,
            width=board.columns * CELL + 8,
            height=board.rows * CELL + 8,
            rx=12,
            fill=FRAME,
            stroke=FRAME_EDGE,
            stroke_width=2,
        )
    ]
    winning = cells_in_fours(board, state.red) | cells_in_fours(board, state.yellow)
    for row in range(board.rows):
        for column in range(board.columns):
            cell = column * board.height + row
            x, y = middle(board.rows, row, column)
            if state.red >> cell & 1:
                drawing.append(red_disc(x, y))
            elif state.yellow >> cell & 1:
                drawing.append(yellow_disc(x, y))
            else:
                drawing.append(hole(x, y))
            if winning >> cell & 1:
                drawing.append(rim(x, y))
    return sheet(board.rows, letters[: board.columns], "".join(drawing), title, caption)


def cells_in_fours(board: Board, discs: int) -> int:
    """Every disc that is part of a line of four."""
    cells = 0
    for step in (1, board.height - 1, board.height, board.height + 1):
        first = fours(discs, step)
        cells |= first | first << step | first << 2 * step | first << 3 * step
    return cells


def hole(x: float, y: float) -> str:
    return element("circle", cx=x, cy=y, r=RADIUS, fill=PAPER, stroke=FRAME_EDGE, stroke_width=2)


def red_disc(x: float, y: float) -> str:
    disc = element("circle", cx=x, cy=y, r=RADIUS, fill=RED, stroke=RED_MARK, stroke_width=2)
    ring = element(
        "circle", cx=x, cy=y, r=RADIUS * 0.6, fill="none", stroke=RED_MARK, stroke_width=3
    )
    return disc + ring


def yellow_disc(x: float, y: float) -> str:
    disc = element("circle", cx=x, cy=y, r=RADIUS, fill=YELLOW, stroke=YELLOW_MARK, stroke_width=2)
    return disc + element("path", d=star(x, y, RADIUS * 0.62), fill=YELLOW_MARK)


def star(x: float, y: float, size: float) -> str:
    """A star of five points, one of them up."""
    corners = []
    for corner in range(10):
        reach = size if corner % 2 == 0 else size * 0.42
        angle = corner * pi / 5
        corners.append(f"{x + reach * sin(angle):.1f} {y - reach * cos(angle):.1f}")
    return "M" + "L".join(corners) + "Z"


def rim(x: float, y: float) -> str:
    return element("circle", cx=x, cy=y, r=RADIUS, fill="none", stroke="#ffffff", stroke_width=5)
