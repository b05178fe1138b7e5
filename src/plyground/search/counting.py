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

from plyground.core.bits import mix
from plyground.core.contract import MOVE_LIMIT
from plyground.core.errors import LimitError
from plyground.core.game import Game, Position
from plyground.core.values import INFINITY, WIN, bounded
from plyground.search.binding import dispatch as rules
from plyground.search.binding.compile import Bound, bind
from plyground.search.binding.native import native, recursive, types
from plyground.search.binding.pointers import address_of, field
from plyground.search.kernel_memory import (
    COUNTERS,
    FIRST_COUNTER,
    NODES,
    Numbers,
    Words,
    next_random,
    numbers,
    words,
)
from plyground.search.result import refuse_finished

MAX_DEPTH = 400
"""As deep as the textbook's searches go."""

limited = native(bounded)

SHUFFLES = ("none", "max", "all")
# CountingMemory.settings
DEPTH, PRUNES, SHUFFLE, ORDERED, TABLE, PLAIN, CUTS_AT, SEARCHER, SERIAL = range(9)
# CountingMemory.counters
MOVE = FIRST_COUNTER

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
    """Every move as good as the best. Only minimax finds them all; otherwise just one."""


class CountingMemory(NamedTuple):
    """The memory of one search."""

    settings: Numbers
    counters: Numbers
    moves: Numbers
    ranks: Numbers
    killers: Numbers
    history: Numbers
    table: Numbers
    """A row for each slot: the serial number of the search, lower bound, upper bound."""
    hashes: Words
    random: Words
    root_values: Numbers
    """Of the root's children, in the order in which they were tried."""


