"""Moves drawn on pictures: arrows and frames."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from plyground.classroom.marked_board import (
    BETTER,
    PLAYED,
    MarkStyle,
    can_be_told_apart,
    draw_on,
)
from plyground.core.registry import find_game
from plyground.core.svg_cells import read_cells
from tests.paths import ROOT

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">{}</svg>'


def cell(shape: str, name: str = "a1") -> str:
    return shape.replace("/>", f' data-cell="{name}"/>')


@pytest.mark.parametrize(
    "drawing",
    [
        cell('<path d="M0 0h5v5z"/>'),
        cell('<polygon points=""/>'),
        '<g transform="rotate(45)">' + cell('<rect width="4" height="4"/>') + "</g>",
    ],
)
def test_a_cell_whose_place_cannot_be_read_is_not_marked(drawing: str) -> None:
    assert read_cells(SVG.format(drawing)) == {}
    assert draw_on(SVG.format(drawing), [(["a1"], PLAYED)]) == SVG.format(drawing)


@pytest.mark.parametrize(
    "svg", ["", "no picture", "<svg>", SVG.format(cell('<rect width="wide"/>')), "<svg></svg>"]
)
def test_a_picture_that_cannot_be_read_stays_as_it_is(svg: str) -> None:
    assert draw_on(svg, [(["a1"], PLAYED)]) == svg


def test_a_move_of_two_cells_is_an_arrow_and_of_one_a_frame_the_played_one_dashed() -> None:
    svg = SVG.format(
        cell('<rect width="10" height="10"/>', "a1")
        + cell('<rect x="20" width="10" height="10"/>', "b1")
    )

    def drawn(cells: list[str], style: MarkStyle) -> list[ElementTree.Element]:
        return list(ElementTree.fromstring(draw_on(svg, [(cells, style)])))[2:]

    for style, dashed in ((PLAYED, 1), (BETTER, 0)):
        arrow, frame = drawn(["a1", "b1"], style), drawn(["b1"], style)
        assert {shape.tag.rpartition("}")[2] for shape in arrow} == {"path"}
        assert {shape.tag.rpartition("}")[2] for shape in frame} == {"rect"}
        assert sum("stroke-dasharray" in shape.attrib for shape in arrow) == dashed
        assert sum("stroke-dasharray" in shape.attrib for shape in frame) == dashed
    shaft = drawn(["a1", "b1"], BETTER)[2].get("d", "")
    assert shaft.startswith("M8 5L"), "from the edge of the first cell to the right"
    assert 20 < float(shaft.removeprefix("M8 5L").split()[0]) < 26


def test_an_arrow_between_the_same_two_places_is_no_error() -> None:
    svg = SVG.format(cell('<rect width="10" height="10"/>', "a1"))
    assert "nan" not in draw_on(svg, [(["a1", "a1"], PLAYED)])


def test_moves_are_told_apart_by_their_cells() -> None:
    start = find_game("breakthrough").start()
    first, second, third = start.legal_moves[:3]
    assert can_be_told_apart(start, first, [second, third])
    free = find_game("slant").start({"orientation": "free"})
    one, other, elsewhere = map(free.parse_move, ("a4/", "a4\\", "b4/"))
    assert can_be_told_apart(free, one, [elsewhere])
    assert not can_be_told_apart(free, one, [elsewhere, other])
    heaps = find_game(str(ROOT / "examples" / "nim.py")).start()
    assert not can_be_told_apart(heaps, heaps.legal_moves[0], heaps.legal_moves[1:2])
