"""Monte Carlo tree search, uncompiled: the same tree as the compiled one, limits, interruption."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plyground.core.errors import LimitError
from plyground.core.registry import find_game, game_names
from plyground.search.montecarlo import MonteCarlo
from plyground.search.result import Limits, SearchResult
from plyground.search.textbook.monte_carlo import monte_carlo
from tests.paths import EXAMPLES
from tests.random_play import random_game


@pytest.mark.parametrize("name", [*game_names(), str(EXAMPLES / "kalah.py")])
def test_it_finds_what_the_compiled_search_finds(name: str) -> None:
    game = find_game(name)
    compiled = MonteCarlo(game, memory=4)
    positions = random_game(game, 3)
    for position in (positions[0], positions[len(positions) // 2], positions[-2]):
        limits = Limits(nodes=60)
        one, two = (
            replace(search(position, limits, seed=5), seconds=0.0)
            for search in (compiled.search, monte_carlo)
        )
        assert one == two


@pytest.mark.parametrize("name", ["connectfour", str(EXAMPLES / "dots.py")])
def test_the_compiled_search_keeps_what_is_computed_here_at_every_visit(name: str) -> None:
    """It keeps means, the widths of bounds, and which child is visited next."""
    game = find_game(name)
    compiled = MonteCarlo(game, memory=4)
    limits = Limits(nodes=2500)
    one, two = (
        replace(search(game.start(), limits, seed=3), seconds=0.0)
        for search in (compiled.search, monte_carlo)
    )
    assert one == two


def test_it_proves_what_is_proven_compiled() -> None:
    game = find_game("tictactoe")
    compiled = MonteCarlo(game, memory=4)
    for position in random_game(game, 1)[3:-1]:
        one = compiled.search(position, Limits(nodes=2000), seed=2)
        two = monte_carlo(position, Limits(nodes=2000), seed=2)
        assert two.proven
        assert replace(one, seconds=0.0) == replace(two, seconds=0.0)


def test_a_time_limit_ends_it_and_progress_is_told() -> None:
    told: list[SearchResult] = []
    position = find_game("connectfour").start()
    result = monte_carlo(position, Limits(seconds=0.25), progress=told.append)
    assert result.seconds >= 0.25
    assert told
    assert told[-1].nodes <= result.nodes


def test_a_stopped_search_answers_with_what_it_has() -> None:
    position = find_game("connectfour").start()
    simulations = iter(range(20))
    result = monte_carlo(
        position, Limits(seconds=600.0), stopped=lambda: next(simulations, None) is None
    )
    assert result.nodes == 20
    at_once = monte_carlo(position, Limits(seconds=600.0), stopped=lambda: True)
    assert (at_once.nodes, at_once.line) == (0, (position.legal_moves[0],))


def test_a_depth_is_refused() -> None:
    with pytest.raises(LimitError, match="takes a number of nodes or a time, not a depth"):
        monte_carlo(find_game("tictactoe").start(), Limits(depth=3))
