"""Compiles ahead what later searches will need, so that they do not wait for it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from plyground.core.game import Game, Position
from plyground.search.random_games import random_game
from plyground.search.result import Limits
from plyground.search.searcher import Algorithm

SMALL_MEMORY = 16
"""MiB. Nothing is searched that needs more."""
SOLVE_SECONDS = 0.2
"""The longest solve, compiling not counted: long enough to call the kernels of the solver."""


class Purpose(StrEnum):
    """What a game is compiled for."""

    PLAY = "play"
    CHECK = "check"
    MONTE_CARLO = "monte-carlo"
    SOLVE = "solve"


SEARCHES = {Algorithm.ENGINE: Purpose.PLAY, Algorithm.MONTE_CARLO: Purpose.MONTE_CARLO}
"""The searches that find moves with compiled code which takes long to make. Solvers are not among
them: nothing else finds their moves until they are compiled."""


KERNELS = {
    Purpose.PLAY: "plyground.search.engine.kernel.search_root",
    Purpose.MONTE_CARLO: "plyground.search.montecarlo.run_simulations",
}
"""The kernel that takes longest, for each purpose of SEARCHES."""


def purpose_of(algorithm: Algorithm) -> Purpose | None:
    """What a game has to be compiled for before an algorithm finds moves in it."""
    return SEARCHES.get(algorithm)


def is_prepared(game: Game, purpose: Purpose) -> bool:
    """Whether a game is compiled for a purpose, on disk or in this process."""
    from plyground.search.binding.compile import is_linked

    return is_linked(game, KERNELS[purpose])


def prepare(game: Game, purpose: Purpose) -> None:
    """Compile a game for a purpose, or find it compiled already."""
    _STEPS[purpose](game)


def are_kernels_prepared() -> bool:
    """Whether `prepare_kernels` has nothing to do."""
    from plyground.search.binding.compile import has_kernel
    from plyground.search.montecarlo import run_simulations
    from plyground.search.solving.exhaustive.search import null_window_search

    return has_kernel(null_window_search) and has_kernel(run_simulations)


def prepare_kernels(game: Game) -> None:
    """Compile the kernels for solving and for Monte Carlo search, which all games share. The game
    is an example: nothing of it is compiled."""
    from plyground.search import montecarlo
    from plyground.search.binding.compile import bind, compile_kernel
    from plyground.search.kernel_memory import words
    from plyground.search.solving.exhaustive import search as exhaustive

    position = bind(game).pack(game.start())
    memory: Any = exhaustive.new_memory(game.rules.max_moves, 1, words(1))
    compile_kernel(exhaustive.null_window_search, *position, 0, memory)
    tree = montecarlo.new_tree(game.rules.max_moves, 1)
    compile_kernel(montecarlo.run_simulations, *position, tree)


def _play(game: Game) -> None:
    from plyground.search.engine.engine import Engine

    Engine(game, memory=1)


def _check(game: Game) -> None:
    from plyground.search.binding.compile import bind
    from plyground.search.binding.compiled_rules import rule_results, state_after
    from plyground.search.perft import perft

    start = game.start()
    perft(start, 1)
    rule_results(bind(game), start)
    for move in start.legal_moves[:1]:
        state_after(bind(game), start, move)


def _monte_carlo(game: Game) -> None:
    from plyground.search.montecarlo import MonteCarlo

    MonteCarlo(game, memory=1).search(_near_the_end(game), Limits(nodes=1))


def _solve(game: Game) -> None:
    from plyground.core.errors import LimitError
    from plyground.search.binding.compile import bind
    from plyground.search.solving.methods import make_solver
    from plyground.search.solving.solution import Unsolved
    from plyground.search.solving.transposition_table import prepare_to_grow

    try:
        solver = make_solver(game, memory=SMALL_MEMORY)
    except LimitError:  # no method solves this game
        return
    # The start may be far from solved by then, and the end solved at sight.
    for position in (game.start(), _near_the_end(game)):
        with contextlib.suppress(Unsolved):
            solver.solve(position, seconds=SOLVE_SECONDS)
    start = game.start()
    prepare_to_grow(bind(game), len(game.rules.identity(start.board, start.state)))


def _near_the_end(game: Game) -> Position:
    """The last position of a random game that is not over."""
    positions = random_game(game.start(), seed=1).positions
    return next(position for position in reversed(positions) if not position.is_over)


_STEPS: dict[Purpose, Callable[[Game], None]] = {
    Purpose.PLAY: _play,
    Purpose.CHECK: _check,
    Purpose.MONTE_CARLO: _monte_carlo,
    Purpose.SOLVE: _solve,
}
