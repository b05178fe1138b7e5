"""Depth-first proof-number search (Nagai's df-pn): who wins? For games without draws or repetition.

Every position has two numbers, from the point of view of its player to move: `phi`, how hard it
still seems to prove that the mover wins, and `delta`, how hard to prove that the mover loses. When
one is 0 the other is PROVEN. The mover needs one good move, so phi is the least among the moves;
the opponent has to answer them all, so delta is their sum. The search goes into the move that is
easiest to prove, as long as both numbers stay below the limits that the parent sets.

The numbers are stored in a table by whole identity (`solving/transposition_table.py`), so that a
search that was stopped or killed can be resumed. Several threads share the table; each prefers
moves that no other thread is searching.

A finished proof is verified, and the length of the win measured: every position of the proof is
checked against its children. A won one needs a move to a position that is lost for the opponent, a
lost one has only moves to positions that are won for the opponent. What the table has lost
meanwhile is proven again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plyground.search.binding import dispatch as rules
from plyground.search.binding.native import native, recursive, types
from plyground.search.binding.pointers import address_of, field
from plyground.search.kernel_memory import (
    BUSY_SLOTS,
    NODES,
    STOPPED,
    THREADS,
    Numbers,
    Words,
    control_arrays,
    is_marked,
    mark,
    numbers,
    poll,
    unmark,
    words,
)
from plyground.search.solving.transposition_table import (
    TOO_LONG,
    bucket_of,
    list_child,
    probe,
    probe_child,
    store,
)

PROVEN = 1 << 30
"""The number of what can never be proven."""
NO_NUMBER = -1
"""Of a child that is listed and has no numbers yet."""
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

PROVE, RECALL, MEASURE, ESTIMATE = range(4)
"""The tasks of the kernel: prove who wins; say who wins if that is known already; measure how long
the win takes at most; tell the numbers of a position so far."""
WRONG = -1
"""The length of a win that turned out to be none."""


class ProofMemory(NamedTuple):
    """The memory of one thread of a search, and what all threads share."""

    table: Words
    lengths: Words
    """How long a proven win takes at most, by identity."""
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


def new_memory(most_moves: int, width: int, table: Words, lengths: Words) -> ProofMemory:
    """For positions with at most so many moves and identities of `width` words."""
    size = PLIES * most_moves
    return ProofMemory(
        table=table,
        lengths=lengths,
        busy=words(BUSY_SLOTS),
        **control_arrays(),
        **{name: numbers(size) for name in ("moves", "phis", "deltas", "places")},
        marks=words(size),
        identities=words(size * width),
    )


@native
def known_winner(board: Any, state: Any) -> Any:
    """1 if the rules say that the first player wins, -1 if the second player does, else 0."""
    result = rules.settled(board, state)
    if rules.over(board, state):
        result = rules.utility(board, state)
    return types.int64((result > 0) - (result < 0))


@native
def first_numbers(board: Any, state: Any) -> Any:
    """The numbers of a position that was never searched, from its evaluation."""
    sign = types.int64(1) if rules.turn(board, state) == 0 else types.int64(-1)
    winner = known_winner(board, state)
    if winner != 0:
        return types.int64(PROVEN) if winner == sign else types.int64(PROVEN) << HALF
    value = GUESS * sign * rules.evaluate(board, state)
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
def list_children(board: Any, state: Any, base: Any, memory_at: Any) -> Any:
    """List the moves with the numbers of the positions they lead to; how many there are."""
    listed = field(memory_at, "moves")
    marks = field(memory_at, "marks")
    count = rules.moves(board, state, listed[base : base + rules.max_moves()])
    for index in range(base, base + count):
        child = rules.play(board, state, listed[index])
        marks[index] = list_child(memory_at, index, rules.identity(board, child))
        field(memory_at, "phis")[index] = NO_NUMBER
        field(memory_at, "deltas")[index] = NO_NUMBER
    return update_children(board, state, base, count, memory_at)


@native
def update_children(board: Any, state: Any, base: Any, count: Any, memory_at: Any) -> Any:
    """Probe the children that are open: other threads may have stored new numbers. How many
    children there are; a proven win ends the list."""
    listed = field(memory_at, "moves")
    phis = field(memory_at, "phis")
    deltas = field(memory_at, "deltas")
    width = len(rules.identity(board, state))
    side = rules.turn(board, state)
    for index in range(base, base + count):
        if phis[index] != 0 and deltas[index] != 0:
            child = rules.play(board, state, listed[index])
            packed = types.int64(probe_child(memory_at, index, width))
            if packed == 0 and phis[index] == NO_NUMBER:
                packed = first_numbers(board, child)
            if packed != 0:
                set_numbers(memory_at, index, packed, rules.turn(board, child) == side)
        if phis[index] == 0:
            return index - base + 1
    return count


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
    """Count a position, and stop if a limit is reached."""
    counters = field(memory_at, "counters")
    counters[NODES] += 1
    poll(memory_at)
    if ply >= PLIES - 1:
        counters[TOO_LONG] = 1
        counters[STOPPED] = 1


@recursive("int64")
def prove(
    board: Any,
    state: Any,
    phi_limit: Any,
    delta_limit: Any,
    ply: Any,
    memory_at: Any,
) -> Any:
    """Search an open position until one of its numbers reaches its limit; returns both."""
    table = field(memory_at, "table")
    listed = field(memory_at, "moves")
    deltas = field(memory_at, "deltas")
    marks = field(memory_at, "marks")
    counters = field(memory_at, "counters")
    together = field(memory_at, "settings")[THREADS] > 1
    count_node(ply, memory_at)
    before = counters[NODES]
    side = rules.turn(board, state)
    base = ply * rules.max_moves()
    count = list_children(board, state, base, memory_at)
    while True:
        phi, delta, best, second = choose_child(base, count, memory_at)
        if phi >= phi_limit or delta >= delta_limit or counters[STOPPED] != 0:
            break
        child = rules.play(board, state, listed[best])
        phi_below = min(phi_limit, second + 1 + (second >> PATIENCE))
        delta_below = delta_limit - delta + deltas[best]
        word = marks[best]
        entered = counters[NODES]
        if together:
            mark(memory_at, word)
        same = rules.turn(board, child) == side
        if same:
            packed = prove(board, child, phi_below, delta_below, ply + 1, memory_at)
        else:
            packed = prove(board, child, delta_below, phi_below, ply + 1, memory_at)
        if together:
            unmark(memory_at, word)
        set_numbers(memory_at, best, packed, same)
        if together and counters[NODES] - entered > UPDATE_AFTER:
            count = update_children(board, state, base, count, memory_at)
    packed = phi << HALF | delta
    own = rules.identity(board, state)
    work = counters[NODES] - before + 1
    store(table, own, bucket_of(table, own), types.uint64(packed), work)
    return packed


# Verifying and measuring


@native
def proven_winner(packed: Any, side: Any) -> Any:
    """Who wins by the numbers of a position where `side` moves: 1 is the first player, -1 the
    second, and 0 if that is open."""
    phi = packed >> HALF
    if phi != 0 and phi != PROVEN:
        return types.int64(0)
    return types.int64(1) if (phi == 0) == (side == 0) else types.int64(-1)


@native
def recalled_winner(board: Any, state: Any, memory_at: Any) -> Any:
    """Who wins, if the rules or the table know it; else 0."""
    winner = known_winner(board, state)
    if winner != 0:
        return winner
    table = field(memory_at, "table")
    words = rules.identity(board, state)
    packed = types.int64(probe(table, words, bucket_of(table, words)))
    return types.int64(0) if packed == 0 else proven_winner(packed, rules.turn(board, state))


@native
def recalled_numbers(board: Any, state: Any, memory_at: Any) -> Any:
    """The numbers of a position by the rules and the table."""
    table = field(memory_at, "table")
    words = rules.identity(board, state)
    packed = types.int64(probe(table, words, bucket_of(table, words)))
    if packed == 0 or known_winner(board, state) != 0:
        return first_numbers(board, state)
    return packed


@native
def winner_of(board: Any, state: Any, ply: Any, memory_at: Any) -> Any:
    """Who wins: recalled, or proven now. 0 if stopped."""
    winner = recalled_winner(board, state, memory_at)
    if winner != 0:
        return winner
    limit = types.int64(PROVEN)
    packed = prove(board, state, limit, limit, ply, memory_at)
    return proven_winner(packed, rules.turn(board, state))


@native
def winning_move(board: Any, state: Any, base: Any, ply: Any, memory_at: Any) -> Any:
    """The index of a move that wins: the quickest of those that are known, or else the first that
    can be proven; -1 if there is none."""
    listed = field(memory_at, "moves")
    mover = types.int64(1) if rules.turn(board, state) == 0 else types.int64(-1)
    count = rules.moves(board, state, listed[base : base + rules.max_moves()])
    chosen = types.int64(-1)
    shortest = types.int64(PLIES + 1)
    for index in range(base, base + count):
        child = rules.play(board, state, listed[index])
        if recalled_winner(board, child, memory_at) == mover:
            plies = abs(rules.settled(board, child))
            if plies == 0 and not rules.over(board, child):
                plies = types.int64(PLIES)
            if plies < shortest:
                shortest = plies
                chosen = index
    if chosen >= 0:
        return chosen
    for index in range(base, base + count):
        child = rules.play(board, state, listed[index])
        if winner_of(board, child, ply + 1, memory_at) == mover:
            return index
    return chosen


@recursive("int64")
def measure(board: Any, state: Any, ply: Any, memory_at: Any) -> Any:
    """The plies until the end at most, if the winner follows the proof; WRONG if it has a hole."""
    listed = field(memory_at, "moves")
    lengths = field(memory_at, "lengths")
    if rules.over(board, state):
        return types.int64(0)
    if rules.settled(board, state) != 0:
        return abs(rules.settled(board, state))
    words = rules.identity(board, state)
    bucket = bucket_of(lengths, words)
    known = types.int64(probe(lengths, words, bucket))
    if known != 0:
        return known
    count_node(ply, memory_at)
    winner = winner_of(board, state, ply, memory_at)
    if winner == 0 or field(memory_at, "counters")[STOPPED] != 0:
        return types.int64(WRONG)
    # The winner needs one move, and has an answer to every move of the loser.
    first = ply * rules.max_moves()
    if (winner > 0) == (rules.turn(board, state) == 0):
        first = winning_move(board, state, first, ply, memory_at)
        if first < 0:
            return types.int64(WRONG)
        end = first + 1
    else:
        end = first + rules.moves(board, state, listed[first : first + rules.max_moves()])
    longest = types.int64(0)
    for index in range(first, end):
        child = rules.play(board, state, listed[index])
        if winner_of(board, child, ply + 1, memory_at) != winner:
            return types.int64(WRONG)
        length = measure(board, child, ply + 1, memory_at)
        if length == WRONG:
            return length
        longest = max(longest, length)
    store(lengths, words, bucket, types.uint64(longest + 1), longest + 1)
    return longest + 1


def run_task(board: Any, state: Any, task: Any, memory: Any) -> Any:
    """Kernel. PROVE and RECALL: 1 if the first player wins, -1 if the second player does, 0 if that
    was stopped or is not known. MEASURE: the plies until the end at most, or WRONG. ESTIMATE: both
    numbers, packed."""
    memory_at = address_of(memory)
    memory.counters[STOPPED] = 0
    memory.counters[TOO_LONG] = 0
    ply = types.int64(0)
    if task == MEASURE:
        return measure(board, state, ply, memory_at)
    if task == ESTIMATE:
        return recalled_numbers(board, state, memory_at)
    if task == RECALL:
        return recalled_winner(board, state, memory_at)
    return winner_of(board, state, ply, memory_at)
