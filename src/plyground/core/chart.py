"""Parts of the charts on HTML pages: SVG whose colours come from the page's style."""

from __future__ import annotations

import math
from html import escape

from plyground.core.svg import element

STYLE = """
.chart { width: 100%; max-width: 54rem; height: auto; display: block; }
.chart text { fill: var(--ink); font-size: 13px; }
.chart .faint { fill: var(--faint); }
.chart .bar { fill: var(--bar); }
.chart .axis { stroke: var(--faint); } .chart .grid { stroke: var(--line); }
:root { --bar: #4d7fb3; }
@media (prefers-color-scheme: dark) { :root { --bar: #6f9fd0; } }
"""
"""The rules of all charts; a page adds them to its style."""

LABEL_WIDTH = 8.0
"""Of a letter, generously."""


def chart(width: float, height: float, title: str, content: str) -> str:
    """A whole chart; the title is its text for screen readers."""
    return element(
        "svg",
        element("title", escape(title)) + content + "\n",
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        **kind_of("chart"),
    )


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, **kind_of(kind))


def text(x: float, y: float, words: str, anchor: str, kind: str) -> str:
    """Words that start, have their middle or end at x, on a base line at y."""
    return element("text", escape(words), x=x, y=y, text_anchor=anchor, **kind_of(kind))


def bar(x: float, y: float, width: float, height: float, title: str) -> str:
    """A bar; the title says what it stands for."""
    box = {"x": x, "y": y, "width": width, "height": height}
    return element("rect", element("title", escape(title)), **box, **kind_of("bar"))


def kind_of(name: str) -> dict[str, object]:
    """The class by which the style knows a part."""
    return {"class": name}


def ticks(low: float, high: float, *, most: int) -> range:
    """Round numbers from `low` to `high`, not many more than `most`."""
    step = next(
        digit * 10**power
        for power in range(100)
        for digit in (1, 2, 5)
        if high - low <= most * digit * 10**power
    )
    return range(math.ceil(low / step) * step, math.floor(high) + 1, step)


def shortened(words: str, letters: int) -> str:
    return words if len(words) <= letters else f"{words[: letters - 1]}…"
