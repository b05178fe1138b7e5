"""Counting positions, compiled: the usual test of rules, and of their speed.

`perft(position, depth)` is the number of move sequences of exactly `depth` plies; a finished game
has no successors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from plyground.core.errors import LimitError
from plyground.core.game import Position
from plyground.search.binding.compile import bind
from plyground.search.binding.dispatch import max_moves, moves, over, play
from plyground.search.binding.native import native
from plyground.search.binding.pointers import address_of, fetch

MAX_DEPTH = 1000


@native
def count(game: Any, board_at: Any, state: Any, depth: Any, buffer_at: Any) -> Any:
    """The positions `depth` plies below; each level has its own part of the buffer."""
    if depth == 0:
        return types.int64(1)
    board = fetch(board_at)
    if over(game, board, state):
        return types.int64(0)
    buffer = fetch(buffer_at)
    base = (depth - 1) * max_moves(game)
    legal = moves(game, board, state, buffer[base : base + max_moves(game)])
    if depth == 1:
        return legal
    total = types.int64(0)
    for index in range(base, base + legal):
        child = play(game, board, state, buffer[index])
        total += count(game, board_at, child, depth - 1, buffer_at)
    return total


def count_positions(game: Any, board: Any, state: Any, depth: Any, buffer: Any) -> Any:
    """The kernel."""
    return count(game, address_of(board), state, depth, address_of(buffer))


def perft(position: Position, depth: int) -> int:
    """How many positions lie exactly `depth` plies below, counted along every path."""
    if not 0 <= depth <= MAX_DEPTH:
        raise LimitError(f"depth {depth}: perft takes a depth from 0 to {MAX_DEPTH}")
    bound = bind(position.game)
    buffer = np.zeros((depth + 1) * position.game.rules.max_moves, np.int64)
    return int(
        bound.run(
            count_positions,
            bound.pack_board(position.board),
            bound.pack_state(position.state),
            depth,
            buffer,
        )
    )


def divide(position: Position, depth: int) -> dict[int, int]:
    """Perft by first move: where two programs differ, this shows under which move."""
    if depth < 1:
        raise LimitError(f"depth {depth}: to divide by first move takes a depth of at least 1")
    return {move: perft(child, depth - 1) for move, child in position.children()}
