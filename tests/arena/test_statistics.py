"""The statistics of a match: published figures, exact coverage of intervals, and extreme results.

The published figures are those of the unit tests of fastchess, the program for matches of chess.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.arena.statistics import (
    Estimate,
    GameCounts,
    Interval,
    PairCounts,
    difference_text,
    elo_of_score,
    estimate,
    score_of_elo,
)

Counts = tuple[int, int, int, int, int]

count = st.integers(0, 10_000)
pair_counts = st.builds(PairCounts, st.tuples(count, count, count, count, count))
game_counts = st.builds(GameCounts, st.tuples(count, count, count))


# Counts


def test_pairs_are_counted_by_their_score() -> None:
    pairs = PairCounts.of([2, 1.5, 1, 1, 0.5, 0, 2])
    assert pairs.counts == (1, 1, 2, 1, 2)
    assert (pairs.samples, pairs.games, pairs.points) == (7, 14, 8.0)
    assert PairCounts.of([]) == PairCounts()


def test_games_are_counted_by_their_score() -> None:
    games = GameCounts.of([1, 1, 0.5, 0])
    assert games.counts == (1, 1, 2)
    assert (games.samples, games.games, games.points) == (4, 4, 2.5)
    assert GameCounts((1, 2, 3)) + GameCounts((4, 5, 6)) == GameCounts((5, 7, 9))
    assert games.swapped == GameCounts((2, 1, 1))


@given(pair_counts, pair_counts)
def test_counts_can_be_added_and_seen_from_the_other_side(
    first: PairCounts, second: PairCounts
) -> None:
    both = first + second
    assert both.samples == first.samples + second.samples
    assert both.points == first.points + second.points
    assert both.swapped.points == both.games - both.points
    assert both.swapped.swapped == both


def test_what_is_no_score_or_no_count_is_refused() -> None:
    with pytest.raises(ValueError, match=r"a score is one of 0, 0\.5, 1, 1\.5, 2, not 0\.7"):
        PairCounts.of([0.7])
    with pytest.raises(ValueError, match=r"a score is one of 0, 0\.5, 1, not 2"):
        GameCounts.of([2])
    with pytest.raises(ValueError, match="5 counts of 0 or more are needed"):
        PairCounts((1, 2, 3, 4, -1))
    with pytest.raises(ValueError, match="3 counts of 0 or more are needed"):
        GameCounts((1, 2))


# Published figures


@pytest.mark.parametrize(
    ("counts", "elo", "error", "normalized", "normalized_error", "superiority"),
    [
        ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 1.0),
        ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 0.0505),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65, 0.0),
    ],
)
def test_pairs_give_the_published_elo(
    counts: Counts,
    elo: float,
    error: float,
    normalized: float,
    normalized_error: float,
    superiority: float,
) -> None:
    found = estimate(PairCounts(counts))
    assert found.elo == pytest.approx(elo, rel=0.01)
    assert found.elo_interval.error == pytest.approx(error, rel=0.01)
    assert found.normalized_elo == pytest.approx(normalized, rel=0.01)
    # The published error takes the standard deviation of a game as known, hence the tolerance.
    assert found.normalized_elo_interval.error == pytest.approx(normalized_error, rel=0.03)
    assert found.superiority == pytest.approx(superiority, abs=0.0005)


@pytest.mark.parametrize(
    ("counts", "normalized", "error", "superiority"),
    [
        ((89, 123, 76), -20.76, 40.13, 0.1553),
        ((96, 111, 136), 49.77, 36.77, 0.9960),
    ],
)
def test_single_games_give_the_published_normalized_elo(
    counts: tuple[int, int, int], normalized: float, error: float, superiority: float
) -> None:
    found = estimate(PairCounts(), GameCounts(counts))
    assert found.normalized_elo == pytest.approx(normalized, rel=0.01)
    assert found.normalized_elo_interval.error == pytest.approx(error, rel=0.02)
    assert found.superiority == pytest.approx(superiority, abs=0.002)


def test_independent_games_without_draws_have_the_interval_of_wilson() -> None:
    """8 of 10: from 49.0 to 94.3 %, as textbooks have it."""
    interval = estimate(PairCounts(), GameCounts((2, 0, 8))).score_interval
    assert interval.low == pytest.approx(0.4902, abs=0.0001)
    assert interval.high == pytest.approx(0.9433, abs=0.0001)


def test_elo_and_score_are_each_others_inverse() -> None:
    assert score_of_elo(400) == pytest.approx(10 / 11)
    assert elo_of_score(0.75) == pytest.approx(190.85, abs=0.01)
    for score in (0.01, 0.3, 0.5, 0.99):
        assert score_of_elo(elo_of_score(score)) == pytest.approx(score)
    assert (elo_of_score(0), elo_of_score(1)) == (-math.inf, math.inf)


# Pairs are not two games


def test_openings_that_favour_a_side_do_not_make_a_match_uncertain() -> None:
    """100 openings that the first player wins, always: every pair is 1 to 1."""
    paired = estimate(PairCounts((0, 0, 100, 0, 0))).elo_interval.error
    single = estimate(PairCounts(), GameCounts((100, 0, 100))).elo_interval.error
    assert paired is not None
    assert single is not None
    assert paired < single / 5


def test_a_pair_that_one_player_wins_is_one_observation() -> None:
    """If both games of every pair have one winner, there are half as many observations."""
    paired = estimate(PairCounts((500, 0, 0, 0, 500))).elo_interval.error
    single = estimate(PairCounts(), GameCounts((1000, 0, 1000))).elo_interval.error
    assert paired is not None
    assert single is not None
    assert paired == pytest.approx(single * math.sqrt(2), rel=0.01)


def test_single_games_are_added_to_the_pairs() -> None:
    alone = estimate(PairCounts((3, 2, 9, 5, 6)))
    more = estimate(PairCounts((3, 2, 9, 5, 6)), GameCounts((0, 0, 1)))
    assert (more.games, more.points) == (51, alone.points + 1)
    assert more.superiority > alone.superiority


# Coverage


SHAPES: dict[str, tuple[float, ...]] = {
    "even, no draws, games independent": (0.25, 0, 0.5, 0, 0.25),
    "even, no draws, the opening decides": (0.1, 0, 0.8, 0, 0.1),
    "better, no draws": (0.2, 0, 0.5, 0, 0.3),
    "many draws": (0, 0.05, 0.85, 0.1, 0),
    "draws and few wins": (0, 0, 0.97, 0, 0.03),
    "far better": (0.01, 0.02, 0.1, 0.2, 0.67),
    "nearly always won": (0, 0, 0.02, 0, 0.98),
    "a pair has one winner": (0.45, 0, 0.1, 0, 0.45),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_an_interval_of_95_percent_holds_the_truth_in_at_least_92(shape: str) -> None:
    """Exactly, over all results of ten pairs and of twenty."""
    chances = SHAPES[shape]
    truth = sum(
        chance * score for chance, score in zip(chances, (0, 0.25, 0.5, 0.75, 1), strict=True)
    )
    for pairs in (10, 20):
        held = 0.0
        for counts in results(pairs, chances):
            interval = estimate(PairCounts(counts)).score_interval
            if interval.low <= truth <= interval.high:
                held += probability(counts, chances)
        assert 0.92 <= held <= 1.0 + 1e-9


def results(pairs: int, chances: Sequence[float]) -> Iterator[Counts]:
    """All counts of so many pairs that are possible."""
    ranges = [range(pairs + 1) if chance > 0 else range(1) for chance in chances]
    for a, b, c, d in product(*ranges[:4]):
        e = pairs - a - b - c - d
        if e in ranges[4]:
            yield (a, b, c, d, e)


def probability(counts: Counts, chances: Sequence[float]) -> float:
    logarithm = math.lgamma(sum(counts) + 1)
    for number, chance in zip(counts, chances, strict=True):
        if number:
            logarithm += number * math.log(chance) - math.lgamma(number + 1)
    return math.exp(logarithm)


# Extreme results


def test_without_games_nothing_is_known() -> None:
    found = estimate(PairCounts())
    assert (found.score, found.elo, found.normalized_elo, found.superiority) == (0.5, 0, 0, 0.5)
    assert found.score_interval == Interval(0, 1)
    assert found.elo_interval == Interval(-math.inf, math.inf)
    assert found.elo_text == found.normalized_elo_text == "unknown"


def test_a_player_who_won_everything_is_better_by_more_than_a_bound() -> None:
    found = estimate(PairCounts((0, 0, 0, 0, 10)))
    assert found.elo_text == "more than +286.6"
    assert found.score_interval.high == 1
    assert found.elo_interval.error is None
    assert found.elo == pytest.approx(elo_of_score(19.75 / 20))
    assert found.superiority > 0.999
    lost = estimate(PairCounts((10, 0, 0, 0, 0)))
    assert lost.elo_text == "less than -286.6"


def test_one_pair_says_little_but_something() -> None:
    found = estimate(PairCounts((0, 0, 0, 0, 1)))
    assert found.elo_interval.low < 0
    assert 0.7 < found.superiority < 0.95
    drawn = estimate(PairCounts((0, 0, 1, 0, 0)))
    assert drawn.elo_text.startswith("+0.0 ± ")
    assert drawn.elo_interval.error is not None
    assert drawn.elo_interval.error > 100


def test_more_points_of_as_many_games_are_more_elo_up_to_all_of_them() -> None:
    ladder = [
        (10, 0, 0, 0, 0),
        (9, 1, 0, 0, 0),
        (0, 0, 10, 0, 0),
        (0, 0, 0, 1, 9),
        (0, 0, 0, 0, 10),
    ]
    differences = [estimate(PairCounts(counts)) for counts in ladder]
    for lower, higher in pairwise(differences):
        assert lower.elo < higher.elo


@given(pair_counts, game_counts)
def test_no_result_gives_nonsense(pairs: PairCounts, singles: GameCounts) -> None:
    one = estimate(pairs, singles)
    check_sense(one)
    other = estimate(pairs.swapped, singles.swapped)
    assert other.elo == pytest.approx(-one.elo, abs=1e-6)
    assert other.elo_interval.low == pytest.approx(-one.elo_interval.high, rel=1e-6, abs=1e-6)
    assert other.superiority == pytest.approx(1 - one.superiority, abs=1e-9)


def check_sense(found: Estimate) -> None:
    assert math.isfinite(found.elo)
    assert math.isfinite(found.normalized_elo)
    assert 0 <= found.superiority <= 1
    assert 0 <= found.score_interval.low <= found.score <= found.score_interval.high <= 1
    for value, interval in (
        (found.elo, found.elo_interval),
        (found.normalized_elo, found.normalized_elo_interval),
    ):
        assert interval.low <= value <= interval.high
        assert interval.is_bounded == (0 < found.points < found.games)
        assert (interval.low > 0) == (found.elo_interval.low > 0)


def test_a_difference_is_written_with_its_error() -> None:
    assert difference_text(35.24, Interval(15.1, 55.3)) == "+35.2 ± 20.1"
