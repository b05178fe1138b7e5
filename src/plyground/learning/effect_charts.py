"""Drawings of what a net thinks of single features: on the board where bits have cells, else as a
table of colours."""

from __future__ import annotations

from html import escape

import numpy as np

from plyground.core.chart import kind_of
from plyground.core.game import Position
from plyground.core.svg import element
from plyground.core.svg_cells import SvgCell
from plyground.learning.board_cells import cells_of_bits, cells_of_board
from plyground.learning.effects import Effects, measure_effects
from plyground.search.kernel_memory import Floats
from plyground.search.net.layout import BITS, FeatureLayout, Item
from plyground.search.net.net import Net

STYLE = """
.planes { display: flex; flex-wrap: wrap; gap: 1.5rem 2rem; }
figure { margin: 0; }
figcaption { font-size: 0.9rem; color: var(--faint); margin-bottom: 0.3rem; }
.effects { display: block; }
.planes .board { width: 24rem; max-width: 100%; height: auto; }
.effects text { fill: var(--ink); font-variant-numeric: tabular-nums; }
.effects .faint { fill: var(--faint); }
.effects .cell { stroke: var(--line); fill: none; }
.effects .up { fill: #3b7fc4; } .effects .down { fill: #c8641b; }
.effects .unknown { fill: var(--line); fill-opacity: 0.35; }
@media (prefers-color-scheme: dark) {
  .effects .up { fill: #5f9ee0; } .effects .down { fill: #e08a4b; }
}
.key { display: inline-block; width: 0.9rem; height: 0.9rem; vertical-align: -0.1rem; }
.key.up { background: #3b7fc4; } .key.down { background: #c8641b; }
"""
MOST_OPAQUE = 0.85
"""Of the colour of the largest effect, so that a number on it can be read."""
ON_BOARD = 0.7
"""A word is drawn on the board if so many of its bits have a cell."""
STRIP, STRIP_LABEL = 34, 22
"""The side of a cell in a table of colours, and the height of its labels."""
NAME = 13
"""The size of its letters."""
MOST_COLUMNS = 24
"""Of a table of colours; the rest is on further lines of it."""


def effects_section(start: Position, net: Net) -> str:
    """The part of a page about what a net has learned."""
    drawing = _EffectsDrawing(start, net, measure_effects(start, net))
    return (
        "<h2>What the net has learned</h2>\n"
        f"<p>{escape(drawing.explanation)}</p>\n<p>{drawing.key}</p>\n"
        + drawing.boards()
        + drawing.strips()
    )


