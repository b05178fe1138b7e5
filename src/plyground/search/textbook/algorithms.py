"""Adversarial search as the books have it: uncompiled, over positions, meant to be read.

The names and the shape follow Russell and Norvig, *Artificial Intelligence: A Modern Approach*
(figures are numbered as in the third edition), with two things added that every real game needs.
Turns need not alternate: the position says who maximizes at a node, not the depth. And a search may
stop at a depth, where an evaluation replaces the rest of the game.

Every search here returns an `Answer` and takes the same options:

* Values are the first player's, on the scale of `core/values.py`: a nearer win is worth more than a
  later one and a later loss more than a nearer one. The first player maximizes.
* Among equally good moves the first in order is chosen.
* `depth` counts plies; without one a search goes on to the end of the game.
* `evaluate(position)` values a leaf where the game is not over; the game's own by default.
* `order(position)` lists the legal moves in the order to try them; the rules' own by default.
* `nodes` is a budget; a search that needs more raises a LimitError.
* `steps` is called with every step as it is taken (`search/textbook/trace.py`).
"""

from __future__ import annotations

import operator
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypedDict, Unpack

from plyground.core.game import Position
from plyground.core.values import INFINITY, plies_to_end
from plyground.search.result import Limits, value_text
from plyground.search.textbook.game_tree import (
    DEEPEST,
    BudgetError,
    Evaluate,
    GameTree,
    LineOfPlay,
    Order,
    TreeNode,
)
from plyground.search.textbook.trace import Deepen, Steps


class SearchOptions(TypedDict, total=False):
    """What every search takes, in addition to a position and a depth."""

    evaluate: Evaluate | None
    order: Order | None
    nodes: int | None
    steps: Steps | None


@dataclass(frozen=True)
class Answer:
    """The result of a textbook search."""

    position: Position
    """The root of the search."""
    value: int
    line: LineOfPlay
    """Best play for both sides, to the depth of the search; empty if the game is over."""
    leads_to: Position
    """The position after the line: the leaf that the value comes from."""
    nodes: int
    """How many nodes were visited, the root included."""
    depth: int | None
    """The depth of the search; None: to the end of the game."""
    proven: bool
    """Whether the value comes from finished games alone, so that no deeper search can change it."""

    @property
    def move(self) -> int | None:
        """The move to play; None if the game is over or the depth was 0."""
        return self.line[0] if self.line else None

    @property
    def value_text(self) -> str:
        return value_text(self.position, self.value, proven=self.proven)

    @property
    def line_text(self) -> tuple[str, ...]:
        return self.position.line_text(self.line)


def _answer(tree: GameTree, value: int, line: LineOfPlay) -> Answer:
    position = tree.root.position
    leads_to = position
    for move in line:
        leads_to = leads_to.after(move)
    # A decided value comes from a finished game, and so does every value that a side would prefer.
    proven = not tree.reached_depth_limit or plies_to_end(value) is not None
    return Answer(position, value, line, leads_to, tree.visited, tree.depth, proven)


ValueFunction = Callable[[GameTree, TreeNode, int, int], tuple[int, LineOfPlay]]


# Minimax


def minimax(
    position: Position, depth: int | None = None, **options: Unpack[SearchOptions]
) -> Answer:
    """The minimax value: what both sides get if neither makes a mistake (figure 5.3).

    Every node of the tree is visited. This is the definition that all other searches agree with.
    """
    tree = GameTree(position, depth, **options)
    return _answer(tree, *_minimax(tree, tree.root))


def _minimax(tree: GameTree, node: TreeNode) -> tuple[int, LineOfPlay]:
    tree.enter(node)
    if tree.is_leaf(node):
        return tree.leaf(node)
    maximizing = node.position.turn == 0
    is_better = operator.gt if maximizing else operator.lt
    value = -INFINITY if maximizing else INFINITY
    line: LineOfPlay = ()
    for move, child in tree.children(node):
        child_value, child_line = _minimax(tree, child)
        if is_better(child_value, value):
            value, line = child_value, (move, *child_line)
            tree.better(node, move, value)
    return tree.leave(node, value, line)


