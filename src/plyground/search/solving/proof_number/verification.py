"""Going through a finished proof: is it sound, and how long does the win take at most?

Every position of the proof is checked against its children: a won one needs a move to a position
that is lost for the enemy, a lost one has only moves to positions that are won for the enemy. What
the table has forgotten meanwhile is proven again.
"""

from __future__ import annotations

from typing import Any

from numba import types

from plyground.search.binding.dispatch import identity, max_moves, moves, over, play, settled, turn
from plyground.search.binding.native import native
from plyground.search.binding.pointers import fetch, field, lend
from plyground.search.solving.proof_number.node_table import bucket_of, hash_of, look_up, write_down
from plyground.search.solving.proof_number.search import (
    HALF,
    PLIES,
    PROVEN,
    STOPPED,
    TOO_LONG,
    known_winner,
    look_around,
    prove,
)

PROVE, RECALL, MEASURE = range(3)
"""What the kernel can be asked: who wins; who wins, if that is known already; and how long it takes
at most."""
WRONG = -1
"""The length of a win that turned out to be none."""


@native
def recalled_winner(game: Any, board: Any, state: Any, work_at: Any) -> Any:
    """1 if the player to move is known to win, -1 to lose, 0 if it is not known."""
    winner = known_winner(game, board, state)
    if winner != 0:
        return winner
    table = field(work_at, "table")
    words = identity(game, board, state)
    packed = types.int64(look_up(table, words, bucket_of(table, words, hash_of(words))))
    if packed == 0 or (packed >> HALF != 0 and packed >> HALF != PROVEN):
        return types.int64(0)
    return types.int64(1) if packed >> HALF == 0 else types.int64(-1)


@native
def winner_of(game: Any, board_at: Any, state: Any, ply: Any, work_at: Any) -> Any:
    """1 if the player to move wins, -1 if he loses; recalled, or proven now. 0 if stopped."""
    winner = recalled_winner(game, fetch(board_at), state, work_at)
    if winner != 0:
        return winner
    limit = types.int64(PROVEN)
    packed = prove(game, board_at, state, limit, limit, ply, work_at)
    if packed >> HALF == 0:
        return types.int64(1)
    return types.int64(-1) if packed >> HALF == PROVEN else types.int64(0)


@native
def winning_move(game: Any, board_at: Any, state: Any, base: Any, ply: Any, work_at: Any) -> Any:
    """Where in the list a move stands that wins: the quickest of those that are plain, or else the
    first that the table knows to win; -1 if there is none."""
    board = fetch(board_at)
    listed = field(work_at, "moves")
    side = turn(game, board, state)
    count = moves(game, board, state, listed[base : base + max_moves(game)])
    chosen = types.int64(-1)
    shortest = types.int64(PLIES + 1)
    for index in range(base, base + count):
        child = play(game, board, state, listed[index])
        winner = recalled_winner(game, board, child, work_at)
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
        # The list is written anew: proving uses the same part of the memory.
        count = moves(game, board, state, listed[base : base + max_moves(game)])
        child = play(game, board, state, listed[index])
        winner = winner_of(game, board_at, child, ply + 1, work_at)
        if winner != 0 and (winner > 0) == (turn(game, board, child) == side):
            return index
    return chosen


@native
def measure(game: Any, board_at: Any, state: Any, ply: Any, work_at: Any) -> Any:
    """The plies until the end at most, if the winner follows the proof; WRONG if it has a hole."""
    board = fetch(board_at)
    counters = field(work_at, "counters")
    listed = field(work_at, "moves")
    lengths = field(work_at, "lengths")
    if over(game, board, state):
        return types.int64(0)
    if settled(game, board, state) != 0:
        return abs(settled(game, board, state))
    words = identity(game, board, state)
    bucket = bucket_of(lengths, words, hash_of(words))
    known = types.int64(look_up(lengths, words, bucket))
    if known != 0:
        return known
    look_around(ply, work_at)
    winner = winner_of(game, board_at, state, ply, work_at)
    if winner == 0 or counters[STOPPED] != 0:
        return types.int64(WRONG)
    side = turn(game, board, state)
    base = ply * max_moves(game)
    longest = types.int64(0)
    if winner > 0:
        index = winning_move(game, board_at, state, base, ply, work_at)
        if index < 0:
            return types.int64(WRONG)
        child = play(game, board, state, listed[index])
        longest = measure(game, board_at, child, ply + 1, work_at)
        if longest == WRONG:
            return longest
    else:
        count = moves(game, board, state, listed[base : base + max_moves(game)])
        for index in range(base, base + count):
            child = play(game, board, state, listed[index])
            reply = winner_of(game, board_at, child, ply + 1, work_at)
            if reply == 0 or (reply > 0) == (turn(game, board, child) == side):
                return types.int64(WRONG)
            length = measure(game, board_at, child, ply + 1, work_at)
            if length == WRONG:
                return length
            longest = max(longest, length)
    write_down(lengths, words, bucket, types.uint64(longest + 1), longest + 1)
    return longest + 1


def judge(game: Any, board: Any, state: Any, task: Any, work: Any) -> Any:
    """The kernel. PROVE and RECALL: 1 if the player to move wins, -1 if he loses, 0 if that was
    stopped or is not known. MEASURE: the plies until the end at most, or WRONG."""
    board_at = lend(board)
    work_at = lend(work)
    work.counters[STOPPED] = 0
    work.counters[TOO_LONG] = 0
    ply = types.int64(0)
    if task == MEASURE:
        return measure(game, board_at, state, ply, work_at)
    if task == RECALL:
        return recalled_winner(game, board, state, work_at)
    return winner_of(game, board_at, state, ply, work_at)
