"""Values in words: the player whom a value favours, and by how much or how soon."""

from __future__ import annotations

import pytest

from plyground.core.registry import find_game
from plyground.core.values import WIN
from plyground.players.player import Clock
from plyground.players.search_player import SearchPlayer
from plyground.search.result import Limits, limits_for_move, value_text
from plyground.search.searcher import Algorithm, make_searcher
from tests.random_play import random_game

wins = find_game("connectfour").start()
points = find_game("derby").start()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (120, "Red +120"),
        (-35, "Yellow +35"),
        (0, "even"),
        (WIN - 5, "Red wins in 5 plies"),
        (1 - WIN, "Yellow wins in 1 ply"),
        (-WIN, "Yellow has won"),
    ],
)
def test_a_value_names_the_player_whom_it_favours(value: int, words: str) -> None:
    assert value_text(wins, value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (300, "Green +3"),
        (120, "Green +1.2"),
        (-125, "Red +1.25"),
        (-100, "Red +1"),
        (0, "even"),
    ],
)
def test_in_a_game_of_points_the_number_counts_points(value: int, words: str) -> None:
    assert value_text(points, value) == words


def test_less_than_can_be_shown_is_even() -> None:
    start = points.game.replace(POINT=1000).start()
    assert value_text(start, 4) == "even"
    assert value_text(start, -6) == "Red +0.01"


@pytest.mark.parametrize(
    ("value", "words"),
    [(300, "Green wins by 3 points"), (-100, "Red wins by 1 point"), (0, "a draw")],
)
def test_a_proven_value_is_a_result(value: int, words: str) -> None:
    assert value_text(points, value, proven=True) == words


def test_a_proven_draw_is_a_draw_in_every_game() -> None:
    assert value_text(wins, 0, proven=True) == "a draw"


def test_the_only_legal_move_is_played_at_once_and_any_other_gets_its_time() -> None:
    game = find_game("tictactoe")
    forced = next(
        position
        for seed in range(100)
        for position in random_game(game, seed)
        if not position.is_over and len(position.legal_moves) == 1
    )
    hour = Limits(seconds=3600.0)
    assert limits_for_move(game.start(), hour) == hour
    assert limits_for_move(forced, Limits(depth=5)) == Limits(depth=5)
    assert limits_for_move(forced, Limits(nodes=7, seconds=3600.0)).nodes == 7
    for algorithm in (Algorithm.ENGINE, Algorithm.MONTE_CARLO, Algorithm.ALPHA_BETA):
        player = SearchPlayer(make_searcher(algorithm, game), hour, name="player")
        choice = player.choose(forced, Clock())
        assert choice.move == forced.move_text(forced.legal_moves[0])
