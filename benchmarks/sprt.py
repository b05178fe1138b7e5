"""The error rates of the sequential test hold, in simulated matches.

Every match is played with the true difference at one of the two hypotheses, pair by pair, until the
test decides. The wrong decisions must be as rare as `alpha` and `beta` say. The test that is
measured is the package's own: its functions are compiled by Numba as they are.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import njit
from numba.extending import register_jitable

from benchmarks.report import Row, seconds_text
from plyground.arena import sprt
from plyground.arena.sprt import Model, Sprt
from plyground.arena.statistics import NORMALIZED_ELO, score_of_elo

MATCHES = 4000
"""At each hypothesis. The rate of wrong decisions then has a standard error of 0.35 %."""
QUICK_MATCHES = 20
TOLERANCE = 0.01
LONGEST = 200_000
"""Pairs after which a simulated match is broken off."""
SEED = 14


@dataclass(frozen=True)
class Case:
    """A test, and how often the pairs of equal players have each score."""

    name: str
    test: Sprt
    pairs: tuple[float, float, float, float, float]


CASES = (
    Case("with draws, normalized Elo", Sprt(0, 40), (0.05, 0.2, 0.5, 0.2, 0.05)),
    Case("without draws, normalized Elo", Sprt(0, 40), (0.2, 0, 0.6, 0, 0.2)),
    Case("with draws, Elo", Sprt(-20, 20, model="logistic"), (0.05, 0.2, 0.5, 0.2, 0.05)),
    Case("other errors", Sprt(0, 40, alpha=0.02, beta=0.1), (0.02, 0.15, 0.66, 0.15, 0.02)),
)


@dataclass(frozen=True)
class Simulated:
    """Matches with one true difference."""

    matches: int
    accepted_h1: int
    undecided: int
    pairs: float
    """On average."""


def run(quick: bool) -> Iterator[Row]:
    for case in CASES:
        for name, elo, error in (
            ("elo0", case.test.elo0, case.test.alpha),
            ("elo1", case.test.elo1, case.test.beta),
        ):
            start = time.perf_counter()
            found = simulate(case, elo, QUICK_MATCHES if quick else MATCHES)
            seconds = time.perf_counter() - start
            wrong = found.accepted_h1 if name == "elo0" else found.matches - found.accepted_h1
            rate = wrong / found.matches
            yield Row(
                f"{case.name}, the truth is {name}",
                f"{wrong} of {found.matches:,} wrong, {found.pairs:,.0f} pairs on average,"
                f" {seconds_text(seconds)}",
                f"{error:.0%} allowed",
                f"{rate:.1%}",
                "-" if quick else f"{error - TOLERANCE:.0%} to {error + TOLERANCE:.0%}",
                None if quick else abs(rate - error) <= TOLERANCE and not found.undecided,
                {"rate": rate, "allowed": error, "pairs": found.pairs, "matches": found.matches},
            )


def simulate(case: Case, elo: float, matches: int, seed: int = SEED) -> Simulated:
    """Play matches whose true difference is `elo`, of the kind that the test means."""
    test = case.test
    chances = true_chances(case.pairs, elo, test.model)
    lower, upper = test.bounds
    normalized = test.model == "normalized"
    low, high = (target(one, test.model) for one in (test.elo0, test.elo1))
    accepted, undecided, pairs = compiled_matches()(
        np.cumsum(chances), low, high, normalized, lower, upper, matches, seed
    )
    return Simulated(matches, accepted, undecided, pairs / matches)


def target(elo: float, model: Model) -> float:
    """What a hypothesis fixes: the t-value of a pair, or its mean score."""
    if model == "normalized":
        return elo / NORMALIZED_ELO * math.sqrt(2)
    return score_of_elo(elo)


def true_chances(equal: tuple[float, ...], elo: float, model: Model) -> list[float]:
    """The chances of the five scores of a pair that are nearest to `equal` and have this
    difference. A score that equal players never have stays impossible."""
    possible = tuple(max(chance, 1e-12) for chance in equal)
    fit = sprt.fit_t_value if model == "normalized" else sprt.fit_mean
    chances = [
        chance if before > 0 else 0.0
        for chance, before in zip(fit(possible, target(elo, model)), equal, strict=True)
    ]
    return [chance / sum(chances) for chance in chances]


@cache
def compiled_matches() -> Callable[..., Any]:
    """The simulation of many matches, as machine code."""
    for function in (sprt.fit_zero, sprt.fit_mean, sprt.fit_t_value):
        register_jitable(function)
    likelihood_ratio = njit(sprt.log_likelihood_ratio)
    empty, longest = sprt.EMPTY, LONGEST

    def play(
        cumulated: Any,
        low: float,
        high: float,
        normalized: bool,
        lower: float,
        upper: float,
        matches: int,
        seed: int,
    ) -> tuple[int, int, int]:
        np.random.seed(seed)
        accepted, undecided, pairs = 0, 0, 0
        for _ in range(matches):
            counts = np.full(5, empty)
            llr = 0.0
            played = 0
            while lower < llr < upper and played < longest:
                draw = np.random.random()
                score = 0
                while score < 4 and draw >= cumulated[score]:
                    score += 1
                counts[score] = 1.0 if counts[score] == empty else counts[score] + 1.0
                played += 1
                numbers = (counts[0], counts[1], counts[2], counts[3], counts[4])
                llr = likelihood_ratio(numbers, low, high, normalized)
            pairs += played
            if llr >= upper:
                accepted += 1
            elif llr > lower:
                undecided += 1
        return accepted, undecided, pairs

    compiled: Callable[..., Any] = njit(play)
    return compiled
