"""The sequential probability ratio test: ends a match as soon as it has decided between two
differences in strength.

H0 says that the new player is better by `elo0`, H1 says by `elo1`. After every pair of games the
log-likelihood ratio (LLR) tells how much better H1 explains the results. The test ends when the LLR
leaves its bounds. If H0 is true it accepts H1 with a probability of about `alpha`, and if H1 is
true it accepts H0 with about `beta`.

A hypothesis fixes one number, not the probabilities of the five scores of a pair. Each hypothesis
therefore gets the probabilities that fit the results best among all that agree with it (generalized
SPRT; M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
distribution" and "Normalized Elo", which the tests of Stockfish use).

The functions below the class are plain arithmetic, so that Numba can compile them as they are
(`benchmarks/sprt.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from typing import Literal

from plyground.arena.statistics import (
    NORMALIZED_ELO,
    Counts,
    PairCounts,
    score_of_elo,
)
from plyground.core.errors import LimitError

Model = Literal["normalized", "logistic"]
MODELS: tuple[Model, ...] = ("normalized", "logistic")

LARGEST_ELO = 1000.0
"""Of a hypothesis. Beyond it a match needs no test."""
EMPTY = 1e-3
"""Replaces a count of 0, as published: a score that was never seen is not impossible."""
ROUNDS = 100
"""Of the fixed point below. About ten are needed; far more only where the results contradict a
hypothesis so much that the LLR is far beyond any bound."""
PRECISION = 1e-9
"""Of probabilities in the fixed point."""
ZERO = 1e-15
"""Relative precision of the zero that each of its rounds looks for."""


class Decision(Enum):
    H0 = "H0"
    """The difference is `elo0` rather than `elo1`."""
    H1 = "H1"
    """The difference is `elo1` rather than `elo0`."""
    CONTINUE = "continue"
    """Both are possible still."""


@dataclass(frozen=True)
class Sprt:
    """A test. In the model "normalized" the differences are normalized Elo, which makes the number
    of games independent of draws and openings; in "logistic" they are the usual Elo."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"

    def __post_init__(self) -> None:
        for elo in (self.elo0, self.elo1):
            if not abs(elo) <= LARGEST_ELO:
                raise LimitError(
                    f"an Elo difference to test is from -{LARGEST_ELO:g} to {LARGEST_ELO:g},"
                    f" not {elo:g}"
                )
        if self.elo0 >= self.elo1:
            raise LimitError(
                f"elo0 must be less than elo1, but {self.elo0:g} is not less than {self.elo1:g}"
            )
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise LimitError(
                    f"{name} is the probability of an error, more than 0 and less than 0.5,"
                    f" not {chance:g}"
                )
        if self.model not in MODELS:
            raise LimitError(f"there is no model {self.model!r}; there are {', '.join(MODELS)}")

    @property
    def bounds(self) -> tuple[float, float]:
        """H0 is accepted at the lower one, H1 at the upper one (A. Wald)."""
        lower = math.log(self.beta / (1 - self.alpha))
        return lower, math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Counts) -> float:
        """The log-likelihood ratio. 0 before the first game."""
        if not counts.samples:
            return 0.0
        numbers = tuple(count or EMPTY for count in counts.counts)
        low, high = self._targets(counts)
        return log_likelihood_ratio(numbers, low, high, self.model == "normalized")

    def decide(self, counts: Counts) -> Decision:
        return self.decide_llr(self.llr(counts))

    def decide_llr(self, llr: float) -> Decision:
        lower, upper = self.bounds
        if llr >= upper:
            return Decision.H1
        return Decision.H0 if llr <= lower else Decision.CONTINUE

    def why(self, counts: Counts) -> str:
        """The decision and its reason, in a sentence."""
        llr = self.llr(counts)
        lower, upper = self.bounds
        kind = "normalized Elo" if self.model == "normalized" else "Elo"
        decision = self.decide_llr(llr)
        if decision is Decision.H1:
            return (
                f"H1 is accepted: the log-likelihood ratio {llr:.2f} has reached {upper:.2f}, so a"
                f" difference of {self.elo1:g} {kind} explains the games better than {self.elo0:g}"
            )
        if decision is Decision.H0:
            return (
                f"H0 is accepted: the log-likelihood ratio {llr:.2f} has reached {lower:.2f}, so a"
                f" difference of {self.elo0:g} {kind} explains the games better than {self.elo1:g}"
            )
        return (
            f"no decision yet: the log-likelihood ratio {llr:.2f} is between {lower:.2f} and"
            f" {upper:.2f}, and {kind} of {self.elo0:g} and {self.elo1:g} are both possible"
        )

    def remaining(self, counts: Counts) -> int:
        """How many more samples, pairs or single games, the test may take: an estimate to show.

        The LLR is taken for a random walk (Brownian motion) that goes on as it went so far. With
        few samples that was mostly chance, and the test would seem nearly over; so its drift is
        reduced by one standard error. Without drift a test takes longest.
        """
        llr = self.llr(counts)
        if self.decide_llr(llr) is not Decision.CONTINUE:
            return 0
        low, high = self._targets(counts)
        step = high - low
        if self.model == "logistic":
            step /= _deviation(counts)
        drift = 0.0
        if counts.samples:
            seen, error = llr / counts.samples, step / math.sqrt(counts.samples)
            drift = math.copysign(max(0.0, abs(seen) - error), seen)
        lower, upper = self.bounds
        return math.ceil(_exit_time(llr - lower, upper - llr, drift, step * step))

    def expected(self, elo: float) -> int:
        """How many pairs the test takes on average if this is the true difference, in normalized
        Elo: an estimate to plan with. Only the model "normalized" knows it before the match."""
        if self.model != "normalized":
            raise LimitError("how long a test of logistic Elo takes depends on its draws")
        low, high, true = (self._normalized(one, 2) for one in (self.elo0, self.elo1, elo))
        lower, upper = self.bounds
        step = high - low
        drift = step * (true - (low + high) / 2)
        return math.ceil(_exit_time(-lower, upper, drift, step * step))

    def _targets(self, counts: Counts) -> tuple[float, float]:
        """What the hypotheses fix: the t-value of a sample, or its mean score."""
        if self.model == "logistic":
            return score_of_elo(self.elo0), score_of_elo(self.elo1)
        games = counts.games_each
        return self._normalized(self.elo0, games), self._normalized(self.elo1, games)

    @staticmethod
    def _normalized(elo: float, games: int) -> float:
        """The t-value, (mean - 1/2) / deviation, of a sample of so many games. The deviation of the
        mean of two is that of one over the square root of 2."""
        return elo / NORMALIZED_ELO * math.sqrt(games)


