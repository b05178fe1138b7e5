"""Monte Carlo tree search, compiled: UCT with proven wins backed up.

Each simulation walks down the tree by upper confidence bounds, adds one leaf's children, plays the
game to its end at random, and counts the result on the way back. A child that is a proven win for
the player to move proves its parent; a node all of whose children are proven is worth the best of
them. What is proven is not sampled again, and when the root is proven the search is over.

A confidence bound depends on the visits and results of a node and its children, which change only
when a simulation passes the node. So the child to visit next is chosen on the way back, and the way
down only follows these choices. Only the bound of the child that is visited depends on the result:
the best of the others, its rival, is found on the way down already. This gives the same tree as
choosing on the way down. But no choice waits for another one, and the comparison of children does
not wait for the random game: the processor does them at the same time.

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
from plyground.core.errors import LimitError
from plyground.core.game import Game, Position
from plyground.core.values import terminal_value
from plyground.search.binding import dispatch as rules
from plyground.search.binding.compile import bind
from plyground.search.binding.layout import PackedArrays
from plyground.search.binding.native import native, types
from plyground.search.binding.pointers import address_of, fetch, field, prefetch
from plyground.search.binding.vectors import LANES, highest_bound
from plyground.search.clock import reserve_seconds
from plyground.search.garbage_collection import no_garbage_collection_on_clock
from plyground.search.kernel_memory import (
    DEADLINE,
    FIRST_COUNTER,
    FIRST_SETTING,
    NO_LIMIT,
    NODE_LIMIT,
    NODES,
    STOP,
    STOPPED,
    Floats,
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
from plyground.search.result import Limits, Progress, SearchResult, refuse_finished
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

AHEAD = 64
"""How many nodes ahead of the newest one memory is fetched into the cache. Measured on tic-tac-toe,
after another program had used the cache: a twentieth of the time."""

OPEN_NODE, PROVEN_NODE = 0, 1
# Tree.counters; NODES counts simulations
COUNT, DEEPEST, LINE_LENGTH = range(FIRST_COUNTER, FIRST_COUNTER + 3)
# Tree.settings
OUTRIGHT = FIRST_SETTING

NODE_FIELDS: tuple[tuple[str, type[np.generic], int], ...] = (
    ("next_child", np.int32, 0),  # which child the next simulation visits; 0 without children
    ("first_child", np.int32, 4),
    ("visits", np.int64, 8),
    ("total", np.float64, 16),  # the sum of results, for the player who chose this node
    ("utility", np.int64, 16),  # of a proven node instead: see below
    ("child_count", np.uint16, 24),
    ("open_children", np.uint16, 26),  # how many of them are not proven
    ("distance", np.uint16, 26),  # of a proven node instead
    ("move", np.uint16, 28),  # the move that leads here
    ("side", np.uint8, 30),  # who moves here, once there are children
    ("status", np.uint8, 31),
)
"""Name, kind and where it lies."""
NODE = np.dtype(
    {
        "names": [name for name, _, _ in NODE_FIELDS],
        "formats": [kind for _, kind, _ in NODE_FIELDS],
        "offsets": [offset for _, _, offset in NODE_FIELDS],
    }
)
"""A node of the tree: half a cache line. If each field had an array of its own, those of a node
would compete for the same few places in the cache: measured on tic-tac-toe, a seventh more time.

