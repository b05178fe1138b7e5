"""The algorithms that choose a move, behind one question: what is the best one here?"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING

from plyground.core.errors import GameOver, LimitError, PlygroundError
from plyground.core.game import Game
from plyground.core.position import Position
from plyground.search.result import Limits, Progress, SearchResult

if TYPE_CHECKING:
    from plyground.search.textbook.algorithms import Answer
    from plyground.search.textbook.game_tree import Order

MEMORY = 64
"""MiB of table when nothing else is asked for."""
SOLVER_MEMORY = 1024
"""The same for a solver, which has more to remember."""


class Stopped(PlygroundError):
    """A search was told to stop before it had anything to say."""


class Algorithm(StrEnum):
    ENGINE = "engine"
    ALPHA_BETA = "alpha-beta"
    MINIMAX = "minimax"
    MONTE_CARLO = "monte-carlo"
    PERFECT = "perfect"
    RANDOM = "random"


@dataclass(frozen=True)
class Settings:
    """What was asked of an algorithm; None and False mean: not asked."""

    threads: int | None = None
    memory: int | None = None
    seed: int | None = None
    lines: int | None = None
    optimal: bool = False
    features: str | None = None
    """Of the engine, by name; see `search/features.py`."""


UNDERSTOOD = {
    Algorithm.ENGINE: {"threads", "memory", "seed", "lines", "optimal", "features"},
    Algorithm.ALPHA_BETA: set(),
    Algorithm.MINIMAX: set(),
    Algorithm.MONTE_CARLO: {"memory", "seed"},
    Algorithm.PERFECT: {"threads", "memory", "seed"},
    Algorithm.RANDOM: {"seed"},
}
"""The settings that mean something to each algorithm. The others are refused, not ignored."""

LIMITS = {
    Algorithm.ENGINE: {"depth", "nodes", "seconds"},
    Algorithm.ALPHA_BETA: {"depth", "nodes", "seconds"},
    Algorithm.MINIMAX: {"depth", "nodes"},
    Algorithm.MONTE_CARLO: {"nodes", "seconds"},
    Algorithm.PERFECT: set(),
    Algorithm.RANDOM: set(),
}


def nothing_to_stop() -> None:
    """How an algorithm is stopped that answers at once anyway."""


@dataclass(frozen=True)
class Thinker:
    """One algorithm, set up for one game. `stop` may be called from another thread."""

    search: Callable[[Position, Limits, Progress | None], SearchResult]
    stop: Callable[[], None] = nothing_to_stop


def make_thinker(algorithm: Algorithm, game: Game, settings: Settings) -> Thinker:
    """The algorithm, set up as asked; what it does not understand is refused."""
    for field in fields(Settings):
        if getattr(settings, field.name) not in (None, False):
            _refuse_unknown(algorithm, field.name, UNDERSTOOD[algorithm])
    makers = {
        Algorithm.ENGINE: _engine,
        Algorithm.ALPHA_BETA: _alpha_beta,
        Algorithm.MINIMAX: _minimax,
        Algorithm.MONTE_CARLO: _monte_carlo,
        Algorithm.PERFECT: _perfect,
        Algorithm.RANDOM: _random,
    }
    return makers[algorithm](game, settings)


def read_limits(
    algorithm: Algorithm, depth: int | None, nodes: int | None, seconds: float | None
) -> Limits:
    """The limits given, or what suits the algorithm where none is."""
    given = {"depth": depth, "nodes": nodes, "seconds": seconds}
    for name, value in given.items():
        if value is not None:
            _refuse_unknown(algorithm, "time" if name == "seconds" else name, LIMITS[algorithm])
    if any(value is not None for value in given.values()):
        return Limits(depth=depth, nodes=nodes, seconds=seconds)
    return Limits(depth=3) if algorithm is Algorithm.MINIMAX else Limits(seconds=1.0)


def limits_text(limits: Limits) -> str:
    """Limits in words."""
    parts = (
        None if limits.seconds is None else f"{limits.seconds:g} s",
        None if limits.depth is None else f"depth {limits.depth}",
        None if limits.nodes is None else f"{limits.nodes:,} nodes",
    )
    return ", ".join(part for part in parts if part is not None) + " a move"


def _refuse_unknown(algorithm: Algorithm, option: str, understood: set[str]) -> None:
    names = {"time" if name == "seconds" else name for name in understood}
    if option not in names:
        known = ", ".join(sorted(names)) or "none of its kind"
        raise LimitError(f"{option} means nothing to {algorithm.value}; it takes {known}")


def made_when_asked(algorithm: Algorithm, game: Game, settings: Settings) -> Thinker:
    """The same thinker, but nothing is set up or compiled before it is asked for the first time."""
    made: list[Thinker] = []

    def search(position: Position, limits: Limits, progress: Progress | None) -> SearchResult:
        if not made:
            made.append(make_thinker(algorithm, game, settings))
        return made[0].search(position, limits, progress)

    def stop() -> None:
        for thinker in made:
            thinker.stop()

    return Thinker(search, stop)


def refuse_finished(position: Position) -> None:
    if position.is_over:
        raise GameOver(f"the game is over ({position.outcome.reason}): there is nothing to search")


def _engine(game: Game, settings: Settings) -> Thinker:
    from plyground.search.engine.engine import Engine
    from plyground.search.features import Features, read_features

    engine = Engine(
        game,
        memory=MEMORY if settings.memory is None else settings.memory,
        threads=1 if settings.threads is None else settings.threads,
        features=Features.PLAY if settings.features is None else read_features(settings.features),
    )

    def search(position: Position, limits: Limits, progress: Progress | None) -> SearchResult:
        return engine.search(
            position,
            limits,
            lines=1 if settings.lines is None else settings.lines,
            optimal=settings.optimal,
            seed=settings.seed,
            progress=progress,
        )

    return Thinker(search, engine.stop)


def _monte_carlo(game: Game, settings: Settings) -> Thinker:
    from plyground.search.montecarlo import MonteCarlo

    tree = MonteCarlo(game, memory=MEMORY if settings.memory is None else settings.memory)

    def search(position: Position, limits: Limits, progress: Progress | None) -> SearchResult:
        return tree.search(position, limits, seed=settings.seed, progress=progress)

    return Thinker(search, tree.stop)


def _alpha_beta(game: Game, settings: Settings) -> Thinker:
    """The textbook's alpha-beta with iterative deepening, uncompiled: slow, but easy to follow."""
    from plyground.search.textbook.algorithms import iterative_deepening

    def ask(position: Position, limits: Limits, order: Order) -> Answer:
        return iterative_deepening(
            position, limits.depth, nodes=limits.nodes, seconds=limits.seconds, order=order
        )

    return _textbook_thinker(ask)


