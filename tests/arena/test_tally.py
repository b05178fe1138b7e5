"""Games counted as they arrive: the same numbers as from all of them at once."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from plyground.arena.rating import Result, rate
from plyground.arena.sprt import Decision, Sprt
from plyground.arena.statistics import PairCounts
from plyground.arena.store import StoredGame
from plyground.arena.summary import summarize
from plyground.arena.tally import MOST_SAMPLES, EventTally

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
        StoredGame(
            id=number,
            conditions="conditions",
            game="tictactoe",
            first=one,
            second=other,
            opening=opening,
            winner=winner,
            utility=0,
            ending=ending,
            reason="",
            plies=7,
            first_seconds=0.5,
            second_seconds=0.25,
            first_depth=depth,
            second_depth=None,
            finished=0.0,
        )
        for number, (opening, one, other, winner, ending, depth) in enumerate(made, 1)
    ]


@pytest.mark.parametrize("count", [0, 1, 7, 80])
def test_a_match_is_summarized_as_from_all_games_at_once(count: int) -> None:
    played = games(("a", "b"), 40)[:count]
    tally = EventTally(("a", "b"))
    for game in played:
        tally.add(game)
    assert tally.summary == summarize(played, "a", "b")
    assert tally.games == count
    assert tally.curve[-1:] == [] or tally.curve[-1].elo == tally.summary.estimate.elo


def test_a_tournament_has_the_ratings_of_all_its_games() -> None:
    played = games(PLAYERS, 30)
    tally = EventTally(PLAYERS)
    for game in played:
        tally.add(game)
    numbers = {name: number for number, name in enumerate(PLAYERS)}
    at_once = rate(
        3, [Result(numbers[one.first], numbers[one.second], one.score) for one in played]
    )
    for found, expected in zip(tally.ratings.players, at_once.players, strict=True):
        assert (found.value, found.error) == pytest.approx((expected.value, expected.error))
    assert sum(pairing.games for pairing in tally.pairings.values()) == len(played)
    of_two = tally.pairings[0, 2]
    alone = summarize(played, "a", "c")
    assert (of_two.pairs, of_two.points, of_two.games) == (alone.pairs, alone.own.points, 60)
    assert tally.first_mover_points == sum(game.score for game in played)


def test_a_test_counts_the_pairs_before_the_first_that_is_not_complete() -> None:
    test = Sprt(0, 10)
    tally = EventTally(("a", "b"), test)
    assert tally.llr == 0
    scores: dict[int, list[float]] = {}
    for game in games(("a", "b"), 20):
        tally.add(game)
        scores.setdefault(game.opening, []).append(
            game.score if game.first == "a" else 1 - game.score
        )
        before: list[float] = []
        while len(scores.get(len(before), ())) == 2:
            before.append(sum(scores[len(before)]))
        assert tally.llr == test.llr(PairCounts.of(before))
    assert tally.llr == test.llr(tally.pairing.pairs)


def test_a_test_that_is_decided_looks_at_no_further_pair() -> None:
    tally = EventTally(("a", "b"), Sprt(0, 100))
    for game in games(("a", "b"), 50):
        tally.add(replace(game, winner=0 if game.first == "a" else 1))
    assert tally.test_run is not None
    assert tally.test_run.decision is Decision.H1
    assert tally.test_run.pairs.samples < tally.pairing.pairs.samples == 50


def test_a_curve_stays_short_and_ends_with_the_latest_game() -> None:
    tally = EventTally(("a", "b"))
    for game in games(("a", "b"), 1501)[:-1]:
        tally.add(game)
    assert MOST_SAMPLES / 2 < len(tally.curve) <= MOST_SAMPLES + 1
    numbers = [sample.games for sample in tally.curve]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == 3001
