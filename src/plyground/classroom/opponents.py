"""The opponents of students. Each is made once for a suite and plays all its games."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from plyground.classroom.suite import Opponent
from plyground.core.game import Game, Position
from plyground.players.player import Choice, Clock, Player
from plyground.players.search_player import SearchPlayer
from plyground.players.simple import greedy_player, random_player
from plyground.search.searcher import (
    UNLIMITED,
    Algorithm,
    PerfectSearcher,
    SearcherSettings,
    limits_for,
)

if TYPE_CHECKING:
    from plyground.search.solving.solution import Solver

SOLVER_MEMORY = 256
"""MiB. Several graders run at the same time; the tasks are chosen so that this is enough."""


class Perfect:
    """Plays from solved positions and remembers its moves, since students reach the same ones.

    Among equally good moves it plays the first, whatever it has solved before, so that all students
    play against the same opponent.
    """

    name = "perfect"

    def __init__(self, game: Game, solver: Solver | None = None) -> None:
        from plyground.search.solving.methods import make_solver

        self.solver = solver or make_solver(game, memory=SOLVER_MEMORY)
        self._searcher = PerfectSearcher(self.solver)
        self._known: dict[tuple[str, Any], str] = {}
        self._start = ""

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        self._start = position.text

    def choose(self, position: Position, clock: Clock) -> Choice:
        started = time.perf_counter()
        key = self._start, position.state
        if key not in self._known:
            # The best line would do as well, but it depends on what the solver has solved before.
            optimal = self._searcher.search(position, UNLIMITED, optimal=True).optimal
            move = next(move for move in position.legal_moves if move in optimal)
            self._known[key] = position.move_text(move)
        return Choice(self._known[key], time.perf_counter() - started)

    def close(self) -> None:
        """Its moves are kept for the next game."""


class Fresh:
    """Makes the opponent anew for every game, so that neither what it has learnt nor how many
    random numbers it has drawn makes a difference to the next student."""

    def __init__(self, make: Callable[[], Player]) -> None:
        self._make = make
        self._player = make()  # at once, so that a wrong setting is refused before any game
        self.name = self._player.name

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        self._player = self._make()
        self._player.begin(position, side, clock)

    def choose(self, position: Position, clock: Clock) -> Choice:
        return self._player.choose(position, clock)

    def close(self) -> None:
        self._player.close()


def make_opponent(game: Game, opponent: Opponent) -> Player:
    """The player that a task names. Raises LimitError for a limit that it cannot honour."""
    if opponent.kind == "perfect":
        return Perfect(game)
    if opponent.kind == "greedy":
        return greedy_player()
    if opponent.kind == "random":
        return Fresh(lambda: random_player(0 if opponent.seed is None else opponent.seed))
    algorithm = Algorithm(opponent.kind)
    limits = limits_for(
        algorithm, depth=opponent.depth, nodes=opponent.nodes, seconds=opponent.seconds
    )
    settings = SearcherSettings(features=opponent.features)
    return Fresh(
        lambda: SearchPlayer(
            game,
            algorithm,
            limits=limits,
            settings=settings,
            seed=opponent.seed,
            name=opponent.text,
        )
    )
