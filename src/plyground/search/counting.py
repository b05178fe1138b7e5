"""How many states the textbook's algorithms visit, counted at native speed.

Minimax and alpha-beta as in `search/textbook/algorithms.py`, to a fixed depth, compiled, with every
detail named that changes how much an alpha-beta search gets to see: the order of the children, the
values of the leaves, the window it starts with, and whether it cuts where the bounds meet. Values
are the first player's, and among equally good moves the first one tried is chosen. This is for
counting; `search/engine/engine.py` is for playing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numba import types

from plyground.core.bits import mix
from plyground.core.errors import GameOver, LimitError
from plyground.core.game import Game
from plyground.core.position import Position
from plyground.core.values import DECIDED, INFINITY, WIN
from plyground.search.binding.compile import Bound, bind
from plyground.search.binding.dispatch import (
    evaluate,
    has_noisy,
    has_score,
    key,
    max_moves,
    moves,
    noisy,
    over,
    play,
    point,
    score,
    turn,
    utility,
)
from plyground.search.binding.native import native
from plyground.search.binding.pointers import fetch, field, lend

MAX_DEPTH = 400
"""As deep as the textbook's searches go."""

SHUFFLES = ("none", "max", "all")
DEPTH, PRUNES, SHUFFLE, ORDERED, TABLE, PLAIN, CUTS_AT, SEARCHER, SERIAL = range(9)
"""Where the kernel finds its settings."""
NODES, MOVE = range(2)

MOVES = 1 << 16
SLOTS = 1 << 20
"""Of the table. A search that meets more positions than this forgets some of them."""
PROBES = 8
KILLER = 1 << 40
"""The rank of the last killer, above every count of history and below every noisy move."""


@dataclass(frozen=True)
class Method:
    """One of the textbook's algorithms, with all that decides which states it visits."""

    prunes: bool = True
    """Alpha-beta; otherwise minimax, which visits everything."""
    ordered: bool = False
    """Noisy moves first, then those that have cut sister nodes, then those that have cut most."""
    table: bool = False
    """A position met again at the same ply is recalled, not searched again."""
    shuffle: Literal["none", "max", "all"] = "none"
    """Where children come in random order, before any ordering: nowhere, at the nodes of the player
    who searches, or at all nodes."""
    plain: bool = False
    """A finished game is worth its utility however late it ends, and the horizon is worth 0;
    otherwise the scale of `core/values.py`, with the game's evaluation at the horizon."""
    window: tuple[int, int] = (-INFINITY, INFINITY)
    """alpha and beta at the root, as the player who searches sees them."""
    cut: Literal["at", "past"] = "at"
    """A node is left when beta <= alpha ("at"), or only when beta < alpha ("past")."""


MINIMAX = Method(prunes=False)
ALPHA_BETA = Method()


class Counted(NamedTuple):
    """What a search has found, and how many states it visited, the root included."""

    move: int
    value: int
    nodes: int
    equals: tuple[int, ...]
    """Every move as good as the best. Only minimax can tell; otherwise just the one."""


class Work(NamedTuple):
    """The memory of one search."""

    settings: Any
    counters: Any
    moves: Any
    ranks: Any
    killers: Any
    history: Any
    table: Any
    """A row for each slot: the serial number of the search, lower bound, upper bound."""
    hashes: Any
    random: Any
    root_values: Any
    """Of the root's children, in the order in which they were tried."""


