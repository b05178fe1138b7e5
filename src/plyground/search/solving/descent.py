"""Full-width search to the end of the game: is a position worth at least so much?

A question has one number, its goal. The answer is an interval (`interval.py`) that lies above the
goal or below it. All intervals that are found are kept in a table by whole identity (`store.py`).
They are facts: they hold whatever the goal was, and on whatever way a position was reached, also
where positions come back. So any number of questions and threads can share the table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from plyground.search.dispatch import (
    evaluate,
    identity,
    max_moves,
    moves,
    play,
    point,
    turn,
)
from plyground.search.memory import fetch, field, lend, prefetch
from plyground.search.native import native
from plyground.search.solving import interval
from plyground.search.solving.interval import (
    LARGEST,
    MOVE_BITS,
    at_sight,
    high_of,
    low_of,
    margin,
    move_of,
    packed,
)
from plyground.search.solving.store import (
    BUCKET_WAYS,
    EXTRA_WORDS,
    bucket_of,
    hash_of,
    look_up,
    write_down,
)

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

seen_from_above = native(interval.seen_from_above)
seen_from_below = native(interval.seen_from_below)

PLIES = 1000
"""No line is followed further: a thread's stack has room for so many calls within calls."""
ROOM = 1 << 15
"""How many moves can wait on one line, all plies together."""

# Work.counters: one thread's own
NODES, STOPPED, TOO_LONG = range(3)
# Work.settings: the same for all threads
NODE_LIMIT, THREADS = range(2)
# Work.shared
STOP = 0
OWN_NUMBERS = 128
"""Room around the counters of a thread, so that no other thread writes to their cache lines."""

POLL_MASK = 255
BUSY_SLOTS = 1 << 14
BUSY_PLIES = 16
"""So near the root, threads put off what another one looks into."""

EVALUATION_SHIFT = 20
"""A unit of evaluation outweighs so much history. Measured on Slant: ordered by evaluation and then
history, 4x4 boards full of circles take a quarter fewer positions than by points gained and then
history, and 5x5 boards with few circles a third fewer."""
HISTORY_LIMIT = 1 << 30
HINT_RANK = 1 << 60


class Work(NamedTuple):
    table: Words
    busy: Words
    moves: Numbers
    """A stack of the moves that wait to be looked into, with all that is known of each:"""
    ranks: Numbers
    lows: Numbers
    highs: Numbers
    places: Numbers
    """Where the bucket of the position is that it leads to."""
    steps: Numbers
    """Twice the points gained, and one more if the same player moves on."""
    identities: Words
    history: Numbers
    """How much looking a move has spared by refuting something, by player and move."""
    counters: Numbers
    settings: Numbers
    shared: Numbers


def new_work(most_moves: int, identity_words: int, table: Words) -> Work:
    size = ROOM + 2 * most_moves
    return Work(
        table=table,
        busy=np.zeros(BUSY_SLOTS, np.uint64),
        settings=np.zeros(8, np.int64),
        shared=np.zeros(8, np.int64),
        **_own(size, identity_words),
    )


