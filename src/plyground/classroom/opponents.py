"""The opponents of students.

A perfect opponent plays all games of a suite. Any other is made anew for every game, so that all
students meet the same one: what it has learnt and how many random numbers it has drawn makes no
difference.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from plyground.classroom.suite import Opponent
from plyground.core.game import Game, Position
from plyground.players.player import Choice, Clock, Player
from plyground.players.search_player import SearchPlayer
from plyground.players.simple import greedy_player, random_player
from plyground.search.searcher import (
    Algorithm,
    SearcherSettings,
    check_options,
    limits_for,
    make_searcher,
)

if TYPE_CHECKING:
    from plyground.search.solving.solution import Solver

SOLVER_MEMORY = 256
"""MiB. Several graders run at the same time; the tasks are chosen so that this is enough."""


class Perfect:
    """Plays from solved positions and remembers them, since students reach the same ones.

    Among equally good moves it plays the first, whatever it has solved before, so that all students
    play against the same opponent.
    """

    name = "perfect"

    def __init__(self, game: Game, solver: Solver | None = None) -> None:
        from plyground.search.solving.methods import make_solver

        self.solver = solver or make_solver(game, memory=SOLVER_MEMORY)
        self._known: dict[tuple[str, Any], tuple[str, int]] = {}
        """By the first position of a game and a state: the best move, and the utility with it."""
        self._start = ""

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        self._start = position.text

    def choose(self, position: Position, clock: Clock) -> Choice:
        started = time.perf_counter()
        move, _ = self._solved(position)
        return Choice(move, time.perf_counter() - started)

    def utility(self, position: Position) -> int:
        """The utility of a position of the game under way with perfect play. Raises Unsolved."""
        return self._solved(position)[1]

    def _solved(self, position: Position) -> tuple[str, int]:
        key = self._start, position.state
        if key not in self._known:
            solution = self.solver.solve(position)
            # The best line would do as well, but it depends on what the solver has solved before.
            move = next(move for move in position.legal_moves if move in solution.optimal)
            self._known[key] = position.move_text(move), solution.worth.utility
        return self._known[key]

    def close(self) -> None:
        """What it has solved is kept for the next game."""


def make_opponent(game: Game, opponent: Opponent) -> Player:
    """The player that a task names. Raises LimitError for a limit that it cannot honour."""
    if opponent.kind == "perfect":
        return Perfect(game)
    if opponent.kind == "greedy":
        return greedy_player()
    if opponent.kind == "random":
        return random_player(0 if opponent.seed is None else opponent.seed)
    algorithm = Algorithm(opponent.kind)
    limits = limits_for(
        algorithm, depth=opponent.depth, nodes=opponent.nodes, seconds=opponent.seconds
    )
    # What was learned on this machine must not change a suite.
    evaluation = "own" if algorithm is Algorithm.ENGINE else None
    settings = SearcherSettings(features=opponent.features, evaluation=evaluation)
    check_options(algorithm, seed=opponent.seed)
    searcher = make_searcher(algorithm, game, settings)
    return SearchPlayer(searcher, limits, seed=opponent.seed, name=opponent.text)
