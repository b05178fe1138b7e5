"""Full-width search to the end of the game: is the value of a position at least the goal?

This is alpha-beta with a null window. It returns an interval (`interval.py`) with the goal outside:
above its low end or below its high end. All intervals are stored in a table by whole identity
(`solving/transposition_table.py`). They hold for every goal and for every way to a position, also
where positions come back. So searches with other goals and other threads share the table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from plyground.search.binding.dispatch import (
    identity,
    max_moves,
    moves,
    play,
    point,
    turn,
)
from plyground.search.binding.native import native
from plyground.search.binding.pointers import address_of, fetch, field, prefetch
from plyground.search.solving.checkpoint import Numbers, Words
from plyground.search.solving.exhaustive import interval
from plyground.search.solving.exhaustive.interval import (
    LARGEST,
    MOVE_BITS,
    high_of,
    low_of,
    margin,
    move_of,
    packed,
    static_interval,
    step_to,
)
from plyground.search.solving.exhaustive.move_picker import (
    BUSY_PLIES,
    BUSY_SLOTS,
    mark_busy,
    pick_best,
    rank_moves,
    update_history,
)
from plyground.search.solving.table_solver import (
    COUNTERS,
    NODE_LIMIT,
    NODES,
    STOP,
    STOPPED,
    THREADS,
    TOO_LONG,
)
from plyground.search.solving.transposition_table import (
    BUCKET_WAYS,
    EXTRA_WORDS,
    bucket_of,
    hash_of,
    probe,
    probe_at,
    store,
)

PLIES = 1000
"""The longest line that is searched: a thread's stack holds so many nested calls."""
STACK_MOVES = 1 << 15
"""How many open moves one line can have, all plies together."""
POLL_MASK = 255

value_in_parent = native(interval.value_in_parent)
value_in_child = native(interval.value_in_child)


class ExhaustiveMemory(NamedTuple):
    """The memory of one thread of a search, and what all threads share."""

    table: Words
    busy: Words
    moves: Numbers
    """A stack of open moves, with what is known of each:"""
    ranks: Numbers
    lows: Numbers
    highs: Numbers
    places: Numbers
    """Where the bucket of the position after the move starts."""
    steps: Numbers
    """Twice the points gained, and one more if the same player moves again."""
    identities: Words
    history: Numbers
    """How much search a move has saved by refuting a position, by player and move."""
    counters: Numbers
    settings: Numbers
    shared: Numbers


def new_memory(most_moves: int, width: int, table: Words) -> ExhaustiveMemory:
    """For positions with at most so many moves and identities of `width` words."""
    size = STACK_MOVES + 2 * most_moves
    stacks = ("moves", "ranks", "lows", "highs", "places", "steps")
    return ExhaustiveMemory(
        table=table,
        busy=np.zeros(BUSY_SLOTS, np.uint64),
        **{name: np.zeros(size, np.int64) for name in stacks},
        identities=np.zeros(size * width, np.uint64),
        history=np.zeros(2 << MOVE_BITS, np.int64),
        counters=np.zeros(COUNTERS, np.int64),
        settings=np.zeros(8, np.int64),
        shared=np.zeros(8, np.int64),
    )


@native
def poll(memory_at: Any) -> None:
    """Stop, if the stop flag is set or enough positions were visited."""
    counters = field(memory_at, "counters")
    settings = field(memory_at, "settings")
    shared = field(memory_at, "shared")
    if shared[STOP] != 0 or counters[NODES] > settings[NODE_LIMIT]:
        counters[STOPPED] = 1


@native
def interval_in_parent(counts: Any, low: Any, high: Any, same: Any, gained: Any) -> Any:
    """The interval of a child, for the player who moved there."""
    low, high = (low, high) if same else (high, low)
    return (
        value_in_parent(counts, low, same, gained),
        value_in_parent(counts, high, same, gained),
    )


