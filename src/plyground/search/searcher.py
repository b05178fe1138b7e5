"""One way to search: every algorithm behind the same interface.

`make_searcher` sets an algorithm up for one game: with `SearcherSettings`, which hold for all its
searches. What one search is asked for are the arguments of `Searcher.search`. An option or a limit
that an algorithm cannot honour is refused with a LimitError, never ignored; `OPTIONS` and `LIMITS`
list what each of them takes.

Compiled searches are imported when one is made and not before: help and error messages of the
command line need none of them.
"""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from plyground.core.errors import LimitError, PlygroundError
from plyground.core.game import Game, Position
from plyground.core.values import LONGEST
from plyground.search.result import Limits, Progress, SearchResult, refuse_finished
from plyground.search.solving.solution import Solver, Unsolved, perfect_result

if TYPE_CHECKING:
    from plyground.search.net.net import Net

UNLIMITED = Limits(depth=LONGEST)
"""Until the result is proven, or the search is stopped."""


class SearchStopped(PlygroundError):
    """A search was stopped before it had a result."""


class Algorithm(StrEnum):
    ENGINE = "engine"
    ALPHA_BETA = "alpha-beta"
    MINIMAX = "minimax"
    MONTE_CARLO = "monte-carlo"
    PERFECT = "perfect"
    RANDOM = "random"


@dataclass(frozen=True)
class SearcherSettings:
    """How a searcher is set up. None is the algorithm's own default."""

    threads: int | None = None
    memory: int | None = None
    """In MiB, for the positions that it remembers."""
    features: str | None = None
    """Names of `search/features.py`, between commas."""
    evaluation: str | Net | None = None
    """A word or a file (`search/net/evaluation.py`), or a net."""


OPTIONS = {
    Algorithm.ENGINE: {
        *("threads", "memory", "seed", "lines", "optimal", "features", "evaluation"),
    },
    Algorithm.ALPHA_BETA: set(),
    Algorithm.MINIMAX: set(),
    Algorithm.MONTE_CARLO: {"memory", "seed"},
    Algorithm.PERFECT: {"threads", "memory", "seed", "optimal"},
    Algorithm.RANDOM: {"seed"},
}
"""The settings and the options of a search that each algorithm takes."""

UNASKED = {("lines", 1), ("threads", 1)}

LIMITS = {
    Algorithm.ENGINE: {"depth", "nodes", "seconds"},
    Algorithm.ALPHA_BETA: {"depth", "nodes", "seconds"},
    Algorithm.MINIMAX: {"depth", "nodes"},
    Algorithm.MONTE_CARLO: {"nodes", "seconds"},
    Algorithm.PERFECT: set(),
    Algorithm.RANDOM: set(),
}
"""The limits that each algorithm takes. Those without any are given UNLIMITED."""


class Searcher(Protocol):
    """One algorithm, set up for one game. It runs one search at a time."""

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        lines: int = 1,
        optimal: bool = False,
        seed: int | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        """The best move within the limits.

        `lines` asks for the values and lines of that many best moves, `optimal` for every move as
        good as the best. A `seed` decides between equal moves. `progress` is called with the result
        so far, by algorithms that have one before they end, perhaps from another thread.
        """

    def stop(self) -> None:
        """From another thread: end the search under way. It returns what it has, or raises
        SearchStopped if that is nothing."""

    def wait_until_idle(self) -> None:
        """Wait until no thread of the last search runs any more."""

    def clear(self) -> None:
        """Forget earlier searches as far as they could change the result of a later one."""


def make_searcher(
    algorithm: Algorithm, game: Game, settings: SearcherSettings | None = None
) -> Searcher:
    """A searcher for one game. Compiles or loads what it needs, which may take seconds."""
    given = {} if settings is None else vars(settings)
    check_options(algorithm, **given)
    arguments = {
        name: value
        for name, value in given.items()
        if value is not None and name in OPTIONS[algorithm]
    }
    if algorithm is Algorithm.ENGINE:
        return _make_engine(game, **arguments)
    if algorithm is Algorithm.MONTE_CARLO:
        if not game.can_be_compiled:
            return UncompiledMonteCarloSearcher(**arguments)
        return MonteCarloSearcher(game, **arguments)
    if algorithm is Algorithm.PERFECT:
        from plyground.search.solving.methods import make_solver

        return PerfectSearcher(make_solver(game, **arguments))
    return RandomSearcher() if algorithm is Algorithm.RANDOM else TextbookSearcher(algorithm)


