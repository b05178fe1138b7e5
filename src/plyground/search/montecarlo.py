"""Monte Carlo tree search, compiled: UCT with proven wins backed up.

Each simulation walks down the tree by upper confidence bounds, adds one leaf's children, plays the
game to its end at random, and counts the result on the way back. A child that is a proven win for
the player to move proves its parent; a node all of whose children are proven is worth the best of
them. What is proven is not sampled again, and when the root is proven the search is over.

Results are from 0 (lost) to 1 (won) for the first player; in games of points the margin breaks ties
within a win, so that a large one is preferred.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyground.core.bits import mix
from plyground.core.errors import GameOver, LimitError
from plyground.core.game import Game, Position
from plyground.core.values import terminal_value
from plyground.search.binding import dispatch as rules
from plyground.search.binding.compile import bind
from plyground.search.binding.native import native, types
from plyground.search.binding.pointers import address_of, fetch
from plyground.search.clock import reserve_seconds
from plyground.search.garbage_collection import no_garbage_collection
from plyground.search.kernel_memory import (
    DEADLINE,
    FIRST_COUNTER,
    FIRST_SETTING,
    NO_LIMIT,
    NODE_LIMIT,
    NODES,
    STOP,
    STOPPED,
    Numbers,
    Words,
    control_arrays,
    numbers,
    poll,
    random_below,
    words,
)
from plyground.search.memory_limit import check_memory
from plyground.search.result import Limits, Progress, SearchResult
from plyground.search.system_clock import NANOSECONDS, now, read_clock

NODE_BYTES = 64
EXPLORATION = 0.7
"""The weight of the confidence bound: half the square root of 2 of the theory, as results seldom
use the whole range from 0 to 1."""
LONGEST_PLAYOUT = 2000
"""A random game that is not over by then counts as a draw."""
SLICE_SECONDS = 0.1
"""How often the kernel returns, to report progress and to be interruptible."""
LONGEST_PATH = 4096
MEAN_SCALE = 1000
"""A mean result becomes a value from -1000 (always lost) to 1000 (always won)."""

RANDOM_WORD = 0x9E3779B97F4A7C15
"""Where the random numbers begin for a seed that would give 0, which xorshift never leaves."""

OPEN_NODE, PROVEN_NODE = 0, 1
# Tree.counters; NODES counts simulations
COUNT, DEEPEST = range(FIRST_COUNTER, FIRST_COUNTER + 2)
# Tree.settings
OUTRIGHT = FIRST_SETTING


class Tree(NamedTuple):
    """Nodes in flat arrays; the children of a node lie side by side."""

    first_child: Numbers
    child_count: Numbers
    move: Numbers
    visits: Numbers
    total: npt.NDArray[np.float64]
    """The sum of results, for the first player."""
    status: Numbers
    proven: Numbers
    """A proven node's utility for the first player; 1, 0 or -1 where margins do not count."""
    distance: Numbers
    """A proven node's plies to the end: at most so many, if the winner plays along the proof."""
    path: Numbers
    buffer: Numbers
    counters: Numbers
    settings: Numbers
    shared: Numbers
    random: Words


@native
def result_of(outcome: Any) -> Any:
    """A utility as a result between 0 and 1 for the first player."""
    if outcome == 0:
        return 0.5
    margin = 0.05 * abs(outcome) / (abs(outcome) + 10.0) if rules.point() != 0 else 0.05
    return 0.95 + margin if outcome > 0 else 0.05 - margin


@native
def playout(board: Any, state: Any, tree_at: Any) -> Any:
    """The utility of a random game from here."""
    tree = fetch(tree_at)
    for _ in range(LONGEST_PLAYOUT):
        if rules.over(board, state):
            return rules.utility(board, state)
        count = rules.moves(board, state, tree.buffer[: rules.max_moves()])
        state = rules.play(board, state, tree.buffer[random_below(tree_at, count)])
    return types.int64(0)


@native
def expand(board: Any, state: Any, node: Any, tree_at: Any) -> None:
    """Give a node its children, if the tree has memory for them."""
    tree = fetch(tree_at)
    count = rules.moves(board, state, tree.buffer[: rules.max_moves()])
    first = tree.counters[COUNT]
    if first + count > len(tree.visits):
        return
    tree.counters[COUNT] = first + count
    tree.first_child[node] = first
    tree.child_count[node] = count
    for index in range(count):
        child = first + index
        tree.move[child] = tree.buffer[index]
        tree.visits[child] = 0
        tree.total[child] = 0.0
        tree.child_count[child] = 0
        tree.status[child] = OPEN_NODE


