"""Blocker as a picture. Walls are brick, food is an apple, A is a disc and B a tilted square.

Agents that share a cell are drawn smaller, each in its own corner. The agent to move has a ring.
"""

from __future__ import annotations

from collections.abc import Mapping

from plyground.core.svg import document, element, label, target, themed, thing
from plyground.games.blocker.diagram import Diagram
from plyground.games.blocker.layout import cell_name
from plyground.games.sheet import CELL, INK, MARGIN, NARROWEST, PAPER, caption_below, paper

FLOOR, SEAM = "#f1ead9", "#ddd2b8"
BRICK, MORTAR = "#8a7f78", "#6b615b"
FRAME = 10
"""Outside the board is wall: a frame of it says so."""
APPLE, APPLE_EDGE, LEAF = "#c9372c", "#7d1d16", "#4d7c2a"
COLOURS = {"A": "#2d5fa8", "B": "#e08a1e"}
LETTERS = {"A": "#ffffff", "B": INK}
RING = "#1d1f24"

PLACES = {
    1: ((0.0, 0.0, 1.0),),
    2: ((-11.0, 11.0, 0.62), (12.0, -12.0, 0.62)),
    3: ((-12.0, 13.0, 0.52), (13.0, 13.0, 0.52), (0.0, -13.0, 0.52)),
}
"""Where the things of a cell are, from its middle, and how large: agents first, then food."""


def draw(diagram: Diagram, title: str, caption: str, *, mover: str) -> str:
    """The picture; `mover` is the agent to move, or nothing when the game is over."""
    wide, high = diagram.width * CELL, diagram.height * CELL
    width = max(wide + 2 * MARGIN, NARROWEST)
    height = high + 2.8 * MARGIN
    cells, things = [], []
    for row, contents in enumerate(diagram.rows):
        for column, content in enumerate(contents):
            x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
            name = target(
                cell_name(row, column), f"row {row + 1} column {column + 1}, {description(content)}"
            )
            cells.append(wall(x, y, name) if "#" in content else floor(x, y, name))
            things += things_in(x, y, content, mover)
    frame = element(
        "rect",
        x=-FRAME,
        y=-FRAME,
        width=wide + 2 * FRAME,
        height=high + 2 * FRAME,
        rx=6,
        fill=MORTAR,
    )
    content = (
        paper(width, height)
        + element(
            "g",
            frame + "".join(cells + things),
            transform=f"translate({(width - wide) / 2:g} {MARGIN})",
        )
        + caption_below(width, high + 2.05 * MARGIN, caption)
    )
    return document(width, height, content, f"{title}: {caption}")


def things_in(x: float, y: float, content: str, mover: str) -> list[str]:
    """The agents and the food of a cell, each where there is room for it."""
    found = [sign for sign in "AB*" if sign in content]
    drawings = []
    for sign, (right, down, size) in zip(found, PLACES.get(len(found), ()), strict=True):
        shape = apple() if sign == "*" else agent(sign, to_move=sign == mover)
        sized = element("g", shape, transform=f"scale({size:g})")
        drawings.append(thing("food" if sign == "*" else sign, x + right, y + down, sized))
    return drawings


def description(content: str) -> str:
    """What is in a cell, in words."""
    words = {"#": "wall", "*": "food", "A": "agent A", "B": "agent B"}
    return ", ".join(words[sign] for sign in content) or "empty"


def square(x: float, y: float, **look: object) -> str:
    return element("rect", x=x - CELL / 2, y=y - CELL / 2, width=CELL, height=CELL, **look)


def floor(x: float, y: float, name: Mapping[str, object]) -> str:
    return square(x, y, fill=FLOOR, stroke=SEAM, stroke_width=1, **themed("tile"), **name)


def wall(x: float, y: float, name: Mapping[str, object]) -> str:
    """Four courses of brick, every second one shifted by half a brick."""
    left, top, course = x - CELL / 2, y - CELL / 2, CELL / 4
    joints = "".join(f"M{left:g} {top + course * row:g}h{CELL}" for row in range(5))
    for row in range(4):
        for joint in (0.25, 0.75) if row % 2 else (0, 0.5):
            joints += f"M{left + joint * CELL:g} {top + course * row:g}v{course:g}"
    return square(x, y, fill=BRICK, **name) + element(
        "path", d=joints, fill="none", stroke=MORTAR, stroke_width=2
    )


def apple() -> str:
    """An apple around the origin, with its stem and a leaf."""
    body = "M0-7C-5-13-17-11-17 1C-17 12-8 18 0 15C8 18 17 12 17 1C17-11 5-13 0-7Z"
    return (
        element("path", d=body, fill=APPLE, stroke=APPLE_EDGE, stroke_width=2)
        + element("path", d="M0-7C0-12 1-15 4-18", fill="none", stroke=APPLE_EDGE, stroke_width=3)
        + element("path", d="M3-12C6-19 13-19 16-17C14-11 8-9 3-12Z", fill=LEAF)
    )


def agent(name: str, *, to_move: bool) -> str:
    """An agent around the origin: its letter on its shape, in a light rim that shows on brick."""
    look = {"fill": COLOURS[name], "stroke": PAPER, "stroke_width": 3}
    ring = {"fill": "none", "stroke": RING, "stroke_width": 9}
    drawing = outline(name, ring) if to_move else ""
    drawing += outline(name, look)
    return drawing + label(0, 1, name, font_size=24, font_weight="bold", fill=LETTERS[name])


def outline(name: str, look: Mapping[str, object]) -> str:
    if name == "A":
        return element("circle", cx=0, cy=0, r=20, **look)
    return element("path", d="M0-24L24 0L0 24L-24 0Z", stroke_linejoin="round", **look)