# Alpha-beta as one function


def alpha_beta(
    position: Position,
    depth: int | None = None,
    *,
    table: bool = False,
    **options: Unpack[SearchOptions],
) -> Answer:
    """The minimax value, without visiting moves that cannot matter.

    alpha is the value that the first player already has elsewhere on the path, beta that of the
    second player. A node whose value reaches the other side's bound is left at once: play would
    never come here. The value returned is exact if it lies between the alpha and beta given, at
    least the true value if it is alpha or less, and at most the true value if it is beta or more.
    With the whole window at the root the answer is therefore minimax's, line included, from no more
    nodes.

    With `table`, a position met again at the same ply is recalled, not searched again.
    """
    tree = GameTree(position, depth, **options)
    memory = Transpositions() if table else None
    return _answer(tree, *_alpha_beta(tree, memory, tree.root, -INFINITY, INFINITY))


def _alpha_beta(
    tree: GameTree, memory: Transpositions | None, node: TreeNode, alpha: int, beta: int
) -> tuple[int, LineOfPlay]:
    assert alpha < beta
    tree.enter(node, alpha, beta)
    if tree.is_leaf(node):
        return tree.leaf(node)
    if memory is not None and (known := memory.recall(node, alpha, beta)) is not None:
        return tree.known(node, *known)
    window = alpha, beta
    maximizing = node.position.turn == 0
    is_better = operator.gt if maximizing else operator.lt
    value = -INFINITY if maximizing else INFINITY
    line: LineOfPlay = ()
    for move, child in tree.children(node):
        child_value, child_line = _alpha_beta(tree, memory, child, alpha, beta)
        if is_better(child_value, value):
            value, line = child_value, (move, *child_line)
            if maximizing:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            tree.better(node, move, value, alpha, beta)
        if beta <= alpha:
            tree.cut(node, f"beta {beta} <= alpha {alpha}")
            break
    if memory is not None:
        memory.remember(node, *window, value, line)
    return tree.leave(node, value, line)


class TableEntry(NamedTuple):
    """Bounds of the true value; if they are equal, the line of play leads to it."""

    lower: int
    upper: int
    line: LineOfPlay