@native
def select(node: Any, side: Any, tree_at: Any) -> Any:
    """The child with the highest upper confidence bound among those not yet proven."""
    tree = fetch(tree_at)
    first = tree.first_child[node]
    logarithm = math.log(tree.visits[node] + 1.0)
    best = types.int64(-1)
    best_bound = -1.0
    for child in range(first, first + tree.child_count[node]):
        if tree.status[child] == PROVEN_NODE:
            continue
        visits = tree.visits[child]
        if visits == 0:
            bound = 1e6 + random_below(tree_at, 1 << 16)
        else:
            mean = tree.total[child] / visits
            if side != 0:
                mean = 1.0 - mean
            bound = mean + EXPLORATION * math.sqrt(logarithm / visits)
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@native
def prove(node: Any, side: Any, tree_at: Any) -> Any:
    """Mark a node proven if one child wins outright, or if all children are proven."""
    tree = fetch(tree_at)
    if tree.child_count[node] == 0:
        return False
    sign = 1 if side == 0 else -1
    best = types.int64(-(1 << 60))
    distance = types.int64(0)
    complete = True
    first = tree.first_child[node]
    for child in range(first, first + tree.child_count[node]):
        if tree.status[child] != PROVEN_NODE:
            complete = False
            continue
        value = sign * tree.proven[child]
        farther = tree.distance[child] > distance
        # Among wins the nearest, among losses the farthest.
        if value > best or (value == best and farther == (value <= 0)):
            best = value
            distance = tree.distance[child]
    if not complete and best < tree.settings[OUTRIGHT]:
        return False
    tree.status[node] = PROVEN_NODE
    tree.proven[node] = sign * best
    tree.distance[node] = distance + 1
    return True


@native
def simulate(board: Any, state: Any, tree_at: Any) -> None:
    """One walk down, one random game, one walk back."""
    tree = fetch(tree_at)
    node = types.int64(0)
    depth = types.int64(0)
    tree.path[0] = node
    # Select: down to a node without children.
    while tree.child_count[node] > 0:
        side = rules.turn(board, state)
        node = select(node, side, tree_at)
        state = rules.play(board, state, tree.move[node])
        depth += 1
        tree.path[2 * depth] = node
        tree.path[2 * depth - 1] = side  # whose choice led here
        if 2 * depth + 2 >= len(tree.path):
            break
    tree.counters[DEEPEST] = max(tree.counters[DEEPEST], depth)
    # Expand it, unless the game ends here, and play on at random.
    outcome = types.int64(0)
    proven = False
    if rules.over(board, state):
        outcome = rules.utility(board, state)
        tree.status[node] = PROVEN_NODE
        tree.proven[node] = outcome if rules.point() != 0 else (outcome > 0) - (outcome < 0)
        tree.distance[node] = 0
        proven = True
    else:
        if tree.visits[node] > 0 or depth == 0:
            expand(board, state, node, tree_at)
        outcome = playout(board, state, tree_at)
    # Back up.
    result = result_of(outcome)
    while depth >= 0:
        node = tree.path[2 * depth]
        tree.visits[node] += 1
        tree.total[node] += result
        if depth > 0 and proven:
            proven = prove(tree.path[2 * depth - 2], tree.path[2 * depth - 1], tree_at)
        depth -= 1


def new_tree(most_moves: int, size: int) -> Tree:
    """For `size` nodes of a game whose positions have at most so many moves."""
    nodes = ("first_child", "child_count", "move", "visits", "status", "proven", "distance")
    return Tree(
        **{name: numbers(size) for name in nodes},
        total=np.zeros(size, np.float64),
        path=numbers(2 * LONGEST_PATH),
        buffer=numbers(most_moves),
        random=words(1),
        **control_arrays(),
    )


def run_simulations(board: Any, state: Any, tree: Any) -> Any:
    """The kernel: simulate until a limit is reached or the root is proven."""
    tree_at = address_of(tree)
    counters = tree.counters
    counters[STOPPED] = 0
    while (
        tree.status[0] == OPEN_NODE and counters[STOPPED] == 0 and now() < tree.settings[DEADLINE]
    ):
        simulate(board, state, tree_at)
        counters[NODES] += 1
        poll(tree_at)
    return counters[NODES]


