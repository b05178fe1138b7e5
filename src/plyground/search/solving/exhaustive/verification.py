"""Checking a table of intervals (`descent.py`) once more, each against those of its children.

From a position the table is walked: every position that it holds, and that can be reached through
positions that it holds. What it says of one must follow from what is known of the children, at
sight or from the table, which is checked in its turn. Where that is not enough, since the table had
no room for all it was told, the children are looked into anew, with another table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from plyground.search.binding.dispatch import identity, max_moves, moves, play, point, turn
from plyground.search.binding.native import native
from plyground.search.binding.pointers import fetch, field, lend
from plyground.search.solving.exhaustive.interval import LARGEST, at_sight, high_of, low_of, margin
from plyground.search.solving.exhaustive.pending_moves import (
    NODES,
    PLIES,
    POLL_MASK,
    STOPPED,
    TOO_LONG,
    poll,
)
from plyground.search.solving.exhaustive.search import answer, seen_from_above, seen_from_below
from plyground.search.solving.proof_number.node_table import (
    BUCKET_WAYS,
    EXTRA_WORDS,
    bucket_of,
    hash_of,
)

# Check.found
WRONG, LENGTH = range(2)


class Check(NamedTuple):
    seen: npt.NDArray[np.uint8]
    """For each entry of the table, whether it was checked."""
    path: npt.NDArray[np.int64]
    """The moves to the position that is being checked."""
    found: npt.NDArray[np.int64]
    """Whether an entry is wrong, and how many moves lead there."""


def new_check(entries: int) -> Check:
    return Check(
        seen=np.zeros(entries, np.uint8),
        path=np.zeros(PLIES + 1, np.int64),
        found=np.zeros(8, np.int64),
    )


@native
def entry_of(table: Any, words: Any) -> Any:
    """Which entry of the table is that of a position, or -1."""
    length = len(words)
    at = bucket_of(table, words, hash_of(words))
    for _ in range(BUCKET_WAYS):
        data = table[at + length]
        if data != 0:
            same = True
            for index in range(length):
                same = same and table[at + index] ^ data == words[index]
            if same:
                return at // (length + EXTRA_WORDS)
        at += length + EXTRA_WORDS
    return types.int64(-1)


@native
def check(
    game: Any,
    board_at: Any,
    state: Any,
    entry: Any,
    base: Any,
    ply: Any,
    work_at: Any,
    anew_at: Any,
    check_at: Any,
) -> None:
    """Check the entry of a position, and those below that were not checked before."""
    board = fetch(board_at)
    table = field(work_at, "table")
    listed = field(work_at, "moves")
    counters = field(work_at, "counters")
    seen = field(check_at, "seen")
    path = field(check_at, "path")
    found = field(check_at, "found")
    counts = point(game) != 0
    seen[entry] = 1
    counters[NODES] += 1
    if counters[NODES] & POLL_MASK == 0:
        poll(work_at)
    side = turn(game, board, state)
    so_far = margin(game, board, state)
    length = len(identity(game, board, state))
    claim = table[entry * (length + EXTRA_WORDS) + length]
    best_low = types.int64(-LARGEST)
    best_high = types.int64(-LARGEST)
    count = moves(game, board, state, listed[base : base + max_moves(game)])
    deeper = ply + 1 < PLIES and base + count + max_moves(game) <= len(listed)
    for index in range(base, base + count):
        child = play(game, board, state, listed[index])
        same = turn(game, board, child) == side
        gained = margin(game, board, child) - so_far
        gained = gained if side == 0 else -gained
        low, high = at_sight(game, board, child)
        below = types.int64(-1) if low == high else entry_of(table, identity(game, board, child))
        if below >= 0 and deeper and seen[below] == 0:
            path[ply] = listed[index]
            check(game, board_at, child, below, base + count, ply + 1, work_at, anew_at, check_at)
            if found[WRONG] != 0 or counters[STOPPED] != 0:
                return
        if below >= 0 and seen[below] != 0:
            told = table[below * (length + EXTRA_WORDS) + length]
            low = max(low, low_of(told))
            high = min(high, high_of(told))
        best_low = max(best_low, seen_from_above(counts, low if same else high, same, gained))
        best_high = max(best_high, seen_from_above(counts, high if same else low, same, gained))
    low, high = at_sight(game, board, state)
    best_low = max(best_low, low)
    best_high = min(best_high, high)
    sound = low_of(claim) <= high_of(claim)
    if sound and best_low < low_of(claim):
        sound = reaches(game, board_at, state, low_of(claim), base, count, work_at, anew_at)
    if sound and best_high > high_of(claim):
        sound = not reaches(
            game, board_at, state, high_of(claim) + 1, base, count, work_at, anew_at
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
    work_at: Any,
    anew_at: Any,
) -> Any:
    """Whether a move reaches the goal, looked into anew."""
    board = fetch(board_at)
    listed = field(work_at, "moves")
    counters = field(work_at, "counters")
    anew = field(anew_at, "counters")
    counts = point(game) != 0
    side = turn(game, board, state)
    for index in range(base, base + count):
        child = play(game, board, state, listed[index])
        same = turn(game, board, child) == side
        gained = margin(game, board, child) - margin(game, board, state)
        gained = gained if side == 0 else -gained
        wanted = seen_from_below(counts, goal, same, gained) + (0 if same else 1)
        interval = answer(game, board_at, child, wanted, anew_at)
        if anew[STOPPED] != 0:
            counters[STOPPED] = 1
            counters[TOO_LONG] = anew[TOO_LONG]
            return True
        if (low_of(interval) >= wanted) == same:
            return True
    return False


def recheck(game: Any, board: Any, state: Any, work: Any, anew: Any, checks: Any) -> Any:
    """The kernel: how many entries were checked, up to one that is wrong."""
    entry = entry_of(work.table, identity(game, board, state))
    if entry >= 0:
        zero = types.int64(0)
        check(game, lend(board), state, entry, zero, zero, lend(work), lend(anew), lend(checks))
    return work.counters[NODES]
