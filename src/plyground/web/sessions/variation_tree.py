"""The tree of positions of a session: the main line that was played, and variations.

Every position is a node. The root is node 0, the start; every other node is reached by a move from
its parent. `main` is the line of the game, from the root to its head. Ids are never used again, so
a page with an old state cannot name a wrong node.

Invariants: parents come before their children; no two children of a node have the same move; every
node of `main` is a child of the one before it; every position is legal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.core.outcome import Outcome
from plyground.web.protocol.models import EvaluationWord

MAX_NODES = 5000
ROOT = 0


class SessionError(PlygroundError):
    """An action that is not possible in the current state of a session."""


class MissingNode(SessionError):
    """A node that does not exist, or no longer."""


@dataclass
class VariationNode:
    """A position of the tree, and what is known about the move that led to it."""

    id: int
    parent: int | None
    move: str | None
    position: Position
    seconds: float | None = None
    value: int | None = None
    """The player's evaluation of the move, in the first player's view."""
    depth: int | None = None
    evaluation: EvaluationWord | None = None
    """What the value of a search rests on."""
    comment: str = ""
    children: list[int] = field(default_factory=list)


def check_rules(position: Position) -> Outcome | int:
    """How the game ended, or who is to move. A position where these rules of a user's game fail
    becomes no node; nodes know the answers, so that they are asked for once."""
    return position.outcome if position.is_over else position.turn


class VariationTree:
    """The tree. An action that raises leaves it unchanged."""

    def __init__(self, start: Position) -> None:
        check_rules(start)
        self.nodes: dict[int, VariationNode] = {ROOT: VariationNode(ROOT, None, None, start)}
        self.main: list[int] = [ROOT]
        self.next_id = 1

    @property
    def head(self) -> int:
        """The end of the main line."""
        return self.main[-1]

    def node(self, node: int) -> VariationNode:
        try:
            return self.nodes[node]
        except KeyError:
            raise MissingNode(f"there is no position {node} in this game, or no longer") from None

    def child(self, parent: int, move: str) -> int:
        """The node after a legal move; it is added if it does not exist yet."""
        before = self.node(parent)
        number = before.position.parse_move(move)
        text = before.position.move_text(number)
        for child in before.children:
            if self.nodes[child].move == text:
                return child
        if len(self.nodes) >= MAX_NODES:
            raise SessionError(
                f"a game holds at most {MAX_NODES} positions: remove a variation first"
            )
        position = before.position.play(number)
        check_rules(position)
        made = VariationNode(self.next_id, parent, text, position)
        self.nodes[made.id] = made
        before.children.append(made.id)
        self.next_id += 1
        return made.id

    def path(self, node: int) -> list[int]:
        """The nodes from the root to this one."""
        found = [self.node(node).id]
        while (parent := self.nodes[found[-1]].parent) is not None:
            found.append(parent)
        return found[::-1]

    def moves_to(self, node: int) -> list[str]:
        """The moves from the start to a node."""
        return [move for step in self.path(node) if (move := self.nodes[step].move) is not None]

    def extend(self, node: int) -> None:
        """Make a child of the head the new head."""
        if self.node(node).parent != self.head:
            raise SessionError("only a move in the last position of the game can continue it")
        self.main.append(node)

    def cut(self, length: int) -> None:
        """Keep `length` nodes of the main line.

        The moves after them are removed, unless they have comments or variations: then they stay,
        as a variation.
        """
        assert 1 <= length <= len(self.main)
        cut_off = self.main[length:]
        del self.main[length:]
        plain = all(
            not self.nodes[node].comment and len(self.nodes[node].children) <= 1 for node in cut_off
        )
        ends_there = cut_off and not self.nodes[cut_off[-1]].children
        if cut_off and plain and ends_there:
            self._drop(cut_off[0])

    def remove(self, node: int) -> int:
        """Remove a variation from this node on; its parent is returned."""
        parent = self.node(node).parent
        if node in self.main or parent is None:
            raise SessionError("this position is part of the game: a variation can be removed")
        self._drop(node)
        return parent

    def promote(self, node: int) -> None:
        """Make the line through this node the main line, up to its end."""
        line = self.path(node)
        while self.nodes[line[-1]].children:
            line.append(self.nodes[line[-1]].children[0])
        for before, after in pairwise(line):
            children = self.nodes[before].children
            children.remove(after)
            children.insert(0, after)
        self.main = line

    def _drop(self, node: int) -> None:
        """Remove a node and all its descendants."""
        parent = self.nodes[node].parent
        assert parent is not None, "the root stays"
        self.nodes[parent].children.remove(node)
        pending = [node]
        while pending:
            pending += self.nodes.pop(pending.pop()).children
