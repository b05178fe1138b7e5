"""Quiescence search: beyond the horizon, noisy moves are followed until none is worth it. A capture
that can be answered says nothing about who is ahead."""

from __future__ import annotations

from typing import Any

from plyground.search.binding import dispatch as rules
from plyground.search.binding.native import recursive, types
from plyground.search.binding.pointers import field
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


@recursive("int64")
def quiesce(
    board: Any,
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
    line_length = field(memory_at, "line_length")
    counters = field(memory_at, "counters")
    ranked = field(memory_at, "ranked")
    count_node(memory_at)
    line_length[types.uintp(ply)] = 0
    if rules.over(board, state):
        counters[OPEN] = 0
        return final_value(board, state, ply)
    certain = certain_value(board, state, ply, memory_at)
    if certain != 0:
        counters[OPEN] = 0
        return certain
    best = estimate(board, state, memory_at)
    counters[SELECTIVE] = max(counters[SELECTIVE], ply)
    if best >= beta or ply >= min(last, PLIES - 1):
        counters[OPEN] = 1
        return best
    alpha = max(alpha, best)
    side = rules.turn(board, state)
    base = ply * rules.max_moves()
    count = rules.moves(board, state, ranked[base : base + rules.max_moves()])
    end = keep_noisy(board, state, memory_at, base, count)
    for index in range(base, end):
        move = bring_best(memory_at, index, end) & MOVE_MASK
        child = rules.play(board, state, move)
        same = rules.turn(board, child) == side
        low = alpha if same else -beta
        high = beta if same else -alpha
        value = quiesce(board, child, low, high, ply + 1, last, memory_at)
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
