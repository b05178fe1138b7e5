"""A search as a player."""

from __future__ import annotations

import time

from plyground.core.game import Position
from plyground.players.move_timer import MoveTimer
from plyground.players.player import Choice, Clock
from plyground.search.result import Limits, limits_for_move
from plyground.search.searcher import Searcher

UNTIMED_MOVE = Limits(seconds=1.0)
"""For a search that has no limits of its own, in a game without a clock."""


class SearchPlayer:
    """Plays what a search finds within its own limits, or within the clock's if it has none."""

    def __init__(
        self,
        searcher: Searcher,
        limits: Limits | None,
        *,
        name: str,
        seed: int | None = None,
        threads: int = 1,
    ) -> None:
        self._searcher, self._limits, self._seed, self.name = searcher, limits, seed, name
        self._threads = threads

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        """A search needs no preparation."""

    def choose(self, position: Position, clock: Clock) -> Choice:
        timer, computed_before = MoveTimer(), time.process_time()
        limits = self._limits
        if limits is None:
            seconds = clock.move_seconds
            limits = UNTIMED_MOVE if seconds is None else Limits(seconds=seconds)
        limits = limits_for_move(position, limits)
        result = self._searcher.search(position, limits, seed=self._seed)
        searched = result.depth > 0
        computed = (time.process_time() - computed_before) / self._threads
        took = timer.stop()
        return Choice(
            position.move_text(result.move),
            took.seconds,
            stolen=took.stolen,
            computed=min(took.available, computed),
            depth=result.depth if searched else None,
            value=result.value if searched else None,
        )

    def close(self) -> None:
        """A search that has ended holds nothing."""
