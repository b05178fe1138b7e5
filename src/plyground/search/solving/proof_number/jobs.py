"""A job of job-level proof-number search: what a worker is asked, does and answers."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.game import Position
from plyground.executor.task import TaskFunction
from plyground.search.solving.proof_number.solver import Prover
from plyground.search.solving.solution import Unsolved, Worth


@dataclass(frozen=True)
class JobSettings:
    """What a worker needs for its jobs."""

    root: Position
    memory: int
    threads: int


@dataclass(frozen=True)
class LeafJob:
    """What a worker is asked: to solve a position, with so many nodes."""

    leaf: Position
    nodes: int


@dataclass(frozen=True)
class JobResult:
    """What a job has found about a leaf."""

    nodes: int
    worth: Worth | None
    """None if the leaf is still open."""
    line: tuple[int, ...] = ()
    children: tuple[ChildResult, ...] = ()
    """Of an open leaf."""


@dataclass(frozen=True)
class ChildResult:
    """What a job has found about a move of its leaf."""

    move: int
    proof: int
    disproof: int
    worth: Worth | None = None
    line: tuple[int, ...] = ()


def set_up_jobs(settings: JobSettings) -> TaskFunction:
    """The function of a worker that does a job."""
    prover = Prover(settings.root.game, memory=settings.memory, threads=settings.threads)

    def do_job(job: LeafJob, report: object) -> JobResult:
        leaf = job.leaf
        prover.limit_nodes(job.nodes)
        try:
            solution = prover.solve(leaf, every_move=False)
        except Unsolved as unsolved:
            nodes = 0 if unsolved.partial is None else unsolved.partial.nodes
            # First all numbers: solving a child again may displace others from the table.
            numbers = {move: prover.estimate(child) for move, child in leaf.children()}
            children = tuple(
                _child_result(prover, move, leaf.after(move), *pair)
                for move, pair in numbers.items()
            )
            return JobResult(nodes, None, children=children)
        return JobResult(solution.nodes, solution.worth, solution.line)

    return do_job


def _child_result(
    prover: Prover, move: int, child: Position, proof: int, disproof: int
) -> ChildResult:
    if child.is_over:
        return ChildResult(move, proof, disproof, Worth(child.utility, 0))
    if proof and disproof:
        return ChildResult(move, proof, disproof)
    solution = prover.solve(child, every_move=False)  # the table has the proof
    return ChildResult(move, proof, disproof, solution.worth, solution.line)
