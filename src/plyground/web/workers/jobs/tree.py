"""The job "tree": a textbook search with every step it takes, for a page that draws it.

The search is `search/textbook/algorithms.py` itself. It ends at the latest after as many nodes as
its budget allows: then the tree holds what was visited by then, values that are not settled yet are
None, and `truncated` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from plyground.core.errors import LimitError, PlygroundError
from plyground.core.game import Position
from plyground.core.values import INFINITY, bounded, terminal_value
from plyground.search.result import value_text
from plyground.search.textbook.trace import Better, Cut, Deepen, Enter, Leaf, Step, Value
from plyground.web.workers.job_run import Interrupted, JobRun, Message
from plyground.web.workers.search_cache import SearchCache

if TYPE_CHECKING:
    from plyground.search.counting import Counter

MOST_COUNTED = 20_000_000
"""States that are counted for comparison; compiled, that takes less than a second."""
MOST_UNCOMPILED = 3000
"""Positions that are counted uncompiled before the compiled counter is loaded."""
MOST_CUTS_COUNTED = 4000
"""Cut moves below which states are counted one by one."""


def tree(run: JobRun) -> Message:
    """The tree that a search has visited, and what it has left out."""
    from plyground.search.textbook.algorithms import alpha_beta, minimax
    from plyground.search.textbook.game_tree import BudgetError

    job, position = run.job, run.cache.positions(run.job)[-1]
    depth, record = job["depth"], _Record(position, run)
    order = best_first if job["ordering"] else None
    budget, table = job["budget"], job["table"]
    prunes = job["algorithm"] == "alpha-beta"
    if table and not prunes:
        raise LimitError("a table means nothing to minimax, which visits everything")
    truncated = None
    try:
        if prunes:
            alpha_beta(position, depth, order=order, nodes=budget, steps=record, table=table)
        else:
            minimax(position, depth, order=order, nodes=budget, steps=record)
    except BudgetError as error:
        truncated = str(error)
    whole = len(record.nodes) if not prunes and truncated is None else None
    message = record.message()
    message["minimax_visited"] = _count(run.cache, record, depth, whole)
    return {**message, "truncated": truncated}


def best_first(position: Position) -> list[int]:
    """The legal moves, the most promising first: by what the next position looks like to the player
    to move. The textbook's idea of a good order, for the price of a look at every child."""
    point = position.game.rules.point
    sign = 1 if position.turn == 0 else -1

    def promise(move: int) -> int:
        child = position.after(move)
        if child.is_over:
            return sign * terminal_value(child.utility, point, 1)
        return sign * bounded(child.evaluation)

    return sorted(position.legal_moves, key=promise, reverse=True)


