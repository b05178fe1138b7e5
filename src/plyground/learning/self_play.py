"""Whole games in one compiled kernel: an engine plays against itself or another, by nodes.

What a move costs beyond its search is next to nothing here, so that a few hundred nodes a move are
worth it: tens of games a second. The search is that of the engine, with one thread and a small
table that is cleared for every game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyground.core.contract import MOVE_LIMIT
from plyground.core.game import MAX_PAST, Game, Position
from plyground.core.values import DECIDED, INFINITY
from plyground.search.binding import dispatch as rules
from plyground.search.binding.compile import bind
from plyground.search.binding.native import native, types
from plyground.search.binding.pointers import address_of
from plyground.search.engine.engine import WINDOW
from plyground.search.engine.kernel import search_root
from plyground.search.engine.nodes import standing
from plyground.search.engine.search_memory import (
    AGE,
    BUCKETS,
    EVALUATION,
    FEATURES,
    LEARNED,
    MAX_DEPTH,
    NONE,
    OPEN,
    OWN,
    PAST,
    WAYS,
    Root,
    SearchMemory,
    new_memory,
    new_root,
    with_net,
)
from plyground.search.engine.transposition_table import AGES, UPPER, new_table
from plyground.search.features import Features
from plyground.search.kernel_memory import (
    NO_LIMIT,
    NODE_LIMIT,
    NODES,
    STOPPED,
    Numbers,
    Words,
    numbers,
    random_below,
    words,
)
from plyground.search.net.net import Net

ENTRIES = 1 << 14
"""Of the table: more than a search of some thousand nodes fills."""
LONGEST_GAME = 400
"""Plies. A game that is not over by then counts as a draw."""
LEARNED_MOVES = 1024
"""Of the history of refutations, what is aged and cleared: moves below this. Clearing all of it
would take longer than a search."""

NO_GAME = 1 << 40
"""The result of a game that was over before its opening was."""

# Options of a game
SIDE_OF_FIRST, FIRST_NODES, SECOND_NODES, RANDOM_PLIES, IS_VARIED, OPTION_COUNT = range(6)
# What the kernel says about a game
POSITIONS, PLIES_PLAYED, USED_FIRST, USED_SECOND, TALLY_COUNT = range(5)
# Numbers about each position, besides its items
TURN, VALUE, STANDING, FACT_COUNT = range(4)


class Protocol(NamedTuple):
    """What the kernel writes while a game is played."""

    items: Words
    """Of every position, all items."""
    facts: Numbers
    """FACT_COUNT numbers of every position: whose turn it is, its value by the search and the
    points so far, both for the player to move and in units of evaluation."""
    tally: Numbers
    options: Numbers
    keys: Words
    """Of the positions of the game, in games in which they can come back."""
    random: Words


root_search = native(search_root)


@native
def sort_root(root: Any, count: Any) -> None:
    """Exact values in order, then the others as they were."""
    for index in range(1, count):
        move, value, bound = root.moves[index], root.values[index], root.bounds[index]
        rank = types.int64(-INFINITY) if bound == UPPER else value
        at = index - 1
        while at >= 0:
            other = types.int64(-INFINITY) if root.bounds[at] == UPPER else root.values[at]
            if other >= rank:
                break
            root.moves[at + 1] = root.moves[at]
            root.values[at + 1] = root.values[at]
            root.bounds[at + 1] = root.bounds[at]
            at -= 1
        root.moves[at + 1] = move
        root.values[at + 1] = value
        root.bounds[at + 1] = bound


@native
def choose(board: Any, state: Any, every: Any, nodes: Any, memory: Any) -> Any:
    """The best move within so many nodes, its value for the player to move, and whether that is
    proven: iterative deepening as the engine does it (`search/engine/engine.py`)."""
    memory.settings[AGE] = (memory.settings[AGE] + 1) % AGES
    memory.settings[NODE_LIMIT] = nodes
    memory.counters[:] = 0
    memory.killers[:] = 0
    for index in range(LEARNED_MOVES):
        memory.history[index] >>= 3
        memory.history[MOVE_LIMIT + index] >>= 3
    count = rules.moves(board, state, every.moves)
    root = Root(
        every.moves[:count],
        every.values[:count],
        every.bounds[:count],
        every.lines,
        every.lengths[:count],
    )
    best = root.moves[0]
    value = types.int64(0)
    before = types.int64(0)
    proven = False
    for depth in range(1, MAX_DEPTH + 1):
        alpha = types.int64(-INFINITY)
        beta = types.int64(INFINITY)
        width = types.int64(INFINITY)
        if depth > 2 and abs(value) < DECIDED:
            width = types.int64(WINDOW) + abs(value - before)
            alpha = max(types.int64(-INFINITY), value - width)
            beta = min(types.int64(INFINITY), value + width)
        found = types.int64(0)
        while True:
            keep = count if depth == 1 else types.int64(1)
            found = root_search(
                board, state, root, types.int64(depth), alpha, beta, keep, types.int64(0), memory
            )
            if memory.counters[STOPPED]:
                return best, value, proven
            if alpha < found < beta:
                break
            sort_root(root, count)
            width = min(types.int64(INFINITY), 4 * width)
            if found <= alpha:
                alpha = max(types.int64(-INFINITY), found - width)
            else:
                beta = min(types.int64(INFINITY), found + width)
        sort_root(root, count)
        before = value
        value = found
        best = root.moves[0]
        proven = abs(value) >= DECIDED or memory.counters[OPEN] == 0
        if proven:
            break
    return best, value, proven


@native
def forget(memory: Any) -> None:
    """Clear what a search knows from earlier ones."""
    memory.table[:] = 0
    memory.history[:LEARNED_MOVES] = 0
    memory.history[MOVE_LIMIT : MOVE_LIMIT + LEARNED_MOVES] = 0


@native
def remember_path(protocol: Any, memory: Any, ply: Any) -> None:
    """Tell a search where the game has been: to come there again counts as a draw."""
    first = max(types.int64(0), ply - MAX_PAST)
    for index in range(first, ply + 1):
        memory.path[index - first] = protocol.keys[index]
    memory.settings[PAST] = ply - first


def play_one_game(board: Any, state: Any, root: Any, first: Any, second: Any, protocol: Any) -> Any:
    """The kernel: one game between the searches with the memories `first` and `second`. Returns its
    result for the player who moves first: 1, 0 or -1, or the points in a game of points."""
    protocol_at = address_of(protocol)
    options, tally = protocol.options, protocol.tally
    tally[:] = 0
    for _ in range(options[RANDOM_PLIES]):
        if rules.over(board, state):
            return types.int64(NO_GAME)
        count = rules.moves(board, state, root.moves)
        state = rules.play(board, state, root.moves[random_below(protocol_at, count)])
    if rules.over(board, state):
        return types.int64(NO_GAME)
    forget(first)
    forget(second)
    width = len(first.items)
    unit = types.int64(rules.point()) if rules.point() != 0 else types.int64(1)
    ply = types.int64(0)
    while ply < LONGEST_GAME and not rules.over(board, state):
        side = rules.turn(board, state)
        own = side == options[SIDE_OF_FIRST]
        if rules.repeats():
            protocol.keys[ply] = rules.key(board, state)
            remember_path(protocol, first if own else second, ply)
        move = types.int64(0)
        value = types.int64(0)
        proven = False
        nodes = options[FIRST_NODES] if own else options[SECOND_NODES]
        if options[IS_VARIED]:
            nodes = nodes // 2 + random_below(protocol_at, nodes)
        if own:
            move, value, proven = choose(board, state, root, nodes, first)
            tally[USED_FIRST] += first.counters[NODES]
        else:
            move, value, proven = choose(board, state, root, nodes, second)
            tally[USED_SECOND] += second.counters[NODES]
        rules.flatten(state, protocol.items[ply * width : (ply + 1) * width])
        protocol.facts[ply * FACT_COUNT + TURN] = side
        protocol.facts[ply * FACT_COUNT + VALUE] = value
        protocol.facts[ply * FACT_COUNT + STANDING] = standing(board, state)
        ply += 1
        tally[POSITIONS] = ply
        tally[PLIES_PLAYED] = ply
        if proven:  # the rest of the game is known
            result = value // unit if rules.point() != 0 else (value > 0) - (value < 0)
            return types.int64(result if side == 0 else -result)
        state = rules.play(board, state, move)
    if not rules.over(board, state):
        return types.int64(0)
    result = rules.utility(board, state)
    return types.int64(result if rules.point() != 0 else (result > 0) - (result < 0))


# Running it


@dataclass(frozen=True)
class Positions:
    """Positions of many games, and how each of those games ended."""

    items: npt.NDArray[np.uint64]
    """A row for each position."""
    turns: npt.NDArray[np.int64]
    values: npt.NDArray[np.int64]
    """By the search, for the player to move."""
    standings: npt.NDArray[np.int64]
    results: npt.NDArray[np.int64]
    """For the player who moves first."""
    games: int

    def __len__(self) -> int:
        return len(self.turns)


def joined(parts: list[Positions]) -> Positions:
    """The positions of several lots as one."""

    def whole(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    return Positions(
        items=whole("items"),
        turns=whole("turns"),
        values=whole("values"),
        standings=whole("standings"),
        results=whole("results"),
        games=sum(part.games for part in parts),
    )


class GamePlayer:
    """Plays games of one start position between two evaluations."""

    def __init__(self, start: Position, first: Net | str, second: Net | str) -> None:
        """An evaluation is a net, `own` or `none`."""
        game = start.game
        self._bound = bind(game)
        self._first = _memory(game, first)
        self._second = self._first if second is first else _memory(game, second)
        width = len(self._first.items)
        self._protocol = Protocol(
            items=words(LONGEST_GAME * width),
            facts=numbers(LONGEST_GAME * FACT_COUNT),
            tally=numbers(TALLY_COUNT),
            options=numbers(OPTION_COUNT),
            keys=words(LONGEST_GAME + 1),
            random=words(1),
        )
        self._arguments = (
            *self._bound.pack(start),
            new_root([0] * game.rules.max_moves),
            self._first,
            self._second,
            self._protocol,
        )
        self._bound.prepare(play_one_game, *self._arguments)
        self._width = width

    def play(
        self,
        seed: int,
        *,
        random_plies: int,
        nodes: tuple[int, int],
        side: int = 0,
        varied: bool = False,
    ) -> int | None:
        """One game; the result for the player who moves first, None if the random moves at its
        beginning have ended it. `side` is the first evaluation's, and `nodes` are those of each
        evaluation for a move. The same seed gives the same random moves. In a `varied` game the
        nodes of each move are drawn between half as many and half as many again, so that two games
        of the same opening differ."""
        protocol = self._protocol
        protocol.options[:] = side, *nodes, random_plies, varied
        protocol.random[0] = (0x9E3779B97F4A7C15 * (2 * seed + 1)) % (1 << 64)
        result = int(self._bound.run(play_one_game, *self._arguments))
        return None if result == NO_GAME else result

    @property
    def nodes(self) -> tuple[int, int]:
        """Those that each evaluation has searched in the last game."""
        tally = self._protocol.tally
        return int(tally[USED_FIRST]), int(tally[USED_SECOND])

    def positions(self, result: int) -> Positions:
        """Those of the last game."""
        count = int(self._protocol.tally[POSITIONS])
        items = self._protocol.items[: count * self._width].reshape(count, self._width)
        facts = self._protocol.facts[: count * FACT_COUNT].reshape(count, FACT_COUNT)
        return Positions(
            items=items.copy(),
            turns=facts[:, TURN].copy(),
            values=facts[:, VALUE].copy(),
            standings=facts[:, STANDING].copy(),
            results=np.full(count, result, np.int64),
            games=1,
        )


def _memory(game: Game, evaluation: Net | str) -> SearchMemory:
    table, buckets, ways = new_table(ENTRIES)
    memory = new_memory(game.rules, table)
    kind = (
        {"own": OWN, "none": NONE}.get(evaluation, LEARNED)
        if isinstance(evaluation, str)
        else LEARNED
    )
    memory.settings[[FEATURES, WAYS, BUCKETS]] = Features.PLAY, ways, buckets
    memory.settings[NODE_LIMIT] = NO_LIMIT
    memory.settings[EVALUATION] = kind
    if isinstance(evaluation, Net):
        (memory,) = with_net([memory], evaluation)
    return memory
