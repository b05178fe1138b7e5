"""The sequential test: published values, an independent maximum, extreme results, error rates.

The published values are those of the unit tests of fastchess (Disservin/fastchess), of racetrack
(MortenLohne/racetrack) and of tests of Stockfish that anyone can look up on its testing site.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.arena.sprt import (
    EMPTY,
    LARGEST_ELO,
    Decision,
    Model,
    SequentialRun,
    Sprt,
    fit_mean,
    fit_t_value,
)
from plyground.arena.statistics import NORMALIZED_ELO, GameCounts, PairCounts
from plyground.core.errors import LimitError

Counts = tuple[int, int, int, int, int]

few = st.sampled_from([0, 0, 1, 2, 7, 40, 10_000])
pair_counts = st.builds(PairCounts, st.tuples(few, few, few, few, few))
game_counts = st.builds(GameCounts, st.tuples(few, few, few))


# Published values


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr"),
    [
        ((365, 16618, 36229, 16974, 390), 0, 2, 2.25),
        ((127, 4883, 10712, 5150, 104), -1.75, 0.25, 3.01),
        ((440, 2910, 5170, 2888, 455), 0, 5, -2.27),
        ((142, 620, 1122, 699, 188), 0, 5, 2.99),
        ((349, 1561, 3340, 1604, 359), -5, 0, 2.90),
        ((98, 382, 674, 369, 71), -5, 0, -1.11),
        ((19, 4020, 10316, 4215, 24), -1.75, 0.25, 2.94),
        ((103, 3851, 8316, 3728, 98), 0, 2, -2.03),
        ((2, 40, 72, 14, 0), 0, 2, -0.36),
        ((900, 30596, 67292, 30899, 809), 0, 2, -2.96),
        ((14, 6935, 20257, 7273, 30), 0.5, 2.5, 2.95),
        ((10, 5, 2, 5, 10), -1.75, 0.25, 0.0),
        ((0, 0, 0, 0, 3), -1.75, 0.25, 0.02),
        ((10, 0, 0, 0, 0), -1.75, 0.25, -0.08),
        ((0, 2, 4, 6, 10), -1.75, 0.25, 0.13),
    ],
)
def test_normalized_elo_of_pairs(counts: Counts, elo0: float, elo1: float, llr: float) -> None:
    # Both ratios are rounded, ours here and theirs there.
    assert Sprt(elo0, elo1).llr(PairCounts(counts)) == pytest.approx(llr, abs=0.0055)


def test_the_exact_ratio_is_near_its_closed_approximation() -> None:
    """Of these pairs the ratio is 2.946 by the approximation of "Normalized Elo", section 4."""
    counts: Counts = (379, 10170, 21828, 10640, 343)
    found = Sprt(0, 2).llr(PairCounts(counts))
    assert found == pytest.approx(2.946, abs=0.001)
    total = sum(counts)
    mean = sum(count * at / 4 for at, count in enumerate(counts)) / total
    variance = sum(count * (at / 4 - mean) ** 2 for at, count in enumerate(counts)) / total
    t_value = (mean - 0.5) / math.sqrt(variance)
    t_value1 = 2 / NORMALIZED_ELO * math.sqrt(2)
    approximation = total / 2 * math.log((1 + t_value**2) / (1 + (t_value - t_value1) ** 2))
    assert round(approximation, 3) == 2.946
    assert found == pytest.approx(approximation, abs=0.001)


def test_a_long_match_that_was_won_throughout() -> None:
    assert Sprt(0, 5).llr(PairCounts((0, 0, 0, 0, 5550))) == pytest.approx(111.82, rel=0.001)
    assert Sprt(0, 10).llr(GameCounts((0, 0, 4250))) == pytest.approx(120.56, rel=0.001)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr"),
    [
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, -4.98),
    ],
)
def test_logistic_elo_of_pairs(counts: Counts, elo0: float, elo1: float, llr: float) -> None:
    found = Sprt(elo0, elo1, model="logistic").llr(PairCounts(counts))
    assert found == pytest.approx(llr, abs=0.0055)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "model", "llr"),
    [
        ((36027, 68692, 36433), 0, 2, "normalized", 0.92),
        ((10650, 20431, 10871), -1.75, 0.25, "normalized", 2.30),
        ((21184, 40708, 21404), 0.5, 2.5, "logistic", -1.57),
        ((57030, 106593, 57433), 0, 2, "logistic", -2.59),
    ],
)
def test_single_games(
    counts: tuple[int, int, int], elo0: float, elo1: float, model: Model, llr: float
) -> None:
    found = Sprt(elo0, elo1, model=model).llr(GameCounts(counts))
    assert found == pytest.approx(llr, abs=0.0055)


@pytest.mark.parametrize(
    ("counts", "elo1", "beta", "decision"),
    [
        ((485, 1923, 2942, 1937, 594), 5.0, 0.10, Decision.H1),
        ((63, 252, 385, 250, 74), 10.0, 0.10, Decision.CONTINUE),
        ((527, 1007, 1932, 933, 511), 5.0, 0.10, Decision.H0),
        ((175, 305, 694, 291, 157), 10.0, 0.10, Decision.H0),
    ],
)
def test_published_decisions(counts: Counts, elo1: float, beta: float, decision: Decision) -> None:
    assert Sprt(0, elo1, beta=beta).decide(PairCounts(counts)) is decision


def test_the_bounds_are_those_of_wald() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 5, alpha=0.05, beta=0.1).bounds == pytest.approx((-2.2513, 2.8904), abs=1e-4)


# The most likely probabilities


@pytest.mark.parametrize("numbers", [(3, 10, 40, 20, 5), (1, EMPTY, 4, EMPTY, 9), (5, 9, 30)])
@pytest.mark.parametrize("wanted", [-0.3, 0.0, 0.2])
def test_a_fit_agrees_with_its_hypothesis_and_no_neighbour_is_more_likely(
    numbers: tuple[float, ...], wanted: float
) -> None:
    last = len(numbers) - 1
    scores = [at / last for at in range(len(numbers))]

    def moments(chances: list[float]) -> tuple[float, float]:
        mean = sum(chance * score for chance, score in zip(chances, scores, strict=True))
        squares = sum(
            chance * (score - mean) ** 2 for chance, score in zip(chances, scores, strict=True)
        )
        return mean, math.sqrt(squares)

    def likelihood(chances: list[float]) -> float:
        return sum(n * math.log(chance) for n, chance in zip(numbers, chances, strict=True))

    by_mean, by_t_value = fit_mean(numbers, 0.5 + wanted), fit_t_value(numbers, wanted)
    assert moments(by_mean)[0] == pytest.approx(0.5 + wanted)
    mean, deviation = moments(by_t_value)
    assert (mean - 0.5) / deviation == pytest.approx(wanted)
    for fit in (by_mean, by_t_value):
        assert sum(fit) == pytest.approx(1)
    # Other probabilities that agree with the hypothesis: a fit to slightly different numbers.
    chance = random.Random(1)
    for size in (0.001, 0.01, 0.1, 1.0):
        for _ in range(20):
            others = tuple(number * math.exp(chance.gauss(0, size)) for number in numbers)
            assert likelihood(fit_mean(others, 0.5 + wanted)) <= likelihood(by_mean) + 1e-9
            assert likelihood(fit_t_value(others, wanted)) <= likelihood(by_t_value) + 1e-9


# Extreme results


@given(
    st.one_of(pair_counts, game_counts),
    st.tuples(st.floats(-LARGEST_ELO, LARGEST_ELO), st.floats(-LARGEST_ELO, LARGEST_ELO)).filter(
        lambda elos: elos[0] + 0.01 < elos[1]
    ),
    st.sampled_from(["normalized", "logistic"]),
)
def test_no_result_gives_nonsense(
    counts: PairCounts | GameCounts, elos: tuple[float, float], model: Model
) -> None:
    test = Sprt(*elos, model=model)
    llr = test.llr(counts)
    assert math.isfinite(llr)
    assert test.remaining(counts) >= 0
    mirrored = Sprt(-elos[1], -elos[0], model=model).llr(counts.swapped)
    assert mirrored == pytest.approx(-llr, rel=1e-4, abs=1e-4)


def test_before_the_first_pair_nothing_is_decided() -> None:
    test = Sprt(0, 10)
    assert test.llr(PairCounts()) == 0
    assert test.decide(PairCounts()) is Decision.CONTINUE
    assert test.remaining(PairCounts()) == test.expected(5)


def test_wins_alone_accept_h1_and_losses_alone_h0() -> None:
    test = Sprt(0, 50)
    assert test.decide(PairCounts((0, 0, 0, 0, 40))) is Decision.H1
    assert test.decide(PairCounts((40, 0, 0, 0, 0))) is Decision.H0
    assert test.decide(PairCounts((0, 0, 40, 0, 0))) is Decision.CONTINUE


# One pair after the other


def test_a_pair_that_cannot_be_played_is_left_out_whenever_that_is_known() -> None:
    """The pairs and the failures come in any order; what is decided is the same."""
    test, chance = Sprt(0, 300), random.Random(3)
    points = {opening: chance.choice((1.0, 1.5, 2.0)) for opening in range(60)}
    failing = {0, 3, 4, 30}
    seen = set()
    for seed in range(20):
        order = list(points)
        random.Random(seed).shuffle(order)
        known: dict[int, float] = {}
        run = SequentialRun(test, known.get)
        for opening in order:
            if opening in failing:
                run.skip(opening)
            else:
                known[opening] = points[opening]
                run.advance()
        seen.add((run.decision, run.pairs))
    ((decision, pairs),) = seen
    assert decision is Decision.H1
    assert 5 < pairs.samples < 50
    first = [points[opening] for opening in points if opening not in failing]
    assert pairs == PairCounts.of(first[: pairs.samples])


def test_a_test_waits_for_a_pair_of_which_nothing_is_known() -> None:
    run = SequentialRun(Sprt(0, 300), {1: 2.0, 2: 2.0}.get)
    assert run.pairs.samples == 0
    run.skip(0)
    assert run.pairs.samples == 2


# Words


def test_it_says_why() -> None:
    test = Sprt(0, 50)
    assert test.why(PairCounts((0, 0, 0, 0, 40))) == (
        "H1 is accepted: the log-likelihood ratio 7.27 has reached 2.94, so a difference of"
        " 50 normalized Elo explains the games better than 0"
    )
    assert test.why(PairCounts((40, 0, 0, 0, 0))) == (
        "H0 is accepted: the log-likelihood ratio -8.90 has reached -2.94, so a difference of"
        " 0 normalized Elo explains the games better than 50"
    )
    assert Sprt(0, 5, model="logistic").why(PairCounts()) == (
        "no decision yet: the log-likelihood ratio 0.00 is between -2.94 and 2.94, and Elo of"
        " 0 and 5 are both possible"
    )


def test_a_test_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(LimitError, match="elo0 must be less than elo1, but 5 is not less than 5"):
        Sprt(5, 5)
    with pytest.raises(LimitError, match="from -1000 to 1000, not 2000"):
        Sprt(0, 2000)
    with pytest.raises(LimitError, match="from -1000 to 1000, not nan"):
        Sprt(math.nan, 5)
    with pytest.raises(LimitError, match=r"alpha is the probability of an error.*, not 0$"):
        Sprt(0, 5, alpha=0)
    with pytest.raises(LimitError, match=r"beta is .* more than 0 and less than 0\.5, not 0\.5"):
        Sprt(0, 5, beta=0.5)
    with pytest.raises(LimitError, match="no model 'bayesian'; there are normalized, logistic"):
        Sprt(0, 5, model="bayesian")  # type: ignore[arg-type]
    with pytest.raises(LimitError, match="how long a test of logistic Elo takes depends on its"):
        Sprt(0, 5, model="logistic").expected(3)


# Simulated matches


def test_the_error_rates_hold_and_the_length_is_as_expected() -> None:
    """A small version of `python -m benchmarks sprt`; the rates are 4 standard errors from 5 %."""
    test = Sprt(0, 60)
    for truth, wrong in ((test.elo0, Decision.H1), (test.elo1, Decision.H0)):
        chances = fit_t_value((1, 2, 4, 2, 1), truth / NORMALIZED_ELO * math.sqrt(2))
        ended = [simulated(test, chances, seed) for seed in range(200)]
        rate = fmean(decision is wrong for decision, _ in ended)
        assert 0 < rate < 0.112
        assert fmean(pairs for _, pairs in ended) == pytest.approx(test.expected(truth), rel=0.4)


def simulated(test: Sprt, chances: Sequence[float], seed: int) -> tuple[Decision, int]:
    """The decision of a match, and how many pairs it took."""
    chance = random.Random(seed)
    pairs = PairCounts()
    while test.decide(pairs) is Decision.CONTINUE:
        pairs += PairCounts.of(chance.choices(PairCounts.scores, chances, k=5))
    return test.decide(pairs), pairs.samples
