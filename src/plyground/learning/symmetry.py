"""Finds the symmetries of a game by playing it.

A symmetry maps states to states so that moves, ends and results correspond: mirrored boards, turned
boards, and boards on which the players have changed sides. Candidates are all flips and turns of a
grid of any width, with and without an exchange of the players' fields; a candidate is taken if it
holds in positions of random games: the children of the image are the images of the children.

A net learns from images as well as from positions themselves (`learning/fit.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyground.core.game import Position
from plyground.search.net.layout import (
    BITS,
    NUMBER,
    UNUSED,
    WORD_BITS,
    FeatureLayout,
    item_names,
    numbers_of,
    state_of,
)

TESTED = 60
"""Positions in which a candidate must hold."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    name: str
    images: Any
    """The feature that each feature becomes, and last 1 if the sides change, else 0."""


@dataclass(frozen=True)
class _Candidate:
    """What happens to the items of a state."""

    name: str
    cells: tuple[int, ...]
    """Where each bit of a word goes."""
    sources: tuple[int, ...]
    """For each item of the image, the item that it comes from."""
    turn: int | None
    """The item that says whose turn it is, if players are exchanged."""

    def image(self, rules: Any, state: Any, kinds: Sequence[str]) -> Any:
        before = numbers_of(state)
        after = []
        for index, source in enumerate(self.sources):
            number = before[source]
            if kinds[index] == "uint64":
                number = _permuted(number, self.cells)
            after.append(1 - number if index == self.turn else number)
        return state_of(rules, after)


def _permuted(word: int, cells: Sequence[int]) -> int:
    image = 0
    while word:
        lowest = word & -word
        image |= 1 << cells[lowest.bit_length() - 1]
        word ^= lowest
    return image


def find_symmetries(positions: Sequence[Position], layout: FeatureLayout) -> list[Symmetry]:
    """The symmetries that hold in these positions, which are of random games of one board."""
    rules, board = positions[0].game.rules, positions[0].board
    kinds = [kind for _, kind in item_names(rules)]
    step = max(1, len(positions) // TESTED)
    sample = positions[::step]
    ended = [position for position in positions if position.is_over][:TESTED]
    used = 0
    for position in positions:
        for kind, number in zip(kinds, numbers_of(position.state), strict=True):
            used |= number if kind == "uint64" else 0
    found: list[Symmetry] = []
    known = set()
    for candidate in _candidates(rules, kinds, used):
        if _holds(candidate, rules, board, kinds, sample, ended):
            images = _feature_images(candidate, layout)
            if images is not None and images.tobytes() not in known:
                known.add(images.tobytes())
                found.append(Symmetry(candidate.name, images))
    return found


def _candidates(rules: Any, kinds: Sequence[str], used: int) -> Iterator[_Candidate]:
    same = tuple(range(len(kinds)))
    turn = next((i for i, (name, _) in enumerate(item_names(rules)) if name == "turn"), None)
    swapped = None if turn is None else _exchanged(rules)
    tried = set()
    for name, cells in _flips(used):
        if _permuted(used, cells) != used:
            continue
        top = used.bit_length()
        if cells[:top] in tried:
            continue
        tried.add(cells[:top])
        if name:
            yield _Candidate(name, cells, same, None)
        if swapped is not None:
            yield _Candidate(f"{name} sides".strip(), cells, swapped, turn)


def _flips(used: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Permutations of the bits of a word: flips and turns of grids that hold all bits in use."""
    everywhere = tuple(range(WORD_BITS))
    yield "", everywhere
    top = used.bit_length()
    for size in range(max(2, top), min(WORD_BITS, top + 12) + 1):
        rest = everywhere[size:]
        for width in range(2, size // 2 + 1):
            if size % width:
                continue
            height = size // width
            cells = [(row, column) for row in range(height) for column in range(width)]
            places = {
                "mirrored": [row * width + width - 1 - column for row, column in cells],
                "upside down": [(height - 1 - row) * width + column for row, column in cells],
                "turned": [size - 1 - row * width - column for row, column in cells],
            }
            if width == height:
                places["transposed"] = [column * width + row for row, column in cells]
                places["transposed the other way"] = [
                    (width - 1 - column) * width + width - 1 - row for row, column in cells
                ]
                places["a quarter turned"] = [
                    column * width + width - 1 - row for row, column in cells
                ]
                places["a quarter turned back"] = [
                    (width - 1 - column) * width + row for row, column in cells
                ]
            for name, place in places.items():
                yield name, (*place, *rest)


def _exchanged(rules: Any) -> tuple[int, ...] | None:
    """The items with those of the two players exchanged: two neighbouring fields of one type belong
    to a player each, and so do the two numbers of a pair. None if nothing can be exchanged."""
    fields = [field for field in rules.state_fields if field.name != "turn"]
    starts, at = {}, 0
    for field in rules.state_fields:
        starts[field.name] = at
        at += max(1, field.length)
    sources = list(range(at))
    while fields:
        one = fields.pop(0)
        length = max(1, one.length)
        other = fields[0] if fields else None
        if other is not None and (other.kind, other.length) == (one.kind, one.length):
            fields.pop(0)
            for index in range(length):
                sources[starts[one.name] + index] = starts[other.name] + index
                sources[starts[other.name] + index] = starts[one.name] + index
        elif one.length == 2:
            first = starts[one.name]
            sources[first], sources[first + 1] = first + 1, first
    return tuple(sources) if sources != list(range(at)) else None


def _holds(
    candidate: _Candidate,
    rules: Any,
    board: Any,
    kinds: Sequence[str],
    sample: Sequence[Position],
    ended: Sequence[Position],
) -> bool:
    def image(state: Any) -> Any:
        return candidate.image(rules, state, kinds)

    sign = 1 if candidate.turn is None else -1
    try:
        for position in ended:
            other = image(position.state)
            if not rules.over(board, other):
                return False
            if rules.utility(board, other) != sign * rules.utility(board, position.state):
                return False
        for position in sample:
            if position.is_over:
                continue
            other = image(position.state)
            if rules.over(board, other):
                return False
            if rules.turn(board, other) != (position.turn if sign == 1 else 1 - position.turn):
                return False
            children = {
                image(rules.play(board, position.state, move)) for move in position.legal_moves
            }
            images = {rules.play(board, other, move) for move in rules.legal_moves(board, other)}
            if children != images:
                return False
    except Exception:  # rules may fail for a state that no game reaches
        return False
    return True


def _feature_images(candidate: _Candidate, layout: FeatureLayout) -> Any:
    """What a symmetry does to features; None if two items that change places are laid out
    differently."""
    images = np.arange(layout.features + 1, dtype=np.int64)
    images[-1] = candidate.turn is not None
    for index, source in enumerate(candidate.sources):
        item, origin = layout.items[index], layout.items[source]
        if item.kind == UNUSED and origin.kind == UNUSED:
            continue
        if (item.kind, item.count, item.shift) != (origin.kind, origin.count, origin.shift):
            return None
        first, start = layout.firsts[index], layout.firsts[source]
        if item.kind == NUMBER:
            if item.low != origin.low:
                return None
            images[start : start + item.count] = first + np.arange(item.count)
        elif item.kind == BITS:
            places = candidate.cells if item.count == WORD_BITS else range(item.count)
            images[start : start + item.count] = first + np.array(places)
    return images