@native
def search(
    game: Any,
    board_at: Any,
    state: Any,
    words: Any,
    place: Any,
    known: Any,
    goal: Any,
    base: Any,
    ply: Any,
    memory_at: Any,
) -> Any:
    """Search a position that is not over until the low end of its interval is at least the goal or
    its high end is below.

    `words` is its identity and `place` its bucket; `known` its interval so far, which has the goal
    inside. From `base` on the stack of moves is free. A stopped search returns `known`.
    """
    board = fetch(board_at)
    table = field(memory_at, "table")
    listed = field(memory_at, "moves")
    lows = field(memory_at, "lows")
    highs = field(memory_at, "highs")
    places = field(memory_at, "places")
    steps = field(memory_at, "steps")
    identities = field(memory_at, "identities")
    counters = field(memory_at, "counters")
    settings = field(memory_at, "settings")
    width = len(words)
    counts = point(game) != 0

    # 1. Count the node, and poll.
    before = counters[NODES]
    counters[NODES] = before + 1
    if before & POLL_MASK == 0:
        poll(memory_at)
    if ply >= PLIES or base + max_moves(game) > len(listed):
        counters[TOO_LONG] = 1
        counters[STOPPED] = 1
    if counters[STOPPED] != 0:
        return known

    # 2. The static interval of each child. For most children it is enough.
    low = low_of(known)
    high = high_of(known)
    side = turn(game, board, state)
    so_far = margin(game, board, state)
    count = moves(game, board, state, listed[base : base + max_moves(game)])
    best_low = types.int64(-LARGEST)
    best_high = types.int64(-LARGEST)
    end = types.uintp(base)
    for index in range(types.uintp(base), types.uintp(base + count)):
        move = listed[index]
        child = play(game, board, state, move)
        same, gained = step_to(game, board, child, side, so_far)
        first, second = static_interval(game, board, child)
        child_low, child_high = interval_in_parent(counts, first, second, same, gained)
        if child_low >= goal:
            known = packed(max(low, child_low), high, move)
            store(table, words, place, known, types.int64(1))
            return known
        best_low = max(best_low, child_low)
        if child_high < goal:
            best_high = max(best_high, child_high)
        else:
            child_words = identity(game, board, child)
            at = bucket_of(table, child_words, hash_of(child_words))
            prefetch_bucket(table, at, width)
            for number in range(width):
                identities[end * types.uintp(width) + types.uintp(number)] = child_words[number]
            listed[end] = move
            lows[end] = child_low
            highs[end] = child_high
            places[end] = at
            steps[end] = 2 * gained + same
            end += types.uintp(1)

    # 3. What the table knows of them.
    kept = types.uintp(base)
    for index in range(types.uintp(base), end):
        child_low = lows[index]
        child_high = highs[index]
        found = probe_at(table, identities, types.int64(index) * width, width, places[index])
        if found != 0:
            same = steps[index] & 1 != 0
            gained = steps[index] >> 1
            first, second = interval_in_parent(counts, low_of(found), high_of(found), same, gained)
            child_low = max(child_low, first)
            child_high = min(child_high, second)
            if child_low >= goal:
                known = packed(max(low, child_low), high, listed[index])
                store(table, words, place, known, types.int64(1))
                return known
            best_low = max(best_low, child_low)
        if child_high < goal:
            best_high = max(best_high, child_high)
        else:
            listed[kept] = listed[index]
            lows[kept] = child_low
            highs[kept] = child_high
            places[kept] = places[index]
            kept += types.uintp(1)
    if kept > types.uintp(base + 1):
        rank_moves(game, board_at, state, side, move_of(known), base, kept, memory_at)

    # 4. Search the moves that are still open, the most promising first.
    together = settings[THREADS] > 1
    best_move = move_of(known)
    for index in range(types.uintp(base), kept):
        if together and index > types.uintp(base):
            # Another thread may have finished this position meanwhile.
            found = probe(table, words, place)
            if found != 0:
                low = max(low, low_of(found))
                high = min(high, high_of(found))
                if low >= goal or high < goal:
                    return packed(low, high, move_of(found))
        pick_best(index, kept, together and ply < BUSY_PLIES, memory_at)
        move = listed[index]
        at = places[index]
        child = play(game, board, state, move)
        same, gained = step_to(game, board, child, side, so_far)
        child_words = identity(game, board, child)
        first = value_in_child(counts, lows[index], same, gained)
        second = value_in_child(counts, highs[index], same, gained)
        child_low = first if same else second
        child_high = second if same else first
        # The other player must be kept below what this one wants.
        child_goal = value_in_child(counts, goal, same, gained) + (0 if same else 1)
        child_move = types.int64(0)
        found = probe(table, child_words, at)
        if found != 0:  # perhaps stored by the search of a sibling
            child_low = max(child_low, low_of(found))
            child_high = min(child_high, high_of(found))
            child_move = move_of(found)
        found = packed(child_low, child_high, child_move)
        if child_low < child_goal <= child_high:
            if together and ply < BUSY_PLIES:
                mark_busy(memory_at, at, types.uint64(at + 1))
            found = search(
                game,
                board_at,
                child,
                child_words,
                at,
                found,
                child_goal,
                types.int64(kept),
                ply + 1,
                memory_at,
            )
            if together and ply < BUSY_PLIES:
                mark_busy(memory_at, at, types.uint64(0))
            if counters[STOPPED] != 0:
                return known
        child_low, child_high = interval_in_parent(
            counts, low_of(found), high_of(found), same, gained
        )
        best_low = max(best_low, child_low)
        best_high = max(best_high, child_high)
        if child_low >= goal:
            best_move = move
            best_high = high  # of the moves after this one nothing is known
            update_history(memory_at, side, move, counters[NODES] - before)
            break

    # 5. Store the interval.
    known = packed(max(low, best_low), min(high, best_high), best_move)
    store(table, words, place, known, counters[NODES] - before)
    return known


@native
def prefetch_bucket(table: Any, start: Any, width: Any) -> None:
    """All cache lines of a bucket; one has eight words."""
    for word in range(types.uintp(0), types.uintp((width + EXTRA_WORDS) * BUCKET_WAYS), 8):
        prefetch(table, types.uintp(start) + types.uintp(word))


@native
def search_root(game: Any, board_at: Any, state: Any, goal: Any, memory_at: Any) -> Any:
    """The interval of a position, with the goal outside unless the search was stopped."""
    board = fetch(board_at)
    table = field(memory_at, "table")
    words = identity(game, board, state)
    place = bucket_of(table, words, hash_of(words))
    low, high = static_interval(game, board, state)
    best_move = types.int64(0)
    found = probe(table, words, place)
    if found != 0:
        low = max(low, low_of(found))
        high = min(high, high_of(found))
        best_move = move_of(found)
    found = packed(low, high, best_move)
    if low < goal <= high:
        zero = types.int64(0)
        found = search(game, board_at, state, words, place, found, goal, zero, zero, memory_at)
    return found


def null_window_search(game: Any, board: Any, state: Any, goal: Any, memory: Any) -> Any:
    """Kernel: `search_root`, for callers that are not compiled."""
    return search_root(game, address_of(board), state, goal, address_of(memory))
