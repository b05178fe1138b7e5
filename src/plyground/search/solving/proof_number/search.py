"""Depth-first proof-number search (Nagai's df-pn): who wins? For games without draws or repetition.

Every position has two numbers, from the point of view of its player to move: `phi`, how hard it
still seems to prove that the mover wins, and `delta`, how hard to prove that the mover loses. When
one is 0 the other is PROVEN. The mover needs one good move, so phi is the least among the moves;
the opponent has to answer them all, so delta is their sum. The search goes into the move that is
easiest to prove, as long as both numbers stay below the limits that the parent sets.

The numbers are stored in a table by whole identity (`solving/transposition_table.py`), so that a
search that was stopped or killed can be resumed. Several threads share the table; each prefers
moves that no other thread is searching.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
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
from plyground.search.solving.checkpoint import Numbers, Words
from plyground.search.solving.table_solver import (
    COUNTERS,
    NODE_LIMIT,
    NODES,
    STOP,
    STOPPED,
    THREADS,
    TOO_LONG,
)
from plyground.search.solving.transposition_table import bucket_of, hash_of, probe_at, store

PROVEN = 1 << 30
"""The number of what can never be proven."""
HALF = 32
LOW = (1 << HALF) - 1
"""Both numbers are packed into one word: phi << HALF | delta."""

PLIES = 400
"""The longest line that is searched."""
GUESS = 6
LARGEST_GUESS = 20_000
"""The first numbers of a position: so many times its evaluation, up to a limit. Compared with 1 and
1, that halves the positions visited on Breakthrough 5x5."""
PATIENCE = 3
"""The search leaves a move for the second best only when it is more than an eighth harder: going
back and forth costs more than a detour."""

UPDATE_AFTER = 50
"""After so many positions below a move, other threads may have proven something about its siblings.
Probing after every move costs more than it saves."""

BUSY_SLOTS = 1 << 12


class ProofMemory(NamedTuple):
    """The memory of one thread of a search, and what all threads share."""

    table: Words
    lengths: Words
    """How long a proven win takes at most, by identity (`verification.py`)."""
    busy: Words
    """The positions that some thread is searching."""
    counters: Numbers
    settings: Numbers
    shared: Numbers
    moves: Numbers
    """Legal moves, a part for each ply; the arrays below have an entry for each of them."""
    phis: Numbers
    deltas: Numbers
    places: Numbers
    """Where the bucket of the position after the move starts."""
    marks: Words
    """What that position is marked busy with."""
    identities: Words


def new_memory(rules: Rules, width: int, table: Words, lengths: Words) -> ProofMemory:
    """For identities of `width` words."""
    size = PLIES * rules.max_moves
    return ProofMemory(
        table=table,
        lengths=lengths,
        busy=np.zeros(BUSY_SLOTS, np.uint64),
        counters=np.zeros(COUNTERS, np.int64),
        settings=np.zeros(8, np.int64),
        shared=np.zeros(8, np.int64),
        moves=np.zeros(size, np.int64),
        phis=np.zeros(size, np.int64),
        deltas=np.zeros(size, np.int64),
        places=np.zeros(size, np.int64),
        marks=np.zeros(size, np.uint64),
        identities=np.zeros(size * width, np.uint64),
    )


@native
def known_winner(game: Any, board: Any, state: Any) -> Any:
    """1 if the rules say that the player to move wins, -1 if that player loses, else 0."""
    winner = settled(game, board, state)
    if over(game, board, state):
        winner = utility(game, board, state)
    if winner == 0:
        return types.int64(0)
    return types.int64(1) if (winner > 0) == (turn(game, board, state) == 0) else types.int64(-1)


@native
def first_numbers(game: Any, board: Any, state: Any) -> Any:
    """The numbers of a position that was never searched, from its evaluation."""
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
def set_numbers(memory_at: Any, index: Any, packed: Any, same: Any) -> None:
    """Set a child's numbers for the parent's mover: they change places with the turn."""
    phis = field(memory_at, "phis")
    deltas = field(memory_at, "deltas")
    phis[index] = packed >> HALF if same else packed & LOW
    deltas[index] = packed & LOW if same else packed >> HALF


@native
def stored_numbers(memory_at: Any, index: Any, width: Any) -> Any:
    """The numbers of a listed child in the table, or 0."""
    identities = field(memory_at, "identities")
    place = field(memory_at, "places")[index]
    table = field(memory_at, "table")
    return types.int64(probe_at(table, identities, index * width, width, place))


@native
def list_children(game: Any, board_at: Any, state: Any, base: Any, memory_at: Any) -> Any:
    """List the moves with the numbers of the positions they lead to; how many there are. A proven
    win ends the list."""
    board = fetch(board_at)
    table = field(memory_at, "table")
    listed = field(memory_at, "moves")
    phis = field(memory_at, "phis")
    places = field(memory_at, "places")
    marks = field(memory_at, "marks")
    identities = field(memory_at, "identities")
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
        packed = stored_numbers(memory_at, index, width)
        if packed == 0:
            packed = first_numbers(game, board, child)
        set_numbers(memory_at, index, packed, turn(game, board, child) == side)
        if phis[index] == 0:
            return index - base + 1
    return count


@native
def update_children(
    game: Any, board_at: Any, state: Any, base: Any, count: Any, memory_at: Any
) -> None:
    """Probe the children again: other threads may have stored new numbers."""
    board = fetch(board_at)
    listed = field(memory_at, "moves")
    phis = field(memory_at, "phis")
    deltas = field(memory_at, "deltas")
    width = len(identity(game, board, state))
    side = turn(game, board, state)
    for index in range(base, base + count):
        if phis[index] != 0 and deltas[index] != 0:
            child = play(game, board, state, listed[index])
            packed = stored_numbers(memory_at, index, width)
            if packed != 0:
                set_numbers(memory_at, index, packed, turn(game, board, child) == side)


@native
def is_marked(memory_at: Any, mark: Any) -> Any:
    busy = field(memory_at, "busy")
    return busy[types.int64(mark & types.uint64(BUSY_SLOTS - 1))] == mark


@native
def set_mark(memory_at: Any, mark: Any, value: Any) -> None:
    busy = field(memory_at, "busy")
    busy[types.int64(mark & types.uint64(BUSY_SLOTS - 1))] = value


@native
def choose_child(base: Any, count: Any, memory_at: Any) -> Any:
    """phi and delta of a position from its children, the child to search, and the phi of the
    second best."""
    phis = field(memory_at, "phis")
    deltas = field(memory_at, "deltas")
    marks = field(memory_at, "marks")
    together = field(memory_at, "settings")[THREADS] > 1
    phi = types.int64(PROVEN)
    delta = types.int64(0)
    best = base
    first = types.int64(2 * PROVEN)
    second = types.int64(2 * PROVEN)
    for index in range(base, base + count):
        phi = min(phi, phis[index])
        delta += deltas[index]
        wanted = phis[index]
        if together and wanted > 0 and is_marked(memory_at, marks[index]):
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
def count_node(ply: Any, memory_at: Any) -> None:
    """Count a position, and stop if the stop flag is set or enough positions were visited."""
    counters = field(memory_at, "counters")
    settings = field(memory_at, "settings")
    shared = field(memory_at, "shared")
    counters[NODES] += 1
    if shared[STOP] != 0 or counters[NODES] > settings[NODE_LIMIT]:
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
    memory_at: Any,
) -> Any:
    """Search an open position until one of its numbers reaches its limit; returns both."""
    board = fetch(board_at)
    table = field(memory_at, "table")
    listed = field(memory_at, "moves")
    deltas = field(memory_at, "deltas")
    marks = field(memory_at, "marks")
    counters = field(memory_at, "counters")
    settings = field(memory_at, "settings")
    count_node(ply, memory_at)
    before = counters[NODES]
    side = turn(game, board, state)
    base = ply * max_moves(game)
    count = list_children(game, board_at, state, base, memory_at)
    while True:
        phi, delta, best, second = choose_child(base, count, memory_at)
        if phi >= phi_limit or delta >= delta_limit or counters[STOPPED] != 0:
            break
        child = play(game, board, state, listed[best])
        phi_below = min(phi_limit, second + 1 + (second >> PATIENCE))
        delta_below = delta_limit - delta + deltas[best]
        mark = marks[best]
        entered = counters[NODES]
        set_mark(memory_at, mark, mark)
        same = turn(game, board, child) == side
        if same:
            packed = prove(game, board_at, child, phi_below, delta_below, ply + 1, memory_at)
        else:
            packed = prove(game, board_at, child, delta_below, phi_below, ply + 1, memory_at)
        set_mark(memory_at, mark, types.uint64(0))
        set_numbers(memory_at, best, packed, same)
        if settings[THREADS] > 1 and counters[NODES] - entered > UPDATE_AFTER:
            update_children(game, board_at, state, base, count, memory_at)
    packed = phi << HALF | delta
    words = identity(game, board, state)
    bucket = bucket_of(table, words, hash_of(words))
    store(table, words, bucket, types.uint64(packed), counters[NODES] - before + 1)
    return packed
