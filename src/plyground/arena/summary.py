"""What the games of an event say: about each player, about each two of them, and about all.

Games are counted one by one, in any order, at the same small cost however many there were before:
a summary is known while the event runs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from plyground.arena.rating import Ratings, Result, rate
from plyground.arena.sprt import Decision, SequentialRun, Sprt
from plyground.arena.statistics import Estimate, GameCounts, Interval, PairCounts, estimate
from plyground.arena.store import StoredFailure, StoredGame
from plyground.core.outcome import FAULT_NAMES

MOST_SAMPLES = 200
"""Points of a curve. Beyond it, every second one is dropped."""


@dataclass
class PlayerSummary:
    """The games of one player."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    """Games lost by a fault of its own, by how they ended."""
    moves: int = 0
    seconds: float = 0.0
    _depths: list[float] = field(default_factory=list)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float | None:
        """None before the first game."""
        return self.points / self.games if self.games else None

    @property
    def seconds_a_move(self) -> float:
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def seconds_a_game(self) -> float:
        return self.seconds / self.games if self.games else 0.0

    @property
    def depth(self) -> float | None:
        """The mean of the depths that its games reached."""
        return sum(self._depths) / len(self._depths) if self._depths else None

    def add(self, game: StoredGame, side: int) -> None:
        self.draws += game.winner is None
        self.wins += game.winner == side
        self.losses += game.winner == 1 - side
        if game.winner == 1 - side and game.ending in FAULT_NAMES:
            self.faults[game.ending] += 1
        # Where players do not alternate this is an estimate.
        self.moves += (game.plies + 1 - side) // 2
        self.seconds += (game.first_seconds, game.second_seconds)[side]
        depth = (game.first_depth, game.second_depth)[side]
        if depth is not None:
            self._depths.append(depth)


@dataclass
class PairingSummary:
    """The games between two players, counted for the first of them."""

    results: GameCounts = field(default_factory=GameCounts)
    """All games: lost, drawn, won."""
    pairs: PairCounts = field(default_factory=PairCounts)
    """The complete pairs."""
    _points: dict[int, float] = field(default_factory=dict)
    """By opening, the points of a complete pair."""
    _waiting: dict[tuple[str, int, str], list[float]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """By conditions, opening and the player who moved first, the scores of games whose pair is not
    complete."""

    def add(self, game: StoredGame, score: float) -> None:
        self.results += GameCounts.of([score])
        partner = game.conditions, game.opening, game.second
        if partner not in self._waiting:
            self._waiting[game.conditions, game.opening, game.first].append(score)
            return
        points = score + self._waiting[partner].pop()
        if not self._waiting[partner]:
            del self._waiting[partner]
        self.pairs += PairCounts.of([points])
        self._points[game.opening] = points

    def points_of(self, opening: int) -> float | None:
        """The points of a pair; None if it is not complete."""
        return self._points.get(opening)

    @property
    def singles(self) -> GameCounts:
        """The games whose pair is not complete."""
        return GameCounts.of(score for scores in self._waiting.values() for score in scores)

    @property
    def estimate(self) -> Estimate:
        return estimate(self.pairs, self.singles)


@dataclass(frozen=True)
class Sample:
    """What was known after so many games of two players, seen from the first of them."""

    games: int
    elo: float
    elo_interval: Interval
    llr: float | None
    """Of a sequential test."""


class EventSummary:
    """The games of one event. Each is added once."""

    def __init__(
        self,
        notations: Sequence[str],
        test: Sprt | None = None,
        *,
        anchor: int | None = None,
        anchor_rating: float = 0.0,
    ) -> None:
        """`anchor` is the player whose rating is given; without one, it is that of the mean."""
        self.players = [PlayerSummary() for _ in notations]
        self.pairings: dict[tuple[int, int], PairingSummary] = defaultdict(PairingSummary)
        """Two players each, the one with the smaller number first."""
        self.endings: Counter[str] = Counter()
        self.plies = 0
        """Of all games."""
        self.anchor, self.anchor_rating = anchor, anchor_rating
        self.test = None if test is None else SequentialRun(test, self.pairing.points_of)
        self._numbers = {text: number for number, text in enumerate(notations)}
        self._results: Counter[tuple[int, int, float]] = Counter()
        self._samples: list[Sample] = []
        self._interval = 1

    def add(self, game: StoredGame) -> None:
        first, second = self._numbers[game.first], self._numbers[game.second]
        self.endings[game.ending] += 1
        self.plies += game.plies
        self.players[first].add(game, 0)
        self.players[second].add(game, 1)
        self._results[first, second, game.score] += 1
        pairing = self.pairings[min(first, second), max(first, second)]
        pairing.add(game, game.score if first < second else 1 - game.score)
        if self.test is not None:
            self.test.advance()
        if len(self.players) == 2 and self.games % self._interval == 0:
            self._samples.append(self._sample())
            if len(self._samples) > MOST_SAMPLES:
                self._samples = self._samples[1::2]
                self._interval *= 2

    def add_all(self, games: Iterable[StoredGame]) -> None:
        for game in games:
            self.add(game)

    def leave_out(self, failure: StoredFailure) -> None:
        """A game that cannot be played. A sequential test goes on without its pair."""
        if self.test is not None:
            self.test.skip(failure.opening)

    @property
    def games(self) -> int:
        return self.endings.total()

    @property
    def plies_a_game(self) -> float:
        return self.plies / self.games if self.games else 0.0

    @property
    def pairing(self) -> PairingSummary:
        """Of an event with two players."""
        return self.pairings[0, 1]

    @property
    def estimate(self) -> Estimate:
        """Of an event with two players: what is known about the first of them."""
        return self.pairing.estimate

    def results(self, player: int, opponent: int) -> GameCounts:
        """What a player has lost, drawn and won against another."""
        if player > opponent:
            return self.results(opponent, player).swapped
        return self.pairings[player, opponent].results

    @property
    def first_mover_score(self) -> float:
        """Of the players who moved first; a half before the first game."""
        points = sum(score * count for (_, _, score), count in self._results.items())
        return points / self.games if self.games else 0.5

    @property
    def ratings(self) -> Ratings:
        results = (Result(*key, count) for key, count in self._results.items())
        return rate(
            len(self.players), results, anchor=self.anchor, anchor_rating=self.anchor_rating
        )

    @property
    def curve(self) -> list[Sample]:
        """How the estimate of a match has grown, up to now."""
        if not self._samples or self._samples[-1].games == self.games:
            return self._samples
        return [*self._samples, self._sample()]

    @property
    def decision(self) -> Decision:
        """Of the sequential test. An event without one goes on to its last game."""
        return Decision.CONTINUE if self.test is None else self.test.decision

    def _sample(self) -> Sample:
        known = self.estimate
        llr = None if self.test is None else self.test.llr
        return Sample(self.games, known.elo, known.elo_interval, llr)


def summarize(games: Iterable[StoredGame], player: str, opponent: str) -> EventSummary:
    """The games between two notations; others are left out."""
    found = EventSummary((player, opponent))
    found.add_all(game for game in games if {game.first, game.second} == {player, opponent})
    return found
