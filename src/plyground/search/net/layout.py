"""How the fields of a state become the features of a net.

`flatten` (`search/binding/exports.py`) writes a state as a row of items, one word for every number
of every field. Each item gives features:

* Bits and bools: one feature for every bit that is set.
* Numbers: one feature out of a few, by the number's value. Where the values are many, neighbours
  share a feature.
* None at all, where an item never changes, where it says whose turn it is (each side has weights of
  its own), and where it does not matter for the rest of the game: the points so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from plyground.core.contract import Rules
from plyground.core.game import Position

UNUSED, BITS, NUMBER = range(3)
WORD_BITS = 64
MOST_VALUES = 64
"""Features of a number."""
ITEM_FIELDS = 5
"""Of each item in `FeatureLayout.table`: kind, first feature, lowest value, shift, last value."""


@dataclass(frozen=True)
class Item:
    """One number of a state."""

    name: str
    kind: int = UNUSED
    low: int = 0
    """The least value of a number."""
    shift: int = 0
    """So many lower bits of a number make no difference."""
    count: int = 0
    """How many features."""


@dataclass(frozen=True)
class FeatureLayout:
    items: tuple[Item, ...]

    @cached_property
    def firsts(self) -> tuple[int, ...]:
        """The number of the first feature of each item."""
        firsts, total = [], 0
        for item in self.items:
            firsts.append(total)
            total += item.count
        return tuple(firsts)

    @cached_property
    def features(self) -> int:
        """How many there are in all."""
        return sum(item.count for item in self.items)

    @cached_property
    def most_active(self) -> int:
        """How many of them a state can have at most."""
        return sum(item.count if item.kind == BITS else item.kind == NUMBER for item in self.items)

    @cached_property
    def table(self) -> npt.NDArray[np.int64]:
        """For kernels: ITEM_FIELDS numbers for each item."""
        rows = [
            (item.kind, first, item.low, item.shift, item.count - 1)
            for item, first in zip(self.items, self.firsts, strict=True)
        ]
        return np.array(rows, np.int64).reshape(len(rows), ITEM_FIELDS)

    def fits(self, rules: Rules) -> bool:
        """Whether states of these rules have just these items. If not, a kernel would read weights
        that do not exist."""
        fields = item_names(rules)
        counts = {"uint64": WORD_BITS, "bool": 1}
        return len(fields) == len(self.items) and all(
            item.name == name
            and (
                item.kind == UNUSED
                or (item.kind == NUMBER and kind == "int64")
                or (item.kind == BITS and item.count == counts.get(kind))
            )
            for item, (name, kind) in zip(self.items, fields, strict=True)
        )

    def active(self, numbers: Sequence[int]) -> list[int]:
        """The features of a state, given all its numbers."""
        found = []
        for item, first, number in zip(self.items, self.firsts, numbers, strict=True):
            if item.kind == BITS:
                found += [first + bit for bit in range(WORD_BITS) if number >> bit & 1]
            elif item.kind == NUMBER:
                found.append(first + max(0, min(item.count - 1, number - item.low >> item.shift)))
        return found


def numbers_of(state: Any) -> list[int]:
    """Every number of a state, in the order of its fields."""
    numbers: list[int] = []
    for value in state:
        numbers += map(int, value) if isinstance(value, tuple) else [int(value)]
    return numbers


def item_names(rules: Rules) -> list[tuple[str, str]]:
    """Name and kind of every item of a state."""
    return [
        (field.name + (f"[{index}]" if field.length else ""), field.kind)
        for field in rules.state_fields
        for index in range(max(1, field.length))
    ]


def find_layout(positions: Iterable[Position]) -> FeatureLayout:
    """The layout for states like those of these positions, which are of one game and board."""
    sample = list(positions)
    rules = sample[0].game.rules
    rows = np.array([numbers_of(position.state) for position in sample], object)
    items = []
    ranges = _ranges(rules, rows)
    for index, (name, kind) in enumerate(item_names(rules)):
        values = rows[:, index]
        low, high = ranges[index]
        if low == high or _tells_turn(sample, values) or _never_matters(sample, index):
            items.append(Item(name))
        elif kind == "int64":
            shift = 0
            while high - low >> shift >= MOST_VALUES:
                shift += 1
            items.append(Item(name, NUMBER, low, shift, (high - low >> shift) + 1))
        else:
            items.append(Item(name, BITS, count=WORD_BITS if kind == "uint64" else 1))
    return FeatureLayout(tuple(items))


def _ranges(rules: Rules, rows: Any) -> list[tuple[int, int]]:
    """The least and the greatest value of every item. Tuples of one length hold the same kind of
    things, often one tuple for each player: their items share a range."""
    columns: dict[tuple[str, int], list[int]] = {}
    keys: list[tuple[str, int]] = []
    for field in rules.state_fields:
        for _ in range(max(1, field.length)):
            key = (field.kind if field.length else field.name, field.length)
            columns.setdefault(key, []).append(len(keys))
            keys.append(key)
    found = {
        key: (int(rows[:, where].min()), int(rows[:, where].max()))
        for key, where in columns.items()
    }
    return [found[key] for key in keys]


def _tells_turn(sample: Sequence[Position], values: Any) -> bool:
    """Whether an item has one value for each side, as the field `turn` does."""
    open_rows = [number for number, position in enumerate(sample) if not position.is_over]
    by_side: dict[int, set[int]] = {0: set(), 1: set()}
    for number in open_rows:
        by_side[sample[number].turn].add(int(values[number]))
    return len(by_side[0]) == len(by_side[1]) == 1 and by_side[0] != by_side[1]


def _never_matters(sample: Sequence[Position], index: int) -> bool:
    """Whether an item is no part of what solvers know a position by: the points so far."""
    rules = sample[0].game.rules
    if "identity" in rules.defaults:
        return False
    for position in sample[:: max(1, len(sample) // 20)]:
        numbers = numbers_of(position.state)
        numbers[index] += 1 if numbers[index] == 0 else -1
        changed = state_of(rules, numbers)
        board = position.board
        if rules.identity(board, changed) != rules.identity(board, position.state):
            return False
    return True


def state_of(rules: Rules, numbers: Sequence[int]) -> Any:
    """The state that consists of these numbers."""
    values: list[Any] = []
    at = 0
    for field in rules.state_fields:
        part = numbers[at : at + max(1, field.length)]
        at += len(part)
        if field.kind == "bool":
            part = [bool(number) for number in part]
        values.append(tuple(part) if field.length else part[0])
    return rules.state_class(*values)
