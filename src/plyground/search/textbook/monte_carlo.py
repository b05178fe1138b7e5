"""Monte Carlo tree search, uncompiled: UCT with proven wins backed up, over positions.

It is the algorithm of `search/montecarlo.py`, step by step: the same seed and the same number of
simulations give the same tree (a test compares them). There it is compiled; here it can be read,
and it searches games whose rules cannot be compiled.

Results are from 0 (lost) to 1 (won), at the root for the first player and elsewhere for the player
who chose to go there.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from plyground.core.bits import WORD, mix
from plyground.core.errors import LimitError
from plyground.core.game import Position
from plyground.core.values import sign, terminal_value
from plyground.search.result import Limits, Progress, SearchResult

EXPLORATION = 0.7
"""The weight of the confidence bound."""
LONGEST_PLAYOUT = 2000
"""A random game that is not over by then counts as a draw."""
LONGEST_PATH = 4095
"""Moves from the root to a leaf, at most."""
MEAN_SCALE = 1000
"""A mean result becomes a value from -1000 (always lost) to 1000 (always won)."""
PROGRESS_SECONDS = 0.1
"""How often progress is reported."""
FIRST_WORD = 0x9E3779B97F4A7C15
"""Where the random numbers begin for a seed that would give 0, which xorshift never leaves."""


@dataclass(slots=True, eq=False)
class Node:
    """A node of the tree, reached by `move`."""

    move: int = -1
    children: list[Node] = field(default_factory=list)
    visits: int = 0
    total: float = 0.0
    """The sum of results, for the player who chose this node; at the root, for the first player."""
    proven: int | None = None
    """The utility for the first player, once it is proven; 1, 0 or -1 where margins do not
    count."""
    distance: int = 0
    """Of a proven node: at most so many plies to the end, if the winner plays along the proof."""


class RandomWords:
    """Random numbers by xorshift64* (Vigna), as the compiled search draws them."""

    def __init__(self, seed: int | None) -> None:
        self._word = mix(1, 0 if seed is None else seed + 1) or FIRST_WORD

    def below(self, limit: int) -> int:
        """A random number from 0 to limit - 1."""
        word = self._word
        word ^= word >> 12
        word ^= word << 25 & WORD
        word ^= word >> 27
        self._word = word
        return ((word * 0x2545F4914F6CDD1D & WORD) >> 32) * limit >> 32


def monte_carlo(
    position: Position,
    limits: Limits,
    *,
    seed: int | None = None,
    progress: Progress | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> SearchResult:
    """The most promising move, after so many simulations (`limits.nodes`) or seconds."""
    if limits.depth is not None:
        raise LimitError("Monte Carlo search takes a number of nodes or a time, not a depth")
    started = reported = time.perf_counter()
    tree = _SimulationTree(position, seed)
    while tree.root.proven is None and not stopped():
        tree.simulate()
        now = time.perf_counter()
        if limits.nodes is not None and tree.root.visits >= limits.nodes:
            break
        if limits.seconds is not None and now - started >= limits.seconds:
            break
        if progress is not None and now - reported >= PROGRESS_SECONDS:
            progress(tree.result(started))
            reported = now
    return tree.result(started)


class _SimulationTree:
    def __init__(self, position: Position, seed: int | None) -> None:
        self.position = position
        self.root = Node()
        self.deepest = 0
        self._point = position.game.rules.point
        self._random = RandomWords(seed)

    def simulate(self) -> None:
        """One walk down, one random game, one walk back."""
        node, position = self.root, self.position
        path: list[tuple[Node, int]] = []  # each node on the way, and who chooses there
        while node.children and len(path) < LONGEST_PATH:
            path.append((node, position.turn))
            node = self._select(node)
            position = position.after(node.move)
        self.deepest = max(self.deepest, len(path))
        if position.is_over:
            utility = position.utility
            node.proven = utility if self._point else sign(utility)
        else:
            if not node.children and (node.visits > 0 or not path):
                node.children = self._shuffled(position.legal_moves)
            utility = self._playout(position)
        self._back_up(path, node, self._result_of(utility))

    def _shuffled(self, moves: Sequence[int]) -> list[Node]:
        """A node for each move, in random order."""
        nodes: list[Node] = []
        for move in moves:
            nodes.append(Node(move))
            other = self._random.below(len(nodes))
            nodes[-1], nodes[other] = nodes[other], nodes[-1]
        return nodes

    def _select(self, node: Node) -> Node:
        """The first child without visits, or else the one with the highest upper confidence bound
        among those not yet proven."""
        growth = math.sqrt(math.log(node.visits + 1.0))
        best, best_bound = node, -1.0
        for child in node.children:
            if child.proven is not None:
                continue
            if child.visits == 0:
                return child
            bound = child.total / child.visits + EXPLORATION / math.sqrt(child.visits) * growth
            if bound > best_bound:
                best, best_bound = child, bound
        return best

    def _playout(self, position: Position) -> int:
        """The utility of a random game from a position that is not over."""
        for _ in range(LONGEST_PLAYOUT):
            moves = position.legal_moves
            position = position.after(moves[self._random.below(len(moves))])
            if position.is_over:
                return position.utility
        return 0

    def _result_of(self, utility: int) -> float:
        """A utility as a result from 0 to 1; in games of points a large margin is preferred."""
        if utility == 0:
            return 0.5
        margin = 0.05 * abs(utility) / (abs(utility) + 10.0) if self._point else 0.05
        return 0.95 + margin if utility > 0 else 0.05 - margin

    def _back_up(self, path: list[tuple[Node, int]], leaf: Node, result: float) -> None:
        """Count a result, which is the first player's, at every node on the way."""
        proven = leaf.proven is not None
        child = leaf
        for node, side in reversed(path):
            child.visits += 1
            child.total += result if side == 0 else 1.0 - result
            proven = proven and self._prove(node, side)
            child = node
        self.root.visits += 1
        self.root.total += result

    def _prove(self, node: Node, side: int) -> bool:
        """Prove a node if one child wins outright, or if all children are proven."""
        sign = 1 if side == 0 else -1
        best, distance = None, 0
        complete = True
        for child in node.children:
            if child.proven is None:
                complete = False
                continue
            value = sign * child.proven
            farther = child.distance > distance
            # Among wins the nearest, among losses the farthest.
            if best is None or value > best or (value == best and farther == (value <= 0)):
                best, distance = value, child.distance
        wins_outright = best is not None and best >= 1 and not self._point
        if best is None or not (complete or wins_outright):
            return False
        node.proven, node.distance = sign * best, distance + 1
        return True

    # The result

    def result(self, started: float) -> SearchResult:
        root, line = self.root, self._line()
        bound = "exact"
        if root.proven is not None:
            value = terminal_value(root.proven, self._point, root.distance)
            if not self._point and root.proven:
                bound = "lower" if root.proven > 0 else "upper"  # there may be a quicker win
        else:
            mean = root.total / root.visits if root.visits else 0.5
            value = round(MEAN_SCALE * (2 * mean - 1))
        return SearchResult(
            position=self.position,
            move=line[0],
            value=value,
            bound=bound,
            proven=root.proven is not None,
            depth=len(line),
            selective_depth=self.deepest,
            nodes=root.visits,
            seconds=time.perf_counter() - started,
            line=line,
            evaluation=None,
        )

    def _line(self) -> tuple[int, ...]:
        """Down the tree by the most visited child, or by the proof where there is one."""
        node, position, line = self.root, self.position, list[int]()
        while not position.is_over and node.children:
            sign = 1 if position.turn == 0 else -1
            node = max(node.children, key=lambda child: _merit(child, sign))
            if not node.visits:
                break
            line.append(node.move)
            position = position.after(node.move)
        return tuple(line) or (self.position.legal_moves[0],)


def _merit(child: Node, sign: int) -> tuple[int, int, int, int]:
    """Proven wins first, by margin and then the nearest; then by visits; proven losses last."""
    margin = sign * (child.proven or 0)
    if margin == 0:
        return 0, 0, 0, child.visits
    if margin > 0:
        return 1, margin, -child.distance, child.visits
    return -1, margin, child.distance, child.visits
