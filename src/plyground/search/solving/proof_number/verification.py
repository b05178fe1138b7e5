"""Verifies a finished proof: is it sound, and how long does the win take at most?

Every position of the proof is checked against its children: a won one needs a move to a position
that is lost for the opponent, a lost one has only moves to positions that are won for the opponent.
What the table has lost meanwhile is proven again.
"""

from __future__ import annotations

from typing import Any

from numba import types

from plyground.search.binding.dispatch import identity, max_moves, moves, over, play, settled, turn
from plyground.search.binding.native import native
from plyground.search.binding.pointers import address_of, fetch, field
from plyground.search.solving.proof_number.search import (
    HALF,
    PLIES,
    PROVEN,
    count_node,
    known_winner,
    prove,
)
from plyground.search.solving.table_solver import STOPPED, TOO_LONG
from plyground.search.solving.transposition_table import bucket_of, hash_of, probe, store

PROVE, RECALL, MEASURE = range(3)
"""The tasks of the kernel: prove who wins; say who wins if that is known already; measure how long
the win takes at most."""
WRONG = -1
"""The length of a win that turned out to be none."""


@native
def recalled_winner(game: Any, board: Any, state: Any, memory_at: Any) -> Any:
    """1 if the player to move is known to win, -1 if to lose, else 0."""
    winner = known_winner(game, board, state)
    if winner != 0:
        return winner
    table = field(memory_at, "table")
    words = identity(game, board, state)
    packed = types.int64(probe(table, words, bucket_of(table, words, hash_of(words))))
    if packed == 0 or (packed >> HALF != 0 and packed >> HALF != PROVEN):
        return types.int64(0)
    return types.int64(1) if packed >> HALF == 0 else types.int64(-1)


@native
def winner_of(game: Any, board_at: Any, state: Any, ply: Any, memory_at: Any) -> Any:
    """1 if the player to move wins, -1 if not; recalled, or proven now. 0 if stopped."""
    winner = recalled_winner(game, fetch(board_at), state, memory_at)
    if winner != 0:
        return winner
    limit = types.int64(PROVEN)
    packed = prove(game, board_at, state, limit, limit, ply, memory_at)
    if packed >> HALF == 0:
        return types.int64(1)
    return types.int64(-1) if packed >> HALF == PROVEN else types.int64(0)


@native
def winning_move(game: Any, board_at: Any, state: Any, base: Any, ply: Any, memory_at: Any) -> Any:
    """The index of a move that wins: the quickest of those that are known, or else the first that
    can be proven; -1 if there is none."""
    board = fetch(board_at)
    listed = field(memory_at, "moves")
    side = turn(game, board, state)
    count = moves(game, board, state, listed[base : base + max_moves(game)])
    chosen = types.int64(-1)
    shortest = types.int64(PLIES + 1)
    for index in range(base, base + count):
        child = play(game, board, state, listed[index])
        winner = recalled_winner(game, board, child, memory_at)
        if winner != 0 and (winner > 0) == (turn(game, board, child) == side):
            plies = abs(settled(game, board, child))
            if plies == 0 and not over(game, board, child):
                plies = types.int64(PLIES)
            if plies < shortest:
                shortest = plies
                chosen = index
    if chosen >= 0:
        return chosen
    for index in range(base, base + count):
        # List the moves again: proving uses the same part of the memory.
        count = moves(game, board, state, listed[base : base + max_moves(game)])
        child = play(game, board, state, listed[index])
        winner = winner_of(game, board_at, child, ply + 1, memory_at)
        if winner != 0 and (winner > 0) == (turn(game, board, child) == side):
            return index
    return chosen


@native
def measure(game: Any, board_at: Any, state: Any, ply: Any, memory_at: Any) -> Any:
    """The plies until the end at most, if the winner follows the proof; WRONG if it has a hole."""
    board = fetch(board_at)
    counters = field(memory_at, "counters")
    listed = field(memory_at, "moves")
    lengths = field(memory_at, "lengths")
    if over(game, board, state):
        return types.int64(0)
    if settled(game, board, state) != 0:
        return abs(settled(game, board, state))
    words = identity(game, board, state)
    bucket = bucket_of(lengths, words, hash_of(words))
    known = types.int64(probe(lengths, words, bucket))
    if known != 0:
        return known
    count_node(ply, memory_at)
    winner = winner_of(game, board_at, state, ply, memory_at)
    if winner == 0 or counters[STOPPED] != 0:
        return types.int64(WRONG)
    side = turn(game, board, state)
    base = ply * max_moves(game)
    longest = types.int64(0)
    if winner > 0:
        index = winning_move(game, board_at, state, base, ply, memory_at)
        if index < 0:
            return types.int64(WRONG)
        child = play(game, board, state, listed[index])
        longest = measure(game, board_at, child, ply + 1, memory_at)
        if longest == WRONG:
            return longest
    else:
        count = moves(game, board, state, listed[base : base + max_moves(game)])
        for index in range(base, base + count):
            child = play(game, board, state, listed[index])
            reply = winner_of(game, board_at, child, ply + 1, memory_at)
            if reply == 0 or (reply > 0) == (turn(game, board, child) == side):
                return types.int64(WRONG)
            length = measure(game, board_at, child, ply + 1, memory_at)
            if length == WRONG:
                return length
            longest = max(longest, length)
    store(lengths, words, bucket, types.uint64(longest + 1), longest + 1)
    return longest + 1


def run_task(game: Any, board: Any, state: Any, task: Any, memory: Any) -> Any:
    """Kernel. PROVE and RECALL: 1 if the player to move wins, -1 if not, 0 if that was stopped or
    is not known. MEASURE: the plies until the end at most, or WRONG."""
    board_at = address_of(board)
    memory_at = address_of(memory)
    memory.counters[STOPPED] = 0
    memory.counters[TOO_LONG] = 0
    ply = types.int64(0)
    if task == MEASURE:
        return measure(game, board_at, state, ply, memory_at)
    if task == RECALL:
        return recalled_winner(game, board, state, memory_at)
    return winner_of(game, board_at, state, ply, memory_at)
