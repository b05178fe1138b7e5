"""Positions of random games to test with, the same ones every time."""

from __future__ import annotations

from collections.abc import Iterator

from plyground.core.bits import mix
from plyground.core.game import Game, Options, Position
from plyground.search import random_games as sample


def random_game(game: Game, seed: int, options: Options | None = None) -> list[Position]:
    """The positions of one game played at random, from the start to the end."""
    return list(sample.random_game(game.start(options), seed).positions)


def random_positions(game: Game, count: int, options: Options | None = None) -> Iterator[Position]:
    """One position each, not yet at the end, of so many games played at random."""
    for seed in range(count):
        positions = random_game(game, seed, options)
        yield positions[mix(count, seed) % (len(positions) - 1)]