class Transpositions:
    """The transposition table of one search: a position met again is not searched again.

    A search with a window often finds only a bound. A value at or above beta is at least that large
    (the cut left better moves unseen); one at or below alpha is at most that large; only a value
    inside the window is exact. An entry answers a later visit if it settles that visit's window.

    Entries are found by state and ply. Within one search the ply also fixes how much depth remains,
    and wins count their plies from the root, so an entry is valid wherever the state is met.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[Any, int], TableEntry] = {}

    def recall(self, node: TreeNode, alpha: int, beta: int) -> tuple[int, LineOfPlay] | None:
        """The value of a node met before, if the entry settles this window."""
        entry = self._entries.get((node.position.state, node.ply))
        if entry is None:
            return None
        if entry.lower >= beta or entry.lower == entry.upper:
            return entry.lower, entry.line
        if entry.upper <= alpha:
            return entry.upper, entry.line
        return None

    def remember(self, node: TreeNode, alpha: int, beta: int, value: int, line: LineOfPlay) -> None:
        """Store what a search of the node with this window has found."""
        lower = -INFINITY if value <= alpha else value
        upper = INFINITY if value >= beta else value
        self._entries[node.position.state, node.ply] = TableEntry(lower, upper, line)


# Alpha-beta as a pair of functions


def alpha_beta_search(
    position: Position, depth: int | None = None, **options: Unpack[SearchOptions]
) -> Answer:
    """ALPHA-BETA-SEARCH with MAX-VALUE and MIN-VALUE (figure 5.7): the same answer as `alpha_beta`.

    The book's two functions call each other because its players alternate. Here the turn in the
    successor selects the function, so MAX-VALUE may call itself.
    """
    tree = GameTree(position, depth, **options)
    search = value_function(tree.root)
    return _answer(tree, *search(tree, tree.root, -INFINITY, INFINITY))


def value_function(node: TreeNode) -> ValueFunction:
    """MAX-VALUE or MIN-VALUE, by the player to move."""
    return max_value if node.position.turn == 0 else min_value


def max_value(tree: GameTree, node: TreeNode, alpha: int, beta: int) -> tuple[int, LineOfPlay]:
    """The value of a node where the first player moves, and the line of play that leads to it."""
    tree.enter(node, alpha, beta)
    if tree.is_leaf(node):
        return tree.leaf(node)
    value = -INFINITY
    line: LineOfPlay = ()
    for move, child in tree.children(node):
        search = value_function(child)
        child_value, child_line = search(tree, child, alpha, beta)
        if child_value > value:
            value, line = child_value, (move, *child_line)
            alpha = max(alpha, value)
            tree.better(node, move, value, alpha, beta)
        if value >= beta:
            tree.cut(node, f"value {value} >= beta {beta}")
            break
    return tree.leave(node, value, line)


def min_value(tree: GameTree, node: TreeNode, alpha: int, beta: int) -> tuple[int, LineOfPlay]:
    """The value of a node where the second player moves, and the line of play that leads to it."""
    tree.enter(node, alpha, beta)
    if tree.is_leaf(node):
        return tree.leaf(node)
    value = INFINITY
    line: LineOfPlay = ()
    for move, child in tree.children(node):
        search = value_function(child)
        child_value, child_line = search(tree, child, alpha, beta)
        if child_value < value:
            value, line = child_value, (move, *child_line)
            beta = min(beta, value)
            tree.better(node, move, value, alpha, beta)
        if value <= alpha:
            tree.cut(node, f"value {value} <= alpha {alpha}")
            break
    return tree.leave(node, value, line)


# Iterative deepening


def iterative_deepening(
    position: Position,
    depth: int | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    evaluate: Evaluate | None = None,
    order: Order | None = None,
    steps: Steps | None = None,
    table: bool = False,
) -> Answer:
    """Alpha-beta to depth 1, to depth 2, and so on until a limit.

    At least one limit must be given. When the nodes or the seconds are used up, the answer is that
    of the last finished depth; depth 1 is always finished. Each depth tries the best line of the
    one before it first, which makes up for the repeated work: among equally good moves the choice
    of an earlier depth is therefore kept. The deepening ends early when the answer is proven, and
    at 400 plies in any case.
    """
    limits = Limits(depth, nodes, seconds)
    deadline = None if seconds is None else time.monotonic() + seconds
    answer: Answer | None = None
    visited = 0
    for current in range(1, min(limits.depth or DEEPEST, DEEPEST) + 1):
        if steps is not None:
            steps(Deepen(current))
        tree = GameTree(
            position,
            current,
            evaluate=evaluate,
            order=order if answer is None else _line_first(answer, order),
            steps=steps,
            nodes=None if answer is None or nodes is None else nodes - visited,
            deadline=None if answer is None else deadline,
        )
        memory = Transpositions() if table else None
        try:
            value, line = _alpha_beta(tree, memory, tree.root, -INFINITY, INFINITY)
        except BudgetError:
            break
        finally:
            visited += tree.visited
        answer = _answer(tree, value, line)
        if answer.proven or (nodes is not None and visited >= nodes):
            break
    assert answer is not None, "depth 1 has no budget to exceed"
    return replace(answer, nodes=visited)


def _line_first(answer: Answer, order: Order | None) -> Order:
    """An order of moves in which the best line of an earlier answer comes first."""
    best: dict[Position, int] = {}
    position = answer.position
    for move in answer.line:
        best[position] = move
        position = position.after(move)

    def line_first(position: Position) -> list[int]:
        moves = list(position.legal_moves if order is None else order(position))
        if position in best:
            moves.sort(key=lambda move: move != best[position])
        return moves

    return line_first
