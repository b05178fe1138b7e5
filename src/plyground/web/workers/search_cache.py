"""The cache of a worker process: what it keeps from job to job."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar

from plyground.core.errors import LimitError
from plyground.core.game import Game, Position
from plyground.core.registry import find_game
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

Made = TypeVar("Made")


class SearchCache:
    """The positions of the last job, the last searches with their tables, and one solver."""

    def __init__(self) -> None:
        self._searches: OrderedDict[Hashable, Any] = OrderedDict()
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
        memory: int | None = None,
        evaluation: str | None = None,
    ) -> Searcher:
        if algorithm is Algorithm.PERFECT:
            return PerfectSearcher(self.solver(game, memory, threads))
        check_threads(threads)
        settings = SearcherSettings(threads=threads, memory=memory, evaluation=evaluation)
        return self._kept(
            (game, algorithm, settings), lambda: make_searcher(algorithm, game, settings)
        )

    def wait_until_idle(self) -> None:
        """Wait until no search runs on after its answer."""
        for search in self._searches.values():
            if hasattr(search, "wait_until_idle"):
                search.wait_until_idle()

    def counter(self, game: Game) -> Counter:
        from plyground.search.counting import Counter

        return self._kept((game, "counter"), lambda: Counter(game))

    def _kept(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What was made before under this key, or made now. The least recently used one is dropped
        before the new one takes its memory."""
        if key not in self._searches:
            while len(self._searches) >= KEPT:
                self._searches.popitem(last=False)
            self._searches[key] = make()
        self._searches.move_to_end(key)
        made: Made = self._searches[key]
        return made

    def solver(
        self,
        game: Game,
        memory: int | None,
        threads: int,
        listen: Callable[[SolveProgress], None] | None = None,
    ) -> Solver:
        """The solver of this game. There is only one, since it may grow large."""
        from plyground.search.memory_limit import machine_memory
        from plyground.search.solving.methods import make_solver

        check_threads(threads)
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
    """Refuse more threads than there are cores: they would only slow each other down."""
    cores = os.cpu_count() or 1
    if threads > cores:
        raise LimitError(f"{threads} threads: this machine has {cores} cores, and takes no more")