class _EffectsDrawing:
    def __init__(self, start: Position, net: Net, effects: Effects) -> None:
        self._game, self._layout, self._effects = start.game, net.layout, effects
        self._unit = start.game.rules.point or 1
        known = [values[~np.isnan(values)] for values in effects.values]
        self._largest = max(
            [1e-9, *(float(np.abs(values).max()) for values in known if len(values))]
        )
        self._board_cells = cells_of_board(start)
        self._cells: dict[int, dict[int, SvgCell]] = {}
        for index, item in enumerate(net.layout.items):
            if item.kind == BITS and item.count > 1:
                cells = cells_of_bits(effects.positions, index)
                if cells and len(cells) >= ON_BOARD * len(self._occurring(index)):
                    self._cells[index] = cells

    def _occurring(self, item: int) -> set[int]:
        first = self._layout.firsts[item]
        count = self._layout.items[item].count
        totals = sum(counts[first : first + count] for counts in self._effects.counts)
        return set(np.flatnonzero(totals).tolist())

    @property
    def explanation(self) -> str:
        unit = "points" if self._game.rules.point else "units of evaluation"
        has_numbers = any(item.count and item.kind != BITS for item in self._layout.items)
        numbers = (
            " Of a number: how much the value changes if the number is this one, and all else is as"
            " it was."
            if has_numbers
            else ""
        )
        has_bits = any(item.kind == BITS for item in self._layout.items)
        bits = (
            " Of a bit: the value with it less the value without it, on average over the positions"
            " that have it."
            if has_bits
            else ""
        )
        return (
            f"Effects of single features on the net's value, in {unit} for {self._game.players[0]},"
            f" in games that it played against itself.{bits}{numbers} Where there is no figure, too"
            " few positions had that feature."
        )

    @property
    def key(self) -> str:
        first, second = map(escape, self._game.players)
        return (
            f"<span class='key up'></span> good for {first} "
            f"&nbsp; <span class='key down'></span> good for {second}"
        )

    # Boards

    def boards(self) -> str:
        """Two boards for every word whose bits are on it: one for each side to move."""
        parts = []
        for index in self._cells:
            name = self._layout.items[index].name
            figures = "".join(self._board(index, side) for side in (0, 1))
            parts.append(
                f"<h3>Field <code>{escape(name)}</code></h3>\n"
                f"<p>{escape(self._mean_text(index))}</p>\n"
                f"<div class='planes'>\n{figures}</div>\n"
            )
        return "".join(parts)

    def _mean_text(self, item: int) -> str:
        """What a bit is worth on average, each as often as it occurs."""
        first, count = self._layout.firsts[item], self._layout.items[item].count
        total, weight = 0.0, 0
        for values, counts in zip(self._effects.values, self._effects.counts, strict=True):
            here, often = values[first : first + count], counts[first : first + count]
            known = ~np.isnan(here)
            total += float((here[known] * often[known]).sum())
            weight += int(often[known].sum())
        return f"A bit of it is worth {self._number(total / max(1, weight))} on average."

    def _board(self, item: int, side: int) -> str:
        cells = self._board_cells
        bits = {cell.name: bit for bit, cell in self._cells[item].items()}
        values = self._effects.of_item(self._layout, item, side)
        left = min(cell.left for cell in cells)
        top = min(cell.top for cell in cells)
        right = max(cell.left + cell.width for cell in cells)
        bottom = max(cell.top + cell.height for cell in cells)
        content = "".join(
            self._cell(
                cell.left - left + 1,
                cell.top - top + 1,
                cell,
                float(values[bits[cell.name]]) if cell.name in bits else np.nan,
            )
            for cell in cells
        )
        caption = f"{self._game.players[side]} to move"
        title = f"{self._layout.items[item].name}, {caption}"
        drawn = _drawing(right - left + 2, bottom - top + 2, title, content, "effects board")
        return _figure(caption, drawn)

    def _cell(self, x: float, y: float, cell: SvgCell, value: float) -> str:
        size = min(cell.width, cell.height)
        name = _label(x + 0.06 * size, y + 0.24 * size, cell.name, "start", "faint", 0.17 * size)
        return self._box(x, y, cell.width, cell.height, cell.name, value) + name

    def _box(self, x: float, y: float, width: float, height: float, name: str, value: float) -> str:
        """A rectangle in the colour of a value, with the value in it."""
        box = {"x": x, "y": y, "width": width, "height": height}
        if np.isnan(value):
            return element("rect", **box, **kind_of("cell unknown"))
        shade = element(
            "rect",
            element("title", escape(f"{name}: {self._number(value)}")),
            **box,
            fill_opacity=round(MOST_OPAQUE * abs(value) / self._largest, 3),
            **kind_of("up" if value > 0 else "down"),
        )
        edge = element("rect", **box, **kind_of("cell"))
        words = self._number(value)
        size = min(14.0, 0.34 * height, 1.5 * width / len(words))
        middle = y + height / 2 + 0.35 * size
        return shade + edge + _label(x + width / 2, middle, words, "middle", "value", size)

    def _number(self, value: float) -> str:
        shown = value / self._unit
        digits = 0 if self._largest / self._unit >= 20 else 1 if self._largest >= self._unit else 2
        return f"{shown:+.{digits}f}"

    # Tables of colours

    def strips(self) -> str:
        """The numbers, and the words whose bits are not on the board: a line for each, items of
        one kind below each other."""
        groups: dict[tuple[int, int, int, int], list[int]] = {}
        for index, item in enumerate(self._layout.items):
            if item.count and index not in self._cells:
                kind = item.kind, item.low, item.shift, item.count
                groups.setdefault(kind, []).append(index)
        return "".join(
            f"<h3>Numbers and bits of <code>{escape(_names(self._layout, items))}</code></h3>\n"
            "<div class='planes'>\n"
            + "".join(self._strip(items, side) for side in (0, 1))
            + "</div>\n"
            for items in groups.values()
        )

    def _strip(self, items: list[int], side: int) -> str:
        rows = {index: self._effects.of_item(self._layout, index, side) for index in items}
        shown = sorted({int(at) for row in rows.values() for at in np.flatnonzero(~np.isnan(row))})
        lines = [shown[at : at + MOST_COLUMNS] for at in range(0, len(shown), MOST_COLUMNS)]
        left = 12 + 8 * max(len(self._layout.items[index].name) for index in items)
        content, y = "", 0.0
        for line in lines:
            for column, at in enumerate(line):
                label = _value_text(self._layout.items[items[0]], at)
                content += _label(
                    left + (column + 0.5) * STRIP, y + 15, label, "middle", "faint", NAME
                )
            y += STRIP_LABEL
            for index in items:
                content += self._strip_row(index, rows[index], line, left, y)
                y += STRIP
            y += 6
        caption = f"{self._game.players[side]} to move"
        if not lines:
            return _figure(caption, "<p>No feature occurred often enough.</p>")
        width = left + STRIP * len(lines[0]) + 2
        title = f"{_names(self._layout, items)}, {caption}"
        drawn = _drawing(width, y, title, content, "effects")
        return _figure(caption, f"<div class='wide'>{drawn}</div>")

    def _strip_row(self, index: int, row: Floats, line: list[int], left: float, y: float) -> str:
        item = self._layout.items[index]
        content = _label(left - 6, y + 0.62 * STRIP, item.name, "end", "faint", NAME)
        for column, at in enumerate(line):
            name = f"{item.name} {_value_text(item, at)}"
            content += self._box(left + column * STRIP, y, STRIP, STRIP, name, float(row[at]))
        return content


def _value_text(item: Item, at: int) -> str:
    """The number, or the bit, that a feature stands for."""
    return str(at if item.kind == BITS else item.low + (at << item.shift))


def _names(layout: FeatureLayout, items: list[int]) -> str:
    """The fields that items are of."""
    fields = dict.fromkeys(layout.items[index].name.partition("[")[0] for index in items)
    return ", ".join(fields)


def _figure(caption: str, content: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{content}</figure>\n"


def _drawing(width: float, height: float, title: str, content: str, kind: str) -> str:
    return element(
        "svg",
        element("title", escape(title)) + content,
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
        **kind_of(kind),
    )


def _label(x: float, y: float, words: str, anchor: str, kind: str, size: float) -> str:
    return element(
        "text",
        escape(words),
        x=round(x, 2),
        y=round(y, 2),
        text_anchor=anchor,
        font_size=round(size, 1),
        **kind_of(kind),
    )