def default_algorithm(game: Game) -> Algorithm:
    """The strongest algorithm that can search any position of a game."""
    return Algorithm.ENGINE if game.can_be_compiled else Algorithm.MONTE_CARLO


def check_options(algorithm: Algorithm, **given: object) -> None:
    """Refuse what an algorithm does not take. None, False, one line and one thread are what every
    algorithm does unasked."""
    for name, value in given.items():
        unasked = value is None or value is False or (name, value) in UNASKED
        if not unasked and name not in OPTIONS[algorithm]:
            raise _refusal(algorithm, name, OPTIONS[algorithm])


def limits_for(
    algorithm: Algorithm,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
) -> Limits:
    """The limits given, or the algorithm's default where none is."""
    given = {"depth": depth, "nodes": nodes, "seconds": seconds}
    if any(value is not None for value in given.values()):
        _check_limits(algorithm, given)
        return Limits(depth=depth, nodes=nodes, seconds=seconds)
    if not LIMITS[algorithm]:
        return UNLIMITED
    return Limits(depth=3) if algorithm is Algorithm.MINIMAX else Limits(seconds=1.0)


def _check_limits(algorithm: Algorithm, given: dict[str, Any]) -> None:
    for name, value in given.items():
        if value is not None and name not in LIMITS[algorithm]:
            raise _refusal(algorithm, name, LIMITS[algorithm])


def _refusal(algorithm: Algorithm, name: str, taken: set[str]) -> LimitError:
    shown = {"seconds": "time"}  # as the command line names it
    known = ", ".join(sorted(shown.get(one, one) for one in taken)) or "none of its kind"
    return LimitError(
        f"{shown.get(name, name)} means nothing to {algorithm.value}; it takes {known}"
    )


def limits_text(limits: Limits) -> str:
    """Limits in words."""
    if limits == UNLIMITED:
        return "no limit"
    parts = (
        None if limits.seconds is None else f"{limits.seconds:g} s",
        None if limits.depth is None else f"depth {limits.depth}",
        None if limits.nodes is None else f"{limits.nodes:,} nodes",
    )
    return ", ".join(part for part in parts if part is not None) + " a move"


# The engine (`search/engine/engine.py`) is a Searcher as it is. The others are adapted.


def _make_engine(
    game: Game,
    *,
    features: str | None = None,
    evaluation: str | Net | None = None,
    **settings: int,
) -> Searcher:
    from plyground.search.engine.engine import Engine
    from plyground.search.features import Features, read_features

    chosen = Features.PLAY if features is None else read_features(features)
    return Engine(game, features=chosen, evaluation=evaluation, **settings)


class _SearchRequest(NamedTuple):
    """The arguments of one search, checked."""

    position: Position
    limits: Limits
    optimal: bool
    seed: int | None
    progress: Progress | None


class _Adapter:
    """Refuses what `algorithm` cannot honour, and what has nothing to search."""

    algorithm: Algorithm

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        lines: int = 1,
        optimal: bool = False,
        seed: int | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        check_options(self.algorithm, lines=lines, optimal=optimal, seed=seed)
        if limits != UNLIMITED:
            _check_limits(self.algorithm, vars(limits))
        refuse_finished(position)
        return self._run(_SearchRequest(position, limits, optimal, seed, progress))

    def _run(self, request: _SearchRequest) -> SearchResult:
        raise NotImplementedError

    def stop(self) -> None:
        """A search that ends at once needs no stopping."""

    def wait_until_idle(self) -> None:
        """No thread is left when a search has ended."""

    def clear(self) -> None:
        """No search changes the result of a later one."""


