"""The observation tensor of a position: what a learner sees of it.

It is a flat array of 32-bit floats, made of parts that follow each other:

* `player to move`: two numbers, 1 for that player and 0 for the other; both 0 at the end.
* every field of the game's `State`, in its order and under its name:
  `Bits` is 64 numbers, bit i at index i; `int` is the number itself; `bool` is 0 or 1. A tuple of
  them is one row for each item.

Nothing else is in it. The board never changes during a game, and a learner learns on one board.
Both players see the same. The numbers are not scaled: their range is known to the game alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plyground.core.contract import Field, Rules
from plyground.core.game import Position

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats32 = npt.NDArray[np.float32]

WORD_BITS = 64
PLAYER = "player to move"
"""The name of the first part. No field of a State can have it."""


@dataclass(frozen=True)
class Part:
    """A named part of the tensor."""

    name: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return math.prod(self.shape)


def tensor_parts(rules: Rules) -> tuple[Part, ...]:
    """The parts of the tensor of a game, in order."""
    return (Part(PLAYER, (2,)), *(_field_part(field) for field in rules.state_fields))


def _field_part(field: Field) -> Part:
    width = WORD_BITS if field.kind == "uint64" else 1
    return Part(field.name, (field.length, width) if field.length else (width,))


def write_tensor(position: Position, parts: dict[str, Floats32]) -> None:
    """Fill the parts, given by name, with what a position shows."""
    player = parts[PLAYER]
    player.fill(0)
    if not position.is_over:
        player[position.turn] = 1
    for field, value in zip(position.game.rules.state_fields, position.state, strict=True):
        items = value if field.length else (value,)
        rows = parts[field.name].reshape(len(items), -1)
        for row, item in zip(rows, items, strict=True):
            row[:] = _bits(item) if field.kind == "uint64" else item


def _bits(word: Any) -> npt.NDArray[np.uint8]:
    import numpy as np  # slow to import, and needed only here

    return np.unpackbits(np.array([word], "<u8").view(np.uint8), bitorder="little")
