"""Verifies a table of intervals: each one against those of its children.

The walk starts at a position and goes through every position in the table that can be reached
through positions in the table. The interval of each must follow from those of its children, which
are static or in the table and verified in turn. Where the table has lost the children, the position
is searched anew, with another table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyground.search.binding import dispatch as rules
from plyground.search.binding.native import recursive, types
from plyground.search.binding.pointers import address_of, field
from plyground.search.kernel_memory import STOPPED, Numbers, Words, numbers, poll
from plyground.search.solving.exhaustive.interval import (
    LARGEST,
    high_of,
    interval_in_parent,
    low_of,
    margin,
    static_interval,
    step_to,
)
from plyground.search.solving.exhaustive.search import (
    PLIES,
    POLL_MASK,
    ExhaustiveMemory,
    search_root,
)
from plyground.search.solving.transposition_table import EXTRA_WORDS, bucket_of, entry_at

# Verification.found: how many entries were verified, whether the last of them is wrong, and how
# many moves lead to it
VERIFIED, WRONG, LENGTH = range(3)


class Verification(NamedTuple):
    table: Words
    """The table that is verified."""
    seen: npt.NDArray[np.uint8]
    """For each entry of the table, whether it was verified."""
    moves: Numbers
    """A stack of legal moves."""
    path: Numbers
    """The moves to the position that is being verified."""
    found: Numbers


def new_verification(memory: ExhaustiveMemory, width: int) -> Verification:
    """For the table of this memory, with identities of `width` words."""
    return Verification(
        table=memory.table,
        seen=np.zeros(len(memory.table) // (width + EXTRA_WORDS), np.uint8),
        moves=np.zeros_like(memory.moves),
        path=numbers(PLIES + 1),
        found=numbers(8),
    )


@recursive("uint64")
def verified_interval(
    board: Any, state: Any, base: Any, ply: Any, spare_at: Any, verification_at: Any
) -> Any:
    """What the table says of a position, after that and everything below it was verified; 0 if it
    says nothing, or if the position is too deep. `spare_at` is the memory for searches anew."""
    table = field(verification_at, "table")
    listed = field(verification_at, "moves")
    seen = field(verification_at, "seen")
    found = field(verification_at, "found")
    counters = field(spare_at, "counters")

    # 1. Find the entry.
    words = rules.identity(board, state)
    at = entry_at(table, words, bucket_of(table, words))
    if at < 0:
        return types.uint64(0)
    claim = table[at + len(words)]
    entry = at // (len(words) + EXTRA_WORDS)
    if seen[entry] != 0:
        return claim
    if ply >= PLIES or base + rules.max_moves() > len(listed):
        return types.uint64(0)
    seen[entry] = 1
    found[VERIFIED] += 1
    if found[VERIFIED] & POLL_MASK == 0:
        poll(spare_at)

    # 2. The interval that follows from the children.
    side = rules.turn(board, state)
    so_far = margin(board, state)
    best_low = types.int64(-LARGEST)
    best_high = types.int64(-LARGEST)
    count = rules.moves(board, state, listed[base : base + rules.max_moves()])
    for index in range(base, base + count):
        child = rules.play(board, state, listed[index])
        low, high = static_interval(board, child)
        if low != high:
            field(verification_at, "path")[ply] = listed[index]
            below = verified_interval(
                board, child, base + count, ply + 1, spare_at, verification_at
            )
            if found[WRONG] != 0 or counters[STOPPED] != 0:
                return claim
            if below != 0:
                low = max(low, low_of(below))
                high = min(high, high_of(below))
        same, gained = step_to(board, child, side, so_far)
        low, high = interval_in_parent(rules.point() != 0, low, high, same, gained)
        best_low = max(best_low, low)
        best_high = max(best_high, high)

    # 3. Compare. Search for what does not follow.
    low, high = static_interval(board, state)
    goal = low_of(claim)
    sound = goal <= high_of(claim)
    if sound and max(best_low, low) < goal:
        sound = low_of(search_root(board, state, goal, spare_at)) >= goal
    goal = high_of(claim)
    if sound and min(best_high, high) > goal:
        sound = high_of(search_root(board, state, goal + 1, spare_at)) <= goal
    if not sound and counters[STOPPED] == 0:
        found[WRONG] = 1
        found[LENGTH] = ply
    return claim


def verify_table(board: Any, state: Any, spare: Any, verification: Any) -> None:
    """Kernel: verify the entry of a position and all below, up to one that is wrong."""
    zero = types.int64(0)
    verified_interval(board, state, zero, zero, address_of(spare), address_of(verification))
