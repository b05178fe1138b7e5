"""Full-width search to the end of the game: is a position worth at least so much?

A question has one number, its goal. The answer is an interval (`interval.py`) that lies above the
goal or below it. All intervals that are found are kept in a table by whole identity (`store.py`).
They are facts: they hold whatever the goal was, and on whatever way a position was reached, also
where positions come back. So any number of questions and threads can share the table.
"""

from __future__ import annotations

from typing import Any

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
from plyground.search.binding.pointers import fetch, field, lend, prefetch
from plyground.search.solving.exhaustive import interval
from plyground.search.solving.exhaustive.interval import (
    LARGEST,
    at_sight,
    high_of,
    low_of,
    margin,
    move_of,
    packed,
)
from plyground.search.solving.exhaustive.pending_moves import (
    BUSY_PLIES,
    NODES,
    PLIES,
    POLL_MASK,
    STOPPED,
    THREADS,
    TOO_LONG,
    bring_best,
    learn,
    mark,
    poll,
    rank_moves,
)
from plyground.search.solving.proof_number.node_table import (
    BUCKET_WAYS,
    EXTRA_WORDS,
    bucket_of,
    hash_of,
    look_up,
    look_up_within,
    write_down,
)

seen_from_above = native(interval.seen_from_above)
seen_from_below = native(interval.seen_from_below)


