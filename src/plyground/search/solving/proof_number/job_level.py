"""Job-level proof-number search: who wins, by many workers (I-C. Wu and others, 2013).

A tree of proof and disproof numbers is kept here. Its leaves are given to workers, several at a
time. A worker runs a proof-number search of so many positions: it solves the leaf, or else tells
the numbers of its children, which become the new leaves. A worker keeps its table from one job to
the next. A job that fails is repeated with fewer positions; a leaf whose jobs go on failing is left
alone, and the proof has to do without it.

`proof` is how hard it still seems to prove that the first player wins, `disproof` that the second
does. Where the first player moves, one good move is enough: proof is the least of the moves, and
disproof their sum; elsewhere it is the other way round.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from plyground.core.errors import LimitError
from plyground.core.game import Game, Position
from plyground.executor.task import Done, Executor, Failed, Task, Work
from plyground.search.solving.checkpoint import label_of
from plyground.search.solving.proof_number.job_log import JobLog, Key
from plyground.search.solving.proof_number.jobs import JobResult, JobSettings, LeafJob, set_up_jobs
from plyground.search.solving.proof_number.search import PROVEN
from plyground.search.solving.proof_number.solver import provable
from plyground.search.solving.solution import (
    Bounds,
    PartialSolution,
    ProgressListener,
    Solution,
    SolveProgress,
    Unsolved,
    Worth,
    bounds_by_moves,
    one_ply_later,
    won_within,
)

METHOD = "job-level proof-number search"
JOB_NODES = 1_000_000
"""Positions of a job: a second or two, much longer than it takes to send one."""
FEWER = 10
"""A job that failed is repeated with so many times fewer positions."""
TRIALS = 3
"""How many jobs of a leaf may fail."""
MEMORY = 1024

Way = TypeVar("Way")


@dataclass(eq=False)
class _ProofNode:
    """A position of the tree. The same position is one node, whichever moves led to it."""

    position: Position
    proof: int
    disproof: int
    worth: Worth | None = None
    line: tuple[int, ...] = ()
    """Of a leaf that a job has solved."""
    children: dict[int, _ProofNode] = field(default_factory=dict)
    """By move; empty for a leaf."""
    parents: list[_ProofNode] = field(default_factory=list)
    is_out: bool = False
    """Whether a worker has it."""
    jobs: int = 0
    """Of the jobs that are out, how many were found through this node."""
    failures: int = 0
    """How many jobs of this leaf have failed."""

    @property
    def is_open(self) -> bool:
        return bool(self.proof and self.disproof)

    def wanted(self, child: _ProofNode) -> int:
        """The least is searched first: the number of the child that matters here, and more if jobs
        are out below it, so that workers spread."""
        number = child.proof if self.position.turn == 0 else child.disproof
        return number + child.jobs * (number // 2 + 1)

    @property
    def proven(self) -> dict[int, _ProofNode]:
        """Of a proven node: the children that prove it."""
        return {
            move: child
            for move, child in self.children.items()
            if (child.proof, child.disproof) == (self.proof, self.disproof)
        }

    def choose(self, ways: Iterable[Way], worth: Callable[[Way], Worth]) -> Way:
        """The way that takes the winner of a proven node least plies, or the loser most."""
        choose = min if (self.proof == 0) == (self.position.turn == 0) else max
        return choose(ways, key=lambda way: worth(way).plies or 0)

    def update(self) -> bool:
        """Set the numbers by those of the children; whether they have changed."""
        if self.worth is not None:
            return False
        below = self.children.values()
        proofs, disproofs = [one.proof for one in below], [one.disproof for one in below]
        if self.position.turn == 0:
            proof, disproof = min(proofs), sum(disproofs)
        else:
            proof, disproof = sum(proofs), min(disproofs)
        # What is proven has one number 0 and the other PROVEN; open numbers stay below that.
        if proof == 0 or disproof == 0:
            proof, disproof = (0, PROVEN) if proof == 0 else (PROVEN, 0)
        proof, disproof = (min(number, PROVEN) for number in (proof, disproof))
        if proof and disproof:
            proof, disproof = min(proof, PROVEN - 1), min(disproof, PROVEN - 1)
        changed = (proof, disproof) != (self.proof, self.disproof)
        self.proof, self.disproof = proof, disproof
        return changed


class JobLevelProver:
    """Proves who wins a game, with the workers of an executor."""

    method = METHOD

    def __init__(
        self,
        game: Game,
        executor: Executor,
        *,
        nodes: int = JOB_NODES,
        memory: int = MEMORY,
        threads: int = 1,
        checkpoint: Path | None = None,
        progress: ProgressListener | None = None,
    ) -> None:
        """`nodes` are those of a job; memory, in MiB, and threads are those of a worker. What jobs
        have found is kept in the checkpoint, from which a later solve of the same position goes
        on."""
        if nodes < 1:
            raise LimitError(f"{nodes} nodes: there must be at least 1")
        if not provable(game):
            raise LimitError(f"{METHOD} asks who wins: {game.name} can end otherwise, or never")
        self._executor = executor
        self._nodes, self._memory, self._threads = nodes, memory, threads
        self._checkpoint = checkpoint
        self._progress = progress
        self._stopped = False

    def stop(self) -> None:
        """From another thread: stop after the next event."""
        self._stopped = True

    def solve(self, position: Position, *, seconds: float | None = None) -> Solution:
        """Who wins, and a line. Raises Unsolved, also when the seconds are over, and when jobs fail
        without which it cannot be proven."""
        tree = _ProofTree(position, self._nodes)
        with closing(JobLog(self._checkpoint, _label(position))) as log:
            for key, result in log.results():
                tree.restore(key, result)
                self._report(tree)
                if self._stopped:
                    raise tree.unsolved(0.0)
            return self._search(tree, log, seconds)

    def _search(self, tree: _ProofTree, log: JobLog, seconds: float | None) -> Solution:
        settings = JobSettings(tree.root.position, self._memory, self._threads)
        started = time.monotonic()
        with closing(self._executor.run(Work(set_up_jobs, settings), tree.jobs())) as events:
            for event in events if tree.root.is_open else ():
                if isinstance(event, Failed):
                    tree.fail(event.task, event.reason)
                if isinstance(event, Done):
                    key = tree.receive(event.task, event.value)
                    if key is not None:
                        log.add(key, event.value)
                spent = time.monotonic() - started
                self._report(tree)
                if not tree.root.is_open:
                    break
                if self._stopped or (seconds is not None and spent >= seconds):
                    raise tree.unsolved(spent)
        spent = time.monotonic() - started
        if tree.root.is_open:
            raise tree.undecided(spent)
        return tree.solution(spent)

    def _report(self, tree: _ProofTree) -> None:
        if self._progress is not None:
            self._progress(SolveProgress(tree.text, tree.nodes))


class _ProofTree:
    """The tree, and the jobs that are out."""

    def __init__(self, position: Position, nodes: int) -> None:
        """`nodes` are those of a job."""
        self._job_nodes = nodes
        self._by_key: dict[Key, _ProofNode] = {}
        self.root = self._node(position, 1, 1)
        self._out: dict[str, tuple[_ProofNode, list[_ProofNode]]] = {}
        """By the names of jobs: the leaf, and the nodes on the way to it."""
        self._given = 0
        self.nodes = 0
        """Positions that workers have looked at."""
        self._failure = ""
        """Why a job failed last."""

    @property
    def text(self) -> str:
        """How far it is, in words."""
        root = self.root
        numbers = f"proof {root.proof:,}, disproof {root.disproof:,}"
        return f"{self._given:,} jobs, {len(self._by_key):,} positions in the tree, {numbers}"

    def jobs(self) -> Iterator[Task | None]:
        """The next job, whenever a worker is free; None if every leaf is out, or left alone."""
        while self.root.is_open:
            path = self._way_to_leaf(self.root)
            if path is None:
                yield None
                continue
            leaf = path[-1]
            leaf.is_out = True
            for node in path:
                node.jobs += 1
            self._given += 1
            name = str(self._given)
            self._out[name] = leaf, path
            nodes = max(1, self._job_nodes // FEWER**leaf.failures)
            yield Task(name, LeafJob(leaf.position, nodes))

    def _way_to_leaf(self, node: _ProofNode) -> list[_ProofNode] | None:
        """The way to the leaf that is most worth searching, and neither out nor left alone."""
        if node.is_out or node.failures >= TRIALS:
            return None
        if not node.children:
            return [node]
        below = [child for child in node.children.values() if child.is_open]
        for child in sorted(below, key=node.wanted):
            rest = self._way_to_leaf(child)
            if rest is not None:
                return [node, *rest]
        return None

    def receive(self, name: str, result: JobResult) -> Key | None:
        """Add what a job has found. The key of its leaf, for `restore`, if the leaf was open yet:
        the job of another one may have solved it."""
        leaf = self._take_back(name)
        if not leaf.is_open:
            self.nodes += result.nodes
            return None
        self._add(leaf, result)
        return _key(leaf.position)

    def restore(self, key: Key, result: JobResult) -> None:
        """Add what a job has found in an earlier search; those before it have been added."""
        self._given += 1
        self._add(self._by_key[key], result)

    def _add(self, leaf: _ProofNode, result: JobResult) -> None:
        self.nodes += result.nodes
        if result.worth is not None:
            self._close(leaf, result.worth, result.line)
        else:
            for found in result.children:
                child = self._node(leaf.position.after(found.move), found.proof, found.disproof)
                if found.worth is not None and child.worth is None:
                    self._close(child, found.worth, found.line)
                leaf.children[found.move] = child
                child.parents.append(leaf)
            self._update([leaf])

    def fail(self, name: str, reason: str) -> None:
        """A job has failed."""
        self._take_back(name).failures += 1
        self._failure = reason

    def _take_back(self, name: str) -> _ProofNode:
        """The leaf of a job that has ended."""
        leaf, path = self._out.pop(name)
        leaf.is_out = False
        for node in path:
            node.jobs -= 1
        return leaf

    def _close(self, node: _ProofNode, worth: Worth, line: tuple[int, ...]) -> None:
        """A node is solved."""
        node.worth, node.line = worth, line
        node.proof, node.disproof = (0, PROVEN) if worth.utility > 0 else (PROVEN, 0)
        self._update(node.parents)

    def _update(self, nodes: Sequence[_ProofNode]) -> None:
        """Set the numbers of nodes and, as far as they change, of all above them."""
        changed = list(nodes)
        while changed:
            node = changed.pop()
            if node.update():
                changed += node.parents

    def _node(self, position: Position, proof: int, disproof: int) -> _ProofNode:
        """The node of a position; a new one has these numbers."""
        key = _key(position)
        if key not in self._by_key:
            self._by_key[key] = _ProofNode(position, proof, disproof)
        return self._by_key[key]

    # Answers

    def solution(self, seconds: float) -> Solution:
        """What is proven, when the root is."""
        worth = self._worth_of(self.root, {})
        line = self._line()
        return Solution(
            position=self.root.position,
            method=METHOD,
            worth=worth,
            moves={line[0]: worth} if line else {},
            optimal=(),
            line=line,
            nodes=self.nodes,
            counted="positions looked at",
            seconds=seconds,
        )

    def _worth_of(self, node: _ProofNode, known: dict[_ProofNode, Worth]) -> Worth:
        """Who wins at a proven node, and within how many plies."""
        if node.worth is not None:
            return node.worth
        if node not in known:
            below = [one_ply_later(self._worth_of(one, known)) for one in node.proven.values()]
            known[node] = node.choose(below, lambda worth: worth)
        return known[node]

    def _line(self) -> tuple[int, ...]:
        """The quickest known win against the longest known resistance.

        A node may stand for a position and its mirror image, so that a move of the line is found by
        the position that it leads to."""
        position, node, line = self.root.position, self.root, []
        known: dict[_ProofNode, Worth] = {}

        def go_to(wanted: Position) -> None:
            nonlocal position
            key = _key(wanted)
            move, position = next(way for way in position.children() if _key(way[1]) == key)
            line.append(move)

        while node.worth is None:
            node = node.choose(node.proven.values(), lambda child: self._worth_of(child, known))
            go_to(node.position)
        reference = node.position
        for move in node.line:
            reference = reference.after(move)
            go_to(reference)
        return tuple(line)

    def unsolved(self, seconds: float) -> Unsolved:
        """What is proven, when the search was stopped."""
        root = self.root
        error = Unsolved(f"stopped before {root.position.text} was proven; {self.text}")
        error.stopped = True
        error.partial = self._partial(seconds)
        return error

    def undecided(self, seconds: float) -> Unsolved:
        """What is proven, when no leaf is left that could be searched."""
        error = Unsolved(
            f"{self.root.position.text} cannot be proven, because {TRIALS} jobs failed for each"
            f" position that is left ({self._failure}); {self.text}"
        )
        error.partial = self._partial(seconds)
        return error

    def _partial(self, seconds: float) -> PartialSolution:
        root = self.root
        moves = {move: _bounds(root.children.get(move)) for move, _ in root.position.children()}
        return PartialSolution(
            position=root.position,
            method=METHOD,
            bounds=_bounds(root).narrowed(bounds_by_moves(root.position.turn, moves.values())),
            moves=moves,
            nodes=self.nodes,
            counted="positions looked at",
            seconds=seconds,
        )


def _label(position: Position) -> str:
    """The label of a checkpoint."""
    return f"{label_of(METHOD, position)}, position {position.text}"


def _key(position: Position) -> Key:
    identity = position.game.rules.identity(position.board, position.state)
    return tuple(int(word) for word in identity)


def _bounds(node: _ProofNode | None) -> Bounds:
    if node is None or node.is_open:
        return Bounds(Worth(-1), Worth(1))
    return won_within(1 if node.proof == 0 else -1, None, None)
