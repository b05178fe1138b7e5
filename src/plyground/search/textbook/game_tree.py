"""The tree of a game that the textbook searches walk.

It counts the nodes, checks the limits, orders the moves, evaluates the leaves and reports each
step, so that the searches themselves read like their pseudocode.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from plyground.core.errors import IllegalMove, LimitError
from plyground.core.game import Position
from plyground.core.values import bounded, terminal_value
from plyground.search.textbook.trace import Better, Cut, Enter, Leaf, Steps, Value

Evaluate = Callable[[Position], int]
"""An estimate of the first player's prospects, for leaves where the game is not over."""
Order = Callable[[Position], Iterable[int]]
"""The legal moves of a position, in the order in which a search tries them."""
LineOfPlay = tuple[int, ...]

DEEPEST = 400
"""Plies below the root. A ply is a call, and Python allows about a thousand within each other."""

GAME_OVER = "the game is over"
DEPTH_LIMIT = "depth limit"
FROM_TABLE = "from the table"


class BudgetError(LimitError):
    """The nodes or the seconds of a search are used up, and it is not finished."""


@dataclass(slots=True, eq=False)
class TreeNode:
    """One node of the tree: a position, and the parent and move that led to it."""

    position: Position
    ply: int = 0
    parent: TreeNode | None = None
    move: int | None = None
    number: int = -1
    """In the order of visits; -1 until it is entered."""
    moves: LineOfPlay = ()
    tried: int = 0


class GameTree:
    """The nodes below a position, down to `depth` or, if that is None, to the end of the game."""

    def __init__(
        self,
        position: Position,
        depth: int | None,
        *,
        evaluate: Evaluate | None = None,
        order: Order | None = None,
        steps: Steps | None = None,
        nodes: int | None = None,
        deadline: float | None = None,
    ) -> None:
        if depth is not None and depth < 0:
            raise LimitError(f"depth {depth}: a depth is a whole number from 0 up")
        if nodes is not None and nodes < 1:
            raise LimitError(f"{nodes} nodes: a search visits at least 1")
        self.root = TreeNode(position)
        self.depth = depth
        self.visited = 0
        self.reached_depth_limit = False
        self._point = position.game.rules.point
        self._evaluate = evaluate
        self._order = order
        self._steps = steps
        self._nodes = nodes
        self._deadline = deadline

    def enter(self, node: TreeNode, alpha: int | None = None, beta: int | None = None) -> None:
        """Visit a node: every search calls this first. Raises BudgetError at a limit."""
        if self._nodes is not None and self.visited >= self._nodes:
            raise BudgetError(
                f"the search has visited {self._nodes} nodes and is not finished:"
                " allow more, or a smaller depth"
            )
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise BudgetError("the time is up and the search is not finished")
        if node.ply > DEEPEST:
            raise LimitError(f"a line of play goes on for more than {DEEPEST} plies: give a depth")
        node.number = self.visited
        self.visited += 1
        if self._steps is not None:
            parent = node.parent
            if parent is None or node.move is None:
                number, text = None, "root"
            else:
                number, text = parent.number, parent.position.move_text(node.move)
            self._steps(
                Enter(node.number, node.ply, number, node.move, text, node.position, alpha, beta)
            )

    def is_leaf(self, node: TreeNode) -> bool:
        return node.ply == self.depth or node.position.is_over

    def leaf(self, node: TreeNode) -> tuple[int, LineOfPlay]:
        """The value of a leaf, and the line of play from it: none."""
        position = node.position
        if position.is_over:
            value, reason = terminal_value(position.utility, self._point, node.ply), GAME_OVER
        else:
            self.reached_depth_limit = True
            estimate = position.evaluation if self._evaluate is None else self._evaluate(position)
            value, reason = bounded(estimate), DEPTH_LIMIT
        if self._steps is not None:
            self._steps(Leaf(node.number, node.ply, value, reason))
        return value, ()

    def children(self, node: TreeNode) -> Iterator[tuple[int, TreeNode]]:
        """The moves in order, each with its node, which is made when it is reached."""
        position = node.position
        node.moves = position.legal_moves
        if self._order is not None:
            node.moves = tuple(self._order(position))
            if sorted(node.moves) != sorted(position.legal_moves):
                raise IllegalMove("order() must return every legal move once, in any order")
        for move in node.moves:
            node.tried += 1
            yield move, TreeNode(position.after(move), node.ply + 1, node, move)

    def better(
        self,
        node: TreeNode,
        move: int,
        value: int,
        alpha: int | None = None,
        beta: int | None = None,
    ) -> None:
        """Report that a move is the best so far."""
        if self._steps is not None:
            self._steps(Better(node.number, node.ply, move, value, alpha, beta))

    def cut(self, node: TreeNode, reason: str) -> None:
        """Report that the remaining moves of a node are cut, if there are any."""
        if self._steps is not None and node.tried < len(node.moves):
            self._steps(Cut(node.number, node.ply, reason, node.moves[node.tried :]))

    def known(self, node: TreeNode, value: int, line: LineOfPlay) -> tuple[int, LineOfPlay]:
        """Report that the value of a node comes from the table."""
        if self._steps is not None:
            self._steps(Leaf(node.number, node.ply, value, FROM_TABLE))
        return value, line

    def leave(self, node: TreeNode, value: int, line: LineOfPlay) -> tuple[int, LineOfPlay]:
        """Return a node's value to its parent, with the line of play that leads to it."""
        if self._steps is not None:
            self._steps(Value(node.number, node.ply, value, line))
        return value, line
