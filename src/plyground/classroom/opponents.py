"""Who plays against a student. Made once for a suite, and asked in game after game."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from plyground.classroom.suite import Opponent
from plyground.core.game import Game
from plyground.core.position import Position
from plyground.players.player import Choice, Clock, Player
from plyground.players.searching import Searching
from plyground.players.simple import greedy_player, random_player
from plyground.players.thinkers import Algorithm, Settings, read_limits

if TYPE_CHECKING:
    from plyground.search.solving.solution import Solver

SOLVER_MEMORY = 256
"""MiB. Tasks are chosen so that a solver needs little: several graders run beside each other."""


class Perfect:
    """Plays from solved positions, and remembers what it has played: students meet the same ones.

    Among moves that are equally good it always takes the first, whatever it was asked before, so
    that all students play against the same opponent.
    """

    name = "perfect"

    def __init__(self, game: Game, solver: Solver | None = None) -> None:
        from plyground.search.solving.methods import make_solver

        self.solver = solver or make_solver(game, memory=SOLVER_MEMORY)
        self._known: dict[tuple[str, Any], str] = {}
        self._start = ""

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        self._start = position.text

    def choose(self, position: Position, clock: Clock) -> Choice:
        started = time.perf_counter()
        key = self._start, position.state
        if key not in self._known:
            # The solver's own line would do as well, but depends on what its table has met before.
            optimal = self.solver.solve(position).optimal
            move = next(move for move in position.legal_moves if move in optimal)
            self._known[key] = position.move_text(move)
        return Choice(self._known[key], time.perf_counter() - started)

    def close(self) -> None:
        """What it knows, it keeps for the next game."""


class Anew:
    """Begins every game as if it were its first: what an opponent has learnt in one game, or how
    often it has thrown its dice, must make no difference to the student who comes next."""

    def __init__(self, make: Callable[[], Player]) -> None:
        self._make = make
        self._player = make()  # at once, so that what is wrong with it is said before any game
        self.name = self._player.name

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        self._player = self._make()
        self._player.begin(position, side, clock)

    def choose(self, position: Position, clock: Clock) -> Choice:
        return self._player.choose(position, clock)

    def close(self) -> None:
        self._player.close()


def make_opponent(game: Game, opponent: Opponent) -> Player:
    """The player that a task names. Limits that mean nothing to it are refused."""
    if opponent.kind == "perfect":
        return Perfect(game)
    if opponent.kind == "greedy":
        return greedy_player()
    if opponent.kind == "random":
        return Anew(lambda: random_player(0 if opponent.seed is None else opponent.seed))
    algorithm = Algorithm(opponent.kind)
    limits = read_limits(algorithm, opponent.depth, opponent.nodes, opponent.seconds)
    settings = Settings(seed=opponent.seed, features=opponent.features)
    return Anew(
        lambda: Searching(game, algorithm, limits=limits, settings=settings, name=opponent.text)
    )
