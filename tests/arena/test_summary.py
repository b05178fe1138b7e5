"""Summaries: pairs are found, players are counted, and all of it is known as games arrive."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from plyground.arena.rating import Result, rate
from plyground.arena.sprt import Decision, Sprt
from plyground.arena.statistics import GameCounts, PairCounts
from plyground.arena.store import StoredGame
from plyground.arena.summary import MOST_SAMPLES, EventSummary, summarize
from tests.arena.stored_games import stored_game

PLAYERS = ("a", "b", "c")


def games(players: tuple[str, ...], openings: int, seed: int = 1) -> list[StoredGame]:
    """A round robin with random results, in the order in which several workers would finish it."""
    draw = random.Random(seed)
    made = []
    for opening in range(openings):
        for one in players:
            for other in players:
                if one != other:
                    winner = draw.choice((0, 1, None))
                    ending = draw.choice(("finished", "illegal"))
                    depth = draw.choice((None, 3.5))
                    made.append((opening, one, other, winner, ending, depth))
    draw.shuffle(made)
    return [
        replace(
            stored_game(one, other, 0.5, opening, first_seconds=0.5, second_seconds=0.25),
            id=number,
            winner=winner,
            ending=ending,
            first_depth=depth,
        )
        for number, (opening, one, other, winner, ending, depth) in enumerate(made, 1)
    ]


def summary_of(games: list[StoredGame], *players: str) -> EventSummary:
    summary = EventSummary(players)
    summary.add_all(games)
    return summary


# Pairs


def test_two_games_of_one_opening_with_swapped_sides_are_a_pair() -> None:
    summary = summary_of(
        [
            stored_game("a", "b", 1, 1),
            stored_game("b", "a", 0.5, 1),
            stored_game("a", "b", 0, 2),
            stored_game("b", "c", 1, 3),
            stored_game("c", "b", 1, 3),
        ],
        *PLAYERS,
    )
    pairing = summary.pairings[0, 1]
    assert pairing.pairs == PairCounts.of([1.5])
    assert pairing.singles == GameCounts.of([0])
    assert pairing.results == summary.results(0, 1) == GameCounts((1, 1, 1))
    assert pairing.estimate.games == 3
    assert (pairing.points_of(1), pairing.points_of(2)) == (1.5, None)
    assert summary.pairings[1, 2].pairs == PairCounts.of([1])
    assert summary.results(0, 2) == GameCounts()
    assert summary.results(1, 0) == GameCounts((1, 1, 1)).swapped


def test_games_of_one_opening_and_the_same_sides_are_no_pair() -> None:
    games = [stored_game("a", "b", score) for score in (1, 1, 0.5)]
    pairing = summary_of(games, "a", "b").pairing
    assert (pairing.pairs, pairing.singles) == (PairCounts(), GameCounts((0, 1, 2)))
    pairing = summary_of([*games, stored_game("b", "a", 1)], "a", "b").pairing
    assert (pairing.pairs, pairing.singles) == (PairCounts.of([0.5]), GameCounts((0, 0, 2)))


def test_games_of_one_opening_under_other_conditions_are_no_pair() -> None:
    games = [stored_game("a", "b", 1), stored_game("b", "a", 1, conditions="others")]
    found = summarize([*games, stored_game("a", "c", 1)], "a", "b")
    assert (found.games, found.pairing.pairs) == (2, PairCounts())
    assert found.pairing.singles == GameCounts((1, 0, 1))


# Players


def test_a_fault_is_that_of_the_player_who_lost() -> None:
    summary = summary_of(
        [
            stored_game("a", "b", 0, ending="crashed"),
            stored_game("b", "a", 0, ending="silent"),
            stored_game("b", "a", 0, ending="finished"),
        ],
        "a",
        "b",
    )
    assert [one.faults for one in summary.players] == [{"crashed": 1}, {"silent": 1}]


def test_all_games_are_summed_up() -> None:
    games = [
        stored_game("a", "b", 1, 1, plies=20),
        stored_game("b", "a", 0.5, 1, plies=40),
        stored_game("a", "b", 0, 2, ending="crashed", plies=30),
    ]
    summary = summary_of(games, "a", "b")
    assert (summary.games, summary.plies_a_game, summary.first_mover_score) == (3, 30, 0.5)
    assert summary.endings.most_common() == [("finished", 2), ("crashed", 1)]
    own = summary.players[0]
    assert (own.games, own.points, own.score) == (3, 1.5, 0.5)
    empty = EventSummary(("a", "b"))
    assert (empty.plies_a_game, empty.first_mover_score) == (0, 0.5)
    assert (empty.players[0].score, empty.players[0].seconds_a_game) == (None, 0)


# While an event runs


@pytest.mark.parametrize("count", [0, 1, 7, 80])
def test_the_order_of_games_makes_no_difference(count: int) -> None:
    played = games(("a", "b"), 40)[:count]
    summary = summary_of(played, "a", "b")
    ordered = summary_of(sorted(played, key=lambda game: game.opening), "a", "b")
    assert summary.games == ordered.games == count
    assert summary.estimate == ordered.estimate
    assert summary.endings == ordered.endings
    assert [one.points for one in summary.players] == [one.points for one in ordered.players]
    assert summary.curve[-1:] == [] or summary.curve[-1].elo == summary.estimate.elo


def test_a_tournament_has_the_ratings_of_all_its_games() -> None:
    played = games(PLAYERS, 30)
    summary = summary_of(played, *PLAYERS)
    numbers = {name: number for number, name in enumerate(PLAYERS)}
    at_once = rate(
        3, [Result(numbers[one.first], numbers[one.second], one.score) for one in played]
    )
    for found, expected in zip(summary.ratings.players, at_once.players, strict=True):
        assert (found.value, found.error) == pytest.approx((expected.value, expected.error))
    pairings = summary.pairings.values()
    assert sum(pairing.results.games for pairing in pairings) == len(played)
    alone = summarize(played, "a", "c").pairing
    assert (summary.pairings[0, 2].pairs, alone.results.games) == (alone.pairs, 60)
    assert summary.first_mover_score == sum(game.score for game in played) / len(played)


def test_a_test_counts_the_pairs_before_the_first_that_is_not_complete() -> None:
    test = Sprt(0, 10)
    summary = EventSummary(("a", "b"), test)
    assert summary.test is not None
    assert summary.test.llr == 0
    scores: dict[int, list[float]] = {}
    for game in games(("a", "b"), 20):
        summary.add(game)
        scores.setdefault(game.opening, []).append(
            game.score if game.first == "a" else 1 - game.score
        )
        before: list[float] = []
        while len(scores.get(len(before), ())) == 2:
            before.append(sum(scores[len(before)]))
        assert summary.test.llr == test.llr(PairCounts.of(before))
    assert summary.test.llr == test.llr(summary.pairing.pairs)


def test_a_test_that_is_decided_looks_at_no_further_pair() -> None:
    summary = EventSummary(("a", "b"), Sprt(0, 100))
    for game in games(("a", "b"), 50):
        summary.add(replace(game, winner=0 if game.first == "a" else 1))
    assert summary.test is not None
    assert summary.test.decision is Decision.H1
    assert summary.test.pairs.samples < summary.pairing.pairs.samples == 50


def test_a_curve_stays_short_and_ends_with_the_latest_game() -> None:
    summary = EventSummary(("a", "b"))
    for game in games(("a", "b"), 1501)[:-1]:
        summary.add(game)
    assert MOST_SAMPLES / 2 < len(summary.curve) <= MOST_SAMPLES + 1
    numbers = [sample.games for sample in summary.curve]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == 3001
