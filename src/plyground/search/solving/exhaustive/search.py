"""Full-width search to the end of the game: is the value of a position at least the goal?

This is alpha-beta with a null window. It returns an interval (`interval.py`) with the goal outside:
above its low end or below its high end. All intervals are stored in a table by whole identity
(`solving/transposition_table.py`). They hold for every goal and for every way to a position, also
where positions come back. So searches with other goals and other threads share the table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plyground.search.binding import dispatch as rules
from plyground.search.binding.native import native, recursive, types
from plyground.search.binding.pointers import address_of, field
from plyground.search.kernel_memory import (
    BUSY_SLOTS,
    NODES,
    STOPPED,
    THREADS,
    Numbers,
    Words,
    control_arrays,
    is_marked,
    mark,
    numbers,
    poll,
    unmark,
    words,
)
from plyground.search.solving.exhaustive.interval import (
    LARGEST,
    MOVE_BITS,
    high_of,
    interval_in_parent,
    low_of,
    margin,
    move_of,
    packed,
    static_interval,
    step_to,
    value_in_child,
)
from plyground.search.solving.transposition_table import (
    TOO_LONG,
    bucket_of,
    list_child,
    probe,
    probe_child,
    store,
)

PLIES = 1000
"""The longest line that is searched: a thread's stack holds so many nested calls."""
STACK_MOVES = 1 << 15
"""How many open moves one line can have, all plies together."""
POLL_MASK = 255
BUSY_PLIES = 16
"""At fewer plies from the root, threads defer the moves that another thread is searching."""

EVALUATION_SHIFT = 20
"""A unit of evaluation outweighs so much history. Measured on Slant: ordered by evaluation and then
history, 4x4 boards full of circles take a quarter fewer positions than by points gained and then
history, and 5x5 boards with few circles a third fewer."""
EVALUATION_LIMIT = 1 << 32
HISTORY_LIMIT = 1 << 30
HINT_RANK = 1 << 60


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
        busy=words(BUSY_SLOTS),
        **{name: numbers(size) for name in stacks},
        identities=words(size * width),
        history=numbers(2 << MOVE_BITS),
        **control_arrays(),
    )


@recursive("uint64")
def search(
    board: Any,
    state: Any,
    own_words: Any,
    place: Any,
    known: Any,
    goal: Any,
    base: Any,
    ply: Any,
    memory_at: Any,
) -> Any:
    """Search a position that is not over until the low end of its interval is at least the goal or
    its high end is below.

    `own_words` is its identity and `place` its bucket; `known` its interval so far, which has the
    goal inside. From `base` on the stack of moves is free. A stopped search returns `known`.
    """
    table = field(memory_at, "table")
    listed = field(memory_at, "moves")
    lows = field(memory_at, "lows")
    highs = field(memory_at, "highs")
    places = field(memory_at, "places")
    steps = field(memory_at, "steps")
    counters = field(memory_at, "counters")
    counts = rules.point() != 0

    # 1. Count the node, and poll.
    before = counters[NODES]
    counters[NODES] = before + 1
    if before & POLL_MASK == 0:
        poll(memory_at)
    if ply >= PLIES or base + rules.max_moves() > len(listed):
        counters[TOO_LONG] = 1
        counters[STOPPED] = 1
    if counters[STOPPED] != 0:
        return known

    # 2. The static interval of each child. For most children it is enough.
    low = low_of(known)
    high = high_of(known)
    side = rules.turn(board, state)
    so_far = margin(board, state)
    count = rules.moves(board, state, listed[base : base + rules.max_moves()])
    best_low = types.int64(-LARGEST)
    best_high = types.int64(-LARGEST)
    end = types.uintp(base)
    for index in range(types.uintp(base), types.uintp(base + count)):
        move = listed[index]
        child = rules.play(board, state, move)
        same, gained = step_to(board, child, side, so_far)
        first, second = static_interval(board, child)
        child_low, child_high = interval_in_parent(counts, first, second, same, gained)
        if child_low >= goal:
            known = packed(max(low, child_low), high, move)
            store(table, own_words, place, known, types.int64(1))
            return known
        best_low = max(best_low, child_low)
        if child_high < goal:
            best_high = max(best_high, child_high)
        else:
            list_child(memory_at, end, rules.identity(board, child))
            listed[end] = move
            lows[end] = child_low
            highs[end] = child_high
            steps[end] = 2 * gained + same
            end += types.uintp(1)

    # 3. What the table knows of them.
    kept = types.uintp(base)
    for index in range(types.uintp(base), end):
        child_low = lows[index]
        child_high = highs[index]
        found = probe_child(memory_at, index, len(own_words))
        if found != 0:
            same = steps[index] & 1 != 0
            gained = steps[index] >> 1
            first, second = interval_in_parent(counts, low_of(found), high_of(found), same, gained)
            child_low = max(child_low, first)
            child_high = min(child_high, second)
            if child_low >= goal:
                known = packed(max(low, child_low), high, listed[index])
                store(table, own_words, place, known, types.int64(1))
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
        rank_moves(board, state, move_of(known), base, kept, memory_at)

    # 4. Search the moves that are still open, the most promising first.
    together = field(memory_at, "settings")[THREADS] > 1
    deferring = together and ply < BUSY_PLIES
    best_move = move_of(known)
    for index in range(types.uintp(base), kept):
        if together and index > types.uintp(base):
            # Another thread may have finished this position meanwhile.
            found = probe(table, own_words, place)
            if found != 0:
                low = max(low, low_of(found))
                high = min(high, high_of(found))
                if low >= goal or high < goal:
                    return packed(low, high, move_of(found))
        pick_best(index, kept, deferring, memory_at)
        move = listed[index]
        at = places[index]
        child = rules.play(board, state, move)
        same, gained = step_to(board, child, side, so_far)
        child_words = rules.identity(board, child)
        first = value_in_child(counts, lows[index], same, gained)
        second = value_in_child(counts, highs[index], same, gained)
        child_low = first if same else second
        child_high = second if same else first
        # The other player must be kept below what this one wants.
        child_goal = value_in_child(counts, goal, same, gained) + (0 if same else 1)
        # Perhaps the search of a sibling has stored something.
        found = recall(table, child_words, at, child_low, child_high)
        if low_of(found) < child_goal <= high_of(found):
            if deferring:
                mark(memory_at, busy_word(at))
            found = search(
                board,
                child,
                child_words,
                at,
                found,
                child_goal,
                types.int64(kept),
                ply + 1,
                memory_at,
            )
            if deferring:
                unmark(memory_at, busy_word(at))
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
    store(table, own_words, place, known, counters[NODES] - before)
    return known


