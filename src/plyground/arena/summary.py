"""What the games of a match say: score, pairs, Elo and its error, endings, time and depth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from plyground.arena.statistics import Estimate, GameCounts, PairCounts, estimate
from plyground.arena.store import StoredGame
from plyground.core.outcome import FAULT_NAMES


@dataclass
class PlayerSums:
    """Added up over the games of one player."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    """Games lost by a fault of its own, by how they ended."""
    moves: int = 0
    seconds: float = 0.0
    _depths: list[float] = field(default_factory=list)

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def seconds_a_move(self) -> float:
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def depth(self) -> float | None:
        """The mean of the depths that its games reached."""
        return sum(self._depths) / len(self._depths) if self._depths else None

    def add(self, game: StoredGame, side: int) -> None:
        self.games += 1
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


@dataclass(frozen=True)
class MatchSummary:
    """The games between two players, seen from the first of them."""

    player: str
    opponent: str
    pairs: PairCounts
    singles: GameCounts
    """Of games whose pair is not complete."""
    own: PlayerSums
    other: PlayerSums
    endings: Counter[str]
    first_mover_points: float
    """Points of the player who moved first, over all games."""

    @cached_property
    def estimate(self) -> Estimate:
        return estimate(self.pairs, self.singles)

    @property
    def games(self) -> int:
        return self.own.games

    @property
    def first_mover_score(self) -> float:
        return self.first_mover_points / self.games if self.games else 0.5


def summarize(games: Iterable[StoredGame], player: str, opponent: str) -> MatchSummary:
    """The games between two notations; others are left out."""
    own, other = PlayerSums(), PlayerSums()
    endings: Counter[str] = Counter()
    scores: dict[tuple[str, int], list[float]] = defaultdict(list)
    first_mover_points = 0.0
    for game in games:
        if {game.first, game.second} != {player, opponent}:
            continue
        side = 0 if game.first == player else 1
        own.add(game, side)
        other.add(game, 1 - side)
        endings[game.ending] += 1
        first_mover_points += game.score
        scores[game.conditions, game.opening].append(game.score if side == 0 else 1 - game.score)
    return MatchSummary(
        player=player,
        opponent=opponent,
        pairs=PairCounts.of(sum(pair) for pair in scores.values() if len(pair) == 2),
        singles=GameCounts.of(pair[0] for pair in scores.values() if len(pair) == 1),
        own=own,
        other=other,
        endings=endings,
        first_mover_points=first_mover_points,
    )
