"""Drawings for a notebook: the tree of a search, as the Tree page shows it, without a server.

Positions, search results and records draw themselves in a notebook; only a tree has to be asked
for:

    from plyground.notebook import tree
    tree(position, depth=3)

A tree is one piece of HTML with an SVG picture in it, which loads nothing from anywhere. It is
meant for small trees: all of it is drawn, and nothing is folded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from plyground.core.errors import LimitError
from plyground.core.game import Position
from plyground.core.svg import document, element, label, translate
from plyground.core.values import INFINITY, plies_to_end
from plyground.search.textbook.algorithms import Answer, alpha_beta, minimax
from plyground.search.textbook.game_tree import FROM_TABLE
from plyground.search.textbook.trace import Better, Cut, Deepen, Enter, Leaf, Step, Value

if TYPE_CHECKING:
    from plyground.search.textbook.game_tree import Order

SEARCHES = ("alpha-beta", "minimax")
NODES = 1000
"""The budget of a search. A larger picture is not readable."""

ALPHA, BETA = "\N{GREEK SMALL LETTER ALPHA}", "\N{GREEK SMALL LETTER BETA}"
MINUS = "\N{MINUS SIGN}"

SLOT, PLY, MARGIN = 92, 118, 56
"""Pixels: the least distance of nodes beside each other, that of a node from its parent, and the
space around the tree."""
OUTLINES = {
    "max": "M-32 -5L0 -19L32 -5V14Q32 17 29 17H-29Q-32 17 -32 14Z",
    "min": "M-32 5L0 19L32 5V-14Q32 -17 29 -17H-29Q-32 -17 -32 -14Z",
    "leaf": "M-26 -15H26Q30 -15 30 -11V11Q30 15 26 15H-26Q-30 15 -30 11V-11Q-30 -15 -26 -15Z",
}
"""Around the origin: a node that maximizes points up, one that minimizes down, a leaf is a box."""
PAPER, INK, SOFT, BEST, CUT = "#ffffff", "#1f2328", "#59636e", "#1a7f37", "#9a6700"
FILLS = {"max": "#dbeafe", "min": "#fde2e0", "leaf": "#f3f4f6"}


def tree(
    position: Position,
    depth: int = 3,
    *,
    algorithm: str = "alpha-beta",
    order: Order | None = None,
    table: bool = False,
    nodes: int = NODES,
) -> SearchTree:
    """Search a position by the textbook and return the tree that it visited, to be shown.

    `algorithm` is "alpha-beta" or "minimax"; `order` and `table` are those of `alpha_beta`. A
    search that needs more than `nodes` raises a LimitError.
    """
    if algorithm not in SEARCHES:
        raise LimitError(f"there is no search {algorithm!r}; there are {' and '.join(SEARCHES)}")
    recorder = _Recorder()
    if algorithm == "minimax":
        if table:
            raise LimitError("a table means nothing to minimax, which visits everything")
        answer = minimax(position, depth, order=order, nodes=nodes, steps=recorder)
    else:
        answer = alpha_beta(position, depth, order=order, nodes=nodes, steps=recorder, table=table)
    return SearchTree(algorithm, depth, answer, recorder.nodes)


@dataclass(eq=False)
class VisitedNode:
    """A position that the search visited."""

    move: str
    """The move that leads here; empty at the root."""
    maximizes: bool
    alpha: int | None
    beta: int | None
    """The window that the search came with; None for minimax, which has none."""
    children: list[VisitedNode] = field(default_factory=list)
    best: VisitedNode | None = None
    value: int = 0
    leaf: str | None = None
    """Why nothing was searched below; None if something was."""
    cut: tuple[str, ...] = ()
    """The moves that were not looked at."""
    cut_reason: str = ""

    @property
    def kind(self) -> str:
        if self.leaf is not None:
            return "leaf"
        return "max" if self.maximizes else "min"

    @property
    def sign(self) -> str:
        """What the value says: nothing if it is exact, otherwise which bound it is."""
        if self.leaf is None or self.leaf == FROM_TABLE:
            if self.alpha is not None and self.value <= self.alpha:
                return "≤"
            if self.beta is not None and self.value >= self.beta:
                return "≥"
        return ""


@dataclass(frozen=True)
class SearchTree:
    """The tree of a finished search. A notebook shows its picture."""

    algorithm: str
    depth: int
    answer: Answer
    nodes: list[VisitedNode] = field(repr=False)
    """All that was visited, in order; the first is the root."""

    @property
    def caption(self) -> str:
        """The result, and what the search cost, in a line."""
        moves = sum(len(node.cut) for node in self.nodes)
        line = " ".join(self.answer.line_text)
        return (
            f"{self.algorithm} to depth {self.depth}: {self.answer.value_text}"
            + (f" by {line}" if line else "")
            + f"; {_counted(len(self.nodes), 'node')} visited, {_counted(moves, 'move')} cut"
        )

    def svg(self) -> str:
        """The tree as an SVG picture."""
        return _TreeDrawing(self).svg()

    def _repr_html_(self) -> str:
        return (
            f'<div style="overflow:auto;max-height:80vh">{self.svg()}</div>'
            f"<p>{escape(self.caption)}</p>"
        )


class _Recorder:
    """Collects the nodes of a search from its steps."""

    def __init__(self) -> None:
        self.nodes: list[VisitedNode] = []
        self._positions: list[Position] = []
        self._by_move: dict[tuple[int, int], VisitedNode] = {}

    def __call__(self, step: Step | Deepen) -> None:
        if isinstance(step, Enter):
            self._enter(step)
        elif isinstance(step, Leaf | Value):
            self.nodes[step.node].value = step.value
            if isinstance(step, Leaf):
                self.nodes[step.node].leaf = step.reason
        elif isinstance(step, Better):
            self.nodes[step.node].best = self._by_move[step.node, step.move]
        elif isinstance(step, Cut):
            self._cut(step)

    def _enter(self, step: Enter) -> None:
        node = VisitedNode(
            move="" if step.move is None else step.text,
            maximizes=step.position.is_over or step.position.turn == 0,
            alpha=step.alpha,
            beta=step.beta,
        )
        self._positions.append(step.position)
        self.nodes.append(node)
        if step.parent is not None and step.move is not None:
            self.nodes[step.parent].children.append(node)
            self._by_move[step.parent, step.move] = node

    def _cut(self, step: Cut) -> None:
        position = self._positions[step.node]
        self.nodes[step.node].cut = tuple(map(position.move_text, step.moves))
        self.nodes[step.node].cut_reason = step.reason


# The picture


@dataclass(eq=False)
class _PlacedItem:
    """Something with a place in the picture: a node, or the moves that were cut below it."""

    node: VisitedNode
    is_cut: bool = False
    children: list[_PlacedItem] = field(default_factory=list)
    offset: float = 0.0
    """From its parent, in slots."""
    left: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)
    """The edges of what is below, ply by ply, relative to the item."""


class _TreeDrawing:
    """Places the nodes and draws them. Siblings are in order, each parent is above the middle of
    its children, and subtrees are as near to each other as they fit."""

    def __init__(self, tree: SearchTree) -> None:
        self._title = tree.caption
        self._point = tree.answer.position.game.rules.point
        self._root = _arranged(tree.nodes[0])
        self._best: set[VisitedNode] = set()
        node: VisitedNode | None = tree.nodes[0]
        while node is not None:
            self._best.add(node)
            node = node.best

    def svg(self) -> str:
        left, right = min(self._root.left), max(self._root.right)
        width = (right - left) * SLOT + 2 * MARGIN
        height = (len(self._root.left) - 1) * PLY + 2 * MARGIN
        self._edges: list[str] = []
        self._shapes: list[str] = []
        self._place(self._root, MARGIN - left * SLOT, MARGIN)
        paper = element("rect", width=width, height=height, fill=PAPER)
        return document(
            width, height, paper + "".join(self._edges) + "".join(self._shapes), self._title
        )

    def _place(self, item: _PlacedItem, x: float, y: float) -> None:
        for child in item.children:
            below = x + child.offset * SLOT
            self._edges.append(self._edge(child, x, y, below, y + PLY))
            self._place(child, below, y + PLY)
        draw = self._cut if item.is_cut else self._node
        self._shapes.append(element("g", draw(item.node), transform=translate(x, y)))

    def _edge(self, item: _PlacedItem, x: float, y: float, below: float, down: float) -> str:
        is_best = item.node in self._best and not item.is_cut
        looks = {"stroke": BEST if is_best else SOFT, "stroke_width": 3 if is_best else 1}
        if item.is_cut:
            looks = {"stroke": CUT, "stroke_dasharray": "5 4"}
        return element("path", d=f"M{x:g} {y:g}L{below:g} {down:g}", fill="none", **looks)

    def _node(self, node: VisitedNode) -> str:
        is_best = node in self._best
        parts = [
            element(
                "path",
                d=OUTLINES[node.kind],
                fill=FILLS[node.kind],
                stroke=BEST if is_best else SOFT,
                stroke_width=3 if is_best else 1,
            ),
            label(
                0,
                {"max": 3, "min": -2, "leaf": 1}[node.kind],
                node.sign + short_value(node.value, self._point),
                font_size=13,
                fill=INK,
            ),
        ]
        if node.move:
            parts.append(_on_paper(-29, node.move, INK, 13))
        if node.alpha is not None and node.beta is not None and node.leaf is None:
            alpha, beta = (_bound(bound, self._point) for bound in (node.alpha, node.beta))
            parts.append(_on_paper(28, f"{ALPHA} {alpha}  {BETA} {beta}", SOFT, 11))
        if node.leaf is not None:
            parts.append(element("title", escape(node.leaf)))
        return "".join(parts)

    def _cut(self, node: VisitedNode) -> str:
        box = {"x": -40, "y": -14, "width": 80, "height": 28, "rx": 6}
        reason = re.sub(
            r"-?\d+", lambda digits: short_value(int(digits[0]), self._point), node.cut_reason
        )
        for word, mark in (("alpha", ALPHA), ("beta", BETA), ("<=", "≤"), (">=", "≥")):
            reason = reason.replace(word, mark)
        return "".join(
            (
                element("rect", **box, fill=PAPER, stroke=CUT, stroke_dasharray="5 4"),
                label(0, 1, f"✂ {_counted(len(node.cut), 'move')}", font_size=13, fill=CUT),
                _on_paper(26, reason, CUT, 11),
                element("title", escape(f"Cut ({reason}): {', '.join(node.cut)}")),
            )
        )


def _arranged(node: VisitedNode) -> _PlacedItem:
    """A node and all that is below it, with the places of all of them."""
    item = _PlacedItem(node, children=[_arranged(child) for child in node.children])
    if node.cut:
        item.children.append(_PlacedItem(node, is_cut=True, left=[0.0], right=[0.0]))
    left: list[float] = []
    right: list[float] = []
    for child in item.children:
        pairs = zip(right, child.left, strict=False)
        child.offset = max((edge - start + 1 for edge, start in pairs), default=0.0)
        left += [child.offset + edge for edge in child.left[len(left) :]]
        right[: len(child.right)] = [child.offset + edge for edge in child.right]
    middle = item.children[-1].offset / 2 if item.children else 0.0
    for child in item.children:
        child.offset -= middle
    item.left = [0.0, *(edge - middle for edge in left)]
    item.right = [0.0, *(edge - middle for edge in right)]
    return item


def short_value(value: int, point: int) -> str:
    """A value in a few characters: "win 3", "loss 4" (the first player's), "+2.5", "0"."""
    plies = plies_to_end(value)
    if plies is not None:
        return f"{'win' if value > 0 else 'loss'} {plies}"
    text = f"{value / point:+.2f}".rstrip("0").rstrip(".") if point else f"{value:+d}"
    return "0" if text in ("+0", "-0") else text.replace("-", MINUS)


def _bound(bound: int, point: int) -> str:
    if abs(bound) >= INFINITY:
        return "+∞" if bound > 0 else f"{MINUS}∞"
    return short_value(bound, point)


def _on_paper(y: float, text: str, colour: str, size: int) -> str:
    """A label that stays readable where an edge passes below it."""
    return label(
        0,
        y,
        text,
        font_size=size,
        fill=colour,
        stroke=PAPER,
        stroke_width=4,
        paint_order="stroke",
    )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
