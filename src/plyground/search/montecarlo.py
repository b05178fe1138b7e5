"""Monte Carlo tree search, compiled: UCT with proven wins backed up.

Each simulation walks down the tree by upper confidence bounds, adds one leaf's children, plays the
game to its end at random, and counts the result on the way back. A child that is a proven win for
the player to move proves its parent; a node all of whose children are proven is worth the best of
them. What is proven is not sampled again, and when the root is proven the search is over.

A confidence bound depends on the visits and results of a node and its children, which change only
when a simulation passes the node. So the child to visit next is chosen on the way back, and the way
down only follows these choices. This gives the same tree as choosing on the way down, but the
choices along a path do not wait for each other: the processor makes several at the same time.

Results are from 0 (lost) to 1 (won), at the root for the first player and elsewhere for the player
who chose to go there; in games of points the margin breaks ties within a win, so that a large one
is preferred.
"""

from __future__ import annotations

import math
from functools import cache
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
from plyground.search.binding.pointers import address_of, fetch, field
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
from plyground.search.large_pages import zero_words
from plyground.search.memory_limit import check_memory
from plyground.search.result import Limits, Progress, SearchResult
from plyground.search.system_clock import NANOSECONDS, now, read_clock

EXPLORATION = 0.7
"""The weight of the confidence bound: half the square root of 2 of the theory, as results seldom
use the whole range from 0 to 1."""
LONGEST_PLAYOUT = 2000
"""A random game that is not over by then counts as a draw."""
SLICE_SECONDS = 0.1
"""How often the kernel returns, to report progress and to be interruptible."""
BATCH_NANOSECONDS = 20_000
"""How often it reads the clock, or after every simulation if one takes longer."""
LARGEST_BATCH = 64
"""After so many simulations it reads the clock in any case. Measured on tic-tac-toe: to read it
after each one takes a sixth more time."""
LONGEST_PATH = 4095
"""Moves from the root to a leaf, at most."""
MEAN_SCALE = 1000
"""A mean result becomes a value from -1000 (always lost) to 1000 (always won)."""

RANDOM_WORD = 0x9E3779B97F4A7C15
"""Where the random numbers begin for a seed that would give 0, which xorshift never leaves."""

UNVISITED_MEAN, PROVEN_MEAN = 1e6, -1e6
"""What stands for the mean of a child without visits, above every confidence bound, and for that of
a proven child, below every one: so the highest bound is found without asking which it is."""
TABLED_VISITS = 1 << 15
"""For fewer visits roots and logarithms are looked up. Measured on tic-tac-toe: without tables it
takes two fifths more time, and a table that ends below the visits of the root a tenth more."""

OPEN_NODE, PROVEN_NODE = 0, 1
# Tree.counters; NODES counts simulations
COUNT, DEEPEST = range(FIRST_COUNTER, FIRST_COUNTER + 2)
# Tree.settings
OUTRIGHT = FIRST_SETTING

NODE = np.dtype(
    [
        ("next_child", np.int32),  # which child the next simulation visits; 0 without children
        ("first_child", np.int32),
        ("visits", np.int64),
        ("total", np.float64),  # the sum of results, for the player who chose this node
        ("child_count", np.uint16),
        ("move", np.uint16),  # the move that leads here
        ("distance", np.uint16),  # see Tree.proven
        ("side", np.uint8),  # who moves here, once there are children
        ("status", np.uint8),
    ]
)
"""A node of the tree: half a cache line. If each field had an array of its own, those of a node
would compete for the same few places in the cache: measured on tic-tac-toe, a seventh more time."""
BOUND = np.dtype([("mean", np.float64), ("width", np.float64)])
"""What a child's confidence bound is made of: its mean result for the player who chooses it, and
EXPLORATION / sqrt(visits). They are apart from the rest because all children are compared."""
NODE_BYTES = NODE.itemsize + BOUND.itemsize + 8
MOST_NODES = (1 << 31) - 1


