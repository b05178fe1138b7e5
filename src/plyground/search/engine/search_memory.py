"""The memory of a search: what one thread writes for itself, and what all threads share.

Kernels take it as one tuple of flat arrays, lent down the recursion (`search/binding/pointers.py`).
Single numbers live in small arrays under the names below, since a tuple cannot be written to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyground.core.contract import MOVE_LIMIT, Rules
from plyground.core.position import MAX_PAST

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

MAX_DEPTH = 250
"""The deepest iteration: a table entry has 8 bits for the depth."""
QUIET_PLIES = 32
"""How far beyond the horizon noisy moves are followed."""
PLIES = MAX_DEPTH + QUIET_PLIES + 2
"""How many nodes can lie on one path."""

# Work.settings: fixed while a search runs
FEATURES, WAYS, BUCKETS, AGE, NODE_LIMIT, DEADLINE, THREADS, SALT, PAST = range(9)
# Work.counters: one thread's own
NODES, STOPPED, OPEN, SELECTIVE, EPOCH, LAST_POLL, LONGEST_WAIT = range(7)
# Work.shared: how the main thread steers the others, and how anyone stops them all
STOP, SHARED_EPOCH, SHARED_DEPTH, SHARED_ALPHA, SHARED_BETA = range(5)

# Work.picker, for each ply
PLACE, LEGAL, LAST = range(3)
PICKER_FIELDS = 4

BUSY_SLOTS = 1 << 14
"""Room for the moves that threads are looking at. A clash only costs a needless delay."""


OWN_NUMBERS = 128
"""Room around the few counters of a thread, so that no other thread writes to their cache lines."""


class Work(NamedTuple):
    table: Words
    """The transposition table: two words an entry (`search/engine/transposition_table.py`).
    Shared."""
    busy: Words
    """The moves that some thread is searching right now (`search/engine/ordering.py`). Shared."""
    shared: Numbers
    settings: Numbers
    counters: Numbers
    history: Numbers
    """How much a move has refuted, by player and move. Shared: threads that agree on the order of
    moves find their work in the table, those that do not search two trees."""
    killers: Numbers
    """Two quiet moves per ply that refuted a sister position."""
    ranked: Numbers
    """Legal moves by ply, each packed with its rank."""
    picker: Numbers
    """How far the move picker of each ply has come (`search/engine/ordering.py`)."""
    deferred: Numbers
    """Where in `ranked` each deferred move of a ply stands."""
    keys: Words
    """The keys of the positions that the moves in `ranked` lead to."""
    line: Numbers
    """The best line below each ply, PLIES apart."""
    line_length: Numbers
    path: Words
    """The keys of the game's latest positions, then those on the way from the root: PAST + ply."""


class Root(NamedTuple):
    """The moves at the root, best first, and what is known of each."""

    moves: Numbers
    values: Numbers
    bounds: Numbers
    lines: Numbers
    lengths: Numbers


def new_work(rules: Rules, table: Words) -> Work:
    """The memory of a search with one thread."""
    return Work(
        table=table,
        busy=np.zeros(BUSY_SLOTS, np.uint64),
        shared=numbers(8),
        settings=numbers(16),
        counters=numbers(OWN_NUMBERS),
        history=numbers(2 * MOVE_LIMIT),
        killers=numbers(2 * (PLIES + 1)),
        ranked=numbers((PLIES + 1) * rules.max_moves),
        picker=numbers((PLIES + 1) * PICKER_FIELDS),
        deferred=numbers((PLIES + 1) * rules.max_moves),
        keys=np.zeros((PLIES + 1) * rules.max_moves, np.uint64),
        line=numbers((PLIES + 1) * PLIES),
        line_length=numbers(PLIES + 1),
        path=np.zeros(MAX_PAST + PLIES + 1, np.uint64),
    )


def another_thread(work: Work) -> Work:
    """The memory of one more thread on the same table: its own where it must be, else shared."""
    return work._replace(
        counters=numbers(len(work.counters)),
        killers=numbers(len(work.killers)),
        ranked=numbers(len(work.ranked)),
        picker=numbers(len(work.picker)),
        deferred=numbers(len(work.deferred)),
        keys=np.zeros(len(work.keys), np.uint64),
        line=numbers(len(work.line)),
        line_length=numbers(len(work.line_length)),
        path=np.zeros(len(work.path), np.uint64),
    )


def numbers(size: int) -> Numbers:
    return np.zeros(size, np.int64)


def new_root(moves: Any) -> Root:
    count = len(moves)
    return Root(
        moves=np.array(moves, np.int64),
        values=np.zeros(count, np.int64),
        bounds=np.zeros(count, np.int64),
        lines=np.zeros(count * PLIES, np.int64),
        lengths=np.zeros(count, np.int64),
    )
