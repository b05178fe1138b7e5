"""Levels of computer players, from novice to perfect, and the ratings that were measured for them.

The levels are the same for every game: how strong one is depends on the game, and is measured by
`python -m benchmarks levels`, which writes RATINGS_FILE. A level stays the same opponent: its
engine has the game's own evaluation, whatever was learned on a machine.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from plyground.web.protocol.models import LevelModel, PlayerSpecModel

RATINGS_FILE = Path(__file__).with_name("level_ratings.json")
"""Ratings by game and level, as the benchmark writes them."""


@dataclass(frozen=True)
class PlayerLevel:
    """A computer player by its strength."""

    name: str
    text: str
    player: PlayerSpecModel
    default: bool = False
    """Whether a person who has chosen nothing plays against it."""


LEVELS = (
    PlayerLevel("Novice", "Plays any legal move.", PlayerSpecModel(kind="random")),
    PlayerLevel(
        "Beginner",
        "Plays 20 games at random in its head, and keeps to what went well.",
        PlayerSpecModel(kind="monte-carlo", nodes=20),
        default=True,
    ),
    PlayerLevel(
        "Casual",
        "Plays 100 games in its head, and keeps to what went well.",
        PlayerSpecModel(kind="monte-carlo", nodes=100),
    ),
    PlayerLevel(
        "Skilled",
        "Looks at its move and your answer.",
        PlayerSpecModel(kind="engine", depth=2, evaluation="own"),
    ),
    PlayerLevel(
        "Strong",
        "Looks five moves ahead.",
        PlayerSpecModel(kind="engine", depth=5, evaluation="own"),
    ),
    PlayerLevel(
        "Expert",
        "Searches for a second.",
        PlayerSpecModel(kind="engine", seconds=1.0, evaluation="own"),
    ),
    PlayerLevel(
        "Perfect",
        "Never errs. Solves the position first, which takes long on a large board.",
        PlayerSpecModel(kind="perfect"),
    ),
)
"""The second level is no search of a ply or two: in Connect Four and Breakthrough even one ply is
rated 400 points higher or more, since it never overlooks a move that wins at once."""


def level_models(game: str) -> list[LevelModel]:
    """The levels of a game, with their ratings where they were measured."""
    measured = _ratings().get(game, {})
    return [
        LevelModel(
            name=level.name,
            text=level.text,
            player=level.player,
            default=level.default,
            rating=measured.get(level.name),
        )
        for level in LEVELS
    ]


def player_name(player: PlayerSpecModel) -> str:
    """What lists call a player: its level, if it is one, else its kind."""
    return next((level.name for level in LEVELS if level.player == player), player.kind)


@cache
def _ratings() -> dict[str, dict[str, int]]:
    ratings: dict[str, dict[str, int]] = json.loads(RATINGS_FILE.read_text())["ratings"]
    return ratings