TEST_SETTINGS = frozenset(field.name for field in fields(Sprt))
"""The settings of an event that make its test."""


class SequentialRun:
    """A test that looks at one pair after the other, in the order of their openings.

    Pairs of quick games come early, and a store may hold more pairs than the test needs: looked at
    in this order, the decision is the same for any number of workers and whatever is in the store.
    A pair that cannot be played is left out, where its turn would be.
    """

    def __init__(self, test: Sprt, points_of: Callable[[int], float | None]) -> None:
        """`points_of` gives the points of a pair; None if it is not complete."""
        self.test = test
        self._points_of = points_of
        self._opening = 0
        """The next one to look at."""
        self._unplayable: set[int] = set()
        self.pairs = PairCounts()
        """Those that it has looked at."""
        self.decision = Decision.CONTINUE
        self.advance()

    @property
    def llr(self) -> float:
        """The log-likelihood ratio."""
        return self.test.llr(self.pairs)

    def skip(self, opening: int) -> None:
        """Do not wait for the pair of an opening: it cannot be played."""
        self._unplayable.add(opening)
        self.advance()

    def advance(self) -> None:
        """Look at the pairs that have become complete, until it is decided."""
        while self.decision is Decision.CONTINUE:
            points = self._points_of(self._opening)
            if points is not None:
                self.pairs += PairCounts.of([points])
                self.decision = self.test.decide(self.pairs)
            elif self._opening not in self._unplayable:
                return
            self._opening += 1


def _deviation(counts: Counts) -> float:
    """The standard deviation of the score of a sample, from 0 to 1. Half a sample is added at
    either end, so that it is never 0."""
    last = len(counts.counts) - 1
    numbers = [float(count) for count in counts.counts]
    numbers[0] += 0.5
    numbers[-1] += 0.5
    total = sum(numbers)
    mean = sum(number * at / last for at, number in enumerate(numbers)) / total
    squares = sum(number * (at / last - mean) ** 2 for at, number in enumerate(numbers))
    return math.sqrt(squares / total)


