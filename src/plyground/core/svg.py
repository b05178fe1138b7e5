"""SVG elements for the views of games.

Attributes make a picture interactive. One without any is just a picture:

    data-cell="a2"        an area that can be touched: its name, as `touches` returns it
    data-label="a2, free" its text for screen readers
    data-stands-for="a1"  touching this area counts as touching that one, where it does nothing else
    data-kind="pawn"      a piece that moves: a group placed by `translate(x y)`, drawn around its
                          origin. From one picture to the next a piece slides to the nearest place
                          where there is one of its kind, but no farther than `data-reach`; a new
                          one fades in, or slides in from `data-enters="x y"`
    data-turns=""         a group, placed by `translate(x y)` and drawn around its origin, that is
                          turned round for the second player; "across" mirrors it, left for right,
                          "down" top for bottom. Without any such group nothing is turned
    data-upright=""       what stays upright in a group that is turned: drawn around its origin

A class makes a part of a picture follow the light or dark colours of a page (`themed`). Without
that page's style it has the colours that its attributes say.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape as escape_html
from html import unescape
from pathlib import Path

BLANKS = str.maketrans({"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
"""In an attribute XML reads each of these as a space, unless it is escaped."""

BOARD_COLOURS = Path(__file__).parent / "board-colours.css"
"""The style of pages that show boards in light or dark colours."""

CELL = re.compile(r"""\sdata-cell\s*=\s*(?:"([^"]*)"|'([^']*)')""")


def element(tag: str, content: str = "", /, **attributes: object) -> str:
    """One element. In a name one underscore stands for a hyphen, two for a colon."""
    written = "".join(
        f" {name.replace('__', ':').replace('_', '-')}={_quoted(_number(value))}"
        for name, value in attributes.items()
    )
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def label(x: float, y: float, text: str, **attributes: object) -> str:
    """A text whose middle is at (x, y)."""
    return element(
        "text",
        escape(text),
        x=x,
        y=y,
        text_anchor="middle",
        dominant_baseline="central",
        **attributes,
    )


def document(width: float, height: float, content: str, title: str) -> str:
    """A whole picture, which scales to its frame; the title is its text for screen readers."""
    # One element a line where white space does not matter: pictures are stored and compared.
    lines = element("title", escape(title)) + content
    lines = lines.replace("/><", "/>\n<").replace("</g><", "</g>\n<")
    return element(
        "svg",
        lines,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_number(width)} {_number(height)}",
        width=width,
        height=height,
        role="img",
        font_family="system-ui, sans-serif",
    )


def text_svg(picture: str) -> str:
    """A drawing in characters as a picture: the view of a game that has none of its own."""
    lines = picture.splitlines() or [""]
    width = 20 + 9.7 * max(len(line) for line in lines)
    height = 20 + 20 * len(lines)
    rows = "".join(
        element("tspan", escape(line) or " ", x=10, y=24 + 20 * row)
        for row, line in enumerate(lines)
    )
    text = element(
        "text",
        rows,
        font_family="monospace",
        font_size=16,
        fill="#222",
        xml__space="preserve",
        **themed("ink"),
    )
    paper = element("rect", width=width, height=height, fill="#fdfcf7", **themed("paper"))
    return document(width, height, paper + text, lines[0])


# Interactive parts


def target(name: str, text: str) -> dict[str, object]:
    """The attributes of an area that can be touched, with its text for screen readers."""
    return {"data_cell": name, "data_label": text}


def themed(role: str) -> dict[str, object]:
    """The attribute of a part that a page with dark colours draws in another colour.

    The style (BOARD_COLOURS) knows these roles: paper, ink and faint for what is filled; ink-line,
    red-line, blue-line, brown-line and grid for lines; light and dark cells, floor, tile; sky,
    cloud, sand, surface, water and deep at sea.
    """
    return {"class": f"theme-{role}"}


@cache
def board_style() -> str:
    """The style of a page that shows boards, for pages in one file. The page says with
    `color-scheme` that it has dark colours."""
    return BOARD_COLOURS.read_text(encoding="utf-8")


def thing(kind: str, x: float, y: float, drawing: str, **attributes: object) -> str:
    """A piece of a kind; its drawing, made around the origin, is put at (x, y)."""
    return element("g", upright(drawing), data_kind=kind, transform=translate(x, y), **attributes)


def upright(drawing: str) -> str:
    """A drawing around the origin that stays upright when the board is turned."""
    return element("g", drawing, data_upright="")


def turning(x: float, y: float, drawing: str, how: str = "") -> str:
    """A drawing around the origin, put at (x, y), that is turned round for the second player."""
    return element("g", drawing, data_turns=how, transform=translate(x, y))


def translate(x: float, y: float) -> str:
    return f"translate({_number(float(x))} {_number(float(y))})"


def cells_of(svg: str) -> tuple[str, ...]:
    """The names of the areas that can be touched, each once."""
    names = (unescape(double or single) for double, single in CELL.findall(svg))
    return tuple(dict.fromkeys(names))


def escape(text: str) -> str:
    """A text between tags. The function of xml.sax would import half of urllib."""
    return escape_html(text, quote=False)


def _quoted(value: str) -> str:
    return '"' + escape(value).replace('"', "&quot;").translate(BLANKS) + '"'


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
