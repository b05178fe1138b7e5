"""Breakthrough as a picture. White pawns are light with a dark outline, Black's the reverse."""

from __future__ import annotations

from plyground.core.svg import element
from plyground.games.breakthrough.rules import Board, State
from plyground.games.sheet import CELL, INK, middle, sheet

LIGHT, DARK = "#ece4d2", "#c3ae8b"
GOAL = "#e0b23c"
"""Under a pawn that has reached the far row."""
WHITE_PAWN, BLACK_PAWN = "#ffffff", "#33363d"


def draw(board: Board, state: State, letters: str, title: str, caption: str) -> str:
    arrived = state.white & board.top | state.black & board.bottom
    drawing = []
    for row in range(board.rows):
        for column in range(board.columns):
            cell = row * board.columns + column
            x, y = middle(board.rows, row, column)
            colour = GOAL if arrived >> cell & 1 else (DARK, LIGHT)[(row + column) % 2]
            drawing.append(square(x, y, colour))
            if state.white >> cell & 1:
                drawing.append(pawn(x, y, WHITE_PAWN, INK))
            elif state.black >> cell & 1:
                drawing.append(pawn(x, y, BLACK_PAWN, WHITE_PAWN))
    edge = element(
        "rect",
        width=board.columns * CELL,
        height=board.rows * CELL,
        fill="none",
        stroke=INK,
        stroke_width=2,
    )
    return sheet(board.rows, letters[: board.columns], "".join([*drawing, edge]), title, caption)


def square(x: float, y: float, colour: str) -> str:
    return element("rect", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL, fill=colour)


def pawn(x: float, y: float, fill: str, line: str) -> str:
    """A bell on a foot, a collar and a round head, drawn upwards so that each covers the last."""
    shape = {"fill": fill, "stroke": line, "stroke_width": 2, "stroke_linejoin": "round"}
    bell = f"M{x - 6:g} {y - 4:g}c0 7-3 12-8 16h28c-5-4-8-9-8-16z"
    return (
        element("path", d=bell, **shape)
        + element("rect", x=x - 16, y=y + 12, width=32, height=8, rx=3, **shape)
        + element("circle", cx=x, cy=y - 12, r=8, **shape)
        + element("rect", x=x - 10, y=y - 7, width=20, height=5, rx=2.5, **shape)
    )
