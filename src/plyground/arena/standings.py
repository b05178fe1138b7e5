"""Standings: from finished games to a table of players and a cross table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plyground.arena.rating import Rating, Ratings, Result, notes, rate
from plyground.arena.statistics import CONFIDENCE, Estimate, GameCounts, PairCounts, estimate
from plyground.core.outcome import FAULT_NAMES, Ending


@dataclass(frozen=True)
class GameResult:
    """What the standings need to know about a game. Players are indices into the list of names, and
    what has two values has them by side."""

    first: int
    """The player who moved first."""
    second: int
    score: float
    """Of the first player: 0, 1/2 or 1."""
    ending: str = Ending.FINISHED.value
    """The text of an `Ending`."""
    plies: int = 0
    seconds: tuple[float, float] = (0.0, 0.0)
    """That each side used, in all its moves."""
    depths: tuple[float | None, float | None] = (None, None)
    """The mean depth of each side's searches; None if it reported none."""
    pair: int | None = None
    """Two games with this number, the same players and swapped sides are a pair."""

    def score_of(self, player: int) -> float:
        return self.score if player == self.first else 1 - self.score

    @property
    def fault_of(self) -> int | None:
        """The player whose fault ended the game."""
        if self.ending not in FAULT_NAMES or self.score == 0.5:
            return None
        return self.first if self.score == 0 else self.second


@dataclass(frozen=True)
class Pairing:
    """The games between two players, counted for the first of them."""

    pairs: PairCounts
    singles: GameCounts
    """The games whose pair is incomplete."""
    results: GameCounts
    """All games: lost, drawn, won."""

    @property
    def games(self) -> int:
        return self.results.games

    @property
    def points(self) -> float:
        return self.results.points

    @property
    def score(self) -> float:
        return self.points / self.games

    def estimate(self, confidence: float = CONFIDENCE) -> Estimate:
        """The difference between the two."""
        return estimate(self.pairs, self.singles, confidence=confidence)


@dataclass(frozen=True)
class Standing:
    """One player's row of the table."""

    rank: int
    player: int
    name: str
    rating: Rating
    results: GameCounts
    faults: int
    """Games that were lost by a fault; they are among the lost ones of `results`."""
    seconds: float
    """For a game, on average."""
    depth: float | None
    """Of its searches, on average over the games in which it is known."""

    @property
    def games(self) -> int:
        return self.results.games

    @property
    def points(self) -> float:
        return self.results.points

    @property
    def score(self) -> float | None:
        """None before the first game."""
        return self.points / self.games if self.games else None


@dataclass(frozen=True)
class Standings:
    """Everything that tables and reports show."""

    names: tuple[str, ...]
    rows: tuple[Standing, ...]
    """The best player first."""
    cross: Mapping[tuple[int, int], Pairing]
    """For two players who met, in either order."""
    ratings: Ratings
    anchor: int | None
    anchor_rating: float
    confidence: float
    games: int
    first_results: GameCounts
    """Of the players who moved first."""
    endings: Mapping[str, int]
    """How many games ended how, the most frequent first."""
    plies: float
    """Of a game, on average."""

    @property
    def notes(self) -> list[str]:
        """What a reader of the ratings has to know."""
        return notes(self.ratings, self.names) if self.games else []


def standings(
    names: Sequence[str],
    games: Iterable[GameResult],
    *,
    anchor: int | None = None,
    anchor_rating: float = 0.0,
    confidence: float = CONFIDENCE,
) -> Standings:
    """Rate and rank the players by all finished games."""
    played = list(games)
    counts = Counter((game.first, game.second, game.score) for game in played)
    ratings = rate(
        len(names),
        [Result(first, second, score, count) for (first, second, score), count in counts.items()],
        anchor=anchor,
        anchor_rating=anchor_rating,
        confidence=confidence,
    )
    return Standings(
        names=tuple(names),
        rows=_rows(names, played, ratings),
        cross=cross_table(played),
        ratings=ratings,
        anchor=anchor,
        anchor_rating=anchor_rating,
        confidence=confidence,
        games=len(played),
        first_results=GameCounts.of(game.score for game in played),
        endings=dict(Counter(game.ending for game in played).most_common()),
        plies=_mean([game.plies for game in played]) or 0.0,
    )


def cross_table(games: Iterable[GameResult]) -> dict[tuple[int, int], Pairing]:
    """The games between every two players who met, counted for each of them."""
    met: dict[tuple[int, int], list[GameResult]] = defaultdict(list)
    for game in games:
        met[min(game.first, game.second), max(game.first, game.second)].append(game)
    table = {}
    for (one, other), played in met.items():
        pairs, singles = paired(played, one)
        results = GameCounts.of(game.score_of(one) for game in played)
        table[one, other] = Pairing(pairs, singles, results)
        table[other, one] = Pairing(pairs.swapped, singles.swapped, results.swapped)
    return table


def paired(games: Iterable[GameResult], player: int) -> tuple[PairCounts, GameCounts]:
    """The pairs among the games of a player with one opponent, and the games that have no partner
    yet."""
    waiting: dict[int, list[GameResult]] = defaultdict(list)
    pairs, singles = [], []
    for game in games:
        if game.pair is None:
            singles.append(game.score_of(player))
            continue
        others = waiting[game.pair]
        partner = next((other for other in others if other.first != game.first), None)
        if partner is None:
            others.append(game)
        else:
            others.remove(partner)
            pairs.append(partner.score_of(player) + game.score_of(player))
    singles += [game.score_of(player) for others in waiting.values() for game in others]
    return PairCounts.of(pairs), GameCounts.of(singles)


def _rows(
    names: Sequence[str], games: Sequence[GameResult], ratings: Ratings
) -> tuple[Standing, ...]:
    """The players by rating; with the same rating, to a tenth, they share a rank."""
    scores: list[list[float]] = [[] for _ in names]
    seconds: list[list[float]] = [[] for _ in names]
    depths: list[list[float]] = [[] for _ in names]
    for game in games:
        for side, player in enumerate((game.first, game.second)):
            scores[player].append(game.score_of(player))
            seconds[player].append(game.seconds[side])
            depth = game.depths[side]
            if depth is not None:
                depths[player].append(depth)
    faults = Counter(game.fault_of for game in games)
    values = [round(rating.value, 1) for rating in ratings.players]
    order = sorted(range(len(names)), key=lambda player: (-values[player], player))
    return tuple(
        Standing(
            rank=1 + sum(value > values[player] for value in values),
            player=player,
            name=names[player],
            rating=ratings.players[player],
            results=GameCounts.of(scores[player]),
            faults=faults[player],
            seconds=_mean(seconds[player]) or 0.0,
            depth=_mean(depths[player]),
        )
        for player in order
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
