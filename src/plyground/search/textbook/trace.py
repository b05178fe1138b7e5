"""The steps of a textbook search: data to draw a tree from, or to print.

Every node that a search visits begins with one `Enter` and ends with one `Leaf` or one `Value`;
between them are the steps of its children, a `Better` after each child with a new best value, and
at most one `Cut`, the last step before its `Value`. Nodes are numbered from 0 in the order in which
they are entered. Printed (`steps=print`), the steps are an indented tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from plyground.core.game import Position
from plyground.core.values import INFINITY


@dataclass(frozen=True)
class Step:
    """Something that happened at a node, `ply` moves below the root."""

    node: int
    ply: int

    def indented(self, text: str) -> str:
        return "  " * self.ply + text


@dataclass(frozen=True)
class Enter(Step):
    """A node is visited. Minimax has no window: there alpha and beta are None."""

    parent: int | None
    move: int | None
    """The move that leads here; None at the root, which has no parent either."""
    text: str
    """The move as people write it; "root" at the root."""
    position: Position = field(repr=False)
    alpha: int | None
    beta: int | None

    def __str__(self) -> str:
        return self.indented(f"{self.text}{window_text(self.alpha, self.beta)}")


@dataclass(frozen=True)
class Leaf(Step):
    """A node whose value is known without visiting its children, and why."""

    value: int
    reason: str

    def __str__(self) -> str:
        return self.indented(f"= {self.value} ({self.reason})")


@dataclass(frozen=True)
class Better(Step):
    """A child's value is the best so far; the window is that of the next child."""

    move: int
    value: int
    alpha: int | None
    beta: int | None

    def __str__(self) -> str:
        return self.indented(f"best so far {self.value}{window_text(self.alpha, self.beta)}")


@dataclass(frozen=True)
class Cut(Step):
    """The other moves cannot matter: a better choice above avoids this node."""

    reason: str
    moves: tuple[int, ...]
    """The moves that are not looked at."""

    def __str__(self) -> str:
        count = f"{len(self.moves)} move{'' if len(self.moves) == 1 else 's'}"
        return self.indented(f"cut, {self.reason}: {count} not looked at")


@dataclass(frozen=True)
class Value(Step):
    """A node is left, and returns this value to its parent."""

    value: int
    line: tuple[int, ...]

    def __str__(self) -> str:
        return self.indented(f"= {self.value}")


@dataclass(frozen=True)
class Deepen:
    """Iterative deepening starts this depth; nodes are numbered from 0 again."""

    depth: int

    def __str__(self) -> str:
        return f"depth {self.depth}"


Steps = Callable[[Step | Deepen], None]
"""Called with every step, as it happens."""


def window_text(alpha: int | None, beta: int | None) -> str:
    """A window after a colon, in words where a bound is no number; nothing if there is none."""
    if alpha is None or beta is None:
        return ""
    words = {INFINITY: "+inf", -INFINITY: "-inf"}
    return f": alpha {words.get(alpha, alpha)}, beta {words.get(beta, beta)}"
