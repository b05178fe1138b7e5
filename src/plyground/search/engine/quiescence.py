"""Quiescence search: beyond the horizon, noisy moves are followed until none is worth it. A capture
that can be answered says nothing about who is ahead."""

from __future__ import annotations

from typing import Any

from numba import types

from plyground.search.binding.dispatch import max_moves, moves, over, play, turn
from plyground.search.binding.native import native
from plyground.search.binding.pointers import fetch, field
from plyground.search.engine.nodes import (
    certain_value,
    count_node,
    estimate,
    extend_line,
    final_value,
)
from plyground.search.engine.ordering import MOVE_MASK, bring_best, keep_noisy
from plyground.search.engine.search_memory import OPEN, PLIES, SELECTIVE
from plyground.search.kernel_memory import STOPPED


@native
def quiesce(
    game: Any,
    board_at: Any,
    state: Any,
    alpha: Any,
    beta: Any,
    ply: Any,
    last: Any,
    memory_at: Any,
) -> Any:
    """Search noisy moves only; the player to move may also make none of them (stand pat). No
    further than the `last` ply, since noisy moves may never end.

    A win found here is a real one: the last move wins the game at once, for before that the other
    side could have stood pat too.
    """
    board = fetch(board_at)
    line_length = field(memory_at, "line_length")
    counters = field(memory_at, "counters")
    ranked = field(memory_at, "ranked")
    count_node(memory_at)
    line_length[types.uintp(ply)] = 0
    if over(game, board, state):
        counters[OPEN] = 0
        return final_value(game, board, state, ply)
    certain = certain_value(game, board, state, ply, memory_at)
    if certain != 0:
        counters[OPEN] = 0
        return certain
    best = estimate(game, board, state)
    counters[SELECTIVE] = max(counters[SELECTIVE], ply)
    if best >= beta or ply >= min(last, PLIES - 1):
        counters[OPEN] = 1
        return best
    alpha = max(alpha, best)
    side = turn(game, board, state)
    base = ply * max_moves(game)
    count = moves(game, board, state, ranked[base : base + max_moves(game)])
    end = keep_noisy(game, board_at, state, memory_at, base, count)
    for index in range(base, end):
        move = bring_best(memory_at, index, end) & MOVE_MASK
        child = play(game, board, state, move)
        same = turn(game, board, child) == side
        low = alpha if same else -beta
        high = beta if same else -alpha
        value = quiesce(game, board_at, child, low, high, ply + 1, last, memory_at)
        value = value if same else -value
        if counters[STOPPED]:
            return best
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                extend_line(memory_at, ply, move)
                if alpha >= beta:
                    break
    counters[OPEN] = 1
    return best
