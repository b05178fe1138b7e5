"""Packs states into as few words as they need: only the bits that ever change are stored.

A state is a row of items, each a word of 64 bits, of which most are the same in every reachable
state. A mask for each item has the bits that change; those are stored side by side. The masks are
found by random games and may be too narrow: `fits` checks that, and the caller starts again with
wider ones. Unpacking restores the state bit for bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from plyground.core.contract import Field
from plyground.search.binding.dispatch import as_state, max_moves, moves, over, play
from plyground.search.binding.native import compiled_form, native
from plyground.search.binding.pointers import address_of, fetch

WORD_BITS = 64
RANDOM_PLIES = 50_000
"""Enough to see every bit change on boards of 30 cells; takes some hundredths of a second."""
LONGEST_RANDOM_GAME = 300
"""Plies after which a random game is abandoned: some never end."""


class Packing(NamedTuple):
    """How items are packed. A run is a row of neighbouring bits of an item that change."""

    base: npt.NDArray[np.uint64]
    """For each item the bits that never change."""
    masks: npt.NDArray[np.uint64]
    """For each item the bits that do."""
    places: npt.NDArray[np.int64]
    """Four numbers for each run: its item, its first bit there, its word, its first bit there."""
    ones: npt.NDArray[np.uint64]
    """For each run as many ones as it has bits."""


def new_packing(items: npt.NDArray[np.uint64], masks: npt.NDArray[np.uint64]) -> Packing:
    """The packing for one state and these masks. No item is split between two words."""
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
    return Packing(items & ~masks, masks, np.array(places, np.int64), np.array(ones, np.uint64))


def words_of(packing: Packing) -> int:
    """How many words a packed state has."""
    return int(max(packing.places[2::4], default=0)) + 1


def _runs(mask: int) -> list[tuple[int, int]]:
    """The first bit and the length of every row of ones."""
    runs = []
    at = 0
    while mask >> at:
        at += ((mask >> at) & -(mask >> at)).bit_length() - 1
        length = ((mask >> at) + 1 & -((mask >> at) + 1)).bit_length() - 1
        runs.append((at, length))
        at += length
    return runs


# Items: every number of a state as a word. The sign goes to the lowest bit, so that small numbers
# of either sign have few bits that change.


def flatten(game: Any, state: Any, items: Any) -> Any: ...
def rebuild(game: Any, items: Any) -> Any: ...


@native
def folded(number: Any) -> Any:
    return types.uint64((types.int64(number) << 1) ^ (types.int64(number) >> 63))


@native
def unfolded(word: Any) -> Any:
    return types.int64(word >> types.uint64(1)) ^ -types.int64(word & types.uint64(1))


@compiled_form(flatten)
def _flatten(game: Any, state: Any, items: Any) -> Any:
    rule = _generate_flatten(game.bound.game.rules.state_fields)
    return lambda game, state, items: rule(state, items)  # noqa: ARG005


@compiled_form(rebuild)
def _rebuild(game: Any, items: Any) -> Any:
    rules = game.bound.game.rules
    rule = _generate_rebuild(rules.state_fields, rules.state_class)
    return lambda game, items: as_state(game, rule(items))


def item_count(state_fields: tuple[Field, ...]) -> int:
    return sum(max(1, field.length) for field in state_fields)


def _generate_flatten(state_fields: tuple[Field, ...]) -> Any:
    """Code with a line for each field: the compiler cannot loop over names."""
    lines: list[str] = []
    for field in state_fields:
        for index in range(max(1, field.length)):
            value = f"state.{field.name}" + (f"[{index}]" if field.length else "")
            item = f"folded({value})" if field.kind == "int64" else f"unsigned({value})"
            lines.append(f"    items[{len(lines)}] = {item}\n")
    return _generate("flatten(state, items)", "".join(lines), {})


def _generate_rebuild(state_fields: tuple[Field, ...], state_class: type[Any]) -> Any:
    forms = {"int64": "unfolded(items[{}])", "uint64": "items[{}]", "bool": "(items[{}] != 0)"}
    values, at = [], 0
    for field in state_fields:
        count = max(1, field.length)
        parts = [forms[field.kind].format(at + index) for index in range(count)]
        values.append(f"({', '.join(parts)},)" if field.length else parts[0])
        at += count
    return _generate(
        "rebuild(items)", f"    return State({', '.join(values)})", {"State": state_class}
    )


def _generate(head: str, body: str, names: dict[str, Any]) -> Any:
    namespace = {"folded": folded, "unfolded": unfolded, "unsigned": types.uint64, **names}
    exec(compile(f"def {head}:\n{body}", f"<{head}>", "exec"), namespace)
    return native(namespace[head.partition("(")[0]])


# Packing and unpacking, compiled


@native
def fits(packing: Any, items: Any) -> Any:
    """Whether all bits that differ from the base are stored."""
    for item in range(len(packing.base)):
        if items[item] & ~packing.masks[item] != packing.base[item]:
            return False
    return True


@native
def pack(packing: Any, items: Any, words: Any, at: Any, width: Any) -> None:
    """Write the packed state into `width` words from `at` on."""
    for index in range(at, at + width):
        words[index] = types.uint64(0)
    places = packing.places
    for run in range(len(packing.ones)):
        part = items[places[4 * run]] >> types.uint64(places[4 * run + 1])
        part = (part & packing.ones[run]) << types.uint64(places[4 * run + 3])
        words[at + places[4 * run + 2]] |= part


@native
def unpack(packing: Any, words: Any, at: Any, items: Any) -> None:
    """Read the packed state that starts at `at`."""
    for item in range(len(packing.base)):
        items[item] = packing.base[item]
    places = packing.places
    for run in range(len(packing.ones)):
        part = words[at + places[4 * run + 2]] >> types.uint64(places[4 * run + 3])
        part = (part & packing.ones[run]) << types.uint64(places[4 * run + 1])
        items[places[4 * run]] |= part


# Kernels


def write_items(game: Any, state: Any, items: Any) -> None:
    """Kernel: the items of a state."""
    flatten(game, state, items)


def play_random_games(
    game: Any, board: Any, state: Any, items: Any, masks: Any, listed: Any, counters: Any
) -> None:
    """Kernel: random games from a state. Adds the bits that change to the masks, and to the
    counters how many states there were and how many moves they had."""
    start = fetch(address_of(state))
    base = items.copy()
    flatten(game, start, base)
    seed = types.uint64(0x9E3779B97F4A7C15)
    current = start
    ply = 0
    for _ in range(RANDOM_PLIES):
        flatten(game, current, items)
        for item in range(len(items)):
            masks[item] |= items[item] ^ base[item]
        if ply == LONGEST_RANDOM_GAME or over(game, board, current):
            current = start
            ply = 0
            continue
        count = moves(game, board, current, listed[: max_moves(game)])
        counters[0] += 1
        counters[1] += count
        if count == 0:
            break
        seed ^= seed << types.uint64(13)
        seed ^= seed >> types.uint64(7)
        seed ^= seed << types.uint64(17)
        current = play(
            game, board, current, listed[(seed >> types.uint64(33)) % types.uint64(count)]
        )
        ply += 1
    items[:] = base


def widened(state_fields: tuple[Field, ...], masks: npt.NDArray[np.uint64]) -> Any:
    """Wider masks: of a number all bits below the highest that was seen to change."""
    wide = masks.copy()
    at = 0
    for field in state_fields:
        for _ in range(max(1, field.length)):
            if field.kind == "int64":
                sign = int(wide[at]) & 1
                wide[at] = ((1 << int(wide[at]).bit_length()) - 1) & ~1 | sign
            at += 1
    return wide