def _exit_time(below: float, above: float, drift: float, variance: float) -> float:
    """The expected time until Brownian motion has fallen by `below` or risen by `above`. Drift and
    variance are those of one unit of time."""
    if drift < 0:  # the same, upside down
        return _exit_time(above, below, -drift, variance)
    push = 2 * drift / variance
    if push * (below + above) < 1e-6:
        return below * above / variance
    rises = math.expm1(-push * below) / math.expm1(-push * (below + above))
    return (rises * above - (1 - rises) * below) / drift


# The likelihood ratio


def log_likelihood_ratio(
    numbers: tuple[float, ...], low: float, high: float, normalized: bool
) -> float:
    """How much better `high` explains the numbers of samples with each score than `low` does.

    The scores are evenly spaced from 0 to 1. `low` and `high` are mean scores, or t-values if
    `normalized`. All numbers are positive.
    """
    if normalized:
        fit0, fit1 = fit_t_value(numbers, low), fit_t_value(numbers, high)
    else:
        fit0, fit1 = fit_mean(numbers, low), fit_mean(numbers, high)
    ratio = 0.0
    for at in range(len(numbers)):
        ratio += numbers[at] * math.log(fit1[at] / fit0[at])
    return ratio


def fit_mean(numbers: tuple[float, ...], mean: float) -> list[float]:
    """The most likely probabilities of the scores, given their mean."""
    last = len(numbers) - 1
    return fit_zero(numbers, [at / last - mean for at in range(len(numbers))])


def fit_t_value(numbers: tuple[float, ...], t_value: float) -> list[float]:
    """The most likely probabilities of the scores if (mean - 1/2) / deviation has this value.

    The condition is not linear in the probabilities, so it is replaced by its tangent at the last
    solution until the solution stays where it is. The first tangent is taken at the probabilities
    of 0 and 1 alone that satisfy the condition: there the tangent always has a solution.
    """
    size = len(numbers)
    last = size - 1
    start = 0.5 + 0.5 * t_value / math.sqrt(1 + t_value * t_value)
    mean, deviation = start, math.sqrt(start * (1 - start))
    found = [1.0 / size] * size
    for _ in range(ROUNDS):
        tangent = [0.0] * size
        for at in range(size):
            off = (at / last - mean) / deviation
            tangent[at] = at / last - 0.5 - 0.5 * t_value * deviation * (1 + off * off)
        if min(tangent) >= 0 or max(tangent) <= 0:
            # No probabilities satisfy this tangent: go half way back.
            mean = (mean + start) / 2
            deviation = (deviation + math.sqrt(start * (1 - start))) / 2
            continue
        before, found = found, fit_zero(numbers, tangent)
        mean, variance, change = 0.0, 0.0, 0.0
        for at in range(size):
            mean += found[at] * at / last
            change = max(change, abs(found[at] - before[at]))
        for at in range(size):
            variance += found[at] * (at / last - mean) ** 2
        deviation = math.sqrt(variance)
        if change < PRECISION:
            break
    return found


def fit_zero(numbers: tuple[float, ...], values: list[float]) -> list[float]:
    """The most likely probabilities under which the expectation of the values is 0.

    They are number / total / (1 + x * value), where x makes the expectation 0 (Lagrange). The
    expectation falls as x grows, between the two poles where a denominator is 0. So Newton's method
    finds x, and where it leaves the part in which the zero is known to be, that part is halved.
    """
    total = 0.0
    for number in numbers:
        total += number
    low, high = -1 / max(values), -1 / min(values)
    x = 0.0
    for _ in range(ROUNDS):
        expectation, slope = 0.0, 0.0
        for at in range(len(numbers)):
            part = values[at] / (1 + x * values[at])
            expectation += numbers[at] / total * part
            slope -= numbers[at] / total * part * part
        if expectation > 0:
            low = x
        else:
            high = x
        before = x
        x -= expectation / slope
        if not low < x < high:
            x = (low + high) / 2
        if abs(x - before) <= ZERO * (1 + abs(x)):
            break
    return [numbers[at] / total / (1 + x * values[at]) for at in range(len(numbers))]