What a proven node is worth stands where an open one has numbers that it needs no more: its utility
for the first player (1, 0 or -1 where margins do not count), and in how many plies the game ends at
most, if the winner plays along the proof. In an array of their own they would fill the cache."""
NODE_BYTES = NODE.itemsize + 2 * 8
MOST_NODES = (1 << 31) - 1


STEP = np.dtype(
    [
        ("number", np.int64),
        ("rival", np.int64),  # its best sibling, and the confidence bound of that
        ("rival_bound", np.float64),
        ("growth", np.float64),  # of its parent, after this visit
    ]
)
"""A node of the path that a simulation takes; of the root only the number."""


class Tree(NamedTuple):
    """Nodes by number, from 0, the root; the children of a node lie side by side."""

    nodes: npt.NDArray[np.void]
    """Of type NODE."""
    means: Floats
    """A node's mean result, for the player who chooses it: one part of its confidence bound. At the
    root it is computed last, for the first player."""
    widths: Floats
    """EXPLORATION / sqrt(visits), the other part, before it is multiplied by the growth. They are
    apart from the rest because all children are compared."""
    path: npt.NDArray[np.void]
    """The nodes from the root to the leaf, of type STEP."""
    line: Numbers
    """The moves of the best line, so many as counters[LINE_LENGTH] says."""
    widths_by_visits: Floats
    """For each number of visits: EXPLORATION / sqrt(visits)."""
    growths_by_visits: Floats
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
    """The utility of a random game from a state that is not over and becomes that of its end; its
    moves, so many, are in the buffer."""
    buffer = field(tree_at, "buffer")
    for _ in range(LONGEST_PLAYOUT):
        rules.advance(board, state, buffer[types.uintp(random_below(tree_at, count))])
        if rules.over(board, state):
            return rules.utility(board, state)
        count = rules.moves(board, state, buffer[: rules.max_moves()])
    return types.int64(0)


@native
def begin_tree(tree_at: Any) -> None:
    """Begin with a root that has no children yet."""
    tree = fetch(tree_at)
    tree.counters[COUNT] = 1
    root = tree.nodes[0]
    root.next_child = 0
    root.child_count = 0
    root.visits = 0
    root.total = 0.0
    root.status = OPEN_NODE


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
    node.open_children = count
    node.side = side
    for index in range(types.uintp(count)):
        child_number = types.uintp(first) + index
        child = tree.nodes[child_number]
        swapped = tree.nodes[types.uintp(first + random_below(tree_at, index + 1))]
        child.move = swapped.move
        swapped.move = tree.buffer[index]
        # The children of the nodes that are expanded next will lie there.
        prefetch(tree.nodes, child_number + types.uintp(AHEAD))
        prefetch(tree.means, child_number + types.uintp(2 * AHEAD))
        prefetch(tree.widths, child_number + types.uintp(2 * AHEAD))
        child.next_child = 0
        child.child_count = 0
        child.visits = 0
        child.total = 0.0
        child.status = OPEN_NODE
        tree.means[child_number] = UNVISITED_MEAN
        tree.widths[child_number] = 0.0


@native
def note_step(step: Any, visited: Any, node: Any, tree_at: Any) -> None:
    """Write a step of the path, from a node to the child that is about to be visited. Its rival is
    the best other child, by the confidence bounds after that visit. Of equals the first; below
    every other is what is proven."""
    means = field(tree_at, "means")
    widths = field(tree_at, "widths")
    growth = growth_of(node.visits + 1, tree_at)
    start = types.uint64(node.first_child)
    end = start + types.uint64(node.child_count)
    best, best_bound = highest_bound(means, widths, start, end - start, growth, visited)
    while start + types.uint64(LANES) < end:
        start += types.uint64(LANES)
        other, bound = highest_bound(means, widths, start, end - start, growth, visited)
        if bound > best_bound:
            best = other
            best_bound = bound
    step.number = visited
    step.rival = best
    step.rival_bound = best_bound
    step.growth = growth


@native
def growth_of(visits: Any, tree_at: Any) -> Any:
    if visits < TABLED_VISITS:
        return field(tree_at, "growths_by_visits")[types.uintp(visits)]
    return math.sqrt(math.log(visits + 1.0))


@native
def width_of(visits: Any, tree_at: Any) -> Any:
    if visits < TABLED_VISITS:
        return field(tree_at, "widths_by_visits")[types.uintp(visits)]
    return EXPLORATION / math.sqrt(visits)


@native
def prove(number: Any, tree_at: Any) -> None:
    """Mark a node proven: it is worth the best of its proven children."""
    nodes = field(tree_at, "nodes")
    node = nodes[number]
    sign = 1 if node.side == 0 else -1
    best = types.int64(-(1 << 60))
    distance = types.int64(0)
    first = types.uintp(node.first_child)
    for child in range(first, first + types.uintp(node.child_count)):
        if nodes[child].status == PROVEN_NODE:
            value = sign * nodes[child].utility
            farther = nodes[child].distance > distance
            # Among wins the nearest, among losses the farthest.
            if value > best or (value == best and farther == (value <= 0)):
                best = value
                distance = types.int64(nodes[child].distance)
    node.status = PROVEN_NODE
    node.utility = sign * best
    node.distance = distance + 1


@native
def prove_ancestors(depth: Any, tree_at: Any) -> None:
    """The leaf at this depth of the path is proven. So is each node above it that wins outright by
    the child below, or all of whose children are proven."""
    tree = fetch(tree_at)
    outright = tree.settings[OUTRIGHT]
    child = types.uintp(tree.path[depth].number)
    for level in range(types.uintp(1), depth + types.uintp(1)):
        number = types.uintp(tree.path[depth - level].number)
        node = tree.nodes[number]
        node.open_children -= 1
        utility = tree.nodes[child].utility
        value = utility if node.side == 0 else -utility
        if value < outright and node.open_children > 0:
            return
        prove(number, tree_at)
        child = number


@native
def simulate(board: Any, start: Any, tree_at: Any) -> None:
    """One walk down, one random game, one walk back."""
    tree = fetch(tree_at)
    state = rules.copied(start)
    number = types.uintp(0)
    depth = types.uintp(0)
    # Select: down to a node without children.
    while tree.nodes[number].next_child > 0 and depth < types.uintp(LONGEST_PATH):
        node = tree.nodes[number]
        number = types.uintp(node.next_child)
        depth += types.uintp(1)
        note_step(tree.path[depth], number, node, tree_at)
        rules.advance(board, state, types.int64(tree.nodes[number].move))
    tree.counters[DEEPEST] = max(tree.counters[DEEPEST], types.int64(depth))
    # Expand it, unless the game ends here, and play on at random.
    leaf = tree.nodes[number]
    if rules.over(board, state):
        outcome = rules.utility(board, state)
        leaf.status = PROVEN_NODE
        sign = (outcome > 0) - (outcome < 0)
        leaf.utility = outcome if rules.point() != 0 else sign
        leaf.distance = 0
        prove_ancestors(depth, tree_at)
    else:
        count = rules.moves(board, state, tree.buffer[: rules.max_moves()])
        if leaf.next_child == 0 and (leaf.visits > 0 or depth == 0):
            expand(number, rules.turn(board, state), count, tree_at)
        outcome = playout(board, state, count, tree_at)
    back_up(result_of(outcome), depth, tree_at)


@native
def back_up(result: Any, depth: Any, tree_at: Any) -> None:
    """Count a result at every node of the path, and choose who is next at each. From the root down:
    its choice is the first that the next simulation asks for."""
    tree = fetch(tree_at)
    node = tree.nodes[0]
    node.visits += 1
    if node.status == OPEN_NODE:
        node.total += result
    for level in range(depth):
        step = tree.path[level + types.uintp(1)]
        number = types.uintp(step.number)
        child = tree.nodes[number]
        visits = child.visits + 1
        total = child.total + (result if node.side == 0 else 1.0 - result)
        mean = total / visits
        width = width_of(visits, tree_at)
        child.visits = visits
        if child.status == PROVEN_NODE:
            mean = PROVEN_MEAN
            width = 0.0
        else:
            child.total = total
        tree.means[number] = mean
        tree.widths[number] = width
        bound = mean + width * step.growth
        rival = types.uintp(step.rival)
        # Without a branch, which could not be predicted; of equals the first.
        is_next = (bound > step.rival_bound) | ((bound >= step.rival_bound) & (number < rival))
        node.next_child = number if is_next else rival
        node = child


@native
def write_line(tree_at: Any) -> None:
    """Write the best line: down the tree by the most visited child, or by the proof where there is
    one."""
    tree = fetch(tree_at)
    number = types.uintp(0)
    length = types.uintp(0)
    while tree.nodes[number].child_count > 0 and length < types.uintp(LONGEST_PATH):
        number = best_child(tree.nodes[number], tree_at)
        if tree.nodes[number].visits == 0:
            break
        tree.line[length] = tree.nodes[number].move
        length += types.uintp(1)
    tree.counters[LINE_LENGTH] = length


@native
def best_child(node: Any, tree_at: Any) -> Any:
    """The number of a node's best child. Proven wins first, by margin and then the nearest; then
    by visits what is open or drawn; proven losses last. Of equals the first."""
    tree = fetch(tree_at)
    first = types.uintp(node.first_child)
    sign = 1 if node.side == 0 else -1
    best = first
    best_margin = types.int64(-(1 << 62))
    best_delay = types.int64(0)
    for number in range(first, first + types.uintp(node.child_count)):
        child = tree.nodes[number]
        margin = types.int64(0)
        delay = types.int64(0)  # how late a win comes, or how early a loss
        if child.status == PROVEN_NODE:
            margin = sign * child.utility
            if margin != 0:
                delay = types.int64(child.distance) * (1 if margin > 0 else -1)
        better = child.visits > tree.nodes[best].visits
        if delay != best_delay:
            better = delay < best_delay
        if margin != best_margin:
            better = margin > best_margin
        if better:
            best = number
            best_margin = margin
            best_delay = delay
    return best


@cache
def tables() -> tuple[Floats, Floats]:
    """Tree.widths_by_visits and growths_by_visits, for all trees of this process. Logarithms are
    those of `math`, which kernels compute too; NumPy's own may differ in the last bit."""
    visits = np.arange(TABLED_VISITS)
    logarithms = np.fromiter(map(math.log, range(1, TABLED_VISITS + 1)), np.float64)
    return EXPLORATION / np.sqrt(np.maximum(visits, 1)), np.sqrt(logarithms)


