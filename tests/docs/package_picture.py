"""The picture of the packages in docs/architecture.md, drawn from the imports of the sources.

`python -m tests.docs.package_picture` (or `make golden`) writes docs/pictures/packages.svg. An
arrow leads from a package to one that it imports. An
arrow is left out if a longer way leads to the same package; the last line of a box names all
imports.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape

from tests.import_graph import PACKAGE, part_graph, reachable
from tests.paths import ROOT

FILE = ROOT / "docs" / "pictures" / "packages.svg"

WIDTH, MARGIN, GAP, PADDING = 1480, 24, 28, 13
ROW_HEIGHT, BOX_HEIGHT, LINE_HEIGHT = 172, 124, 17
COLUMNS = 15
COLUMN_WIDTH = (WIDTH - 2 * MARGIN + GAP) / COLUMNS
LETTER_WIDTH = 7.1
"""In pixels. Fonts differ from one machine to the next, so this is generous."""
MOST_LINES = 4
"""Of a description and the names of folders below it."""


@dataclass(frozen=True)
class Place:
    """Where a package stands: its row from the top, and its columns."""

    row: int
    first: int
    last: int

    @property
    def left(self) -> float:
        return MARGIN + self.first * COLUMN_WIDTH

    @property
    def right(self) -> float:
        return MARGIN + self.last * COLUMN_WIDTH - GAP

    @property
    def top(self) -> float:
        return MARGIN + self.row * ROW_HEIGHT

    @property
    def bottom(self) -> float:
        return self.top + BOX_HEIGHT


PLACES = {
    "cli": Place(0, 0, 15),
    "learning": Place(1, 3, 7),
    "classroom": Place(1, 7, 11),
    "web": Place(1, 11, 15),
    "arena": Place(2, 8, 12),
    "players": Place(3, 9, 12),
    "spiel": Place(2, 12, 15),
    "lab": Place(4, 0, 3),
    "protocol": Place(4, 9, 12),
    "games": Place(5, 0, 8),
    "search": Place(5, 8, 15),
    "executor": Place(6, 8, 12),
    "core": Place(7, 0, 15),
}
"""A package stands above all that it imports."""

STYLE = """\
text { font-family: system-ui, sans-serif; font-size: 13px; fill: #1f2328; }
.name { font-size: 17px; font-weight: 650; }
.folders, .imports { font-family: ui-monospace, monospace; font-size: 11.5px; }
.imports { fill: #59636e; }
.page { fill: #ffffff; }
.box { fill: #f3f6fb; stroke: #8aa4c8; stroke-width: 1.25; }
.arrow { fill: none; stroke: #57729b; stroke-width: 1.75; }
.head { fill: #57729b; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .imports { fill: #9aa7b4; }
  .page { fill: #0d1117; }
  .box { fill: #161f2c; stroke: #4d6a94; }
  .arrow { stroke: #87a5d0; }
  .head { fill: #87a5d0; }
}"""


@cache  # reading all sources takes a while
def packages() -> dict[str, frozenset[str]]:
    """What each package imports of the others. Modules outside of packages are left out."""
    graph = part_graph()
    found = {name for name in graph if (PACKAGE / name).is_dir()}
    return {name: graph[name] & found for name in sorted(found)}


def direct_imports(name: str) -> list[str]:
    """The packages that a package imports and that none of its other imports leads to."""
    graph = packages()
    return sorted(
        other
        for other in graph[name]
        if not any(other in reachable(graph, between) for between in graph[name])
    )


def description(name: str) -> str:
    """What a package says about itself: the first paragraph of its docstring."""
    tree = ast.parse((PACKAGE / name / "__init__.py").read_text(encoding="utf-8"))
    summary = " ".join((ast.get_docstring(tree) or "").partition("\n\n")[0].split())
    summary = re.sub(rf"^(?:the )?{name}: ", "", summary.replace("`", ""), flags=re.IGNORECASE)
    return summary[:1].upper() + summary[1:]


def folders(name: str) -> list[str]:
    """The packages in a package."""
    return sorted(file.parent.name for file in (PACKAGE / name).glob("*/__init__.py"))


def picture() -> str:
    """The whole picture as SVG."""
    names = packages()
    missing = names.keys() ^ PLACES.keys()
    assert not missing, f"give each package a place in PLACES, and only those: {sorted(missing)}"
    height = number(max(place.bottom for place in PLACES.values()) + MARGIN)
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    title = "The packages of plyground, and what each imports"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{title}">',
        f"<style>\n{STYLE}\n</style>",
        '<marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"',
        ' orient="auto"><path class="head" d="M0 0L10 5L0 10z"/></marker>',
        f'<rect class="page" width="{WIDTH}" height="{height}" rx="8"/>',
        *(part for name in names for part in box(name)),
        *(arrow(PLACES[name], PLACES[other]) for name in names for other in direct_imports(name)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def box(name: str) -> Iterator[str]:
    """A package: its name, what it is, the packages in it, and what it imports."""
    place = PLACES[name]
    width = place.right - place.left
    yield (
        f'<rect class="box" x="{number(place.left)}" y="{number(place.top)}" '
        f'width="{number(width)}" height="{BOX_HEIGHT}" rx="8"/>'
    )
    letters = int((width - 2 * PADDING) / LETTER_WIDTH)
    inside = [("folders", line) for line in textwrap.wrap(" ".join(folders(name)), letters)]
    about = [("description", line) for line in textwrap.wrap(description(name), letters)]
    about = about[: MOST_LINES - len(inside)] + inside
    imports = " ".join(sorted(packages()[name])) or "nothing"
    lines = [
        (25, "name", name),
        *((45 + LINE_HEIGHT * at, kind, line) for at, (kind, line) in enumerate(about)),
        (BOX_HEIGHT - 11, "imports", f"imports {imports}"),
    ]
    for down, kind, content in lines:
        at = f'x="{number(place.left + PADDING)}" y="{number(place.top + down)}"'
        yield f'<text class="{kind}" {at}>{escape(content)}</text>'


def ends(above: Place, below: Place) -> tuple[float, float]:
    """From where an arrow leads down to where: straight if one box is over the other."""
    left, right = max(above.left, below.left), min(above.right, below.right)
    if left < right:
        return (left + right) / 2, (left + right) / 2
    if above.left < below.left:
        return above.right - GAP, below.left + GAP
    return above.left + GAP, below.right - GAP


def arrow(above: Place, below: Place) -> str:
    """An arrow from one box down to another."""
    start, end = ends(above, below)
    top, bottom = above.bottom, below.top - 3
    middle = number((top + bottom) / 2)
    way = f"M{number(start)} {number(top)}C{number(start)} {middle} {number(end)} {middle}"
    return f'<path class="arrow" marker-end="url(#head)" d="{way} {number(end)} {number(bottom)}"/>'


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def write() -> None:
    FILE.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    write()