class Counter:
    """Searches positions of one game and counts states. For one search at a time."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._bound: Bound = bind(game)
        self._memory = _new_memory(game.rules.max_moves)
        self._serial = 0

    def search(self, position: Position, depth: int, method: Method, seed: int = 0) -> Counted:
        """Search to this depth. The same seed shuffles in the same way."""
        if position.game is not self.game:
            raise LimitError(f"this counter is for {self.game.name}, not {position.game.name}")
        if not 1 <= depth <= MAX_DEPTH:
            raise LimitError(f"depth {depth}: a depth is a whole number from 1 to {MAX_DEPTH}")
        refuse_finished(position)
        self._serial += 1
        memory = self._memory
        memory.settings[:] = (
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
        memory.counters[:] = 0
        memory.random[0] = mix(1, seed) | 1
        if method.ordered:
            memory.killers[:] = -1
            memory.history[:] = 0
        alpha, beta = method.window
        window = (alpha, beta) if position.turn == 0 else (-beta, -alpha)
        value = self._bound.run(count_states, *self._bound.pack(position), *window, memory)
        move = int(memory.counters[MOVE])
        equals = (move,) if method.prunes else self._equals(position, int(value))
        return Counted(move, int(value), int(memory.counters[NODES]), equals)

    def _equals(self, position: Position, value: int) -> tuple[int, ...]:
        count = len(position.legal_moves)
        as_good = self._memory.root_values[:count] == value
        return tuple(sorted(int(move) for move in self._memory.moves[:count][as_good]))


def _new_memory(max_moves: int) -> CountingMemory:
    """As large as any search needs. The system provides only what is used of it."""
    return CountingMemory(
        settings=numbers(9),
        counters=numbers(COUNTERS),
        moves=numbers(MAX_DEPTH * max_moves),
        ranks=numbers(max_moves),
        killers=numbers(2 * MAX_DEPTH),
        history=numbers(2 * MOVE_LIMIT),
        table=numbers(3 * SLOTS),
        hashes=words(SLOTS),
        random=words(1),
        root_values=numbers(max_moves),
    )


def count_states(board: Any, state: Any, alpha: Any, beta: Any, memory: Any) -> Any:
    """The kernel."""
    return visit(board, state, types.int64(0), alpha, beta, address_of(memory))


@recursive("int64")
def visit(board: Any, state: Any, ply: Any, alpha: Any, beta: Any, memory_at: Any) -> Any:
    """The value of a node: exact within the window, a bound outside it."""
    settings = field(memory_at, "settings")
    counters = field(memory_at, "counters")
    # 1. Count the state.
    counters[NODES] += 1
    if rules.over(board, state):
        return final_value(board, state, ply, settings[PLAIN])
    if ply == settings[DEPTH]:
        return horizon_value(board, state, settings[PLAIN])
    # 2. Look the position up in the table.
    hashed = types.uint64(0)
    if settings[TABLE]:
        hashed = mix(rules.key(board, state), types.uint64(ply))
        if rules.has_score():  # a key may leave the points out, and the value counts them
            hashed = mix(hashed, types.uint64(rules.score(board, state)))
        lower, upper = recall(memory_at, hashed)
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
    # 3. The children, in the order asked for.
    player = rules.turn(board, state)
    out = field(memory_at, "moves")
    base = ply * rules.max_moves()
    legal = rules.moves(board, state, out[base : base + rules.max_moves()])
    if legal == 0:
        raise ValueError("moves() lists no move, but over() says that the game goes on")
    if settings[SHUFFLE] == 2 or (settings[SHUFFLE] == 1 and player == settings[SEARCHER]):
        shuffle(memory_at, base, legal)
    if settings[ORDERED]:
        rank(board, state, player, ply, legal, memory_at)
    # 4. The best of them for the player to move.
    first_alpha, first_beta = alpha, beta
    best = types.int64(INFINITY if player else -INFINITY)
    for index in range(base, base + legal):
        move = out[index]
        child = rules.play(board, state, move)
        value = visit(board, child, ply + 1, alpha, beta, memory_at)
        if ply == 0:
            field(memory_at, "root_values")[index] = value
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
        # 5. Play would never come here: the other moves need no search.
        if beta < alpha or (beta == alpha and settings[CUTS_AT]):
            if settings[ORDERED]:
                learn(memory_at, player, ply, move)
            break
    if settings[TABLE]:
        remember(memory_at, hashed, first_alpha, first_beta, best)
    return best


# Leaves


@native
def final_value(board: Any, state: Any, ply: Any, plain: Any) -> Any:
    """The value of a finished game (`terminal_value`, or the bare utility)."""
    result = rules.utility(board, state)
    if plain:
        return result
    if rules.point():
        return limited(result * rules.point())
    if result == 0:
        return types.int64(0)
    return types.int64(WIN - ply if result > 0 else ply - WIN)


@native
def horizon_value(board: Any, state: Any, plain: Any) -> Any:
    if plain:
        return types.int64(0)
    return limited(rules.evaluate(board, state))


# The order of the children


@native
def shuffle(memory_at: Any, base: Any, count: Any) -> None:
    """Every order with the same probability (Fisher and Yates)."""
    out = field(memory_at, "moves")
    for last in range(count - 1, 0, -1):
        random_word = next_random(memory_at) >> types.uint64(16)
        chosen = base + types.int64(random_word % types.uint64(last + 1))
        out[base + last], out[chosen] = out[chosen], out[base + last]


@native
def rank(board: Any, state: Any, player: Any, ply: Any, legal: Any, memory_at: Any) -> None:
    """Sort the children of a node, the most promising first; equals stay as they are."""
    out = field(memory_at, "moves")
    ranks = field(memory_at, "ranks")
    killers = field(memory_at, "killers")
    history = field(memory_at, "history")
    base = ply * rules.max_moves()
    for index in range(legal):
        move = out[base + index]
        rank = history[player * MOVE_LIMIT + move]
        if move == killers[2 * ply]:
            rank = types.int64(2 * KILLER)
        elif move == killers[2 * ply + 1]:
            rank = types.int64(KILLER)
        if rules.has_noisy():
            rank += rules.noisy(board, state, move) * types.int64(4 * KILLER)
        place = index
        while place > 0 and ranks[place - 1] < rank:
            ranks[place] = ranks[place - 1]
            out[base + place] = out[base + place - 1]
            place -= 1
        ranks[place] = rank
        out[base + place] = move


@native
def learn(memory_at: Any, player: Any, ply: Any, move: Any) -> None:
    """A move has cut: sister nodes try it early, and all other nodes a little earlier."""
    settings = field(memory_at, "settings")
    killers = field(memory_at, "killers")
    history = field(memory_at, "history")
    if killers[2 * ply] != move:
        killers[2 * ply + 1] = killers[2 * ply]
        killers[2 * ply] = move
    remaining = settings[DEPTH] - ply
    history[player * MOVE_LIMIT + move] += remaining * remaining


# The table


@native
def find_slot(memory_at: Any, hashed: Any) -> Any:
    """The slot of a position, or the one it would take: those of earlier searches count as empty.

    Where all are taken, the first one gives way.
    """
    settings = field(memory_at, "settings")
    table = field(memory_at, "table")
    hashes = field(memory_at, "hashes")
    first = types.int64(hashed & types.uint64(SLOTS - 1))
    for probe in range(PROBES):
        slot = (first + probe) & (SLOTS - 1)
        if table[3 * slot] != settings[SERIAL] or hashes[slot] == hashed:
            return slot
    return first


@native
def recall(memory_at: Any, hashed: Any) -> Any:
    """Between which bounds the value of a position lies, as far as this search knows."""
    settings = field(memory_at, "settings")
    table = field(memory_at, "table")
    hashes = field(memory_at, "hashes")
    slot = find_slot(memory_at, hashed)
    if table[3 * slot] == settings[SERIAL] and hashes[slot] == hashed:
        return table[3 * slot + 1], table[3 * slot + 2]
    return types.int64(-INFINITY), types.int64(INFINITY)


@native
def remember(memory_at: Any, hashed: Any, alpha: Any, beta: Any, value: Any) -> None:
    """Keep what a search with this window has found out."""
    settings = field(memory_at, "settings")
    table = field(memory_at, "table")
    hashes = field(memory_at, "hashes")
    slot = find_slot(memory_at, hashed)
    hashes[slot] = hashed
    table[3 * slot] = settings[SERIAL]
    table[3 * slot + 1] = -INFINITY if value <= alpha else value
    table[3 * slot + 2] = INFINITY if value >= beta else value
