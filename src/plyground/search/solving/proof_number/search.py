"""Proof-number search, depth first, compiled: who wins? For games without draws or repetition.

Every position has two numbers, as its player to move sees them: `phi`, how hard it still seems to
prove that the mover wins, and `delta`, how hard to prove that the mover loses. When one is 0 the
other is PROVEN. The mover needs one good move, so phi is the least among the moves; the enemy has
to answer them all, so delta is their sum. A position is looked into at the move that is easiest to
prove, as long as both numbers stay below the limits that its parent sets (Nagai's df-pn).

What is found out is kept in a table by whole identity (`solving/store.py`), so that a search that
was stopped or killed goes on where it was. Several threads share the table; each prefers moves that
no other one is at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from plyground.core.contract import Rules
from plyground.search.binding.dispatch import (
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
from plyground.search.binding.native import native
from plyground.search.binding.pointers import fetch, field, prefetch
from plyground.search.solving.proof_number.node_table import (
    bucket_of,
    hash_of,
    look_up_within,
    write_down,
)

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

PROVEN = 1 << 30
"""The number of what can never be proven."""
HALF = 32
LOW = (1 << HALF) - 1
"""Two numbers travel in one word: phi << HALF | delta."""

PLIES = 400
"""The longest line that can be followed."""
GUESS = 6
LARGEST_GUESS = 20_000
"""The first numbers of a position: so many times its evaluation, and no more than that. Instead of
1 and 1, that halves the positions looked at on Breakthrough 5x5."""
PATIENCE = 3
"""A move is left for the second best only when it is more than an eighth harder: going back and
forth costs more than a detour."""

UPDATE_AFTER = 50
"""After so many positions below a move, other threads may have found out something about the rest;
asking after every move costs more than it tells."""

BUSY_SLOTS = 1 << 12

# ProofWork.counters: one thread's own
NODES, STOPPED, TOO_LONG = range(3)
# ProofWork.shared
STOP, THREADS, NODES_ALLOWED = range(3)


class ProofWork(NamedTuple):
    table: Words
    lengths: Words
    """How long a proven win takes at most, by identity (`solving/verdict.py`)."""
    busy: Words
    """The positions that some thread is looking into."""
    shared: Numbers
    counters: Numbers
    moves: Numbers
    """Legal moves, a part for each ply; the three below go with them."""
    phis: Numbers
    deltas: Numbers
    places: Numbers
    """Where the bucket of the position after the move begins, and what it is marked busy with."""
    marks: Words
    identities: Words
    """The identity of each of those positions, one after the other."""


def new_proof_work(
    rules: Rules, width: int, table: Words, lengths: Words, threads: int
) -> ProofWork:
    """The memory of a search with one thread; an identity has `width` words."""
    size = PLIES * rules.max_moves
    shared = np.zeros(8, np.int64)
    shared[THREADS] = threads
    return ProofWork(
        table=table,
        lengths=lengths,
        busy=np.zeros(BUSY_SLOTS, np.uint64),
        shared=shared,
        counters=np.zeros(64, np.int64),
        moves=np.zeros(size, np.int64),
        phis=np.zeros(size, np.int64),
        deltas=np.zeros(size, np.int64),
        places=np.zeros(size, np.int64),
        marks=np.zeros(size, np.uint64),
        identities=np.zeros(size * width, np.uint64),
    )


def another_thread(work: ProofWork) -> ProofWork:
    """The memory of one more thread on the same table."""
    return work._replace(
        counters=np.zeros_like(work.counters),
        moves=np.zeros_like(work.moves),
        phis=np.zeros_like(work.phis),
        deltas=np.zeros_like(work.deltas),
        places=np.zeros_like(work.places),
        marks=np.zeros_like(work.marks),
        identities=np.zeros_like(work.identities),
    )


@native
def known_winner(game: Any, board: Any, state: Any) -> Any:
    """1 if it is plain that the player to move wins, -1 that he loses, else 0."""
    winner = settled(game, board, state)
    if over(game, board, state):
        winner = utility(game, board, state)
    if winner == 0:
        return types.int64(0)
    return types.int64(1) if (winner > 0) == (turn(game, board, state) == 0) else types.int64(-1)


@native
def first_numbers(game: Any, board: Any, state: Any) -> Any:
    """The numbers of a position that was never looked into: the larger, the worse it looks."""
    winner = known_winner(game, board, state)
    if winner > 0:
        return types.int64(PROVEN)
    if winner < 0:
        return types.int64(PROVEN) << HALF
    value = evaluate(game, board, state)
    if turn(game, board, state) != 0:
        value = -value
    value = GUESS * value
    value = max(types.int64(-LARGEST_GUESS), min(types.int64(LARGEST_GUESS), value))
    phi = 1 + max(types.int64(0), -value)
    delta = 1 + max(types.int64(0), value)
    return phi << HALF | delta


@native
def set_numbers(work_at: Any, index: Any, packed: Any, same: Any) -> None:
    """Note a child's numbers as the parent's mover sees them: they change places with the turn."""
    phis = field(work_at, "phis")
    deltas = field(work_at, "deltas")
    phis[index] = packed >> HALF if same else packed & LOW
    deltas[index] = packed & LOW if same else packed >> HALF


@native
def known_numbers(work_at: Any, index: Any, width: Any) -> Any:
    """The numbers of a listed child as the table has them, or 0."""
    identities = field(work_at, "identities")
    place = field(work_at, "places")[index]
    table = field(work_at, "table")
    return types.int64(look_up_within(table, identities, index * width, width, place))


@native
def list_children(game: Any, board_at: Any, state: Any, base: Any, work_at: Any) -> Any:
    """List the moves with the numbers of the positions they lead to; how many there are. A move
    that wins for certain ends the list."""
    board = fetch(board_at)
    table = field(work_at, "table")
    listed = field(work_at, "moves")
    phis = field(work_at, "phis")
    places = field(work_at, "places")
    marks = field(work_at, "marks")
    identities = field(work_at, "identities")
    width = len(identity(game, board, state))
    count = moves(game, board, state, listed[base : base + max_moves(game)])
    for index in range(base, base + count):
        child = play(game, board, state, listed[index])
        words = identity(game, board, child)
        marks[index] = hash_of(words)
        places[index] = bucket_of(table, words, marks[index])
        for part in range(width):
            identities[index * width + part] = words[part]
        prefetch(table, types.uintp(places[index]))
        prefetch(table, types.uintp(places[index] + 8))
    side = turn(game, board, state)
    for index in range(base, base + count):
        child = play(game, board, state, listed[index])
        packed = known_numbers(work_at, index, width)
        if packed == 0:
            packed = first_numbers(game, board, child)
        set_numbers(work_at, index, packed, turn(game, board, child) == side)
        if phis[index] == 0:
            return index - base + 1
    return count


@native
def update_children(
    game: Any, board_at: Any, state: Any, base: Any, count: Any, work_at: Any
) -> None:
    """What other threads have found out about the children in the meantime."""
    board = fetch(board_at)
    listed = field(work_at, "moves")
    phis = field(work_at, "phis")
    deltas = field(work_at, "deltas")
    width = len(identity(game, board, state))
    side = turn(game, board, state)
    for index in range(base, base + count):
        if phis[index] != 0 and deltas[index] != 0:
            child = play(game, board, state, listed[index])
            packed = known_numbers(work_at, index, width)
            if packed != 0:
                set_numbers(work_at, index, packed, turn(game, board, child) == side)


@native
def is_marked(work_at: Any, mark: Any) -> Any:
    busy = field(work_at, "busy")
    return busy[types.int64(mark & types.uint64(BUSY_SLOTS - 1))] == mark


@native
def set_mark(work_at: Any, mark: Any, value: Any) -> None:
    busy = field(work_at, "busy")
    busy[types.int64(mark & types.uint64(BUSY_SLOTS - 1))] = value


@native
def choose_child(base: Any, count: Any, work_at: Any) -> Any:
    """phi and delta of a position from its children, the child to look into, and the phi of the
    one that would be next."""
    phis = field(work_at, "phis")
    deltas = field(work_at, "deltas")
    marks = field(work_at, "marks")
    shared = field(work_at, "shared")
    together = shared[THREADS] > 1
    phi = types.int64(PROVEN)
    delta = types.int64(0)
    best = base
    first = types.int64(2 * PROVEN)
    second = types.int64(2 * PROVEN)
    for index in range(base, base + count):
        phi = min(phi, phis[index])
        delta += deltas[index]
        wanted = phis[index]
        if together and wanted > 0 and is_marked(work_at, marks[index]):
            wanted += (wanted >> 1) + 1
        if wanted < first:
            second = first
            first = wanted
            best = index
        elif wanted < second:
            second = wanted
    if phi == 0:
        delta = types.int64(PROVEN)
    elif delta == 0:
        phi = types.int64(PROVEN)
    else:
        delta = min(delta, types.int64(PROVEN - 1))
    return phi, delta, best, second


@native
def look_around(ply: Any, work_at: Any) -> None:
    """Count a position, and stop if anyone says so."""
    counters = field(work_at, "counters")
    shared = field(work_at, "shared")
    counters[NODES] += 1
    if shared[STOP] != 0 or counters[NODES] > shared[NODES_ALLOWED]:
        counters[STOPPED] = 1
    if ply >= PLIES - 1:
        counters[TOO_LONG] = 1
        counters[STOPPED] = 1


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
    """Look into an open position until one of its numbers reaches its limit; returns both."""
    board = fetch(board_at)
    table = field(work_at, "table")
    listed = field(work_at, "moves")
    deltas = field(work_at, "deltas")
    marks = field(work_at, "marks")
    counters = field(work_at, "counters")
    shared = field(work_at, "shared")
    look_around(ply, work_at)
    before = counters[NODES]
    side = turn(game, board, state)
    base = ply * max_moves(game)
    count = list_children(game, board_at, state, base, work_at)
    while True:
        phi, delta, best, second = choose_child(base, count, work_at)
        if phi >= phi_limit or delta >= delta_limit or counters[STOPPED] != 0:
            break
        child = play(game, board, state, listed[best])
        phi_below = min(phi_limit, second + 1 + (second >> PATIENCE))
        delta_below = delta_limit - delta + deltas[best]
        mark = marks[best]
        entered = counters[NODES]
        set_mark(work_at, mark, mark)
        same = turn(game, board, child) == side
        if same:
            packed = prove(game, board_at, child, phi_below, delta_below, ply + 1, work_at)
        else:
            packed = prove(game, board_at, child, delta_below, phi_below, ply + 1, work_at)
        set_mark(work_at, mark, types.uint64(0))
        set_numbers(work_at, best, packed, same)
        if shared[THREADS] > 1 and counters[NODES] - entered > UPDATE_AFTER:
            update_children(game, board_at, state, base, count, work_at)
    packed = phi << HALF | delta
    words = identity(game, board, state)
    bucket = bucket_of(table, words, hash_of(words))
    write_down(table, words, bucket, types.uint64(packed), counters[NODES] - before + 1)
    return packed
