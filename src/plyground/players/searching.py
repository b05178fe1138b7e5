"""A search as a player."""

from __future__ import annotations

import time

from plyground.core.game import Game
from plyground.core.position import Position
from plyground.players.player import Choice, Clock
from plyground.players.thinkers import Algorithm, Settings, make_thinker
from plyground.search.result import Limits


class Searching:
    """Plays what an algorithm finds within its limits. What it has learnt it keeps from game to
    game; with limits of its own it does not look at the clock."""

    def __init__(
        self,
        game: Game,
        algorithm: Algorithm = Algorithm.ENGINE,
        *,
        limits: Limits | None = None,
        settings: Settings | None = None,
        name: str | None = None,
    ) -> None:
        self._thinker = make_thinker(algorithm, game, settings or Settings())
        self._limits = limits
        self._name = algorithm.value if name is None else name

    @property
    def name(self) -> str:
        return self._name

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        """A search needs to know nothing beforehand."""

    def choose(self, position: Position, clock: Clock) -> Choice:
        started, computed = time.perf_counter(), time.thread_time()
        limits = self._limits or Limits(seconds=1.0 if clock.seconds is None else clock.seconds)
        result = self._thinker.search(position, limits, None)
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

    def close(self) -> None:
        """Nothing is left behind by a search that has answered."""
