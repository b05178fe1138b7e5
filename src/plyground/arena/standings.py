"""Standings: the players of an event, rated and ranked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plyground.arena.rating import Rating, Ratings, notes
from plyground.arena.summary import EventSummary, PlayerSummary


@dataclass(frozen=True)
class Standing:
    """One player's row of the table."""

    rank: int
    player: int
    """Its index in the list of names."""
    name: str
    rating: Rating
    summary: PlayerSummary


@dataclass(frozen=True)
class Standings:
    """Everything that tables and reports show."""

    names: tuple[str, ...]
    rows: tuple[Standing, ...]
    """The best player first."""
    ratings: Ratings
    summary: EventSummary

    @property
    def games(self) -> int:
        return self.summary.games

    @property
    def notes(self) -> list[str]:
        """What a reader of the ratings has to know."""
        return notes(self.ratings, self.names) if self.games else []


def standings(names: Sequence[str], summary: EventSummary) -> Standings:
    """Rank the players by rating; with the same rating, to a tenth, they share a rank."""
    ratings = summary.ratings
    values = [round(rating.value, 1) for rating in ratings.players]
    order = sorted(range(len(names)), key=lambda player: (-values[player], player))
    rows = tuple(
        Standing(
            rank=1 + sum(value > values[player] for value in values),
            player=player,
            name=names[player],
            rating=ratings.players[player],
            summary=summary.players[player],
        )
        for player in order
    )
    return Standings(tuple(names), rows, ratings, summary)
