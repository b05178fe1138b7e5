"""Boards drawn at random: the same seed gives the same board everywhere."""

from __future__ import annotations

import random
from collections.abc import Collection

from plyground.core.errors import FormatError
from plyground.games.blocker.cells import MAX_CELLS
from plyground.games.blocker.diagram import Diagram, check_size
from plyground.games.blocker.layout import STEPS

Cell = tuple[int, int]
LARGEST_SEED = 10**18


def random_diagram(seed: int, width: int, height: int, food: int, walls: int) -> Diagram:
    """A board of this size, `walls` per cent of it walls, with so much food.

    All that is no wall hangs together, so that every agent can get everywhere. Where this leaves no
    room for as many walls, there are fewer.
    """
    if not 0 <= seed <= LARGEST_SEED:
        raise FormatError(f"option seed must be from 0 to {LARGEST_SEED}, not {seed}")
    if not 0 <= walls <= 90:
        raise FormatError(f"option walls is per cent of the cells, from 0 to 90, not {walls}")
    check_size(width, height)
    chance = random.Random(seed)
    cells = [(row, column) for row in range(height) for column in range(width)]
    wanted = len(cells) * walls // 100
    # Asked before walls are placed, too, which takes long on a board that is far too large.
    unwalled = cells if len(cells) - wanted > MAX_CELLS else _unwalled(cells, wanted, chance)
    if len(unwalled) > MAX_CELLS:
        raise FormatError(
            f"a board of {width} x {height} cells with {walls} % walls: more than {MAX_CELLS} cells"
            " are no walls; make it smaller, or ask for more walls"
        )
    if not 1 <= food <= len(unwalled) - 2:
        raise FormatError(
            f"option food is {food}, but {len(unwalled)} cells that are no walls have room for two"
            f" agents and {max(0, len(unwalled) - 2)} food, and there must be some"
        )
    chance.shuffle(unwalled)
    contents = dict.fromkeys(cells, "#") | dict.fromkeys(unwalled, "")
    contents |= {unwalled[0]: "A", unwalled[1]: "B"} | dict.fromkeys(unwalled[2 : 2 + food], "*")
    return Diagram(
        tuple(tuple(contents[row, column] for column in range(width)) for row in range(height))
    )


def _unwalled(cells: list[Cell], walls: int, chance: random.Random) -> list[Cell]:
    """The cells without so many drawn at random whose loss does not divide the others."""
    left = set(cells)
    for cell in chance.sample(cells, len(cells)):
        if len(cells) - len(left) == walls:
            break
        left.discard(cell)
        if not _hang_together(left, _beside(cell)):
            left.add(cell)
    return [cell for cell in cells if cell in left]


def _beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + down, cell[1] + right) for down, right in STEPS]


def _hang_together(cells: Collection[Cell], beside: list[Cell]) -> bool:
    """Whether there is a way from every one of these cells to every other one, given that only a
    cell beside these was lost: between those beside it is enough, and mostly a short way."""
    wanted = {cell for cell in beside if cell in cells}
    edge = list(wanted)[:1]
    reached = set(edge)
    while edge and not wanted <= reached:
        for near in _beside(edge.pop(0)):
            if near in cells and near not in reached:
                reached.add(near)
                edge.append(near)
    return wanted <= reached and len(cells) > 0
