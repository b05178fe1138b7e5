"""Breakthrough as a picture. White pawns are light with a dark outline, Black's the reverse."""

from __future__ import annotations

from plyground.core.svg import element, themed, thing
from plyground.games.breakthrough.rules import Board, State
from plyground.games.sheet import CELL, INK, middle, sheet, square

LIGHT, DARK = "#ece4d2", "#c3ae8b"
GOAL = "#e0b23c"
"""Under a pawn that has reached the far row."""
WHITE_PAWN, BLACK_PAWN = "#ffffff", "#33363d"


def draw(board: Board, state: State, letters: str, title: str, caption: str) -> str:
    arrived = state.white & board.top | state.black & board.bottom
    squares, pawns = [], []
    for row in range(board.rows):
        for column in range(board.columns):
            cell = row * board.columns + column
            x, y = middle(board.rows, row, column)
            light = (row + column) % 2
            colour = GOAL if arrived >> cell & 1 else (DARK, LIGHT)[light]
            look = {} if colour == GOAL else themed(("dark", "light")[light])
            said = "empty"
            if state.white >> cell & 1:
                said = "white pawn"
                pawns.append(thing("white", x, y, pawn(WHITE_PAWN, INK)))
            elif state.black >> cell & 1:
                said = "black pawn"
                pawns.append(thing("black", x, y, pawn(BLACK_PAWN, WHITE_PAWN)))
            squares.append(square(x, y, f"{letters[column]}{row + 1}", said, colour, **look))
    edge = element(
        "rect",
        width=board.columns * CELL,
        height=board.rows * CELL,
        fill="none",
        stroke=INK,
        stroke_width=2,
        **themed("ink-line"),
    )
    drawing = "".join([*squares, edge, *pawns])
    return sheet(board.rows, letters[: board.columns], drawing, title, caption, turns=True)


def pawn(fill: str, line: str) -> str:
    """A bell on a foot, a collar and a round head, drawn upwards so that each covers the last."""
    parts = (
        element("path", d="M-6-4c0 7-3 12-8 16h28c-5-4-8-9-8-16z")
        + element("rect", x=-16, y=12, width=32, height=8, rx=3)
        + element("circle", cy=-12, r=8)
        + element("rect", x=-10, y=-7, width=20, height=5, rx=2.5)
    )
    return element("g", parts, fill=fill, stroke=line, stroke_width=2, stroke_linejoin="round")