@native
def recall(table: Any, words: Any, place: Any, low: Any, high: Any) -> Any:
    """An interval of a position, made narrower by what the table knows of it."""
    best_move = types.int64(0)
    found = probe(table, words, place)
    if found != 0:
        low = max(low, low_of(found))
        high = min(high, high_of(found))
        best_move = move_of(found)
    return packed(low, high, best_move)


@native
def search_root(board: Any, state: Any, goal: Any, memory_at: Any) -> Any:
    """The interval of a position, with the goal outside unless the search was stopped."""
    table = field(memory_at, "table")
    words = rules.identity(board, state)
    place = bucket_of(table, words)
    low, high = static_interval(board, state)
    found = recall(table, words, place, low, high)
    if low_of(found) < goal <= high_of(found):
        zero = types.int64(0)
        found = search(board, state, words, place, found, goal, zero, zero, memory_at)
    return found


def null_window_search(board: Any, state: Any, goal: Any, memory: Any) -> Any:
    """Kernel: `search_root`, for callers that are not compiled."""
    return search_root(board, state, goal, address_of(memory))


# The move picker: which of the open moves is searched next


@native
def rank_moves(board: Any, state: Any, hint: Any, base: Any, end: Any, memory_at: Any) -> None:
    """The best move of an earlier search first, then by evaluation, then by history."""
    side = rules.turn(board, state)
    listed = field(memory_at, "moves")
    ranks = field(memory_at, "ranks")
    history = field(memory_at, "history")
    for index in range(types.uintp(base), end):
        move = listed[index]
        value = rules.evaluate(board, rules.play(board, state, move))
        value = max(types.int64(-EVALUATION_LIMIT), min(types.int64(EVALUATION_LIMIT), value))
        value = value if side == 0 else -value
        rank = (value << EVALUATION_SHIFT) + history[types.uintp(side << MOVE_BITS | move)]
        ranks[index] = types.int64(HINT_RANK) if move == hint else rank


@native
def busy_word(place: Any) -> Any:
    """What a position is marked busy with."""
    return types.uint64(place + 1)


@native
def pick_best(index: Any, end: Any, deferring: Any, memory_at: Any) -> None:
    """Swap the best-ranked move to this place; if deferring, one that no other thread searches."""
    ranks = field(memory_at, "ranks")
    places = field(memory_at, "places")
    best = index
    best_rank = types.int64(-1) << 62
    for other in range(index, end):
        rank = ranks[other]
        if deferring and is_marked(memory_at, busy_word(places[other])):
            rank -= types.int64(1) << 61
        if rank > best_rank:
            best = other
            best_rank = rank
    if best != index:
        swap(field(memory_at, "moves"), index, best)
        swap(ranks, index, best)
        swap(field(memory_at, "lows"), index, best)
        swap(field(memory_at, "highs"), index, best)
        swap(places, index, best)


@native
def swap(array: Any, first: Any, second: Any) -> None:
    array[first], array[second] = array[second], array[first]


@native
def update_history(memory_at: Any, side: Any, move: Any, spent: Any) -> None:
    """A move refuted a position: try it earlier next time."""
    history = field(memory_at, "history")
    entry = types.uintp(side << MOVE_BITS | move)
    history[entry] += 1 + (spent >> 4)
    if history[entry] > HISTORY_LIMIT:
        for index in range(len(history)):
            history[index] >>= 1
