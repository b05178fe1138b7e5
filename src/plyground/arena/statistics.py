"""What the games of a match say about two players: score, Elo difference, error, certainty.

A match is played in pairs: two games from one opening with sides swapped. The games of a pair are
not independent, because the opening may favour a side; the pairs are. So the spread of results is
measured between pairs, whose scores are 0, 1/2, 1, 3/2 and 2 (the pentanomial model). A game whose
pair is incomplete counts as a sample of its own (the trinomial model).

Intervals are Wilson's, generalised. If games were independent and never drawn, the mean score of
`games` games with expectation x would have the variance x (1 - x) / games. Draws and pairs change
that by a factor, the dispersion, which is estimated from the results and taken to be the same for
every x. The interval holds every x whose distance from the observed score is at most as many
standard deviations, at x, as the confidence allows. For independent games without draws that is
Wilson's interval, and for a long match it is the usual one: the score plus or minus so many
standard errors.

Nothing here divides by zero. PRIOR_GAMES hypothetical games with a dispersion of 1 are added to the
dispersion, so that ten draws in a row do not make a match certain. A score of 0 % or 100 % has an
interval with one end at minus or plus infinity on the scales of Elo: the answer is then "less than"
or "more than" the other end. Without any game both ends are infinite, and nothing is known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar, Self

ELO_OF_ODDS = 400.0
"""Elo points that make the odds ten to one."""
NORMALIZED_ELO = 2 * ELO_OF_ODDS / math.log(10)
"""Normalized Elo of one standard deviation of a game. Near equality, and if games are independent
and never drawn, a difference is then the same number in both kinds of Elo."""
CONFIDENCE = 0.95
PRIOR_GAMES = 4.0
"""With these, intervals of 95 % hold the truth in at least 92 % of matches of ten or twenty pairs,
however often games are drawn or one player wins: `tests/arena/test_statistics.py`."""
SMALLEST_PART = 0.25
"""Points. A player with all points, or none, gets the Elo of having so many fewer, or more: half
way to the next possible score."""


@dataclass(frozen=True)
class Counts:
    """How many samples, independent observations, gave a player each of the possible scores."""

    counts: tuple[int, ...]
    scores: ClassVar[tuple[float, ...]]
    """Of a sample, in points."""
    games_each: ClassVar[int]
    """Games of a sample."""

    def __post_init__(self) -> None:
        length = len(self.scores)
        if len(self.counts) != length or min(self.counts) < 0:
            raise ValueError(f"{length} counts of 0 or more are needed, not {self.counts}")

    @classmethod
    def of(cls, scores: Iterable[float]) -> Self:
        """Count the points of a player in each sample."""
        counts = [0] * len(cls.scores)
        for score in scores:
            if score not in cls.scores:
                known = ", ".join(f"{one:g}" for one in cls.scores)
                raise ValueError(f"a score is one of {known}, not {score}")
            counts[cls.scores.index(score)] += 1
        return cls(tuple(counts))

    def __add__(self, other: Self) -> Self:
        return type(self)(tuple(map(sum, zip(self.counts, other.counts, strict=True))))

    @property
    def swapped(self) -> Self:
        """The same samples, counted for the opponent."""
        return type(self)(self.counts[::-1])

    @property
    def samples(self) -> int:
        return sum(self.counts)

    @property
    def games(self) -> int:
        return self.games_each * self.samples

    @property
    def points(self) -> float:
        return sum(count * score for count, score in zip(self.counts, self.scores, strict=True))

    def spread(self, score: float) -> float:
        """The sum of squared deviations, in points, from what games with this mean score give."""
        expected = self.games_each * score
        return sum(
            count * (points - expected) ** 2
            for count, points in zip(self.counts, self.scores, strict=True)
        )


@dataclass(frozen=True)
class PairCounts(Counts):
    """How many pairs of games gave a player 0, 1/2, 1, 3/2 and 2 points."""

    counts: tuple[int, ...] = (0, 0, 0, 0, 0)
    scores = (0.0, 0.5, 1.0, 1.5, 2.0)
    games_each = 2


@dataclass(frozen=True)
class GameCounts(Counts):
    """How many games a player lost, drew and won, where the games are not paired."""

    counts: tuple[int, ...] = (0, 0, 0)
    scores = (0.0, 0.5, 1.0)
    games_each = 1

    @property
    def losses(self) -> int:
        return self.counts[0]

    @property
    def draws(self) -> int:
        return self.counts[1]

    @property
    def wins(self) -> int:
        return self.counts[2]


@dataclass(frozen=True)
class Interval:
    """A range of values. An end that the results do not bound is infinite."""

    low: float
    high: float

    @property
    def is_bounded(self) -> bool:
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def error(self) -> float | None:
        """Half its length, or None if it is not bounded."""
        return (self.high - self.low) / 2 if self.is_bounded else None

    def ends(self, digits: int | None = None) -> list[float | None]:
        """Both ends, rounded if so many digits are given; None for one that is infinite."""
        return [
            None if math.isinf(end) else end if digits is None else round(end, digits)
            for end in (self.low, self.high)
        ]


@dataclass(frozen=True)
class Estimate:
    """What is known about the difference between two players, seen from the first of them."""

    games: int
    points: float
    score: float
    """Points for each game; a half if there is no game."""
    score_interval: Interval
    elo: float
    """The difference on the usual, logistic scale: 400 points are odds of ten to one."""
    elo_interval: Interval
    normalized_elo: float
    """How far the score is from a half, in standard deviations of a game, times NORMALIZED_ELO. The
    number of games that a difference takes to show depends on this alone."""
    normalized_elo_interval: Interval
    superiority: float
    """The likelihood of superiority: how probable it is that the player is the better one."""

    @property
    def elo_text(self) -> str:
        return difference_text(self.elo, self.elo_interval)

    @property
    def normalized_elo_text(self) -> str:
        return difference_text(self.normalized_elo, self.normalized_elo_interval)


def estimate(pairs: PairCounts, singles: GameCounts | None = None) -> Estimate:
    """What pairs, and single games whose pairs are incomplete, say together.

    The dispersion is that of the whole match: the squared deviations of pairs from twice the mean
    score, and of single games from the mean score, over what independent games without draws would
    deviate.
    """
    singles = singles or GameCounts()
    games = pairs.games + singles.games
    points = pairs.points + singles.points
    score = points / games if games else 0.5
    spread = pairs.spread(score) + singles.spread(score)
    dispersion = (spread + PRIOR_GAMES / 4) / (games * score * (1 - score) + PRIOR_GAMES / 4)
    width = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    interval = _wilson(score, games, dispersion, width)
    least = SMALLEST_PART / games if games else 0.5
    bounded = min(max(score, least), 1 - least)
    return Estimate(
        games=games,
        points=points,
        score=score,
        score_interval=interval,
        elo=elo_of_score(bounded),
        elo_interval=Interval(elo_of_score(interval.low), elo_of_score(interval.high)),
        normalized_elo=_normalized(bounded, dispersion),
        normalized_elo_interval=Interval(
            _normalized(interval.low, dispersion), _normalized(interval.high, dispersion)
        ),
        superiority=NormalDist().cdf((score - 0.5) * math.sqrt(games / (dispersion / 4))),
    )


def elo_of_score(score: float) -> float:
    """The difference in Elo that makes a score expected; infinite for 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return ELO_OF_ODDS * math.log10(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """The score that a difference in Elo makes expected."""
    return 1 / (1 + 10 ** (-elo / ELO_OF_ODDS))


def difference_text(value: float, interval: Interval) -> str:
    """A difference in Elo for people: "+35.2 ± 20.1", or how little is known."""
    error = interval.error
    if error is not None:
        return f"{value:+.1f} ± {error:.1f}"
    if math.isfinite(interval.low):
        return f"more than {interval.low:+.1f}"
    if math.isfinite(interval.high):
        return f"less than {interval.high:+.1f}"
    return "unknown"


def _wilson(score: float, games: int, dispersion: float, width: float) -> Interval:
    """Every x with |score - x| <= width * sqrt(dispersion * x * (1 - x) / games)."""
    if games == 0:
        return Interval(0.0, 1.0)
    weight = width * width * dispersion / games
    middle = (score + weight / 2) / (1 + weight)
    reach = math.sqrt(weight * score * (1 - score) + weight * weight / 4) / (1 + weight)
    # At 0 % and 100 % one end is exact; rounding must not move it.
    low = 0.0 if score == 0 else max(0.0, middle - reach)
    high = 1.0 if score == 1 else min(1.0, middle + reach)
    return Interval(low, high)


def _normalized(score: float, dispersion: float) -> float:
    """The normalized Elo of a score, with the standard deviation that games have at this score."""
    variance = dispersion * score * (1 - score)
    if variance <= 0:
        return math.copysign(math.inf, score - 0.5)
    return NORMALIZED_ELO * (score - 0.5) / math.sqrt(variance)
