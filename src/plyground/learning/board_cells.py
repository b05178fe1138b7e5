"""Where the bits of a state are on the board: found by drawing positions with and without them.

A game says nowhere what its bits mean. But its drawing has cells with names and labels
(`core/svg.py`), and a bit belongs to the cell that is always labelled otherwise without it.
"""

from __future__ import annotations

from collections.abc import Sequence

from plyground.core.game import Position
from plyground.core.svg_cells import SvgCell, read_cells
from plyground.search.net.layout import numbers_of, state_of

TRIED = 8
"""Positions in which a bit is looked at."""


def cells_of_bits(positions: Sequence[Position], item: int) -> dict[int, SvgCell]:
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


def cells_of_board(position: Position) -> list[SvgCell]:
    """Every cell of the drawing of a position."""
    return list(read_cells(position.svg()).values())


def _cell_of_bit(positions: Sequence[Position], item: int, bit: int) -> SvgCell | None:
    """The only cell that is labelled otherwise without a bit in all of these positions. In one of
    them its neighbours may be, too."""
    common: dict[str, SvgCell] | None = None
    for position in positions:
        drawn = read_cells(position.svg())
        numbers = numbers_of(position.state)
        numbers[item] &= ~(1 << bit)
        try:
            state = state_of(position.game.rules, numbers)
            without = read_cells(Position(position.game, position.board, state).svg())
        except Exception:  # the rules may fail for a state that no game reaches
            continue
        labels = {name: cell.label for name, cell in without.items()}
        changed = {name: cell for name, cell in drawn.items() if labels.get(name, "") != cell.label}
        common = changed if common is None else {n: c for n, c in common.items() if n in changed}
        if len(common) <= 1:
            break
    return next(iter(common.values())) if common and len(common) == 1 else None