def new_tree(most_moves: int, size: int) -> Tree:
    """For `size` nodes of a game whose positions have at most so many moves."""
    widths, growths = tables()
    return Tree(
        nodes=zero_words(size * NODE.itemsize // 8).view(NODE),
        means=zero_words(size + LANES).view(np.float64),
        widths=zero_words(size + LANES).view(np.float64),
        path=numbers((LONGEST_PATH + 1) * STEP.itemsize // 8).view(STEP),
        line=numbers(LONGEST_PATH + 1),
        widths_by_visits=widths,
        growths_by_visits=growths,
        buffer=numbers(most_moves),
        random=words(1),
        **control_arrays(),
    )


def run_simulations(board: Any, state: Any, tree: Any) -> Any:
    """The kernel: simulate until a limit is reached or the root is proven; 1 if it is proven."""
    tree_at = address_of(tree)
    counters = tree.counters
    settings = tree.settings
    counters[STOPPED] = 0
    if counters[COUNT] == 0:
        begin_tree(tree_at)
    batch = 1
    clock = now()
    while counters[STOPPED] == 0 and clock < settings[DEADLINE]:
        for _ in range(min(batch, settings[NODE_LIMIT] - counters[NODES])):
            simulate(board, state, tree_at)
            counters[NODES] += 1
            if tree.nodes[0].status == PROVEN_NODE:
                counters[STOPPED] = 1
                break
        poll(tree_at)
        started = clock
        clock = now()
        quick = clock - started < BATCH_NANOSECONDS
        batch = min(2 * batch, LARGEST_BATCH) if quick else max(batch // 2, 1)
    write_line(tree_at)
    root = tree.nodes[0]
    if root.visits > 0 and root.status == OPEN_NODE:
        tree.means[0] = root.total / root.visits
    return types.int64(root.status)


class MonteCarlo:
    """Searches positions of one game by simulation. A node is a simulation in its limits."""

    def __init__(self, game: Game, *, memory: int = 64) -> None:
        check_memory(memory, "the tree")
        self.game = game
        self.bound = bind(game)
        size = min((memory << 20) // NODE_BYTES, MOST_NODES)
        self._tree = new_tree(game.rules.max_moves, size)
        self._packed_tree = PackedArrays(self._tree)
        # Load or compile now, outside the time limit of any search.
        self.bound.prepare(run_simulations, *self.bound.pack(game.start()), self._packed_tree)

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
        refuse_finished(position)
        if limits.depth is not None:
            raise LimitError("Monte Carlo search takes a number of nodes or a time, not a depth")
        tree = self._tree
        deadline = NO_LIMIT
        if limits.seconds is not None:
            usable = limits.seconds - reserve_seconds(limits.seconds, busy=True)
            deadline = started + int(usable * NANOSECONDS)
        tree.counters[:] = 0
        tree.means[0] = 0.5
        tree.shared[STOP] = 0
        tree.settings[NODE_LIMIT] = NO_LIMIT if limits.nodes is None else limits.nodes
        tree.settings[OUTRIGHT] = NO_LIMIT if self.game.rules.point else 1
        tree.random[0] = mix(1, 0 if seed is None else seed + 1) or RANDOM_WORD
        board, state = self.bound.pack(position)
        with no_garbage_collection_on_clock(limits.seconds):
            is_proven = False
            while not tree.shared[STOP] and not is_proven and read_clock() < deadline:
                pause = read_clock() + int(SLICE_SECONDS * NANOSECONDS)
                tree.settings[DEADLINE] = min(deadline, pause)
                is_proven = (
                    self.bound.run(run_simulations, board, state, self._packed_tree) != OPEN_NODE
                )
                if progress is not None:
                    progress(self._result(position, started, is_proven))
                if tree.counters[NODES] >= tree.settings[NODE_LIMIT]:
                    break
        return self._result(position, started, is_proven)

    def _result(self, position: Position, started: int, is_proven: bool) -> SearchResult:
        tree = self._tree
        line = tuple(tree.line[: tree.counters[LINE_LENGTH]].tolist())
        bound = "exact"
        if is_proven:
            root = tree.nodes[0]
            utility = int(root["utility"])
            value = terminal_value(utility, self.game.rules.point, int(root["distance"]))
            if not self.game.rules.point and utility:
                bound = "lower" if utility > 0 else "upper"  # there may be a quicker win
        else:
            value = round(MEAN_SCALE * (2 * float(tree.means[0]) - 1))
        return SearchResult(
            position=position,
            move=line[0] if line else position.legal_moves[0],
            value=value,
            bound=bound,
            proven=is_proven,
            depth=max(len(line), 1),
            selective_depth=int(tree.counters[DEEPEST]),
            nodes=int(tree.counters[NODES]),
            seconds=(read_clock() - started) / NANOSECONDS,
            line=line or position.legal_moves[:1],
            evaluation=None,
        )
