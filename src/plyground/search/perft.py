"""Counting positions, compiled: the usual test of rules, and of their speed.

`perft(position, depth)` is the number of move sequences of exactly `depth` plies; a finished game
has no successors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.core.errors import LimitError
from plyground.core.game import Position
from plyground.search.binding import dispatch as rules
from plyground.search.binding.compile import bind
from plyground.search.binding.native import recursive, types
from plyground.search.binding.pointers import address_of, fetch

MAX_DEPTH = 1000


@recursive("int64")
def count(board: Any, state: Any, depth: Any, buffer_at: Any) -> Any:
    """The positions `depth` plies below; each level has its own part of the buffer."""
    if depth == 0:
        return types.int64(1)
    if rules.over(board, state):
        return types.int64(0)
    buffer = fetch(buffer_at)
    base = (depth - 1) * rules.max_moves()
    legal = rules.moves(board, state, buffer[base : base + rules.max_moves()])
    if depth == 1:
        return legal
    total = types.int64(0)
    for index in range(base, base + legal):
        child = rules.play(board, state, buffer[index])
        total += count(board, child, depth - 1, buffer_at)
    return total


def count_positions(board: Any, state: Any, depth: Any, buffer: Any) -> Any:
    """The kernel."""
    return count(board, state, depth, address_of(buffer))


def perft(position: Position, depth: int) -> int:
    """How many positions lie exactly `depth` plies below, counted along every path."""
    if not 0 <= depth <= MAX_DEPTH:
        raise LimitError(f"depth {depth}: perft takes a depth from 0 to {MAX_DEPTH}")
    bound = bind(position.game)
    buffer = np.zeros((depth + 1) * position.game.rules.max_moves, np.int64)
    return int(bound.run(count_positions, *bound.pack(position), depth, buffer))
