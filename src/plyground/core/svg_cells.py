"""Where the cells of a game's drawing are: reads the names and places back from its SVG.

The cells are those of `core/svg.py`. A cell whose place cannot be read, as that of a path or in a
group that is turned, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

TRANSLATION = re.compile(r"\s*translate\(\s*([^\s,()]+)(?:[\s,]+([^\s,()]+))?\s*\)\s*")


@dataclass(frozen=True)
class SvgCell:
    """A cell of a drawing: the box around it, and its texts."""

    name: str
    left: float
    top: float
    width: float
    height: float
    label: str = ""
    """Its text for screen readers."""

    @property
    def middle(self) -> complex:
        return complex(self.left + self.width / 2, self.top + self.height / 2)

    @property
    def unit(self) -> float:
        return min(self.width, self.height)


def read_cells(svg: str) -> dict[str, SvgCell]:
    """The cells of a drawing by their names. None of a drawing that cannot be read as XML or that
    has a wrong number."""
    try:
        return {cell.name: cell for cell in _cells(ElementTree.fromstring(svg), 0.0, 0.0)}
    except (ElementTree.ParseError, ValueError):
        return {}


def picture_width(svg: str) -> float:
    """The width of a drawing in its own units; 0 if it says none."""
    try:
        return float(ElementTree.fromstring(svg).get("viewBox", "").replace(",", " ").split()[2])
    except (ElementTree.ParseError, ValueError, IndexError):
        return 0.0


def _cells(parent: ElementTree.Element, x: float, y: float) -> Iterator[SvgCell]:
    """The cells in an element whose origin is at (x, y)."""
    for child in parent:
        moved = TRANSLATION.fullmatch(child.get("transform", "translate(0)"))
        if moved is None:
            continue
        left, top = x + float(moved[1]), y + float(moved[2] or 0)
        name = child.get("data-cell")
        box = None if name is None else _box(child)
        if name is not None and box is not None:
            across, down, width, height = box
            label = child.get("data-label", "")
            yield SvgCell(name, left + across, top + down, width, height, label)
        yield from _cells(child, left, top)


def _box(shape: ElementTree.Element) -> tuple[float, float, float, float] | None:
    """Left, top, width and height of a shape, from the origin of its group."""

    def number(name: str) -> float:
        return float(shape.get(name, "0"))

    match shape.tag.rpartition("}")[2]:
        case "rect":
            return number("x"), number("y"), number("width"), number("height")
        case "circle" | "ellipse":
            across, down = number("r") or number("rx"), number("r") or number("ry")
            return number("cx") - across, number("cy") - down, 2 * across, 2 * down
        case "polygon":
            values = [float(text) for text in shape.get("points", "").replace(",", " ").split()]
            columns, rows = values[::2], values[1::2]
            if rows:
                left, top = min(columns), min(rows)
                return left, top, max(columns) - left, max(rows) - top
    return None
