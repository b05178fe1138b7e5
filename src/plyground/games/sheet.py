"""The sheet on which boards are drawn: paper, coordinates at the edges, a caption below.

Drawings are in units of pixels at their natural size. A board's own drawing has its origin in its
upper left corner; `middle` gives the middle of a cell, row 0 at the bottom.
"""

from __future__ import annotations

from plyground.core.svg import document, element, label, target, themed, translate, turning, upright

CELL = 56
"""The side of a cell."""
MARGIN = 36
NARROWEST = 240
"""The width of the sheet of a small board, so that there is room for its caption."""
CAPTION = 17
"""The size of the caption's letters, where there is room for it in one line."""
LETTER_WIDTH = 0.53
"""The width of a letter in units of its size, generously."""
PAPER = "#fbfaf5"
INK = "#2b2f36"
FAINT = "#6b7078"
"""Coordinates: dark enough to read on paper (5:1), light enough not to shout."""


def middle(rows: int, row: int, column: int) -> tuple[float, float]:
    return (column + 0.5) * CELL, (rows - row - 0.5) * CELL


def paper(width: float, height: float) -> str:
    """The ground of a whole picture."""
    return element("rect", width=width, height=height, rx=10, fill=PAPER, **themed("paper"))


def square(x: float, y: float, name: str, text: str, fill: str = "none", **look: object) -> str:
    """A cell around its middle, which can be touched; `text` is what is in it."""
    return element(
        "rect",
        x=x - CELL / 2,
        y=y - CELL / 2,
        width=CELL,
        height=CELL,
        fill=fill,
        **look,
        **target(name, f"{name}, {text}"),
    )


def sheet(
    rows: int, letters: str, drawing: str, title: str, caption: str, *, turns: bool = False
) -> str:
    """The whole picture: `drawing` on paper, a letter under each column, a number by each row.

    A board that `turns` can be seen from the other side; its coordinates then change places.
    """
    wide, high = len(letters) * CELL, rows * CELL
    width = max(wide + 2 * MARGIN, NARROWEST)
    height = high + 3 * MARGIN
    across, down = width / 2, MARGIN + high / 2
    left = across - wide / 2
    place = turning if turns else _placed
    numbers = "".join(
        _coordinate(0, middle(rows, row, 0)[1] - high / 2, str(row + 1)) for row in range(rows)
    )
    names = "".join(
        _coordinate(middle(rows, 0, column)[0] - wide / 2, 0, letter)
        for column, letter in enumerate(letters)
    )
    coordinates = place(left - 0.55 * MARGIN, down, numbers, "down") + place(
        across, MARGIN + high + 0.6 * MARGIN, names, "across"
    )
    content = (
        paper(width, height)
        + place(across, down, element("g", drawing, transform=translate(-wide / 2, -high / 2)))
        + element("g", coordinates, font_size=15, fill=FAINT, **themed("faint"))
        + caption_below(width, high + 2.45 * MARGIN, caption)
    )
    return document(width, height, content, f"{title}: {caption}")


def caption_below(width: float, y: float, caption: str) -> str:
    """The caption around a height. A long one has two lines: a sheet never changes its size."""
    room = (width - MARGIN) / LETTER_WIDTH
    lines = [caption] if CAPTION * len(caption) <= room else _two_lines(caption)
    longest = max(map(len, lines))
    size = min(CAPTION if len(lines) == 1 else CAPTION - 3, room / longest)
    top = y - 0.65 * size * (len(lines) - 1)
    return "".join(
        label(width / 2, top + 1.3 * size * number, line, font_size=size, fill=INK, **themed("ink"))
        for number, line in enumerate(lines)
    )


def _two_lines(caption: str) -> list[str]:
    """A text broken where its halves are most alike, after a stop if there is one near."""
    spaces = [at for at, letter in enumerate(caption) if letter == " "]
    if not spaces:
        return [caption]
    middle = len(caption) / 2
    at = min(spaces, key=lambda at: abs(at - middle) - (5 if caption[at - 1] in ",;:" else 0))
    return [caption[:at], caption[at + 1 :]]


def _placed(x: float, y: float, drawing: str, how: str = "") -> str:
    """Like `turning`, for what stays as it is."""
    return element("g", drawing, transform=translate(x, y))


def _coordinate(x: float, y: float, text: str) -> str:
    return element("g", upright(label(0, 0, text)), transform=translate(x, y))