def another_thread(work: Work) -> Work:
    """The memory of one more thread on the same table."""
    size = len(work.moves)
    return work._replace(**_own(size, len(work.identities) // size))


def _own(size: int, identity_words: int) -> dict[str, Any]:
    names = ("moves", "ranks", "lows", "highs", "places", "steps")
    return {
        **{name: np.zeros(size, np.int64) for name in names},
        "identities": np.zeros(size * identity_words, np.uint64),
        "history": np.zeros(2 << MOVE_BITS, np.int64),
        "counters": np.zeros(OWN_NUMBERS, np.int64),
    }


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
                identities[end * types.uintp(length) + types.uintp(number)] = (
                    child_words[number]
                )
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
        found = look_up_at(
            table, identities, index * types.uintp(length), length, places[index]
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
def poll(work_at: Any) -> None:
    """Stop, if somebody says so or enough was looked at."""
    counters = field(work_at, "counters")
    settings = field(work_at, "settings")
    shared = field(work_at, "shared")
    if shared[STOP] != 0 or counters[NODES] > settings[NODE_LIMIT]:
        counters[STOPPED] = 1


@native
def prefetch_bucket(table: Any, start: Any, length: Any) -> None:
    """All cache lines of a bucket; one has eight words."""
    for word in range(
        types.uintp(0), types.uintp((length + EXTRA_WORDS) * BUCKET_WAYS), 8
    ):
        prefetch(table, types.uintp(start) + types.uintp(word))


@native
def look_up_at(table: Any, words: Any, first: Any, length: Any, start: Any) -> Any:
    """Like `look_up`, for an identity that lies in an array from `first` on."""
    at = types.uintp(start)
    for _ in range(BUCKET_WAYS):
        data = table[at + types.uintp(length)]
        if data != 0:
            same = True
            for number in range(types.uintp(length)):
                same = same and table[at + number] ^ data == words[first + number]
            if same:
                return data
        at += types.uintp(length + EXTRA_WORDS)
    return types.uint64(0)


@native
def rank_moves(
    game: Any,
    board_at: Any,
    state: Any,
    side: Any,
    hint: Any,
    base: Any,
    end: Any,
    work_at: Any,
) -> None:
    """The move that was best before, then by evaluation, then by what refuted much."""
    board = fetch(board_at)
    listed = field(work_at, "moves")
    ranks = field(work_at, "ranks")
    history = field(work_at, "history")
    for index in range(types.uintp(base), end):
        move = listed[index]
        value = evaluate(game, board, play(game, board, state, move))
        value = value if side == 0 else -value
        rank = (value << EVALUATION_SHIFT) + history[
            types.uintp(side << MOVE_BITS | move)
        ]
        ranks[index] = types.int64(HINT_RANK) if move == hint else rank


@native
def bring_best(index: Any, end: Any, together: Any, work_at: Any) -> None:
    """Bring the best-ranked move to this place; with threads, one that no other is busy with."""
    listed = field(work_at, "moves")
    ranks = field(work_at, "ranks")
    lows = field(work_at, "lows")
    highs = field(work_at, "highs")
    places = field(work_at, "places")
    busy = field(work_at, "busy")
    best = index
    best_rank = types.int64(-1) << 62
    for other in range(index, end):
        rank = ranks[other]
        if together:
            slot = types.uintp(places[other]) % types.uintp(BUSY_SLOTS)
            if busy[slot] == types.uint64(places[other] + 1):
                rank -= types.int64(1) << 61
        if rank > best_rank:
            best = other
            best_rank = rank
    if best != index:
        listed[index], listed[best] = listed[best], listed[index]
        ranks[index], ranks[best] = ranks[best], ranks[index]
        lows[index], lows[best] = lows[best], lows[index]
        highs[index], highs[best] = highs[best], highs[index]
        places[index], places[best] = places[best], places[index]


@native
def mark(work_at: Any, place: Any, word: Any) -> None:
    """Tell other threads what this one is busy with. A clash only costs a needless delay."""
    busy = field(work_at, "busy")
    busy[types.uintp(place) % types.uintp(BUSY_SLOTS)] = word


@native
def learn(work_at: Any, side: Any, move: Any, spent: Any) -> None:
    """A move refuted something: try it earlier next time."""
    history = field(work_at, "history")
    entry = types.uintp(side << MOVE_BITS | move)
    history[entry] += 1 + (spent >> 4)
    if history[entry] > HISTORY_LIMIT:
        for index in range(len(history)):
            history[index] >>= 1


def ask(game: Any, board: Any, state: Any, goal: Any, work: Any) -> Any:
    """The kernel: the interval of a position, with the goal outside unless it was stopped."""
    words = identity(game, board, state)
    place = bucket_of(work.table, words, hash_of(words))
    low, high = at_sight(game, board, state)
    best_move = types.int64(0)
    found = look_up(work.table, words, place)
    if found != 0:
        low = max(low, low_of(found))
        high = min(high, high_of(found))
        best_move = move_of(found)
    found = packed(low, high, best_move)
    if low < goal <= high:
        zero = types.int64(0)
        found = look_into(
            game, lend(board), state, words, place, found, goal, zero, zero, lend(work)
        )
    return found
