"""The cells of a drawing, read back from its SVG."""

from __future__ import annotations

import pytest

from plyground.core.registry import find_game, game_names
from plyground.core.svg_cells import SvgCell, picture_width, read_cells

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">{}</svg>'


def cell(shape: str, name: str = "a1") -> str:
    return shape.replace("/>", f' data-cell="{name}"/>')


@pytest.mark.parametrize(
    ("drawing", "found"),
    [
        (cell('<rect x="5" y="6" width="10" height="20"/>'), SvgCell("a1", 5, 6, 10, 20)),
        (cell('<rect width="10" height="20"/>'), SvgCell("a1", 0, 0, 10, 20)),
        (cell('<circle cx="10" cy="20" r="5"/>'), SvgCell("a1", 5, 15, 10, 10)),
        (cell('<ellipse cx="10" cy="20" rx="5" ry="4"/>'), SvgCell("a1", 5, 16, 10, 8)),
        (cell('<polygon points="1,2 11,2 6,12"/>'), SvgCell("a1", 1, 2, 10, 10)),
        (
            '<g transform="translate(10 5)"><g transform="translate(-2,1)">'
            + cell('<rect width="4" height="4" transform="translate(1)"/>')
            + "</g></g>",
            SvgCell("a1", 9, 6, 4, 4),
        ),
    ],
)
def test_the_place_of_a_cell_is_found(drawing: str, found: SvgCell) -> None:
    assert read_cells(SVG.format(drawing)) == {"a1": found}


def test_a_cell_has_the_text_for_screen_readers() -> None:
    drawing = '<rect width="4" height="4" data-cell="a1" data-label="a1, free"/>'
    assert read_cells(SVG.format(drawing))["a1"].label == "a1, free"


@pytest.mark.parametrize(
    ("svg", "width"),
    [(SVG, 100.0), ("<svg viewBox='0,0,30.5,20'/>", 30.5), ("<svg/>", 0.0), ("no picture", 0.0)],
)
def test_the_width_of_a_picture_is_0_if_it_says_none(svg: str, width: float) -> None:
    assert picture_width(svg) == width


@pytest.mark.parametrize("name", game_names())
def test_every_cell_of_a_built_in_game_has_a_place_inside_the_picture(name: str) -> None:
    position = find_game(name).start()
    cells, width = read_cells(position.svg()), picture_width(position.svg())
    assert set(cells) == set(position.cells) != set()
    assert all(0 <= cell.left < cell.left + cell.width <= width for cell in cells.values())
