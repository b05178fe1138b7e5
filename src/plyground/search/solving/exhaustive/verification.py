"""Verifies a table of intervals: each one against those of its children.

The walk starts at a position and goes through every position in the table that can be reached
through positions in the table. The interval of each must follow from those of its children, which
are static or in the table and verified in turn. Where the table has lost the children, they are
searched anew, with another table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from plyground.search.binding.dispatch import identity, max_moves, moves, play, point, turn
from plyground.search.binding.native import native
from plyground.search.binding.pointers import address_of, fetch, field
from plyground.search.solving.checkpoint import Numbers
from plyground.search.solving.exhaustive.interval import (
    LARGEST,
    high_of,
    low_of,
    margin,
    static_interval,
    step_to,
)
from plyground.search.solving.exhaustive.search import (
    PLIES,
    POLL_MASK,
    interval_in_parent,
    poll,
    search_root,
    value_in_child,
)
from plyground.search.solving.table_solver import NODES, STOPPED, TOO_LONG
from plyground.search.solving.transposition_table import (
    EXTRA_WORDS,
    bucket_of,
    entry_at,
    hash_of,
)

# Verification.found
WRONG, LENGTH = range(2)


class Verification(NamedTuple):
    seen: npt.NDArray[np.uint8]
    """For each entry of the table, whether it was verified."""
    path: Numbers
    """The moves to the position that is being verified."""
    found: Numbers
    """Whether an entry is wrong, and how many moves lead to it."""


def new_verification(entries: int) -> Verification:
    return Verification(
        seen=np.zeros(entries, np.uint8),
        path=np.zeros(PLIES + 1, np.int64),
        found=np.zeros(8, np.int64),
    )


@native
def entry_of(table: Any, words: Any) -> Any:
    """The number of a position's entry in the table, or -1."""
    width = len(words)
    at = entry_at(table, words, types.int64(0), width, bucket_of(table, words, hash_of(words)))
    return at // (width + EXTRA_WORDS)


@native
def verify_entry(
    game: Any,
    board_at: Any,
    state: Any,
    entry: Any,
    base: Any,
    ply: Any,
    memory_at: Any,
    spare_at: Any,
    verification_at: Any,
) -> None:
    """Verify the entry of a position, and those below that were not verified before."""
    board = fetch(board_at)
    table = field(memory_at, "table")
    listed = field(memory_at, "moves")
    counters = field(memory_at, "counters")
    seen = field(verification_at, "seen")
    path = field(verification_at, "path")
    found = field(verification_at, "found")
    counts = point(game) != 0
    seen[entry] = 1
    counters[NODES] += 1
    if counters[NODES] & POLL_MASK == 0:
        poll(memory_at)
    side = turn(game, board, state)
    so_far = margin(game, board, state)
    width = len(identity(game, board, state))
    claim = table[entry * (width + EXTRA_WORDS) + width]
    best_low = types.int64(-LARGEST)
    best_high = types.int64(-LARGEST)
    count = moves(game, board, state, listed[base : base + max_moves(game)])
    deeper = ply + 1 < PLIES and base + count + max_moves(game) <= len(listed)
    for index in range(base, base + count):
        child = play(game, board, state, listed[index])
        same, gained = step_to(game, board, child, side, so_far)
        low, high = static_interval(game, board, child)
        below = types.int64(-1) if low == high else entry_of(table, identity(game, board, child))
        if below >= 0 and deeper and seen[below] == 0:
            path[ply] = listed[index]
            verify_entry(
                game,
                board_at,
                child,
                below,
                base + count,
                ply + 1,
                memory_at,
                spare_at,
                verification_at,
            )
            if found[WRONG] != 0 or counters[STOPPED] != 0:
                return
        if below >= 0 and seen[below] != 0:
            stored = table[below * (width + EXTRA_WORDS) + width]
            low = max(low, low_of(stored))
            high = min(high, high_of(stored))
        low, high = interval_in_parent(counts, low, high, same, gained)
        best_low = max(best_low, low)
        best_high = max(best_high, high)
    low, high = static_interval(game, board, state)
    best_low = max(best_low, low)
    best_high = min(best_high, high)
    sound = low_of(claim) <= high_of(claim)
    if sound and best_low < low_of(claim):
        sound = reaches(game, board_at, state, low_of(claim), base, count, memory_at, spare_at)
    if sound and best_high > high_of(claim):
        sound = not reaches(
            game, board_at, state, high_of(claim) + 1, base, count, memory_at, spare_at
        )
    if not sound and counters[STOPPED] == 0:
        found[WRONG] = 1
        found[LENGTH] = ply


@native
def reaches(
    game: Any,
    board_at: Any,
    state: Any,
    goal: Any,
    base: Any,
    count: Any,
    memory_at: Any,
    spare_at: Any,
) -> Any:
    """Whether a move reaches the goal, by a search with the spare table."""
    board = fetch(board_at)
    listed = field(memory_at, "moves")
    counters = field(memory_at, "counters")
    spare_counters = field(spare_at, "counters")
    counts = point(game) != 0
    side = turn(game, board, state)
    so_far = margin(game, board, state)
    for index in range(base, base + count):
        child = play(game, board, state, listed[index])
        same, gained = step_to(game, board, child, side, so_far)
        child_goal = value_in_child(counts, goal, same, gained) + (0 if same else 1)
        interval = search_root(game, board_at, child, child_goal, spare_at)
        if spare_counters[STOPPED] != 0:
            counters[STOPPED] = 1
            counters[TOO_LONG] = spare_counters[TOO_LONG]
            return True
        if (low_of(interval) >= child_goal) == same:
            return True
    return False


def verify_table(
    game: Any, board: Any, state: Any, memory: Any, spare: Any, verification: Any
) -> Any:
    """Kernel: how many entries were verified, up to one that is wrong."""
    entry = entry_of(memory.table, identity(game, board, state))
    if entry >= 0:
        zero = types.int64(0)
        verify_entry(
            game,
            address_of(board),
            state,
            entry,
            zero,
            zero,
            address_of(memory),
            address_of(spare),
            address_of(verification),
        )
    return memory.counters[NODES]
