"""Proof-number search, depth first: can the first player reach a given utility by force?

Every position has two numbers, seen by the player to move: `phi`, how hard it still seems to prove
that the mover's side gets its way, and `delta`, how hard to disprove it. One of them is 0 when that
is done. A position is looked at while both stay below the limits that its parent sets, always at
the child that is easiest to prove (Nagai's df-pn). The numbers of all positions met are kept in a
table by whole identity, so that a search which is cut off, or killed, can be taken up again.

What a search may never do is ask the same of a position that comes back: this is for games without
repetition.
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
    over,
    play,
    settled,
    turn,
    utility,
)
from plyground.search.memory import fetch, field, lend, prefetch
from plyground.search.native import native
from plyground.search.solving.store import bucket_of, hash_of, look_up, write_down

PROVEN = 1 << 30
"""The number of what cannot be had any more."""
PLIES = 256

# ProofWork.counters
NODES, STOPPED, DEEPEST, SEED = range(4)
# ProofWork.settings
GOAL, NODE_LIMIT = range(2)


class ProofWork(NamedTuple):
    table: npt.NDArray[np.uint64]
    moves: npt.NDArray[np.int64]
    phis: npt.NDArray[np.int64]
    """Of every child on the way, by its own mover; deltas likewise."""
    deltas: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    counters: npt.NDArray[np.int64]
    settings: npt.NDArray[np.int64]


def new_proof_work(max_moves: int, table: npt.NDArray[np.uint64]) -> ProofWork:
    size = PLIES * max_moves
    return ProofWork(
        table=table,
        moves=np.zeros(size, np.int64),
        phis=np.zeros(size, np.int64),
        deltas=np.zeros(size, np.int64),
        places=np.zeros(size, np.int64),
        counters=np.zeros(64, np.int64),
        settings=np.zeros(8, np.int64),
    )


@native
def outcome_of(game: Any, board: Any, state: Any, goal: Any) -> Any:
    """1 if the player to move has got his way, -1 if the other has, 0 if that is open.

    The first player's way is a utility of at least the goal."""
    reached = types.int64(0)
    if over(game, board, state):
        reached = types.int64(1) if utility(game, board, state) >= goal else types.int64(-1)
    else:
        winner = settled(game, board, state)
        if winner != 0:
            reached = types.int64(1) if winner >= goal else types.int64(-1)
    return reached if turn(game, board, state) == 0 else -reached


@native
def first_numbers(game: Any, board: Any, state: Any, goal: Any, scale: Any) -> Any:
    """phi and delta of a position that was never looked into, in one word: phi << 32 | delta."""
    outcome = outcome_of(game, board, state, goal)
    if outcome > 0:
        return types.int64(PROVEN)
    if outcome < 0:
        return types.int64(PROVEN) << 32
    if scale == 0:
        return types.int64(1) << 32 | 1
    value = evaluate(game, board, state)
    if turn(game, board, state) != 0:
        value = -value
    value = max(types.int64(-2000), min(types.int64(2000), value))
    phi = types.int64(1)
    delta = types.int64(1)
    if value > 0:
        delta += value * value // scale if scale > 100 else value // scale
    else:
        phi += value * value // scale if scale > 100 else -value // scale
    return phi << 32 | delta


@native
def prove(
    game: Any,
    board_at: Any,
    state: Any,
    phi_limit: Any,
    delta_limit: Any,
    ply: Any,
    work_at: Any,
) -> Any:
    """Look into an open position until one of its numbers reaches its limit. Returns them packed."""
    board = fetch(board_at)
    table = field(work_at, "table")
    listed = field(work_at, "moves")
    phis = field(work_at, "phis")
    deltas = field(work_at, "deltas")
    counters = field(work_at, "counters")
    settings = field(work_at, "settings")
    goal = settings[GOAL]
    counters[NODES] += 1
    before = counters[NODES]
    if before >= settings[NODE_LIMIT]:
        counters[STOPPED] = 1
    counters[DEEPEST] = max(counters[DEEPEST], ply)
    side = turn(game, board, state)
    base = ply * max_moves(game)
    count = moves(game, board, state, listed[base : base + max_moves(game)])
    places = field(work_at, "places")
    for index in range(base, base + count):
        child = play(game, board, state, listed[index])
        words = identity(game, board, child)
        places[index] = bucket_of(table, words, hash_of(words))
        prefetch(table, types.uintp(places[index]))
        prefetch(table, types.uintp(places[index] + 8))
    for index in range(base, base + count):
        child = play(game, board, state, listed[index])
        packed = types.int64(look_up(table, identity(game, board, child), places[index]))
        if packed == 0:
            packed = first_numbers(game, board, child, goal, settings[3])
        same = turn(game, board, child) == side
        # Seen by the mover here: the child's own numbers change places when the turn does.
        phis[index] = packed >> 32 if same else packed & 0xFFFFFFFF
        deltas[index] = packed & 0xFFFFFFFF if same else packed >> 32
        if phis[index] == 0:
            break
    words = identity(game, board, state)
    bucket = bucket_of(table, words, hash_of(words))
    phi = types.int64(0)
    delta = types.int64(0)
    while True:
        phi = types.int64(PROVEN)
        second = types.int64(PROVEN)
        delta = types.int64(0)
        best = base
        largest = types.int64(0)
        open_children = types.int64(0)
        for index in range(base, base + count):
            if phis[index] < phi:
                second = phi
                phi = phis[index]
                best = index
            elif phis[index] < second:
                second = phis[index]
            if deltas[index] > 0:
                open_children += 1
                delta += deltas[index]
                largest = max(largest, deltas[index])
            if phi == 0:
                break
        if phi == 0:
            delta = types.int64(PROVEN)
        elif settings[2] == 1:
            delta = min(types.int64(PROVEN - 1), largest + max(types.int64(0), open_children - 1))
        else:
            delta = min(types.int64(PROVEN - 1), delta)
        if delta == 0:
            phi = types.int64(PROVEN)
        if phi >= phi_limit or delta >= delta_limit or counters[STOPPED] != 0:
            break
        child = play(game, board, state, listed[best])
        same = turn(game, board, child) == side
        phi_below = min(phi_limit, second + 1 + (second >> settings[4]))
        delta_below = delta_limit - delta + deltas[best]
        if settings[2] == 1:
            delta_below = delta_limit - max(types.int64(0), open_children - 1)
        if same:
            packed = prove(game, board_at, child, phi_below, delta_below, ply + 1, work_at)
            phis[best] = packed >> 32
            deltas[best] = packed & 0xFFFFFFFF
        else:
            packed = prove(game, board_at, child, delta_below, phi_below, ply + 1, work_at)
            phis[best] = packed & 0xFFFFFFFF
            deltas[best] = packed >> 32
    packed = phi << 32 | delta
    write_down(table, words, bucket, types.uint64(packed), counters[NODES] - before + 1)
    return packed


def prove_root(game: Any, board: Any, state: Any, work: Any) -> Any:
    """The kernel: phi and delta of a position, looked into until one of them is 0."""
    limit = types.int64(PROVEN)
    return prove(game, lend(board), state, limit, limit, types.int64(0), lend(work))
