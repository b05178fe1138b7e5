"""Slant as a picture, in characters and as SVG.

A circle is live, reached, or lost: it can no longer be reached. Colours only repeat what shapes
show: slashes are solid lines and backslashes dashed; a circle that a single line completes has a
thick rim, a reached one is filled and ticked, a lost one pale and struck out.
"""

from __future__ import annotations

from plyground.core.svg import element, label, themed, thing
from plyground.games.sheet import CELL, FAINT, INK, middle, sheet, square
from plyground.games.slant.notation import NO_CIRCLE, circle_rows
from plyground.games.slant.rules import (
    Board,
    State,
    far_live,
    far_touches,
    near_live,
    near_touches,
    reached_circles,
    whole,
)

CELL_PAPER, GRID = "#f3eee1", "#cfc7b3"
SLASH, BACKSLASH = "#1f5fa8", "#b8521b"
READY_RIM, REACHED, LOST = "#c48a00", "#2c6e49", "#9a9a95"
RADIUS = 14
CORNERS = ((0, 0, "upper left"), (0, 1, "upper right"), (1, 0, "lower left"), (1, 1, "lower right"))
WITHDRAWN = 0.03
"""How much of a cell a line keeps away from its corners, so that its round ends stay inside."""


def standing(board: Board, state: State) -> tuple[int, int, int]:
    """The live circles, those of them that one line completes, and the reached ones."""
    pairs = zip(near_live(board, state), far_live(board, state), strict=True)
    needing = [whole(words) for words in pairs]
    reached = (
        reached_circles(board.near, near_touches(board, state)),
        reached_circles(board.far, far_touches(board, state)),
    )
    return sum(needing), needing[0], whole(reached)


def sketch(board: Board, state: State, letters: str) -> list[str]:
    """The lines of the picture in characters: (2) is a circle reached, [2] one that is lost."""
    live, _, reached = standing(board, state)
    slashes, backslashes = whole(state.slashes), whole(state.backslashes)
    lines = []
    for row, marks in enumerate(circle_rows(board)):
        text = "    "
        for column, mark in enumerate(marks):
            here = 1 << row * board.stride + column
            if mark == NO_CIRCLE:
                text += " +  "
            else:
                text += (
                    f" {mark}  "
                    if live & here
                    else f"({mark}) "
                    if reached & here
                    else f"[{mark}] "
                )
        lines.append(text.rstrip())
        if row < board.rows:
            text = f"{board.rows - row:>2}  "
            for column in range(board.columns):
                here = 1 << row * board.stride + column
                text += "   /" if slashes & here else "   \\" if backslashes & here else "    "
            lines.append(text.rstrip())
    names = "".join(f"   {letter}" for letter in letters[: board.columns])
    return [*lines, "", "    " + names]


def draw(board: Board, state: State, letters: str, title: str, caption: str) -> str:
    drawing = [
        element(
            "rect",
            width=board.columns * CELL,
            height=board.rows * CELL,
            fill=CELL_PAPER,
            stroke=FAINT,
            stroke_width=1.5,
            **themed("floor"),
        )
    ]
    for row in range(1, board.rows):
        drawing.append(rule(0, row, board.columns, row))
    for column in range(1, board.columns):
        drawing.append(rule(column, 0, column, board.rows))
    live, ready, reached = standing(board, state)
    drawing += cells_and_lines(board, state, letters, live, reached)
    for row, marks in enumerate(circle_rows(board)):
        for column, mark in enumerate(marks):
            here = 1 << row * board.stride + column
            if mark == NO_CIRCLE:
                continue
            x, y = column * CELL, row * CELL
            if reached & here:
                drawing.append(reached_circle(x, y, mark))
            elif live & here:
                drawing.append(live_circle(x, y, mark, ready=bool(ready & here)))
            else:
                drawing.append(lost_circle(x, y, mark))
    return sheet(board.rows, letters[: board.columns], "".join(drawing), title, caption)


def cells_and_lines(board: Board, state: State, letters: str, live: int, reached: int) -> list[str]:
    cells, lines = [], []
    circles = circle_rows(board)
    slashes, backslashes = whole(state.slashes), whole(state.backslashes)
    for row in range(board.rows):
        for column in range(board.columns):
            cell = row * board.stride + column
            number = board.rows - row
            x, y = middle(board.rows, number - 1, column)
            text = "empty"
            if slashes >> cell & 1:
                text = "slash"
                lines.append(thing("slash", x, y, diagonal(rising=True)))
            elif backslashes >> cell & 1:
                text = "backslash"
                lines.append(thing("backslash", x, y, diagonal(rising=False)))
            for down, right, where in CORNERS:
                here = 1 << cell + down * board.stride + right
                mark = circles[row + down][column + right]
                if mark != NO_CIRCLE:
                    fate = " reached" if reached & here else "" if live & here else " lost"
                    text += f", {where} {mark}{fate}"
            cells.append(square(x, y, f"{letters[column]}{number}", text))
    return [*cells, *lines]


def rule(x1: int, y1: int, x2: int, y2: int) -> str:
    return element(
        "line",
        x1=x1 * CELL,
        y1=y1 * CELL,
        x2=x2 * CELL,
        y2=y2 * CELL,
        stroke=GRID,
        stroke_width=1,
        **themed("grid"),
    )


def diagonal(*, rising: bool) -> str:
    """A line around the middle of its cell."""
    end = (0.5 - WITHDRAWN) * CELL
    style: dict[str, object] = {"stroke_width": 5, "stroke_linecap": "round"}
    if rising:
        style |= {"stroke": SLASH, **themed("blue-line")}
        return element("line", x1=-end, y1=end, x2=end, y2=-end, **style)
    style |= {"stroke": BACKSLASH, "stroke_dasharray": "7 9", **themed("brown-line")}
    return element("line", x1=-end, y1=-end, x2=end, y2=end, **style)


def live_circle(x: float, y: float, mark: str, *, ready: bool) -> str:
    rim: dict[str, object] = {"stroke": INK, "stroke_width": 1.8}
    if ready:
        rim = {"stroke": READY_RIM, "stroke_width": 4}
    return element("circle", cx=x, cy=y, r=RADIUS, fill="#ffffff", **rim) + label(
        x, y, mark, font_size=17, font_weight="600", fill=INK
    )


def reached_circle(x: float, y: float, mark: str) -> str:
    tick = f"M{x + 6:g} {y - 11:g}l4 4l7-8"
    return (
        element("circle", cx=x, cy=y, r=RADIUS, fill=REACHED, stroke=REACHED, stroke_width=1.8)
        + label(x, y, mark, font_size=17, font_weight="600", fill="#ffffff")
        + element("path", d=tick, fill="none", stroke="#ffffff", stroke_width=6)
        + element("path", d=tick, fill="none", stroke=REACHED, stroke_width=3)
    )


def lost_circle(x: float, y: float, mark: str) -> str:
    slant = 0.7 * RADIUS
    return (
        element("circle", cx=x, cy=y, r=RADIUS, fill="#e9e7e0", stroke=LOST, stroke_width=1.2)
        + label(x, y, mark, font_size=15, fill="#6f6f6a")
        + element(
            "line",
            x1=x - slant,
            y1=y,
            x2=x + slant,
            y2=y,
            stroke="#6f6f6a",
            stroke_width=1.6,
        )
    )
