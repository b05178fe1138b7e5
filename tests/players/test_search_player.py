"""A search as a player is charged for the time that it computed."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from plyground.arena.referee import Terms, play_game
from plyground.core.game import Position
from plyground.core.outcome import Ending
from plyground.core.registry import find_game
from plyground.players.search_player import SearchPlayer
from plyground.players.simple import random_player
from plyground.search.result import Limits, SearchResult
from plyground.search.searcher import RandomSearcher

LIMIT = 0.05


class SlowSearcher(RandomSearcher):
    """Does something first, and then moves at random."""

    def __init__(self, first: Callable[[], None]) -> None:
        super().__init__()
        self._first = first

    def search(self, position: Position, limits: Limits, **options: object) -> SearchResult:
        self._first()
        return SearchResult.unsearched(position, position.legal_moves[0])


def wait_for_a_core() -> None:
    time.sleep(3 * LIMIT)


def compute() -> None:
    until = time.process_time() + 3 * LIMIT
    while time.process_time() < until:
        pass


@pytest.mark.parametrize(
    ("first", "threads", "is_late"),
    [(wait_for_a_core, 1, False), (compute, 1, True), (compute, 4, False)],
)
def test_waiting_is_not_late_and_computing_is(
    first: Callable[[], None], threads: int, is_late: bool
) -> None:
    player = SearchPlayer(SlowSearcher(first), Limits(depth=1), name="slow", threads=threads)
    played = play_game(
        find_game("tictactoe").start(), [player, random_player(1)], Terms(seconds=LIMIT, overruns=1)
    )
    assert (played.outcome.ending is Ending.OVERRUN) is is_late
    assert played.moves[0].choice.seconds >= LIMIT
