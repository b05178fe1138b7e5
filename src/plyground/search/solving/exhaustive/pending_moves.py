"""The moves that wait to be looked into, and which of them comes next.

All of an exhaustive search's memory (`descent.py`) is here: a stack of moves with what is known of
each, what threads share, and what they count.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from plyground.search.binding.dispatch import evaluate, play
from plyground.search.binding.native import native
from plyground.search.binding.pointers import fetch, field
from plyground.search.solving.exhaustive.interval import MOVE_BITS

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

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
EVALUATION_LIMIT = 1 << 32
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
def poll(work_at: Any) -> None:
    """Stop, if somebody says so or enough was looked at."""
    counters = field(work_at, "counters")
    settings = field(work_at, "settings")
    shared = field(work_at, "shared")
    if shared[STOP] != 0 or counters[NODES] > settings[NODE_LIMIT]:
        counters[STOPPED] = 1


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
        value = max(types.int64(-EVALUATION_LIMIT), min(types.int64(EVALUATION_LIMIT), value))
        value = value if side == 0 else -value
        rank = (value << EVALUATION_SHIFT) + history[types.uintp(side << MOVE_BITS | move)]
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
