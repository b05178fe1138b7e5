"""Adversarial search as the books have it: uncompiled, over positions, meant to be read.

The names and the shape follow Russell and Norvig, *Artificial Intelligence: A Modern Approach*
(figures are numbered as in the third edition), with two things added that every real game needs.
Turns need not alternate: who maximizes at a node is asked of the position, never inferred from the
depth. And a search may stop at a depth, where an evaluation stands in for the rest of the game.

Every search here returns an `Answer`, takes the same options, and keeps the same promises:

* Values are the first player's, on the scale of `core/values.py`: a nearer win is worth more than a
  later one and a later loss more than a nearer one. The first player maximizes.
* Among equally good moves the first in order is chosen.
* `depth` counts plies; without one a search goes on to the end of the game.
* `evaluate(position)` values a leaf where the game is not over; the game's own by default.
* `order(position)` lists the legal moves in the order to try them; the rules' own by default.
* `nodes` is a budget; a search that needs more raises a LimitError.
* `steps` is called with every step taken, as it is taken (`search/textbook/trace.py`).
"""

from __future__ import annotations

import operator
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from plyground.core.position import Position
from plyground.core.values import INFINITY, plies_to_end
from plyground.search.result import Limits, value_text
from plyground.search.textbook.game_tree import (
    DEEPEST,
    BudgetError,
    Evaluate,
    GameTree,
    Line,
    Node,
    Order,
)
from plyground.search.textbook.trace import Deepen, Steps
from plyground.search.textbook.transpositions import Transpositions


@dataclass(frozen=True)
class Answer:
    """What a textbook search has found."""

    position: Position
    """Where the search began."""
    value: int
    line: Line
    """Best play for both sides, as far as the search looked; empty if the game is over."""
    leads_to: Position
    """Where the line leads: the leaf that the value comes from."""
    nodes: int
    """How many nodes were visited, the root included."""
    depth: int | None
    """How deep the search looked; None: to the end of the game."""
    proven: bool
    """Whether the value rests on finished games alone, so that no deeper search can change it."""

    @property
    def move(self) -> int | None:
        """The move to play; None if the game is over or the search looked no move ahead."""
        return self.line[0] if self.line else None

    @property
    def value_text(self) -> str:
        return value_text(self.position, self.value, proven=self.proven)

    @property
    def line_text(self) -> tuple[str, ...]:
        return self.position.line_text(self.line)


def _answer(tree: GameTree, value: int, line: Line) -> Answer:
    position = tree.root.position
    leads_to = position
    for move in line:
        leads_to = leads_to.after(move)
    # A decided value comes from a finished game, and so do all that either side could prefer to it.
    proven = not tree.reached_depth_limit or plies_to_end(value) is not None
    return Answer(position, value, line, leads_to, tree.visited, tree.depth, proven)


ValueFunction = Callable[[GameTree, Node, int, int], tuple[int, Line]]


# Minimax


def minimax(
    position: Position,
    depth: int | None = None,
    *,
    evaluate: Evaluate | None = None,
    order: Order | None = None,
    nodes: int | None = None,
    steps: Steps | None = None,
) -> Answer:
    """The minimax value: what both sides get if neither makes a mistake (figure 5.3).

    Every node of the tree is visited. This is the definition that all the other searches must
    agree with.
    """
    tree = GameTree(position, depth, evaluate=evaluate, order=order, nodes=nodes, steps=steps)
    return _answer(tree, *_minimax(tree, tree.root))


def _minimax(tree: GameTree, node: Node) -> tuple[int, Line]:
    tree.enter(node)
    if tree.is_leaf(node):
        return tree.leaf(node)
    maximizing = node.position.turn == 0
    is_better = operator.gt if maximizing else operator.lt
    value = -INFINITY if maximizing else INFINITY
    line: Line = ()
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
    evaluate: Evaluate | None = None,
    order: Order | None = None,
    nodes: int | None = None,
    steps: Steps | None = None,
    table: bool = False,
) -> Answer:
    """The minimax value, without looking at moves that cannot matter.

    alpha is what the first player is already sure of elsewhere on the path, beta what the second
    player is. A node whose value reaches the other side's bound is left at once: play would never
    come here. The value returned is exact if it lies between the alpha and beta given, at least the
    true value if it is alpha or less, and at most the true value if it is beta or more. With the
    whole window at the root the answer is therefore minimax's, line included, from no more nodes.

    With `table`, a position met again at the same ply is recalled, not searched again.
    """
    tree = GameTree(position, depth, evaluate=evaluate, order=order, nodes=nodes, steps=steps)
    memory = Transpositions() if table else None
    return _answer(tree, *_alpha_beta(tree, memory, tree.root, -INFINITY, INFINITY))


def _alpha_beta(
    tree: GameTree, memory: Transpositions | None, node: Node, alpha: int, beta: int
) -> tuple[int, Line]:
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
    line: Line = ()
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


# Alpha-beta as a pair of functions


def alpha_beta_search(
    position: Position,
    depth: int | None = None,
    *,
    evaluate: Evaluate | None = None,
    order: Order | None = None,
    nodes: int | None = None,
    steps: Steps | None = None,
) -> Answer:
    """ALPHA-BETA-SEARCH with MAX-VALUE and MIN-VALUE (figure 5.7): the same answer as `alpha_beta`.

    The book's two functions call each other because its players alternate. Here the turn in the
    successor decides which of them is called, so MAX-VALUE may call itself.
    """
    tree = GameTree(position, depth, evaluate=evaluate, order=order, nodes=nodes, steps=steps)
    search = value_function(tree.root)
    return _answer(tree, *search(tree, tree.root, -INFINITY, INFINITY))


def value_function(node: Node) -> ValueFunction:
    """MAX-VALUE or MIN-VALUE, whichever values a node with this player to move."""
    return max_value if node.position.turn == 0 else min_value


def max_value(tree: GameTree, node: Node, alpha: int, beta: int) -> tuple[int, Line]:
    """The value of a node where the first player moves, and the line of play that earns it."""
    tree.enter(node, alpha, beta)
    if tree.is_leaf(node):
        return tree.leaf(node)
    value = -INFINITY
    line: Line = ()
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


def min_value(tree: GameTree, node: Node, alpha: int, beta: int) -> tuple[int, Line]:
    """The value of a node where the second player moves, and the line of play that earns it."""
    tree.enter(node, alpha, beta)
    if tree.is_leaf(node):
        return tree.leaf(node)
    value = INFINITY
    line: Line = ()
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
    """Alpha-beta to depth 1, to depth 2, and so on until a limit: an answer is always at hand.

    At least one limit must be given. When the nodes or the seconds are used up, the depth that was
    under way is given up and the last finished one answers; depth 1 is always finished. Each depth
    tries the best line of the one before it first, which is what makes up for the repeated work:
    where moves are equally good, an earlier depth's choice is therefore kept. The deepening ends
    early when the answer is proven, and at 400 plies, however deep it was to go.
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