class MonteCarlo:
    """Searches positions of one game by simulation. A node is a simulation in its limits."""

    def __init__(self, game: Game, *, memory: int = 64) -> None:
        check_memory(memory, "the tree")
        self.game = game
        self.bound = bind(game)
        self._tree = new_tree(game.rules.max_moves, (memory << 20) // NODE_BYTES)
        # Load or compile now, outside the time limit of any search.
        self.bound.prepare(run_simulations, *self.bound.pack(game.start()), self._tree)

    def stop(self) -> None:
        """End the search that is under way in another thread; it answers with what it has."""
        self._tree.shared[STOP] = 1

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        seed: int | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        """The most promising move. The same seed and number of simulations give the same tree."""
        started = read_clock()
        if position.game is not self.game:
            raise LimitError(f"this search plays {self.game.name}, not {position.game.name}")
        if position.is_over:
            raise GameOver(f"the game is over ({position.outcome.reason}): nothing to search")
        if limits.depth is not None:
            raise LimitError("Monte Carlo search takes a number of nodes or a time, not a depth")
        tree = self._tree
        deadline = NO_LIMIT
        if limits.seconds is not None:
            usable = limits.seconds - reserve_seconds(limits.seconds, busy=True)
            deadline = started + int(usable * NANOSECONDS)
        tree.counters[:] = 0
        tree.counters[COUNT] = 1
        tree.shared[STOP] = 0
        tree.settings[NODE_LIMIT] = NO_LIMIT if limits.nodes is None else limits.nodes
        tree.settings[OUTRIGHT] = NO_LIMIT if self.game.rules.point else 1
        tree.random[0] = mix(1, 0 if seed is None else seed + 1) or RANDOM_WORD
        for array in (tree.child_count, tree.visits, tree.status, tree.total):
            array[0] = 0
        board, state = self.bound.pack(position)
        with no_garbage_collection():
            while not tree.shared[STOP] and not tree.status[0] and read_clock() < deadline:
                pause = read_clock() + int(SLICE_SECONDS * NANOSECONDS)
                tree.settings[DEADLINE] = min(deadline, pause)
                done = int(self.bound.run(run_simulations, board, state, tree))
                if progress is not None:
                    progress(self._result(position, started))
                if done >= tree.settings[NODE_LIMIT]:
                    break
        return self._result(position, started)

    def _result(self, position: Position, started: int) -> SearchResult:
        tree = self._tree
        line = self._line(position)
        proven = bool(tree.status[0] == PROVEN_NODE)
        bound = "exact"
        if proven:
            utility = int(tree.proven[0])
            value = terminal_value(utility, self.game.rules.point, int(tree.distance[0]))
            if not self.game.rules.point and utility:
                bound = "lower" if utility > 0 else "upper"  # there may be a quicker win
        else:
            visits = int(tree.visits[0])
            mean = float(tree.total[0]) / visits if visits else 0.5
            value = round(MEAN_SCALE * (2 * mean - 1))
        return SearchResult(
            position=position,
            move=line[0],
            value=value,
            bound=bound,
            proven=proven,
            depth=len(line),
            selective_depth=int(tree.counters[DEEPEST]),
            nodes=int(tree.counters[NODES]),
            seconds=(read_clock() - started) / NANOSECONDS,
            line=line,
            evaluation=None,
        )

    def _line(self, position: Position) -> tuple[int, ...]:
        """Down the tree by the most visited child, or by the proof where there is one."""
        tree, node, line = self._tree, 0, []
        while not position.is_over and tree.child_count[node]:
            first = int(tree.first_child[node])
            children = range(first, first + int(tree.child_count[node]))
            sign = 1 if position.turn == 0 else -1
            node = max(children, key=lambda child: self._merit(child, sign))
            if not tree.visits[node]:
                break
            line.append(int(tree.move[node]))
            position = position.after(line[-1])
        return tuple(line) or (position.legal_moves[0],)

    def _merit(self, child: int, sign: int) -> tuple[int, int, int, int]:
        """Proven wins first, by margin and then the nearest; then by visits; proven losses last."""
        tree = self._tree
        visits = int(tree.visits[child])
        margin = sign * int(tree.proven[child])
        if tree.status[child] != PROVEN_NODE or margin == 0:
            return 0, 0, 0, visits
        distance = int(tree.distance[child])
        return (1, margin, -distance, visits) if margin > 0 else (-1, margin, distance, visits)