def _minimax(game: Game, settings: Settings) -> Thinker:
    """The textbook's minimax, uncompiled: it looks at everything."""
    from plyground.search.textbook.algorithms import minimax

    def ask(position: Position, limits: Limits, order: Order) -> Answer:
        return minimax(position, limits.depth, nodes=limits.nodes, order=order)

    return _textbook_thinker(ask)


def _textbook_thinker(ask: Callable[[Position, Limits, Order], Answer]) -> Thinker:
    """A textbook search. It can be stopped wherever it looks at moves, and then has no answer."""
    stopped = threading.Event()

    def order(position: Position) -> tuple[int, ...]:
        if stopped.is_set():
            raise Stopped("the search was stopped before it had an answer")
        return position.legal_moves

    def search(position: Position, limits: Limits, progress: Progress | None) -> SearchResult:
        refuse_finished(position)
        stopped.clear()
        started = time.perf_counter()
        return _textbook_result(ask(position, limits, order), time.perf_counter() - started)

    return Thinker(search, stopped.set)


def _textbook_result(answer: Answer, seconds: float) -> SearchResult:
    depth = len(answer.line) if answer.depth is None else answer.depth
    return SearchResult(
        position=answer.position,
        move=answer.line[0],
        value=answer.value,
        bound="exact",
        proven=answer.proven,
        depth=depth,
        selective_depth=depth,
        nodes=answer.nodes,
        seconds=seconds,
        line=answer.line,
    )


def _perfect(game: Game, settings: Settings) -> Thinker:
    """Plays from a solved position: a move that cannot be bettered, whatever it takes to know."""
    from plyground.search.solving.methods import make_solver
    from plyground.search.solving.solution import perfect_result

    solver = make_solver(
        game,
        memory=SOLVER_MEMORY if settings.memory is None else settings.memory,
        threads=1 if settings.threads is None else settings.threads,
    )

    def search(position: Position, limits: Limits, progress: Progress | None) -> SearchResult:
        refuse_finished(position)
        return perfect_result(
            solver.solve(position, every_move=settings.seed is not None), settings.seed
        )

    return Thinker(search, solver.stop)


def _random(game: Game, settings: Settings) -> Thinker:
    """Any legal move: an opponent for a first try."""
    choice = random.Random(settings.seed)

    def search(position: Position, limits: Limits, progress: Progress | None) -> SearchResult:
        return SearchResult.unsearched(position, choice.choice(position.legal_moves))

    return Thinker(search)