class Tree(NamedTuple):
    """Nodes by number, from 0, the root; the children of a node lie side by side."""

    nodes: npt.NDArray[np.void]
    """Of type NODE."""
    bounds: npt.NDArray[np.void]
    """Of type BOUND."""
    proven: Numbers
    """A proven node's utility for the first player; 1, 0 or -1 where margins do not count. It is at
    most `distance` plies to the end, if the winner plays along the proof."""
    path: Numbers
    """The numbers of the nodes from the root to the leaf."""
    widths: npt.NDArray[np.float64]
    """For each number of visits: EXPLORATION / sqrt(visits)."""
    growths: npt.NDArray[np.float64]
    """For each number of visits of a node by how much the widths of its children count:
    sqrt(log(visits + 1))."""
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
def playout(board: Any, state: Any, count: Any, tree_at: Any) -> Any:
    """The utility of a random game from a state that is not over; its moves, so many, are in the
    buffer."""
    buffer = field(tree_at, "buffer")
    for _ in range(LONGEST_PLAYOUT):
        state = rules.play(board, state, buffer[types.uintp(random_below(tree_at, count))])
        if rules.over(board, state):
            return rules.utility(board, state)
        count = rules.moves(board, state, buffer[: rules.max_moves()])
    return types.int64(0)


@native
def expand(number: Any, side: Any, count: Any, tree_at: Any) -> None:
    """Give a node its children, whose moves are in the buffer, if the tree has memory for them, in
    random order: those without visits are visited one after the other."""
    tree = fetch(tree_at)
    first = tree.counters[COUNT]
    if count == 0 or first + count > len(tree.nodes):
        return
    tree.counters[COUNT] = first + count
    node = tree.nodes[number]
    node.first_child = first
    node.next_child = first
    node.child_count = count
    node.side = side
    for index in range(types.uintp(count)):
        child_number = types.uintp(first) + index
        child = tree.nodes[child_number]
        swapped = tree.nodes[types.uintp(first + random_below(tree_at, index + 1))]
        child.move = swapped.move
        swapped.move = tree.buffer[index]
        child.next_child = 0
        child.child_count = 0
        child.visits = 0
        child.total = 0.0
        child.status = OPEN_NODE
        tree.bounds[child_number].mean = UNVISITED_MEAN
        tree.bounds[child_number].width = 0.0


@native
def choose(node: Any, tree_at: Any) -> Any:
    """The number of the child with the highest upper confidence bound among those not yet proven;
    of equals the first."""
    bounds = field(tree_at, "bounds")
    growth = growth_of(node.visits, tree_at)
    first = types.uintp(node.first_child)
    best = first
    best_bound = PROVEN_MEAN
    for child in range(first, first + types.uintp(node.child_count)):
        bound = bounds[child].mean + bounds[child].width * growth
        # Without a branch, which could not be predicted.
        better = bound > best_bound
        best = child if better else best
        best_bound = bound if better else best_bound
    return best


@native
def growth_of(visits: Any, tree_at: Any) -> Any:
    if visits < TABLED_VISITS:
        return field(tree_at, "growths")[types.uintp(visits)]
    return math.sqrt(math.log(visits + 1.0))


@native
def width_of(visits: Any, tree_at: Any) -> Any:
    if visits < TABLED_VISITS:
        return field(tree_at, "widths")[types.uintp(visits)]
    return EXPLORATION / math.sqrt(visits)


@native
def prove(number: Any, tree_at: Any) -> Any:
    """Mark a node proven if one child wins outright, or if all children are proven."""
    nodes = field(tree_at, "nodes")
    proven = field(tree_at, "proven")
    node = nodes[number]
    sign = 1 if node.side == 0 else -1
    best = types.int64(-(1 << 60))
    distance = types.int64(0)
    complete = True
    first = types.uintp(node.first_child)
    for child in range(first, first + types.uintp(node.child_count)):
        if nodes[child].status != PROVEN_NODE:
            complete = False
            continue
        value = sign * proven[child]
        farther = nodes[child].distance > distance
        # Among wins the nearest, among losses the farthest.
        if value > best or (value == best and farther == (value <= 0)):
            best = value
            distance = types.int64(nodes[child].distance)
    if not complete and best < field(tree_at, "settings")[OUTRIGHT]:
        return False
    node.status = PROVEN_NODE
    node.distance = distance + 1
    proven[number] = sign * best
    return True


