"""A search as a player."""

from __future__ import annotations

import time

from plyground.core.game import Game, Position
from plyground.players.player import Choice, Clock
from plyground.search.result import Limits
from plyground.search.searcher import (
    LIMITS,
    Algorithm,
    SearcherSettings,
    check_options,
    limits_for,
    make_searcher,
)


class SearchPlayer:
    """Plays what an algorithm finds within its own limits, or without any within the time of a
    move. What a search has learnt is kept from game to game."""

    def __init__(
        self,
        game: Game,
        algorithm: Algorithm = Algorithm.ENGINE,
        *,
        limits: Limits | None = None,
        settings: SearcherSettings | None = None,
        seed: int | None = None,
        name: str | None = None,
    ) -> None:
        check_options(algorithm, seed=seed)
        self._searcher = make_searcher(algorithm, game, settings)
        self._algorithm, self._limits, self._seed = algorithm, limits, seed
        self._name = algorithm.value if name is None else name

    @property
    def name(self) -> str:
        return self._name

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        """A search needs no preparation."""

    def choose(self, position: Position, clock: Clock) -> Choice:
        started, computed = time.perf_counter(), time.thread_time()
        limits = self._limits or self._limits_by(clock)
        result = self._searcher.search(position, limits, seed=self._seed)
        searched = result.depth > 0
        seconds = time.perf_counter() - started
        return Choice(
            position.move_text(result.move),
            seconds,
            # A search never sleeps: when it did not compute, it had no core.
            waited=max(0.0, seconds - (time.thread_time() - computed)),
            depth=result.depth if searched else None,
            value=result.value if searched else None,
        )

    def _limits_by(self, clock: Clock) -> Limits:
        timed = "seconds" in LIMITS[self._algorithm]
        return limits_for(self._algorithm, seconds=clock.seconds if timed else None)

    def close(self) -> None:
        """A search that has ended holds nothing."""
