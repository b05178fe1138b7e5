"""Ratings: against a plain search for the maximum, against simulated players, and extreme games."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest

from plyground.arena.rating import PRIOR_GAMES, Result, notes, rate
from plyground.arena.statistics import (
    GameCounts,
    PairCounts,
    elo_of_score,
    estimate,
    score_of_elo,
)

ROUND = [
    Result(0, 1, 1, 7),
    Result(0, 1, 0.5, 2),
    Result(1, 0, 1, 5),
    Result(1, 0, 0, 6),
    Result(1, 2, 0, 3),
    Result(1, 2, 1, 9),
    Result(2, 0, 0.5, 4),
    Result(2, 0, 0, 8),
    Result(0, 2, 0, 1),
]


def likelihood(ratings: Sequence[float], results: Sequence[Result]) -> float:
    """Its logarithm, with the hypothetical draws; the last of the ratings is the advantage."""
    total = sum(
        PRIOR_GAMES / 2 * (math.log(score_of_elo(one)) + math.log(score_of_elo(-one)))
        for one in ratings
    )
    for game in results:
        difference = ratings[game.first] + ratings[-1] - ratings[game.second]
        total += game.count * (
            game.score * math.log(score_of_elo(difference))
            + (1 - game.score) * math.log(score_of_elo(-difference))
        )
    return total


def climbed(players: int, results: Sequence[Result]) -> list[float]:
    """The highest likelihood, by trying steps in one rating at a time."""
    ratings = [0.0] * (players + 1)
    step = 64.0
    while step > 1e-4:
        best = likelihood(ratings, results)
        improved = False
        for at in range(players + 1):
            for change in (step, -step):
                tried = [*ratings[:at], ratings[at] + change, *ratings[at + 1 :]]
                if (reached := likelihood(tried, results)) > best:
                    best, ratings, improved = reached, tried, True
        if not improved:
            step /= 2
    return ratings


@pytest.mark.parametrize(
    "results", [ROUND, ROUND[:4], [Result(0, 1, 1, 30), Result(1, 2, 1, 30), Result(2, 0, 0, 2)]]
)
def test_the_ratings_have_the_highest_likelihood(results: list[Result]) -> None:
    *expected, advantage = climbed(3, results)
    found = rate(3, results)
    average = sum(expected) / 3
    for rating, value in zip(found.players, expected, strict=True):
        assert rating.value == pytest.approx(value - average, abs=0.01)
    assert found.advantage.value == pytest.approx(advantage, abs=0.01)


def test_two_players_are_as_far_apart_as_their_score_says() -> None:
    """Both moved first equally often and won 55 %, so the advantage is 0."""
    results = [
        Result(0, 1, 1, 550),
        Result(0, 1, 0, 450),
        Result(1, 0, 0, 550),
        Result(1, 0, 1, 450),
    ]
    found = rate(2, results, anchor=1, anchor_rating=1500)
    assert found.players[0].value == pytest.approx(1500 + elo_of_score(0.55), abs=0.1)
    assert (found.players[1].value, found.players[1].error) == (1500, 0)
    assert found.advantage.value == pytest.approx(0, abs=1e-6)
    error = estimate(PairCounts(), GameCounts((900, 0, 1100))).elo_interval.error
    assert found.players[0].error == pytest.approx(error, rel=0.01)


def test_the_order_of_games_and_splitting_them_changes_nothing() -> None:
    split = [Result(one.first, one.second, one.score) for one in ROUND for _ in range(one.count)]
    random.Random(3).shuffle(split)
    for one, other in zip(rate(3, ROUND).players, rate(3, split).players, strict=True):
        assert one.value == pytest.approx(other.value, abs=1e-6)
        assert one.error == pytest.approx(other.error, abs=1e-6)


def test_an_anchor_moves_all_ratings_and_keeps_their_distances() -> None:
    free, fixed = rate(3, ROUND).players, rate(3, ROUND, anchor=2, anchor_rating=1000).players
    assert sum(one.value for one in free) == pytest.approx(0)
    for one, other in zip(free, fixed, strict=True):
        assert one.value - free[2].value == pytest.approx(other.value - 1000)
    assert fixed[2].error == 0
    assert fixed[0].error > free[0].error, "a distance from one player is less certain"


def simulated(truth: Sequence[float], advantage: float, games: int, seed: int) -> list[Result]:
    """So many games of every two players with either side, without draws."""
    chance = random.Random(seed)
    results = []
    for first, one in enumerate(truth):
        for second, other in enumerate(truth):
            if first != second:
                wins = sum(
                    chance.random() < score_of_elo(one + advantage - other) for _ in range(games)
                )
                results += [Result(first, second, 1, wins), Result(first, second, 0, games - wins)]
    return results


def test_the_ratings_of_simulated_players_are_found_within_their_errors() -> None:
    truth, advantage = (0.0, 60.0, 150.0, -100.0), 40.0
    held, cases = 0, 0
    for seed in range(100):
        found = rate(4, simulated(truth, advantage, 30, seed), anchor=0)
        for rating, true in zip(found.players[1:], truth[1:], strict=True):
            held += abs(rating.value - true) <= rating.error
        held += abs(found.advantage.value - advantage) <= found.advantage.error
        cases += 4
    assert 0.92 <= held / cases <= 0.98


# Extreme games


def test_without_games_all_are_equal_and_nothing_is_known() -> None:
    found = rate(2, [])
    assert [one.value for one in found.players] == [0, 0]
    assert found.players[0].error > 400
    assert found.groups == ((0,), (1,))
    assert rate(0, []).players == ()


def test_a_player_who_won_everything_has_a_finite_rating_with_a_large_error() -> None:
    results = [*ROUND, *(Result(3, other, 1, 10) for other in range(3))]
    found = rate(4, results)
    best = found.players[3]
    assert max(one.value for one in found.players) == best.value < 2000
    assert best.error > 2 * found.players[0].error
    assert found.extremes == ((3,),)
    assert notes(found, ["ann", "bob", "cyd", "dan"]) == [
        (
            "how far dan is from the other players is a guess, because points between them went one"
            " way only"
        )
    ]


def test_a_match_won_throughout_is_rated_as_its_own_estimate() -> None:
    found = rate(2, [Result(0, 1, 1, 50), Result(1, 0, 0, 50)], anchor=1).players[0]
    assert found.value == pytest.approx(estimate(PairCounts((0, 0, 0, 0, 50))).elo, abs=30)


def test_two_groups_between_which_points_went_one_way_are_named() -> None:
    results = [
        Result(0, 1, 1),
        Result(1, 0, 1),
        Result(2, 3, 0.5),
        Result(0, 2, 1),
        Result(3, 1, 0),
    ]
    found = rate(4, results)
    assert found.groups == ((0, 1, 2, 3),)
    assert found.extremes == ((0, 1),)
    assert "how far a, b are from" in notes(found, "abcd")[0]


def test_players_that_no_games_connect_are_named() -> None:
    found = rate(5, [Result(0, 3, 0.5), Result(1, 4, 1), Result(4, 1, 1)])
    assert found.groups == ((0, 3), (1, 4), (2,))
    assert notes(found, "abcde") == [
        (
            "no games connect these groups of players, so ratings compare only within each:"
            " a, d; b, e; c"
        )
    ]
    assert found.extremes == ()


def test_if_the_first_player_always_wins_the_advantage_is_finite() -> None:
    found = rate(2, [Result(0, 1, 1, 20), Result(1, 0, 1, 20)])
    assert 200 < found.advantage.value < 2000
    assert found.advantage.error > 100
    assert found.players[0].value == pytest.approx(0, abs=1e-6)


def test_what_is_no_game_between_two_of_the_players_is_refused() -> None:
    with pytest.raises(ValueError, match="a game between two of 2 players is needed"):
        rate(2, [Result(0, 0, 1)])
    with pytest.raises(ValueError, match="a game between two of 2 players is needed"):
        rate(2, [Result(0, 2, 1)])
    with pytest.raises(ValueError, match="the anchor is one of 2 players, not number 2"):
        rate(2, [], anchor=2)