class TextbookSearcher(_Adapter):
    """The textbook's minimax, or its alpha-beta with iterative deepening: uncompiled and slow.

    It can be stopped wherever it lists moves, and then it has no result.
    """

    def __init__(self, algorithm: Algorithm) -> None:
        # Imported now, outside the time limit of any search.
        from plyground.search.textbook import algorithms

        self.algorithm = algorithm
        self._algorithms = algorithms
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def _run(self, request: _SearchRequest) -> SearchResult:
        self._stopped.clear()
        position, limits = request.position, request.limits
        started = time.perf_counter()
        if self.algorithm is Algorithm.MINIMAX:
            answer = self._algorithms.minimax(
                position, limits.depth, nodes=limits.nodes, order=self._moves
            )
        else:
            answer = self._algorithms.iterative_deepening(
                position, **vars(limits), order=self._moves
            )
        depth = len(answer.line) if answer.depth is None else answer.depth
        return SearchResult(
            position=position,
            move=answer.line[0],
            value=answer.value,
            bound="exact",
            proven=answer.proven,
            depth=depth,
            selective_depth=depth,
            nodes=answer.nodes,
            seconds=time.perf_counter() - started,
            line=answer.line,
        )

    def _moves(self, position: Position) -> tuple[int, ...]:
        if self._stopped.is_set():
            raise SearchStopped("the search was stopped before it had an answer")
        return position.legal_moves


class MonteCarloSearcher(_Adapter):
    """Monte Carlo tree search (`search/montecarlo.py`)."""

    algorithm = Algorithm.MONTE_CARLO

    def __init__(self, game: Game, **settings: int) -> None:
        from plyground.search.montecarlo import MonteCarlo

        self._monte_carlo = MonteCarlo(game, **settings)

    def stop(self) -> None:
        self._monte_carlo.stop()

    def _run(self, request: _SearchRequest) -> SearchResult:
        return self._monte_carlo.search(
            request.position, request.limits, seed=request.seed, progress=request.progress
        )


class UncompiledMonteCarloSearcher(_Adapter):
    """The same Monte Carlo tree search for games whose rules cannot be compiled
    (`search/textbook/monte_carlo.py`). Its tree has no limit of memory."""

    algorithm = Algorithm.MONTE_CARLO

    def __init__(self, memory: int | None = None) -> None:
        if memory is not None:
            raise LimitError("memory means nothing to monte-carlo for a game that is not compiled")
        # Imported now, outside the time limit of any search.
        from plyground.search.textbook.monte_carlo import monte_carlo

        self._monte_carlo = monte_carlo
        self._stopped = threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def _run(self, request: _SearchRequest) -> SearchResult:
        self._stopped.clear()
        return self._monte_carlo(
            request.position,
            request.limits,
            seed=request.seed,
            progress=request.progress,
            stopped=self._stopped.is_set,
        )


class PerfectSearcher(_Adapter):
    """Plays from solved positions, however long it takes to solve them."""

    algorithm = Algorithm.PERFECT

    def __init__(self, solver: Solver) -> None:
        self._solver = solver

    def stop(self) -> None:
        self._solver.stop()

    def _run(self, request: _SearchRequest) -> SearchResult:
        every_move = request.optimal or request.seed is not None
        try:
            solution = self._solver.solve(request.position, every_move=every_move)
        except Unsolved as unsolved:
            if unsolved.stopped:
                raise SearchStopped(str(unsolved)) from unsolved
            raise
        return perfect_result(solution, request.seed)


class RandomSearcher(_Adapter):
    """Any legal move. Searches with the same seed draw from one sequence of random numbers."""

    algorithm = Algorithm.RANDOM

    def __init__(self) -> None:
        self._generators: dict[int | None, random.Random] = {}

    def clear(self) -> None:
        self._generators.clear()

    def _run(self, request: _SearchRequest) -> SearchResult:
        generator = self._generators.setdefault(request.seed, random.Random(request.seed))
        move = generator.choice(request.position.legal_moves)
        return SearchResult.unsearched(request.position, move)
