"""What a worker keeps from job to job."""

from __future__ import annotations

from plyground.core.registry import find_game
from plyground.search.searcher import Algorithm
from plyground.web.workers.search_cache import KEPT, SearchCache
from tests.web.workers.job_runner import place


def test_positions_are_replayed_only_from_where_they_differ(cache: SearchCache) -> None:
    job = {"source": "tictactoe", "place": place("tictactoe", "b2", "a1", "c1")}
    before = cache.positions(job)
    after = cache.positions({"source": "tictactoe", "place": place("tictactoe", "b2", "a1", "c3")})
    assert [one is other for one, other in zip(before, after, strict=True)] == [True] * 3 + [False]
    assert after[-1] == find_game("tictactoe").start().play("b2").play("a1").play("c3")


def test_a_cache_keeps_few_searchers(cache: SearchCache) -> None:
    game = find_game("tictactoe")
    first = cache.searcher(game, Algorithm.ENGINE)
    assert cache.searcher(game, Algorithm.ENGINE) is first
    others = (Algorithm.MONTE_CARLO, Algorithm.MINIMAX, Algorithm.ALPHA_BETA)
    for algorithm in others[:KEPT]:
        cache.searcher(game, algorithm)
    assert cache.searcher(game, Algorithm.ENGINE) is not first