@native
def simulate(board: Any, state: Any, tree_at: Any) -> None:
    """One walk down, one random game, one walk back."""
    tree = fetch(tree_at)
    number = types.uintp(0)
    depth = types.uintp(0)
    # Select: down to a node without children.
    while tree.nodes[number].next_child > 0 and depth < types.uintp(LONGEST_PATH):
        number = types.uintp(tree.nodes[number].next_child)
        state = rules.play(board, state, types.int64(tree.nodes[number].move))
        depth += types.uintp(1)
        tree.path[depth] = number
    tree.counters[DEEPEST] = max(tree.counters[DEEPEST], types.int64(depth))
    # Expand it, unless the game ends here, and play on at random.
    leaf = tree.nodes[number]
    if rules.over(board, state):
        outcome = rules.utility(board, state)
        leaf.status = PROVEN_NODE
        leaf.distance = 0
        tree.proven[number] = outcome if rules.point() != 0 else (outcome > 0) - (outcome < 0)
        prove_ancestors(depth, tree_at)
    else:
        count = rules.moves(board, state, tree.buffer[: rules.max_moves()])
        if leaf.next_child == 0 and (leaf.visits > 0 or depth == 0):
            expand(number, rules.turn(board, state), count, tree_at)
        outcome = playout(board, state, count, tree_at)
    back_up(result_of(outcome), depth, tree_at)


@native
def prove_ancestors(depth: Any, tree_at: Any) -> None:
    """The leaf at this depth of the path is proven: so may be those above it."""
    path = field(tree_at, "path")
    level = depth
    while level > 0:
        level -= types.uintp(1)
        if not prove(types.uintp(path[level]), tree_at):
            return


@native
def back_up(result: Any, depth: Any, tree_at: Any) -> None:
    """Count a result at every node of the path, and choose who is next at each. From the root down:
    its choice is the first that the next simulation asks for."""
    tree = fetch(tree_at)
    node = tree.nodes[0]
    node.visits += 1
    node.total += result
    for level in range(types.uintp(1), depth + types.uintp(1)):
        number = types.uintp(tree.path[level])
        child = tree.nodes[number]
        visits = child.visits + 1
        total = child.total + (result if node.side == 0 else 1.0 - result)
        child.visits = visits
        child.total = total
        bound = tree.bounds[number]
        if child.status == OPEN_NODE:
            bound.mean = total / visits
            bound.width = width_of(visits, tree_at)
        else:
            bound.mean = PROVEN_MEAN
            bound.width = 0.0
        node.next_child = choose(node, tree_at)
        node = child


@cache
def tables() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Tree.widths and Tree.growths, for all trees of this process. Logarithms are those of `math`,
    which kernels compute too; NumPy's own may differ in the last bit."""
    visits = np.arange(TABLED_VISITS)
    logarithms = np.fromiter(map(math.log, range(1, TABLED_VISITS + 1)), np.float64)
    return EXPLORATION / np.sqrt(np.maximum(visits, 1)), np.sqrt(logarithms)


