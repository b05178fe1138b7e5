"""Levels of computer players, and the ratings that the benchmark has written for them."""

from __future__ import annotations

import json

from benchmarks.levels import Pairing, rate
from plyground.core.registry import game_names
from plyground.web.levels import LEVELS, RATINGS_FILE, level_models


def test_the_ratings_are_of_games_and_levels_that_exist() -> None:
    ratings = json.loads(RATINGS_FILE.read_text())["ratings"]
    assert ratings.keys() <= set(game_names())
    for measured in ratings.values():
        assert measured.keys() <= {level.name for level in LEVELS}


def test_a_higher_level_is_not_weaker() -> None:
    for game in game_names():
        ratings = [level.rating for level in level_models(game) if level.rating is not None]
        assert ratings == sorted(ratings)


def test_a_game_that_was_not_measured_has_levels_without_ratings() -> None:
    levels = level_models("a file of one's own")
    assert [level.name for level in levels] == [level.name for level in LEVELS]
    assert {level.rating for level in levels} == {None}


def test_three_games_won_of_four_are_200_points() -> None:
    even, won = Pairing(0, 1, games=400, upper_points=200.0), Pairing(1, 2, 400, 300.0)
    assert rate(3, [even, won]) == [1000, 1000, 1200]


def test_a_level_that_wins_every_game_has_a_rating_too() -> None:
    assert rate(2, [Pairing(0, 1, games=20, upper_points=20.0)]) == [1000, 1650]
