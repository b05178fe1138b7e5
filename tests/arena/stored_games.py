"""Games of a store, made for a test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from plyground.arena.standings import Standings, standings
from plyground.arena.store import StoredGame
from plyground.arena.summary import EventSummary


def stored_game(
    first: str, second: str, score: float, opening: int = 0, **details: Any
) -> StoredGame:
    """A game that gave the first player so many points."""
    values: dict[str, Any] = {
        "id": 1,
        "conditions": "conditions",
        "game": "tictactoe",
        "utility": 0,
        "ending": "finished",
        "reason": "",
        "plies": 7,
        "first_seconds": 0.0,
        "second_seconds": 0.0,
        "first_depth": None,
        "second_depth": None,
        "finished": 0.0,
        **details,
    }
    winner = {1: 0, 0.5: None, 0: 1}[score]
    return StoredGame(first=first, second=second, opening=opening, winner=winner, **values)


def standings_of(names: Sequence[str], games: Iterable[StoredGame], **settings: Any) -> Standings:
    """The standings of players whose notations are their names."""
    summary = EventSummary(names, **settings)
    summary.add_all(games)
    return standings(names, summary)