class Counter:
    """Searches positions of one game and counts. Not for two searches at a time."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._bound: Bound = bind(game)
        self._work = _new_work(game.rules.max_moves, 1, 1)
        self._serial = 0

    def search(self, position: Position, depth: int, method: Method, seed: int = 0) -> Counted:
        """Search to this depth. The same seed shuffles in the same way."""
        if position.game is not self.game:
            raise LimitError(f"this counter is for {self.game.name}, not {position.game.name}")
        if not 1 <= depth <= MAX_DEPTH:
            raise LimitError(f"depth {depth}: a depth is a whole number from 1 to {MAX_DEPTH}")
        if position.is_over:
            raise GameOver(f"the game is over ({position.outcome.reason}): nothing to search")
        self._make_room(depth, method.table)
        self._serial += 1
        work, alpha, beta = self._work, *method.window
        work.settings[:] = (
            depth,
            method.prunes,
            SHUFFLES.index(method.shuffle),
            method.ordered,
            method.table,
            method.plain,
            method.cut == "at",
            position.turn,
            self._serial,
        )
        work.counters[:] = 0
        work.random[0] = mix(1, seed) | 1
        if method.ordered:
            work.killers[:] = -1
            work.history[:] = 0
        value = self._bound.run(
            count_states,
            self._bound.pack_board(position.board),
            self._bound.pack_state(position.state),
            alpha if position.turn == 0 else -beta,
            beta if position.turn == 0 else -alpha,
            work,
        )
        move = int(work.counters[MOVE])
        equals = (move,) if method.prunes else self._equals(position, int(value))
        return Counted(move, int(value), int(work.counters[NODES]), equals)

    def _equals(self, position: Position, value: int) -> tuple[int, ...]:
        count = len(position.legal_moves)
        as_good = self._work.root_values[:count] == value
        return tuple(sorted(int(move) for move in self._work.moves[:count][as_good]))

    def _make_room(self, depth: int, table: bool) -> None:
        """Most searches are not deep and use no table: memory comes when it is needed."""
        slots = max(SLOTS if table else 1, len(self._work.hashes))
        deepest = max(depth, len(self._work.killers) // 2)
        if slots > len(self._work.hashes) or 2 * deepest > len(self._work.killers):
            self._work = _new_work(self.game.rules.max_moves, deepest, slots)


def _new_work(max_moves: int, depth: int, slots: int) -> Work:
    return Work(
        settings=np.zeros(9, np.int64),
        counters=np.zeros(2, np.int64),
        moves=np.zeros(depth * max_moves, np.int64),
        ranks=np.zeros(max_moves, np.int64),
        killers=np.full(2 * depth, -1, np.int64),
        history=np.zeros(2 * MOVES, np.int64),
        table=np.zeros(3 * slots, np.int64),
        hashes=np.zeros(slots, np.uint64),
        random=np.ones(1, np.uint64),
        root_values=np.zeros(max_moves, np.int64),
    )


def count_states(game: Any, board: Any, state: Any, alpha: Any, beta: Any, work: Any) -> Any:
    """The kernel."""
    return visit(game, lend(board), state, types.int64(0), alpha, beta, lend(work))


@native
def visit(
    game: Any, board_at: Any, state: Any, ply: Any, alpha: Any, beta: Any, work_at: Any
) -> Any:
    """The value of a node: exact within the window, a bound outside it."""
    settings = field(work_at, "settings")
    counters = field(work_at, "counters")
    board = fetch(board_at)
    # 1. A state is visited.
    counters[NODES] += 1
    if over(game, board, state):
        return final_value(game, board, state, ply, settings[PLAIN])
    if ply == settings[DEPTH]:
        return horizon_value(game, board, state, settings[PLAIN])
    # 2. What the table knows.
    hashed = types.uint64(0)
    if settings[TABLE]:
        hashed = mix(key(game, board, state), types.uint64(ply))
        if has_score(game):  # a key may leave the points out, and the value counts them
            hashed = mix(hashed, types.uint64(score(game, board, state)))
        lower, upper = recall(work_at, hashed)
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
    # 3. The children, in the order asked for.
    player = turn(game, board, state)
    out = field(work_at, "moves")
    base = ply * max_moves(game)
    legal = moves(game, board, state, out[base : base + max_moves(game)])
    if legal == 0:
        raise ValueError("moves() lists no move, but over() says that the game goes on")
    if settings[SHUFFLE] == 2 or (settings[SHUFFLE] == 1 and player == settings[SEARCHER]):
        shuffle(work_at, base, legal)
    if settings[ORDERED]:
        rank(game, board, state, player, ply, legal, work_at)
    # 4. The best of them for the player to move.
    first_alpha, first_beta = alpha, beta
    best = types.int64(INFINITY if player else -INFINITY)
    for index in range(base, base + legal):
        move = out[index]
        child = play(game, board, state, move)
        value = visit(game, board_at, child, ply + 1, alpha, beta, work_at)
        if ply == 0:
            field(work_at, "root_values")[index] = value
        if (value < best) if player else (value > best):
            best = value
            if ply == 0:
                counters[MOVE] = move
        if not settings[PRUNES]:
            continue
        if player:
            beta = min(beta, best)
        else:
            alpha = max(alpha, best)
        # 5. Play would never come here: the others need no look.
        if beta < alpha or (beta == alpha and settings[CUTS_AT]):
            if settings[ORDERED]:
                learn(work_at, player, ply, move)
            break
    if settings[TABLE]:
        remember(work_at, hashed, first_alpha, first_beta, best)
    return best


# Leaves


@native
def final_value(game: Any, board: Any, state: Any, ply: Any, plain: Any) -> Any:
    """The value of a finished game (`terminal_value`, or the bare utility)."""
    result = utility(game, board, state)
    if plain:
        return result
    if point(game):
        return within(result * point(game))
    if result == 0:
        return types.int64(0)
    return types.int64(WIN - ply if result > 0 else ply - WIN)


@native
def horizon_value(game: Any, board: Any, state: Any, plain: Any) -> Any:
    if plain:
        return types.int64(0)
    return within(evaluate(game, board, state))


@native
def within(value: Any) -> Any:
    """An evaluation, kept apart from won and lost games."""
    return max(types.int64(1 - DECIDED), min(types.int64(DECIDED - 1), value))


# The order of the children


@native
def shuffle(work_at: Any, base: Any, count: Any) -> None:
    """Every order with the same probability (Fisher and Yates)."""
    out = field(work_at, "moves")
    for last in range(count - 1, 0, -1):
        chosen = base + types.int64(next_random(work_at) % types.uint64(last + 1))
        out[base + last], out[chosen] = out[chosen], out[base + last]


@native
def next_random(work_at: Any) -> Any:
    """Marsaglia's xorshift with a multiplication at the end; its upper bits are the best."""
    random = field(work_at, "random")
    word = random[0]
    word ^= word >> types.uint64(12)
    word ^= word << types.uint64(25)
    word ^= word >> types.uint64(27)
    random[0] = word
    return (word * types.uint64(0x2545F4914F6CDD1D)) >> types.uint64(16)


