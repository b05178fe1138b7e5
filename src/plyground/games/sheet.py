"""The sheet on which boards are drawn: paper, coordinates at the edges, a caption below.

Drawings are in units of pixels at their natural size. A board's own drawing has its origin in its
upper left corner; `middle` gives the middle of a cell, row 0 at the bottom.
"""

from __future__ import annotations

from plyground.core.svg import document, element, label

CELL = 56
"""The side of a cell."""
MARGIN = 36
CAPTION_LETTER = 9
"""The width of a letter of the caption, generously: narrow boards get a wider sheet."""
PAPER = "#fbfaf5"
INK = "#2b2f36"
FAINT = "#6b7078"
"""Coordinates: dark enough to read on paper (5:1), light enough not to shout."""


def middle(rows: int, row: int, column: int) -> tuple[float, float]:
    return (column + 0.5) * CELL, (rows - row - 0.5) * CELL


def sheet(rows: int, letters: str, drawing: str, title: str, caption: str) -> str:
    """The whole picture: `drawing` on paper, a letter under each column, a number by each row."""
    wide, high = len(letters) * CELL, rows * CELL
    width = max(wide + 2 * MARGIN, CAPTION_LETTER * len(caption) + MARGIN)
    height = high + 3 * MARGIN
    left = (width - wide) / 2
    numbers = (
        label(left - 0.55 * MARGIN, MARGIN + middle(rows, row, 0)[1], str(row + 1))
        for row in range(rows)
    )
    names = (
        label(left + middle(rows, 0, column)[0], MARGIN + high + 0.6 * MARGIN, letter)
        for column, letter in enumerate(letters)
    )
    content = (
        element("rect", width=width, height=height, rx=10, fill=PAPER)
        + element("g", drawing, transform=f"translate({left:g} {MARGIN})")
        + element("g", "".join((*numbers, *names)), font_size=15, fill=FAINT)
        + label(width / 2, high + 2.45 * MARGIN, caption, font_size=17, fill=INK)
    )
    return document(width, height, content, f"{title}: {caption}")
