"""The cache of a worker process: what it keeps from job to job."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from plyground.core.errors import LimitError
from plyground.core.game import Game, Position
from plyground.core.registry import find_game
from plyground.executor.cores import usable_cores
from plyground.search.searcher import (
    Algorithm,
    PerfectSearcher,
    Searcher,
    SearcherSettings,
    make_searcher,
)
from plyground.web.catalogue import first_position, play_moves

if TYPE_CHECKING:
    from plyground.search.counting import Counter
    from plyground.search.solving.solution import SolveProgress, Solver

KEPT = 3
"""Searches that are kept, each with its table of 64 MiB: a page or two, and an opponent."""
SOLVER_MEMORY = 1024
"""MiB for a solver, where the machine has them and the job does not say."""
SOLVER_PART = 2
"""A solver gets at most this part of the machine's memory."""


class SearchCache:
    """The positions of the last job, the last searches with their tables, one counter of states and
    one solver."""

    def __init__(self) -> None:
        self._searchers: OrderedDict[Hashable, Searcher] = OrderedDict()
        self._counter: tuple[Game, Counter] | None = None
        self._solver: tuple[Hashable, Solver] | None = None
        self._listen: Callable[[SolveProgress], None] | None = None
        self._line: tuple[Hashable, list[str], list[Position]] = (None, [], [])

    # Positions

    def positions(self, job: dict[str, Any]) -> list[Position]:
        """Every position of a job's place, from its start to the one that the job is about. The
        file of a user's game is read again if it has changed."""
        place, game = job["place"], find_game(job["source"])
        text, options = place.get("text"), place.get("options") or {}
        start = game, text, json.dumps(options, sort_keys=True)
        moves: list[str] = place.get("moves") or []
        known, played, positions = self._line
        if known != start:
            played, positions = [], [first_position(game, options, text)]
        same = 0
        while same < min(len(moves), len(played)) and moves[same] == played[same]:
            same += 1
        positions = play_moves(positions[: same + 1], moves[same:])
        self._line = start, list(moves), positions
        return list(positions)

    # Searches

    def searcher(
        self,
        game: Game,
        algorithm: Algorithm,
        *,
        threads: int = 1,
        evaluation: str | None = None,
    ) -> Searcher:
        """The searcher with these settings that was made before, or is made now. The least recently
        used one is dropped before the new one takes its memory."""
        check_threads(threads)
        if algorithm is Algorithm.PERFECT:
            return PerfectSearcher(self.solver(game, threads=threads))
        settings = SearcherSettings(threads=threads, evaluation=evaluation)
        key = game, algorithm, settings
        if key not in self._searchers:
            while len(self._searchers) >= KEPT:
                self._searchers.popitem(last=False)
            self._searchers[key] = make_searcher(algorithm, game, settings)
        self._searchers.move_to_end(key)
        return self._searchers[key]

    def wait_until_idle(self) -> None:
        """Wait until no search runs on after its answer."""
        for searcher in self._searchers.values():
            searcher.wait_until_idle()

    def counter(self, game: Game) -> Counter:
        from plyground.search.counting import Counter

        if self._counter is None or self._counter[0] is not game:
            self._counter = game, Counter(game)
        return self._counter[1]

    def solver(
        self,
        game: Game,
        memory: int | None = None,
        threads: int = 1,
        listen: Callable[[SolveProgress], None] | None = None,
    ) -> Solver:
        """The solver of this game. There is only one, since it may grow large."""
        from plyground.search.memory_limit import machine_memory
        from plyground.search.solving.methods import make_solver

        most = max(1, machine_memory() // SOLVER_PART)
        if memory is not None and memory > most:
            raise LimitError(f"{memory} MiB: a solver gets at most {most} MiB on this machine")
        wanted = min(SOLVER_MEMORY, most) if memory is None else memory
        key = game, wanted, threads
        if self._solver is None or self._solver[0] != key:
            self._solver = None  # its memory is free before the next one takes any
            made = make_solver(game, memory=wanted, threads=threads, progress=self._advance)
            self._solver = key, made
        self._listen = listen
        return self._solver[1]

    def _advance(self, advance: SolveProgress) -> None:
        if self._listen is not None:
            self._listen(advance)


def check_threads(threads: int) -> None:
    """Refuse more threads than there are cores for this program: they would only slow each other
    down."""
    cores = usable_cores()
    if threads > cores:
        raise LimitError(
            f"{threads} threads: there are {cores} cores for this program, and no more are taken"
        )
