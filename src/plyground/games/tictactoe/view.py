"""Tic-tac-toe as a picture. X and O differ by shape; a winning line is struck through."""

from __future__ import annotations

from plyground.core.svg import element, themed, thing
from plyground.games.sheet import CELL, INK, middle, sheet, square
from plyground.games.tictactoe.rules import LINES, State

CROSS = "#b3372f"
NOUGHT = "#1f5fa8"
REACH = CELL * 0.27
"""From the middle of a mark to its edge."""


def draw(state: State, letters: str, title: str, caption: str) -> str:
    cells, marks = [], []
    for cell in range(9):
        said = "empty"
        if state.crosses >> cell & 1:
            said = "X"
            marks.append(thing("X", *place(cell), cross()))
        elif state.noughts >> cell & 1:
            said = "O"
            marks.append(thing("O", *place(cell), nought()))
        cells.append(square(*place(cell), f"{letters[cell % 3]}{cell // 3 + 1}", said))
    drawing = [*cells, grid(), *marks]
    drawing += [
        strike(line) for line in LINES if line in (state.crosses & line, state.noughts & line)
    ]
    return sheet(3, letters, "".join(drawing), title, caption)


def place(cell: int) -> tuple[float, float]:
    return middle(3, cell // 3, cell % 3)


def grid() -> str:
    size = 3 * CELL
    path = "".join(f"M{at} 4V{size - 4}M4 {at}H{size - 4}" for at in (CELL, 2 * CELL))
    return lines(path, INK, 3, "ink-line")


def cross() -> str:
    path = "".join(
        f"M{-REACH:g} {-slope * REACH:g}L{REACH:g} {slope * REACH:g}" for slope in (1, -1)
    )
    return lines(path, CROSS, 7, "red-line")


def lines(path: str, colour: str, width: int, theme: str) -> str:
    look = {"fill": "none", "stroke": colour, "stroke_width": width, "stroke_linecap": "round"}
    return element("path", d=path, **look, **themed(theme))


def nought() -> str:
    return element(
        "circle", r=REACH, fill="none", stroke=NOUGHT, stroke_width=7, **themed("blue-line")
    )


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
        **themed("ink-line"),
    )
