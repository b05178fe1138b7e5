"""Chooses the method that solves a game, and makes the solver.

| the game | method |
|---|---|
| counts points | alpha-beta to the end |
| always has a winner, and positions never come back | proof-number search |
| positions can come back | alpha-beta for a near win, then retrograde analysis |
| anything else | alpha-beta, deeper and deeper, until nothing is left open |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Unpack

from plyground.core.errors import LimitError
from plyground.core.game import Game, Position
from plyground.search.solving.exhaustive.solver import Exhaustive
from plyground.search.solving.proof_number.solver import Prover, provable
from plyground.search.solving.retrograde.solver import Retrograde
from plyground.search.solving.solution import (
    DEFAULT_MEMORY,
    PartialSolution,
    Solution,
    Solver,
    SolverOptions,
    Unsolved,
)


class SolvingMethod(StrEnum):
    ALPHA_BETA = "alpha-beta"
    PROOF_NUMBER = "proof-number"
    RETROGRADE = "retrograde"
    NEAR_WINS_FIRST = "near-wins-first"


SOLVERS: dict[SolvingMethod, Callable[..., Solver]] = {
    SolvingMethod.ALPHA_BETA: Exhaustive,
    SolvingMethod.PROOF_NUMBER: Prover,
    SolvingMethod.RETROGRADE: Retrograde,
}

NEAR_WIN_NODES = 20_000_000
"""Positions visited by the search for a near win before retrograde analysis starts: some seconds,
where the whole graph may take minutes and gigabytes."""
NEAR_WIN_PART = 0.5
"""The part of a time limit that this search gets at most. It has no checkpoint, so the graph must
get time in every run of a solve that is resumed."""


def method_for(game: Game) -> SolvingMethod:
    """The method that suits a game."""
    rules = game.rules
    if rules.repeats:
        if rules.point:
            raise LimitError(
                f"{game.name} counts points and its positions can come back: no method solves that"
            )
        return SolvingMethod.NEAR_WINS_FIRST
    return SolvingMethod.PROOF_NUMBER if provable(game) else SolvingMethod.ALPHA_BETA


def make_solver(
    game: Game, method: SolvingMethod | None = None, **options: Unpack[SolverOptions]
) -> Solver:
    """A solver for a game, by the method that suits it or another one."""
    chosen = method_for(game) if method is None else method
    return SOLVERS.get(chosen, NearWinsFirst)(game, **options)


class NearWinsFirst:
    """For games whose positions come back: a win is often near, and needs little of the graph."""

    method = "alpha-beta for a near win, then retrograde analysis"

    def __init__(self, game: Game, **options: Unpack[SolverOptions]) -> None:
        # The search for a win is short: only the graph gets a checkpoint, and most of the memory.
        memory = options.get("memory", DEFAULT_MEMORY)
        near: SolverOptions = {**options, "memory": max(1, memory // 4), "checkpoint": None}
        graph: SolverOptions = {**options, "memory": max(1, memory - memory // 4)}
        self._near = Exhaustive(game, nodes=NEAR_WIN_NODES, **near)
        self._graph = Retrograde(game, **graph)
        self._solved_by: dict[str, Solver] = {}
        self._stopped = False

    def solve(
        self, position: Position, *, every_move: bool = True, seconds: float | None = None
    ) -> Solution:
        self._stopped = False
        part = None if seconds is None else NEAR_WIN_PART * seconds
        try:
            solution = self._near.solve(position, every_move=every_move, seconds=part)
        except Unsolved as unsolved:
            if self._stopped:
                raise
            near = unsolved.partial
            assert near is not None
        else:
            self._solved_by[position.text] = self._near
            return solution
        if seconds is not None and part is not None:
            seconds -= min(near.seconds, part)
        try:
            solution = self._graph.solve(position, every_move=every_move, seconds=seconds)
        except Unsolved as unsolved:
            if unsolved.partial is not None:
                unsolved.partial = self._joined(near, unsolved.partial)
            raise
        self._solved_by[position.text] = self._graph
        return solution

    def _joined(self, near: PartialSolution, graph: PartialSolution) -> PartialSolution:
        """What both methods have proven."""
        return replace(
            graph,
            method=self.method,
            bounds=near.bounds.narrowed(graph.bounds),
            moves={move: near.moves[move].narrowed(graph.moves[move]) for move in near.moves},
            seconds=near.seconds + graph.seconds,
        )

    def verify(self, position: Position) -> int:
        if position.text not in self._solved_by:
            self.solve(position)
        return self._solved_by[position.text].verify(position)

    def stop(self) -> None:
        self._stopped = True
        self._near.stop()
        self._graph.stop()