def new_tree(most_moves: int, size: int) -> Tree:
    """For `size` nodes of a game whose positions have at most so many moves."""
    widths, growths = tables()
    return Tree(
        nodes=zero_words(size * NODE.itemsize // 8).view(NODE),
        bounds=zero_words(size * BOUND.itemsize // 8).view(BOUND),
        proven=numbers(size),
        path=numbers(LONGEST_PATH + 1),
        widths=widths,
        growths=growths,
        buffer=numbers(most_moves),
        random=words(1),
        **control_arrays(),
    )


def run_simulations(board: Any, state: Any, tree: Any) -> Any:
    """The kernel: simulate until a limit is reached or the root is proven."""
    tree_at = address_of(tree)
    counters = tree.counters
    settings = tree.settings
    counters[STOPPED] = 0
    batch = 1
    clock = now()
    while counters[STOPPED] == 0 and clock < settings[DEADLINE]:
        for _ in range(min(batch, settings[NODE_LIMIT] - counters[NODES])):
            simulate(board, state, tree_at)
            counters[NODES] += 1
            if tree.nodes[0].status == PROVEN_NODE:
                return counters[NODES]
        poll(tree_at)
        started = clock
        clock = now()
        quick = clock - started < BATCH_NANOSECONDS
        batch = min(2 * batch, LARGEST_BATCH) if quick else max(batch // 2, 1)
    return counters[NODES]


class MonteCarlo:
    """Searches positions of one game by simulation. A node is a simulation in its limits."""

    def __init__(self, game: Game, *, memory: int = 64) -> None:
        check_memory(memory, "the tree")
        self.game = game
        self.bound = bind(game)
        size = min((memory << 20) // NODE_BYTES, MOST_NODES)
        self._tree = new_tree(game.rules.max_moves, size)
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
        tree.nodes[0] = 0
        board, state = self.bound.pack(position)
        with no_garbage_collection():
            while not tree.shared[STOP] and not self._is_proven and read_clock() < deadline:
                pause = read_clock() + int(SLICE_SECONDS * NANOSECONDS)
                tree.settings[DEADLINE] = min(deadline, pause)
                done = int(self.bound.run(run_simulations, board, state, tree))
                if progress is not None:
                    progress(self._result(position, started))
                if done >= tree.settings[NODE_LIMIT]:
                    break
        return self._result(position, started)

    @property
    def _is_proven(self) -> bool:
        return self._nodes(0, 1)[0].is_proven

    def _result(self, position: Position, started: int) -> SearchResult:
        tree = self._tree
        line = self._line() or (position.legal_moves[0],)
        [root] = self._nodes(0, 1)
        bound = "exact"
        if root.is_proven:
            value = terminal_value(root.proven, self.game.rules.point, root.distance)
            if not self.game.rules.point and root.proven:
                bound = "lower" if root.proven > 0 else "upper"  # there may be a quicker win
        else:
            mean = root.total / root.visits if root.visits else 0.5
            value = round(MEAN_SCALE * (2 * mean - 1))
        return SearchResult(
            position=position,
            move=line[0],
            value=value,
            bound=bound,
            proven=root.is_proven,
            depth=len(line),
            selective_depth=int(tree.counters[DEEPEST]),
            nodes=int(tree.counters[NODES]),
            seconds=(read_clock() - started) / NANOSECONDS,
            line=line,
            evaluation=None,
        )

    def _line(self) -> tuple[int, ...]:
        """Down the tree by the most visited child, or by the proof where there is one."""
        [node], line = self._nodes(0, 1), list[int]()
        while node.child_count:
            sign = 1 if node.side == 0 else -1
            children = self._nodes(node.first_child, node.child_count)
            node = max(children, key=lambda child: _merit(child, sign))
            if not node.visits:
                break
            line.append(node.move)
        return tuple(line)

    def _nodes(self, first: int, count: int) -> list[PlainNode]:
        part = slice(first, first + count)
        pairs = zip(self._tree.nodes[part].tolist(), self._tree.proven[part].tolist(), strict=True)
        return [PlainNode._make((*record, proven)) for record, proven in pairs]


class PlainNode(NamedTuple):
    """A node of the tree, for Python: the fields of NODE, and Tree.proven."""

    next_child: int
    first_child: int
    visits: int
    total: float
    child_count: int
    move: int
    distance: int
    side: int
    status: int
    proven: int

    @property
    def is_proven(self) -> bool:
        return self.status == PROVEN_NODE


def _merit(child: PlainNode, sign: int) -> tuple[int, int, int, int]:
    """Proven wins first, by margin and then the nearest; then by visits; proven losses last."""
    margin = sign * child.proven
    if margin == 0 or child.status != PROVEN_NODE:
        return 0, 0, 0, child.visits
    if margin > 0:
        return 1, margin, -child.distance, child.visits
    return -1, margin, child.distance, child.visits