class _Record:
    """Records every step of a search, in the form that the page reads."""

    def __init__(self, root: Position, run: JobRun) -> None:
        self._root = root
        self._run = run
        self._children: list[dict[int, int]] = []
        """For each node, the nodes that its moves led to."""
        self._best: list[int | None] = []
        self.positions: list[Position] = []
        self.nodes: list[Message] = []
        self.cuts: list[tuple[Cut, Message]] = []
        self.steps: list[list[Any]] = []

    def __call__(self, step: Step | Deepen) -> None:
        if self._run.cancellation.is_requested:
            raise Interrupted(self._run.job)
        match step:
            case Enter():
                self._enter(step)
            case Leaf():
                self._settle(step.node, step.value)
                self.nodes[step.node]["leaf"] = step.reason
                self.steps.append(["leaf", step.node, step.value])
            case Better():
                child = self._best[step.node] = self._children[step.node][step.move]
                bounds = _bound(step.alpha), _bound(step.beta)
                self.steps.append(["better", step.node, child, step.value, *bounds])
            case Cut():
                self._cut(step)
            case Value():
                self._settle(step.node, step.value)
                self.steps.append(["value", step.node, step.value])

    def _enter(self, step: Enter) -> None:
        self.nodes.append(
            {
                "id": step.node,
                "parent": step.parent,
                "ply": step.ply,
                "move": None if step.move is None else step.text,
                "turn": 0 if step.position.is_over else step.position.turn,
                "alpha": _bound(step.alpha),
                "beta": _bound(step.beta),
                "window": step.alpha is not None,
                "value": None,
                "value_text": None,
                "leaf": None,
            }
        )
        self.positions.append(step.position)
        self._children.append({})
        self._best.append(None)
        if step.parent is not None and step.move is not None:
            self._children[step.parent][step.move] = step.node
        self.steps.append(["enter", step.node])

    def _cut(self, step: Cut) -> None:
        position = self.positions[step.node]
        moves = [position.move_text(move) for move in step.moves]
        cut = {"node": step.node, "reason": step.reason, "moves": moves, "below": None}
        self.cuts.append((step, cut))
        self.steps.append(["cut", step.node])

    def _settle(self, node: int, value: int) -> None:
        self.nodes[node]["value"] = value
        self.nodes[node]["value_text"] = value_text(self._root, value)

    def message(self) -> Message:
        """The tree, for the page; a search that was stopped leaves the best line so far."""
        line, node = [], self._best[0] if self._best else None
        while node is not None:
            line.append(node)
            node = self._best[node]
        return {
            "nodes": self.nodes,
            "cuts": [cut for _, cut in self.cuts],
            "steps": self.steps,
            "line": [0, *line],
            "visited": len(self.nodes),
            "cut": sum(len(step.moves) for step, _ in self.cuts),
            "value": self.nodes[0]["value"],
            "value_text": self.nodes[0]["value_text"],
        }


def _bound(bound: int | None) -> int | None:
    """A bound of the window as a number; None for infinity, or where there is no window."""
    return None if bound is None or abs(bound) >= INFINITY else bound


# What was left out


def _count(cache: SearchCache, record: _Record, depth: int, whole: int | None) -> int | None:
    """How many states minimax visits to this depth; None where that is too many to count. Where it
    is not, every cut learns how many states lie below the moves that it left out (`below`)."""
    if whole is not None:
        return whole
    try:
        return _count_by(FewStates().count, record, depth)
    except _TooMany:
        pass
    try:
        counter = cache.counter(record.positions[0].game)
        return _count_by(partial(count_compiled, counter), record, depth)
    except (_TooMany, PlygroundError):  # rules that cannot be compiled are searched all the same
        return None


def _count_by(count: Callable[[Position, int], int], record: _Record, depth: int) -> int:
    visited = count(record.positions[0], depth)
    if sum(len(step.moves) for step, _ in record.cuts) <= MOST_CUTS_COUNTED:
        for step, cut in record.cuts:
            position, left = record.positions[step.node], depth - step.ply - 1
            cut["below"] = sum(count(position.after(move), left) for move in step.moves)
    return visited


class _TooMany(Exception):
    """There are more states than can be counted."""


class FewStates:
    """Counts states uncompiled, each position once: quick for small trees, without a compiler."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, int], int] = {}

    def count(self, position: Position, depth: int) -> int:
        """The states of the tree below a position, itself included. All positions that are asked
        for must be on one board."""
        if depth == 0 or position.is_over:
            return 1
        key = position.state, depth
        if key not in self._known:
            if len(self._known) >= MOST_UNCOMPILED:
                raise _TooMany
            self._known[key] = 0
            if depth == 1:
                below = len(position.legal_moves)
            else:
                below = sum(self.count(child, depth - 1) for _, child in position.children())
            self._known[key] = 1 + below
        return self._known[key]


def count_compiled(counter: Counter, position: Position, depth: int) -> int:
    """The states of the tree below a position, itself included, as long as they can be afforded:
    to one depth after the other, since what the next one takes can only be told from the last."""
    from plyground.search.counting import MINIMAX

    before, visited = 1, 1
    for current in range(1, depth + 1):
        if position.is_over or visited == before > 1:  # no line of play is any longer
            break
        if visited * max(2.0, visited / before) > MOST_COUNTED:
            raise _TooMany
        before, visited = visited, counter.search(position, current, MINIMAX).nodes
    return visited
