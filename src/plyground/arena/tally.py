"""Counts the games of an event one by one, as they arrive, for who watches it.

What `summary.py` says about all games at once is known here after each of them, at the same small
cost however many there were before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from plyground.arena.rating import Ratings, Result, rate
from plyground.arena.sprt import SequentialRun, Sprt
from plyground.arena.statistics import Estimate, GameCounts, PairCounts, estimate
from plyground.arena.store import StoredGame
from plyground.arena.summary import MatchSummary, PlayerSums

MOST_SAMPLES = 200
"""Points of a curve. Beyond it, every second one is dropped."""


@dataclass(frozen=True)
class Sample:
    """What was known after so many games of two players, seen from the first of them."""

    games: int
    elo: float
    low: float
    high: float
    """The interval of the difference; its ends may be infinite."""
    llr: float | None
    """Of a sequential test."""


@dataclass
class PairingTally:
    """The games between two players, counted for the first of them."""

    results: list[int] = field(default_factory=lambda: [0, 0, 0])
    """Lost, drawn, won."""
    _pairs: list[int] = field(default_factory=lambda: [0] * 5)
    _waiting: dict[int, float] = field(default_factory=dict)
    """By opening, the score of a game whose pair is not complete."""
    _complete: dict[int, float] = field(default_factory=dict)
    """By opening, the points of a complete pair."""

    def add(self, opening: int, score: float) -> None:
        self.results[round(2 * score)] += 1
        other = self._waiting.pop(opening, None)
        if other is None:
            self._waiting[opening] = score
            return
        self._pairs[round(2 * (score + other))] += 1
        self._complete[opening] = score + other

    @property
    def games(self) -> int:
        return sum(self.results)

    @property
    def points(self) -> float:
        return self.results[2] + self.results[1] / 2

    @property
    def pairs(self) -> PairCounts:
        """The complete pairs."""
        a, b, c, d, e = self._pairs
        return PairCounts((a, b, c, d, e))

    def points_of(self, opening: int) -> float | None:
        """The points of a pair; None if it is not complete."""
        return self._complete.get(opening)

    @property
    def singles(self) -> GameCounts:
        """The games whose pair is not complete."""
        return GameCounts.of(self._waiting.values())

    @property
    def estimate(self) -> Estimate:
        return estimate(self.pairs, self.singles)


class EventTally:
    """The games of one event. Each is added once."""

    def __init__(
        self,
        players: Sequence[str],
        test: Sprt | None = None,
        *,
        anchor: int | None = None,
        anchor_rating: float = 0.0,
    ) -> None:
        """`anchor` is the player whose rating is given; without one, it is that of the mean."""
        self.players = tuple(players)
        """Their notations."""
        self.test = test
        self.sums = [PlayerSums() for _ in players]
        self.endings: Counter[str] = Counter()
        self.pairings: dict[tuple[int, int], PairingTally] = {}
        """Two players each, the one with the smaller number first."""
        self._numbers = {text: number for number, text in enumerate(players)}
        self._results: Counter[tuple[int, int, float]] = Counter()
        self._samples: list[Sample] = []
        self._interval = 1
        self._anchor, self._anchor_rating = anchor, anchor_rating
        self.pairings[0, 1] = PairingTally()
        self.test_run = None if test is None else SequentialRun(test, self.pairing.points_of)

    @property
    def games(self) -> int:
        return self.endings.total()

    def add(self, game: StoredGame) -> None:
        first, second = self._numbers[game.first], self._numbers[game.second]
        self.endings[game.ending] += 1
        self.sums[first].add(game, 0)
        self.sums[second].add(game, 1)
        self._results[first, second, game.score] += 1
        pairing = self.pairings.setdefault((min(first, second), max(first, second)), PairingTally())
        pairing.add(game.opening, game.score if first < second else 1 - game.score)
        if self.test_run is not None:
            self.test_run.advance()
        if len(self.players) == 2 and self.games % self._interval == 0:
            self._samples.append(self._sample())
            if len(self._samples) > MOST_SAMPLES:
                self._samples = self._samples[1::2]
                self._interval *= 2

    @property
    def pairing(self) -> PairingTally:
        """Of an event with two players."""
        return self.pairings[0, 1]

    @property
    def summary(self) -> MatchSummary:
        """Of an event with two players."""
        return MatchSummary(
            player=self.players[0],
            opponent=self.players[1],
            pairs=self.pairing.pairs,
            singles=self.pairing.singles,
            own=self.sums[0],
            other=self.sums[1],
            endings=self.endings,
            first_mover_points=self.first_mover_points,
        )

    @property
    def first_mover_points(self) -> float:
        """Points of the players who moved first, over all games."""
        return sum(score * count for (_, _, score), count in self._results.items())

    @property
    def ratings(self) -> Ratings:
        results = (Result(*key, count) for key, count in self._results.items())
        return rate(
            len(self.players), results, anchor=self._anchor, anchor_rating=self._anchor_rating
        )

    @property
    def curve(self) -> list[Sample]:
        """How the estimate of a match has grown, up to now."""
        if not self._samples or self._samples[-1].games == self.games:
            return self._samples
        return [*self._samples, self._sample()]

    @property
    def llr(self) -> float | None:
        """The log-likelihood ratio of a sequential test."""
        if self.test is None or self.test_run is None:
            return None
        return self.test.llr(self.test_run.pairs)

    def _sample(self) -> Sample:
        known = self.pairing.estimate
        return Sample(
            self.games, known.elo, known.elo_interval.low, known.elo_interval.high, self.llr
        )
