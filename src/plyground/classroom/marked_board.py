"""Moves drawn on the SVG picture of a position, as arrows and frames, for pages without scripts.

The picture names its cells (`core/svg.py`) and the position names those that a move touches. A cell
whose place cannot be read (`core/svg_cells.py`) is not marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.core.game import Position
from plyground.core.svg import element
from plyground.core.svg_cells import SvgCell, picture_width, read_cells

RIM = "#ffffff"
"""Marks have a light rim and a dark line: drawings have light and dark parts."""
SHAFT = 0.17
"""The thickness of an arrow, in units of a cell."""
LEAST_SHAFT = 0.011
"""The same, in units of the picture's width: on a board of many cells it stays visible."""


@dataclass(frozen=True)
class MarkStyle:
    """How a move is drawn. Dashes are lengths in units of the line's thickness; a dashed arrow has
    an open head, since a short one has no room for dashes."""

    colour: str
    dashes: tuple[float, ...] = ()


PLAYED = MarkStyle("#b3261e", (1.1, 1.5))
BETTER = MarkStyle("#0b6b43")
"""Solid, where the played move is dashed: nothing is shown by colour alone."""


def draw_on(svg: str, marks: Sequence[tuple[Sequence[str], MarkStyle]]) -> str:
    """A picture with an arrow through the named cells of each move, or a frame around the only one.
    Later moves are drawn above earlier ones."""
    cells, width = read_cells(svg), picture_width(svg)
    drawn = ""
    for names, style in marks:
        found = [cells[name] for name in names if name in cells]
        if found:
            unit = min(cell.unit for cell in found)
            shaft = max(SHAFT * unit, LEAST_SHAFT * width)
            drawn += (
                _frame(found[0], shaft, style) if len(found) == 1 else _arrow(found, shaft, style)
            )
    body, end, rest = svg.rpartition("</svg>")
    return body + drawn + end + rest


def can_be_told_apart(position: Position, played: int, better: Sequence[int]) -> bool:
    """Whether marks show which move is which: each touches cells, and no two the same."""
    names = read_cells(position.svg()).keys()
    touched = [position.touches(move) for move in (played, *better)]
    known = all(cells and names >= set(cells) for cells in touched)
    return known and touched[0] not in touched[1:]


# Drawing


def _frame(cell: SvgCell, shaft: float, style: MarkStyle) -> str:
    gap, line = 0.12 * cell.unit, 0.5 * shaft
    place = {
        "x": cell.left + gap,
        "y": cell.top + gap,
        "width": cell.width - 2 * gap,
        "height": cell.height - 2 * gap,
        "rx": 0.08 * cell.unit,
        "fill": "none",
    }
    rim = element("rect", **place, stroke=RIM, stroke_width=2 * line)
    return rim + element("rect", **place, **_stroke(line, style))


def _arrow(cells: Sequence[SvgCell], shaft: float, style: MarkStyle) -> str:
    """An arrow through the middles of cells, which leaves most of the first one free."""
    points = [cell.middle for cell in cells]
    start = points[0] + 0.3 * cells[0].unit * _direction(points[0], points[1])
    ahead = _direction(points[-2], points[-1])
    tip = points[-1] + 0.06 * cells[-1].unit * ahead
    head = min(1.9 * shaft, 0.6 * abs(tip - (start if len(points) == 2 else points[-2])))
    neck = tip - head * ahead
    aside = 1.3 * shaft * ahead * 1j
    line = _path([start, *points[1:-1], neck])
    triangle = _path([neck + aside, tip, neck - aside]) + "Z"
    rim = 0.03 * cells[0].unit + 0.15 * shaft
    look = {"fill": "none", "stroke_linejoin": "round"}
    head_look = {
        "fill": RIM if style.dashes else style.colour,
        "stroke": style.colour,
        "stroke_width": 0.3 * shaft,
        "stroke_linejoin": "round",
    }
    return (
        element("path", d=line, **look, stroke=RIM, stroke_width=shaft + 2 * rim)
        + element("path", d=triangle, **look, stroke=RIM, stroke_width=2 * rim)
        + element("path", d=line, **look, **_stroke(shaft, style))
        + element("path", d=triangle, **head_look)
    )


def _stroke(thickness: float, style: MarkStyle) -> dict[str, object]:
    stroke: dict[str, object] = {"stroke": style.colour, "stroke_width": thickness}
    if style.dashes:
        stroke["stroke_dasharray"] = " ".join(f"{dash * thickness:g}" for dash in style.dashes)
    return stroke


def _direction(from_: complex, to: complex) -> complex:
    way = to - from_
    return way / abs(way) if way else 0j


def _path(points: Sequence[complex]) -> str:
    return "M" + "L".join(f"{point.real:g} {point.imag:g}" for point in points)
