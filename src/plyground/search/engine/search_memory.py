"""The memory of a search: what one thread writes for itself, and what all threads share.

What it has in common with the memory of other kernels is in `search/kernel_memory.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyground.core.contract import MOVE_LIMIT, Rules
from plyground.core.game import MAX_PAST
from plyground.search.kernel_memory import (
    BUSY_SLOTS,
    FIRST_COUNTER,
    FIRST_SETTING,
    Numbers,
    Words,
    control_arrays,
    numbers,
    words,
)
from plyground.search.net.net import Net

MAX_DEPTH = 250
"""The deepest iteration: a table entry has 8 bits for the depth."""
QUIET_PLIES = 32
"""How far beyond the horizon noisy moves are followed."""
PLIES = MAX_DEPTH + QUIET_PLIES + 2
"""How many nodes can lie on one path."""

# SearchMemory.settings: fixed while a search runs
FEATURES, WAYS, BUCKETS, AGE, SALT, PAST, EVALUATION = range(FIRST_SETTING, FIRST_SETTING + 7)
# SearchMemory.counters: one thread's own
OPEN, SELECTIVE, SEARCHED = range(FIRST_COUNTER, FIRST_COUNTER + 3)
"""SEARCHED: how many root moves have values of the iteration under way."""

# settings[EVALUATION]: what a position at the horizon is worth
OWN, NONE, LEARNED = range(3)
"""The game's own evaluation; nothing but the points so far; a net (`search/net/`)."""

SHARED_FIELDS = ("table", "busy", "shared", "settings", "net_table", "net_rows")
"""The fields of a SearchMemory that all threads of a search share."""


class SearchMemory(NamedTuple):
    table: Words
    """The transposition table: two words an entry (`search/engine/transposition_table.py`)."""
    busy: Words
    """Marks of the moves that some thread is searching (`search/kernel_memory.py`)."""
    shared: Numbers
    settings: Numbers
    counters: Numbers
    history: Numbers
    """How much a move has refuted, by player and move."""
    killers: Numbers
    """Two quiet moves per ply that refuted a sister position."""
    ranked: Numbers
    """Legal moves by ply, each packed with its rank."""
    keys: Words
    """The keys of the positions that the moves in `ranked` lead to."""
    deferred_numbers: Numbers
    """Of a deferred move in `ranked`: its number in the order (`search/engine/ordering.py`)."""
    deferred_starts: Numbers
    """By ply, where in `ranked` the deferred moves begin."""
    line: Numbers
    """The best line below each ply, PLIES apart."""
    line_length: Numbers
    path: Words
    """The keys of the game's latest positions, then those on the way from the root: PAST + ply."""
    net_table: Numbers
    """A net, if one is in use (`search/net/kernel.py`)."""
    net_rows: npt.NDArray[np.int16]
    net_items: Words
    """By side, the last state whose value the net has computed."""
    net_sums: npt.NDArray[np.int16]
    """By side, the hidden units of that state."""
    items: Words
    """The state whose value a net computes."""


class Root(NamedTuple):
    """The moves at the root, best first, and what is known of each."""

    moves: Numbers
    values: Numbers
    bounds: Numbers
    lines: Numbers
    lengths: Numbers


def new_memory(rules: Rules, table: Words) -> SearchMemory:
    """The memory of a search with one thread."""
    return SearchMemory(
        table=table,
        busy=words(BUSY_SLOTS),
        **control_arrays(),
        history=numbers(2 * MOVE_LIMIT),
        killers=numbers(2 * (PLIES + 1)),
        ranked=numbers((PLIES + 1) * rules.max_moves),
        keys=words((PLIES + 1) * rules.max_moves),
        deferred_numbers=numbers((PLIES + 1) * rules.max_moves),
        deferred_starts=numbers(PLIES + 1),
        line=numbers((PLIES + 1) * PLIES),
        line_length=numbers(PLIES + 1),
        path=words(MAX_PAST + PLIES + 1),
        net_table=numbers(1),
        net_rows=np.zeros(1, np.int16),
        net_items=words(1),
        net_sums=np.zeros(1, np.int16),
        items=words(sum(max(1, field.length) for field in rules.state_fields)),
    )


def with_net(memories: Sequence[SearchMemory], net: Net) -> list[SearchMemory]:
    """The memories of the threads of a search, with a net that has computed nothing yet."""
    table, rows, first = net.table, net.flat_rows, net.first_sums
    made = []
    for memory in memories:
        sums = words(first.nbytes // 8).view(np.int16)  # shares no cache line with another thread
        sums[:] = first
        items = words(2 * len(net.layout.items))
        made.append(memory._replace(net_table=table, net_rows=rows, net_items=items, net_sums=sums))
    return made


def new_root(moves: Any) -> Root:
    count = len(moves)
    return Root(
        moves=np.array(moves, np.int64),
        values=numbers(count),
        bounds=numbers(count),
        lines=numbers(count * PLIES),
        lengths=numbers(count),
    )
