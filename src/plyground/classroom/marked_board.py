"""Moves drawn on the SVG picture of a position, as arrows and frames, for pages without scripts.

The picture names its cells (`core/svg.py`) and the position names those that a move touches. A cell
whose place cannot be read, as that of a path or in a turned group, is not marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from plyground.core.game import Position
from plyground.core.svg import element

TRANSLATION = re.compile(r"\s*translate\(\s*([^\s,()]+)(?:[\s,]+([^\s,()]+))?\s*\)\s*")
RIM = "#ffffff"
"""Marks have a light rim and a dark line: drawings have light and dark parts."""
SHAFT = 0.17
"""The thickness of an arrow, in units of a cell."""
LEAST_SHAFT = 0.011
"""The same, in units of the picture's width: on a board of many cells it stays visible."""


@dataclass(frozen=True)
class Mark:
    """How a move is drawn. Dashes are lengths in units of the line's thickness; a dashed arrow has
    an open head, since a short one has no room for dashes."""

    colour: str
    dashes: tuple[float, ...] = ()


PLAYED = Mark("#b3261e", (1.1, 1.5))
BETTER = Mark("#0b6b43")
"""Solid, where the played move is dashed: nothing is shown by colour alone."""


@dataclass(frozen=True)
class Box:
    """The place of a cell in its picture."""

    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> complex:
        return complex(self.left + self.width / 2, self.top + self.height / 2)

    @property
    def unit(self) -> float:
        return min(self.width, self.height)


def draw_on(svg: str, marks: Sequence[tuple[Sequence[str], Mark]]) -> str:
    """A picture with an arrow through the named cells of each move, or a frame around the only one.
    Later moves are drawn above earlier ones."""
    boxes, width = read_boxes(svg)
    drawn = ""
    for names, mark in marks:
        found = [boxes[name] for name in names if name in boxes]
        if found:
            unit = min(box.unit for box in found)
            shaft = max(SHAFT * unit, LEAST_SHAFT * width)
            drawn += (
                _frame(found[0], shaft, mark) if len(found) == 1 else _arrow(found, shaft, mark)
            )
    body, end, rest = svg.rpartition("</svg>")
    return body + drawn + end + rest


def can_be_told_apart(position: Position, played: int, better: Sequence[int]) -> bool:
    """Whether marks show which move is which: each touches cells, and no two the same."""
    boxes, _ = read_boxes(position.svg())
    touched = [position.touches(move) for move in (played, *better)]
    known = all(cells and boxes.keys() >= set(cells) for cells in touched)
    return known and touched[0] not in touched[1:]


# Reading the picture


def read_boxes(svg: str) -> tuple[dict[str, Box], float]:
    """The places of the cells by their names, and the width of the picture. Nothing for a picture
    that is no XML or has no size."""
    try:
        root = ElementTree.fromstring(svg)
        width = float(root.get("viewBox", "").replace(",", " ").split()[2])
        return dict(_cells(root, 0.0, 0.0)), width
    except (ElementTree.ParseError, ValueError, IndexError):
        return {}, 0.0


def _cells(parent: ElementTree.Element, x: float, y: float) -> Iterator[tuple[str, Box]]:
    """The cells in an element whose origin is at (x, y)."""
    for child in parent:
        moved = TRANSLATION.fullmatch(child.get("transform", "translate(0)"))
        if moved is None:
            continue
        left, top = x + float(moved[1]), y + float(moved[2] or 0)
        name = child.get("data-cell")
        box = None if name is None else _box(child, left, top)
        if name is not None and box is not None:
            yield name, box
        yield from _cells(child, left, top)


def _box(shape: ElementTree.Element, x: float, y: float) -> Box | None:
    def number(name: str) -> float:
        return float(shape.get(name, "0"))

    tag = shape.tag.rpartition("}")[2]
    if tag == "rect":
        return Box(x + number("x"), y + number("y"), number("width"), number("height"))
    if tag in ("circle", "ellipse"):
        across, down = number("r") or number("rx"), number("r") or number("ry")
        return Box(x + number("cx") - across, y + number("cy") - down, 2 * across, 2 * down)
    if tag == "polygon":
        values = [float(text) for text in shape.get("points", "").replace(",", " ").split()]
        columns, rows = values[::2], values[1::2]
        if rows:
            left, top = min(columns), min(rows)
            return Box(x + left, y + top, max(columns) - left, max(rows) - top)
    return None


# Drawing


def _frame(box: Box, shaft: float, mark: Mark) -> str:
    gap, line = 0.12 * box.unit, 0.5 * shaft
    place = {
        "x": box.left + gap,
        "y": box.top + gap,
        "width": box.width - 2 * gap,
        "height": box.height - 2 * gap,
        "rx": 0.08 * box.unit,
        "fill": "none",
    }
    rim = element("rect", **place, stroke=RIM, stroke_width=2 * line)
    return rim + element("rect", **place, **_stroke(line, mark))


def _arrow(boxes: Sequence[Box], shaft: float, mark: Mark) -> str:
    """An arrow through the middles of cells, which leaves most of the first one free."""
    points = [box.middle for box in boxes]
    start = points[0] + 0.3 * boxes[0].unit * _direction(points[0], points[1])
    ahead = _direction(points[-2], points[-1])
    tip = points[-1] + 0.06 * boxes[-1].unit * ahead
    head = min(1.9 * shaft, 0.6 * abs(tip - (start if len(points) == 2 else points[-2])))
    neck = tip - head * ahead
    aside = 1.3 * shaft * ahead * 1j
    line = _path([start, *points[1:-1], neck])
    triangle = _path([neck + aside, tip, neck - aside]) + "Z"
    rim = 0.03 * boxes[0].unit + 0.15 * shaft
    look = {"fill": "none", "stroke_linejoin": "round"}
    head_look = {
        "fill": RIM if mark.dashes else mark.colour,
        "stroke": mark.colour,
        "stroke_width": 0.3 * shaft,
        "stroke_linejoin": "round",
    }
    return (
        element("path", d=line, **look, stroke=RIM, stroke_width=shaft + 2 * rim)
        + element("path", d=triangle, **look, stroke=RIM, stroke_width=2 * rim)
        + element("path", d=line, **look, **_stroke(shaft, mark))
        + element("path", d=triangle, **head_look)
    )


def _stroke(thickness: float, mark: Mark) -> dict[str, object]:
    stroke: dict[str, object] = {"stroke": mark.colour, "stroke_width": thickness}
    if mark.dashes:
        stroke["stroke_dasharray"] = " ".join(f"{dash * thickness:g}" for dash in mark.dashes)
    return stroke


def _direction(from_: complex, to: complex) -> complex:
    way = to - from_
    return way / abs(way) if way else 0j


def _path(points: Sequence[complex]) -> str:
    return "M" + "L".join(f"{point.real:g} {point.imag:g}" for point in points)