@native
def rank(
    game: Any, board: Any, state: Any, player: Any, ply: Any, legal: Any, work_at: Any
) -> None:
    """Sort the children of a node, the most promising first; equals stay as they are."""
    out = field(work_at, "moves")
    ranks = field(work_at, "ranks")
    killers = field(work_at, "killers")
    history = field(work_at, "history")
    base = ply * max_moves(game)
    for index in range(legal):
        move = out[base + index]
        rank = history[player * MOVES + move]
        if move == killers[2 * ply]:
            rank = types.int64(2 * KILLER)
        elif move == killers[2 * ply + 1]:
            rank = types.int64(KILLER)
        if has_noisy(game):
            rank += noisy(game, board, state, move) * types.int64(4 * KILLER)
        place = index
        while place > 0 and ranks[place - 1] < rank:
            ranks[place] = ranks[place - 1]
            out[base + place] = out[base + place - 1]
            place -= 1
        ranks[place] = rank
        out[base + place] = move


@native
def learn(work_at: Any, player: Any, ply: Any, move: Any) -> None:
    """A move has cut: sister nodes try it early, and so does everyone, a little."""
    settings = field(work_at, "settings")
    killers = field(work_at, "killers")
    history = field(work_at, "history")
    if killers[2 * ply] != move:
        killers[2 * ply + 1] = killers[2 * ply]
        killers[2 * ply] = move
    remaining = settings[DEPTH] - ply
    history[player * MOVES + move] += remaining * remaining


# The table


@native
def find_slot(work_at: Any, hashed: Any) -> Any:
    """The slot of a position, or the one it would take: those of earlier searches count as empty.

    Where all are taken, the first one gives way.
    """
    settings = field(work_at, "settings")
    table = field(work_at, "table")
    hashes = field(work_at, "hashes")
    first = types.int64(hashed & types.uint64(SLOTS - 1))
    for probe in range(PROBES):
        slot = (first + probe) & (SLOTS - 1)
        if table[3 * slot] != settings[SERIAL] or hashes[slot] == hashed:
            return slot
    return first


@native
def recall(work_at: Any, hashed: Any) -> Any:
    """Between which bounds the value of a position lies, as far as this search knows."""
    settings = field(work_at, "settings")
    table = field(work_at, "table")
    hashes = field(work_at, "hashes")
    slot = find_slot(work_at, hashed)
    if table[3 * slot] == settings[SERIAL] and hashes[slot] == hashed:
        return table[3 * slot + 1], table[3 * slot + 2]
    return types.int64(-INFINITY), types.int64(INFINITY)


@native
def remember(work_at: Any, hashed: Any, alpha: Any, beta: Any, value: Any) -> None:
    """Keep what a search with this window has found out."""
    settings = field(work_at, "settings")
    table = field(work_at, "table")
    hashes = field(work_at, "hashes")
    slot = find_slot(work_at, hashed)
    hashes[slot] = hashed
    table[3 * slot] = settings[SERIAL]
    table[3 * slot + 1] = -INFINITY if value <= alpha else value
    table[3 * slot + 2] = INFINITY if value >= beta else value
