"""Where the bits of a state are on the board: found by drawing positions with and without them.

A game says nowhere what its bits mean. But its drawing has cells with names and labels
(`core/svg.py`), and a bit belongs to the cell that is always labelled otherwise without it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from plyground.core.game import Position
from plyground.search.net.layout import numbers_of, state_of

TRANSLATION = re.compile(r"translate\(\s*(-?[\d.]+)[\s,]+(-?[\d.]+)\s*\)")
TRIED = 8
"""Positions in which a bit is looked at."""


@dataclass(frozen=True)
class Cell:
    """A cell of a drawing: its name and its place in it."""

    name: str
    x: float
    y: float
    width: float
    height: float


def cells_of_bits(positions: Sequence[Position], item: int) -> dict[int, Cell]:
    """The cells of the bits of an item of a state, as far as they have one. Two bits never share a
    cell: then it is none of theirs."""
    by_bit: dict[int, list[Position]] = {}
    for position in positions:
        word = numbers_of(position.state)[item]
        while word:
            bit = (word & -word).bit_length() - 1
            word &= word - 1
            if len(by_bit.setdefault(bit, [])) < TRIED:
                by_bit[bit].append(position)
    found = {bit: cell for bit, some in by_bit.items() if (cell := _cell_of_bit(some, item, bit))}
    names = [cell.name for cell in found.values()]
    return {bit: cell for bit, cell in found.items() if names.count(cell.name) == 1}


def cells_of_board(position: Position) -> list[Cell]:
    """Every cell of the drawing of a position."""
    return [cell for cell, _ in _cells(position.svg()).values()]


def _cell_of_bit(positions: Sequence[Position], item: int, bit: int) -> Cell | None:
    """The only cell that is labelled otherwise without a bit in all of these positions. In one of
    them its neighbours may be, too."""
    common: dict[str, Cell] | None = None
    for position in positions:
        drawn = _cells(position.svg())
        numbers = numbers_of(position.state)
        numbers[item] &= ~(1 << bit)
        try:
            state = state_of(position.game.rules, numbers)
            without = _cells(Position(position.game, position.board, state).svg())
        except Exception:  # the rules may fail for a state that no game reaches
            continue
        changed = {
            name: cell for name, (cell, label) in drawn.items() if _label(without, name) != label
        }
        common = changed if common is None else {n: c for n, c in common.items() if n in changed}
        if len(common) <= 1:
            break
    return next(iter(common.values())) if common and len(common) == 1 else None


def _label(cells: dict[str, tuple[Cell, str]], name: str) -> str:
    return cells[name][1] if name in cells else ""


def _cells(svg: str) -> dict[str, tuple[Cell, str]]:
    """The cells of a drawing that are rectangles or circles, with their labels."""
    found: dict[str, tuple[Cell, str]] = {}

    def visit(node: ElementTree.Element, x: float, y: float) -> None:
        moved = TRANSLATION.search(node.get("transform", ""))
        if moved is not None:
            x, y = x + float(moved[1]), y + float(moved[2])
        name = node.get("data-cell")
        box = None if name is None else _box(node)
        if name is not None and box is not None:
            left, top, width, height = box
            cell = Cell(name, x + left, y + top, width, height)
            found[name] = cell, node.get("data-label", "")
        for child in node:
            visit(child, x, y)

    try:
        visit(ElementTree.fromstring(svg), 0.0, 0.0)
    except ElementTree.ParseError:
        return {}
    return found


def _box(node: ElementTree.Element) -> tuple[float, float, float, float] | None:
    def number(name: str) -> float:
        return float(node.get(name, "0"))

    match node.tag.rsplit("}", 1)[-1]:
        case "rect":
            return number("x"), number("y"), number("width"), number("height")
        case "circle":
            radius = number("r")
            return number("cx") - radius, number("cy") - radius, 2 * radius, 2 * radius
    return None
