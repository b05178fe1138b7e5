"""Tic-tac-toe as a picture. X and O differ by shape; a winning line is struck through."""

from __future__ import annotations

from plyground.core.svg import element
from plyground.games.sheet import CELL, INK, middle, sheet
from plyground.games.tictactoe.rules import LINES, State

CROSS = "#b3372f"
NOUGHT = "#2a5f9e"
REACH = CELL * 0.27
"""From the middle of a mark to its edge."""


def draw(state: State, letters: str, title: str, caption: str) -> str:
    drawing = [grid()]
    for cell in range(9):
        if state.crosses >> cell & 1:
            drawing.append(cross(*place(cell)))
        elif state.noughts >> cell & 1:
            drawing.append(nought(*place(cell)))
    drawing += [
        strike(line) for line in LINES if line in (state.crosses & line, state.noughts & line)
    ]
    return sheet(3, letters, "".join(drawing), title, caption)


def place(cell: int) -> tuple[float, float]:
    return middle(3, cell // 3, cell % 3)


def grid() -> str:
    size = 3 * CELL
    path = "".join(f"M{at} 4V{size - 4}M4 {at}H{size - 4}" for at in (CELL, 2 * CELL))
    return element("path", d=path, fill="none", stroke=INK, stroke_width=3, stroke_linecap="round")


def cross(x: float, y: float) -> str:
    path = "".join(
        f"M{x - REACH:g} {y - slope * REACH:g}L{x + REACH:g} {y + slope * REACH:g}"
        for slope in (1, -1)
    )
    return element(
        "path", d=path, fill="none", stroke=CROSS, stroke_width=7, stroke_linecap="round"
    )


def nought(x: float, y: float) -> str:
    return element("circle", cx=x, cy=y, r=REACH, fill="none", stroke=NOUGHT, stroke_width=7)


def strike(line: int) -> str:
    cells = [cell for cell in range(9) if line >> cell & 1]
    (x1, y1), (x2, y2) = place(cells[0]), place(cells[-1])
    over_x, over_y = (x2 - x1) * 0.16, (y2 - y1) * 0.16
    return element(
        "line",
        x1=x1 - over_x,
        y1=y1 - over_y,
        x2=x2 + over_x,
        y2=y2 + over_y,
        stroke=INK,
        stroke_width=4,
        stroke_linecap="round",
        stroke_opacity=0.75,
    )