@native
def look_into(
    game: Any,
    board_at: Any,
    state: Any,
    words: Any,
    place: Any,
    known: Any,
    goal: Any,
    base: Any,
    ply: Any,
    work_at: Any,
) -> Any:
    """The interval of a position that is not over, looked into until its low end is at least the
    goal or its high end below that.

    `words` is its identity and `place` its bucket; `known` its interval so far, which has the goal
    inside. From `base` on the stack of moves is free.
    """
    board = fetch(board_at)
    table = field(work_at, "table")
    listed = field(work_at, "moves")
    lows = field(work_at, "lows")
    highs = field(work_at, "highs")
    places = field(work_at, "places")
    steps = field(work_at, "steps")
    identities = field(work_at, "identities")
    counters = field(work_at, "counters")
    settings = field(work_at, "settings")
    length = len(words)
    counts = point(game) != 0

    # 1. Count, and look whether to stop.
    before = counters[NODES]
    counters[NODES] = before + 1
    if before & POLL_MASK == 0:
        poll(work_at)
    if ply >= PLIES or base + max_moves(game) > len(listed):
        counters[TOO_LONG] = 1
        counters[STOPPED] = 1
    if counters[STOPPED] != 0:
        return known

    # 2. What each child is worth at sight. Most need no more than that.
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
        same = turn(game, board, child) == side
        gained = margin(game, board, child) - so_far
        gained = gained if side == 0 else -gained
        first, second = at_sight(game, board, child)
        child_low = seen_from_above(counts, first if same else second, same, gained)
        child_high = seen_from_above(counts, second if same else first, same, gained)
        if child_low >= goal:
            known = packed(max(low, child_low), high, move)
            write_down(table, words, place, known, types.int64(1))
            return known
        best_low = max(best_low, child_low)
        if child_high < goal:
            best_high = max(best_high, child_high)
        else:
            child_words = identity(game, board, child)
            at = bucket_of(table, child_words, hash_of(child_words))
            prefetch_bucket(table, at, length)
            for number in range(length):
                identities[end * types.uintp(length) + types.uintp(number)] = child_words[number]
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
        found = look_up_within(
            table, identities, types.int64(index) * length, length, places[index]
        )
        if found != 0:
            same = steps[index] & 1 != 0
            gained = steps[index] >> 1
            first = low_of(found)
            second = high_of(found)
            child_low = max(
                child_low,
                seen_from_above(counts, first if same else second, same, gained),
            )
            child_high = min(
                child_high,
                seen_from_above(counts, second if same else first, same, gained),
            )
            if child_low >= goal:
                known = packed(max(low, child_low), high, listed[index])
                write_down(table, words, place, known, types.int64(1))
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
        rank_moves(game, board_at, state, side, move_of(known), base, kept, work_at)

    # 4. Look into those that are still open, the most promising first.
    together = settings[THREADS] > 1
    best_move = move_of(known)
    for index in range(types.uintp(base), kept):
        if together and index > types.uintp(base):
            # Another thread may have been here meanwhile.
            found = look_up(table, words, place)
            if found != 0:
                low = max(low, low_of(found))
                high = min(high, high_of(found))
                if low >= goal or high < goal:
                    return packed(low, high, move_of(found))
        bring_best(index, kept, together and ply < BUSY_PLIES, work_at)
        move = listed[index]
        at = places[index]
        child = play(game, board, state, move)
        same = turn(game, board, child) == side
        gained = margin(game, board, child) - so_far
        gained = gained if side == 0 else -gained
        child_words = identity(game, board, child)
        first = seen_from_below(counts, lows[index], same, gained)
        second = seen_from_below(counts, highs[index], same, gained)
        child_low = first if same else second
        child_high = second if same else first
        # The other player must be kept below what this one wants.
        child_goal = seen_from_below(counts, goal, same, gained) + (0 if same else 1)
        child_move = types.int64(0)
        found = look_up(table, child_words, at)
        if found != 0:  # also what its elder sisters have taught
            child_low = max(child_low, low_of(found))
            child_high = min(child_high, high_of(found))
            child_move = move_of(found)
        found = packed(child_low, child_high, child_move)
        if child_low < child_goal <= child_high:
            if together and ply < BUSY_PLIES:
                mark(work_at, at, types.uint64(at + 1))
            found = look_into(
                game,
                board_at,
                child,
                child_words,
                at,
                found,
                child_goal,
                types.int64(kept),
                ply + 1,
                work_at,
            )
            if together and ply < BUSY_PLIES:
                mark(work_at, at, types.uint64(0))
            if counters[STOPPED] != 0:
                return known
        first = low_of(found)
        second = high_of(found)
        child_low = seen_from_above(counts, first if same else second, same, gained)
        child_high = seen_from_above(counts, second if same else first, same, gained)
        best_low = max(best_low, child_low)
        best_high = max(best_high, child_high)
        if child_low >= goal:
            best_move = move
            best_high = high  # of the moves after this one nothing is known
            learn(work_at, side, move, counters[NODES] - before)
            break

    # 5. Remember it.
    known = packed(max(low, best_low), min(high, best_high), best_move)
    write_down(table, words, place, known, counters[NODES] - before)
    return known


@native
def prefetch_bucket(table: Any, start: Any, length: Any) -> None:
    """All cache lines of a bucket; one has eight words."""
    for word in range(types.uintp(0), types.uintp((length + EXTRA_WORDS) * BUCKET_WAYS), 8):
        prefetch(table, types.uintp(start) + types.uintp(word))


@native
def answer(game: Any, board_at: Any, state: Any, goal: Any, work_at: Any) -> Any:
    """The interval of a position, with the goal outside unless it was stopped."""
    board = fetch(board_at)
    table = field(work_at, "table")
    words = identity(game, board, state)
    place = bucket_of(table, words, hash_of(words))
    low, high = at_sight(game, board, state)
    best_move = types.int64(0)
    found = look_up(table, words, place)
    if found != 0:
        low = max(low, low_of(found))
        high = min(high, high_of(found))
        best_move = move_of(found)
    found = packed(low, high, best_move)
    if low < goal <= high:
        zero = types.int64(0)
        found = look_into(game, board_at, state, words, place, found, goal, zero, zero, work_at)
    return found


def ask(game: Any, board: Any, state: Any, goal: Any, work: Any) -> Any:
    """The kernel."""
    return answer(game, lend(board), state, goal, lend(work))
