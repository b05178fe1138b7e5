"""Packs states into as few words as they need: only the bits that ever change are stored.

A state is a row of items, each a word of 64 bits, of which most are the same in every reachable
state. A mask for each item has the bits that change. Of those it is stored, side by side, whether
they differ from one state, the root, which is packed as 0. The masks are found by random games and
may be too narrow: `fits` checks that, and the caller starts again with wider ones. Unpacking
restores the state bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyground.core.contract import Field
from plyground.search.binding import dispatch as rules
from plyground.search.binding.exports import places_of
from plyground.search.binding.native import native, types

WORD_BITS = 64
RANDOM_PLIES = 50_000
"""Enough to see every bit change on boards of 30 cells; takes some hundredths of a second."""
LONGEST_RANDOM_GAME = 300
"""Plies after which a random game is abandoned: some never end."""


class Packing(NamedTuple):
    """How items are packed. A run is a row of neighbouring bits of an item that change."""

    root: npt.NDArray[np.uint64]
    """The items of the root."""
    masks: npt.NDArray[np.uint64]
    """For each item the bits that change."""
    places: npt.NDArray[np.int64]
    """Four numbers for each run: its item, its first bit there, its word, its first bit there."""
    ones: npt.NDArray[np.uint64]
    """For each run as many ones as it has bits."""


def new_packing(root: npt.NDArray[np.uint64], masks: npt.NDArray[np.uint64]) -> Packing:
    """The packing for these items and masks. No item is split between two words."""
    places: list[int] = []
    ones: list[int] = []
    used = [0]
    for item, mask in enumerate(int(mask) for mask in masks):
        need = mask.bit_count()
        word = next((at for at, bits in enumerate(used) if bits + need <= WORD_BITS), len(used))
        if word == len(used):
            used.append(0)
        for first, length in _runs(mask):
            places += [item, first, word, used[word]]
            ones.append((1 << length) - 1)
            used[word] += length
    return Packing(root, masks, np.array(places, np.int64), np.array(ones, np.uint64))


def words_of(packing: Packing) -> int:
    """How many words a packed state has."""
    return int(max(packing.places[2::4], default=0)) + 1


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """The first bit and the length of every row of ones."""
    for is_set, row in groupby(range(WORD_BITS), lambda bit: mask >> bit & 1):
        bits = list(row)
        if is_set:
            yield bits[0], len(bits)


# Packing and unpacking, compiled


@native
def fits(packing: Any, items: Any) -> Any:
    """Whether all bits that differ from the root are stored."""
    for item in range(len(packing.root)):
        if (items[item] ^ packing.root[item]) & ~packing.masks[item] != 0:
            return False
    return True


@native
def pack(packing: Any, items: Any, words: Any, at: Any, width: Any) -> None:
    """Write the packed state into `width` words from `at` on."""
    for index in range(at, at + width):
        words[index] = types.uint64(0)
    places = packing.places
    for run in range(len(packing.ones)):
        item = places[4 * run]
        part = (items[item] ^ packing.root[item]) >> types.uint64(places[4 * run + 1])
        part = (part & packing.ones[run]) << types.uint64(places[4 * run + 3])
        words[at + places[4 * run + 2]] |= part


@native
def unpack(packing: Any, words: Any, at: Any, items: Any) -> None:
    """Read the packed state that starts at `at`."""
    for item in range(len(packing.root)):
        items[item] = packing.root[item]
    places = packing.places
    for run in range(len(packing.ones)):
        part = words[at + places[4 * run + 2]] >> types.uint64(places[4 * run + 3])
        part = (part & packing.ones[run]) << types.uint64(places[4 * run + 1])
        items[places[4 * run]] ^= part


# Kernels


def write_items(state: Any, items: Any) -> None:
    """Kernel: the items of a state."""
    rules.flatten(state, items)


def play_random_games(
    board: Any, state: Any, root: Any, items: Any, masks: Any, listed: Any, counters: Any
) -> None:
    """Kernel: random games from a state, whose items are `root`. Adds the bits that change to the
    masks, and to the counters how many states there were and how many moves they had."""
    start = state
    seed = types.uint64(0x9E3779B97F4A7C15)
    current = start
    ply = 0
    for _ in range(RANDOM_PLIES):
        rules.flatten(current, items)
        for item in range(len(items)):
            masks[item] |= items[item] ^ root[item]
        if ply == LONGEST_RANDOM_GAME or rules.over(board, current):
            current = start
            ply = 0
            continue
        count = rules.moves(board, current, listed[: rules.max_moves()])
        counters[0] += 1
        counters[1] += count
        if count == 0:
            break
        seed ^= seed << types.uint64(13)
        seed ^= seed >> types.uint64(7)
        seed ^= seed << types.uint64(17)
        chosen = (seed >> types.uint64(33)) % types.uint64(count)
        current = rules.play(board, current, listed[chosen])
        ply += 1


def widened(state_fields: tuple[Field, ...], masks: npt.NDArray[np.uint64]) -> Any:
    """Wider masks: of a number all bits below the highest that was seen to change."""
    wide = masks.copy()
    for number, (_, kind) in enumerate(places_of(state_fields)):
        if kind == "int64":
            mask = int(masks[number])
            wide[number] = ((1 << mask.bit_length()) - 1) & ~1 | mask & 1
    return wide
