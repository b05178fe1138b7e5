"""The move picker of an exhaustive search: which of the open moves is searched next."""

from __future__ import annotations

from typing import Any

from numba import types

from plyground.search.binding.dispatch import evaluate, play
from plyground.search.binding.native import native
from plyground.search.binding.pointers import fetch, field
from plyground.search.solving.exhaustive.interval import MOVE_BITS

BUSY_SLOTS = 1 << 14
BUSY_PLIES = 16
"""At fewer plies from the root, threads defer the moves that another thread is searching."""

EVALUATION_SHIFT = 20
"""A unit of evaluation outweighs so much history. Measured on Slant: ordered by evaluation and then
history, 4x4 boards full of circles take a quarter fewer positions than by points gained and then
history, and 5x5 boards with few circles a third fewer."""
EVALUATION_LIMIT = 1 << 32
HISTORY_LIMIT = 1 << 30
HINT_RANK = 1 << 60


@native
def rank_moves(
    game: Any,
    board_at: Any,
    state: Any,
    side: Any,
    hint: Any,
    base: Any,
    end: Any,
    memory_at: Any,
) -> None:
    """The best move of an earlier search first, then by evaluation, then by history."""
    board = fetch(board_at)
    listed = field(memory_at, "moves")
    ranks = field(memory_at, "ranks")
    history = field(memory_at, "history")
    for index in range(types.uintp(base), end):
        move = listed[index]
        value = evaluate(game, board, play(game, board, state, move))
        value = max(types.int64(-EVALUATION_LIMIT), min(types.int64(EVALUATION_LIMIT), value))
        value = value if side == 0 else -value
        rank = (value << EVALUATION_SHIFT) + history[types.uintp(side << MOVE_BITS | move)]
        ranks[index] = types.int64(HINT_RANK) if move == hint else rank


@native
def pick_best(index: Any, end: Any, together: Any, memory_at: Any) -> None:
    """Swap the best-ranked move to this place; with threads, one that no other thread searches."""
    listed = field(memory_at, "moves")
    ranks = field(memory_at, "ranks")
    lows = field(memory_at, "lows")
    highs = field(memory_at, "highs")
    places = field(memory_at, "places")
    busy = field(memory_at, "busy")
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
def mark_busy(memory_at: Any, place: Any, word: Any) -> None:
    """Show other threads what this one searches. A clash of slots only costs a needless delay."""
    busy = field(memory_at, "busy")
    busy[types.uintp(place) % types.uintp(BUSY_SLOTS)] = word


@native
def update_history(memory_at: Any, side: Any, move: Any, spent: Any) -> None:
    """A move refuted a position: try it earlier next time."""
    history = field(memory_at, "history")
    entry = types.uintp(side << MOVE_BITS | move)
    history[entry] += 1 + (spent >> 4)
    if history[entry] > HISTORY_LIMIT:
        for index in range(len(history)):
            history[index] >>= 1
