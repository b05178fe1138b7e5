"""Positions to test with: met by playing at random, the same ones every time."""

from __future__ import annotations

import random
from collections.abc import Iterator

from plyground.core.game import Game, Options
from plyground.core.position import Position


def random_game(game: Game, seed: int, options: Options | None = None) -> list[Position]:
    """The positions of one game played at random, from the start to the end."""
    chance = random.Random(seed)
    positions = [game.start(options)]
    while not positions[-1].is_over:
        positions.append(positions[-1].after(chance.choice(positions[-1].legal_moves)))
    return positions


def random_positions(game: Game, count: int, options: Options | None = None) -> Iterator[Position]:
    """One position each, not yet at the end, of so many games played at random."""
    for seed in range(count):
        positions = random_game(game, seed, options)
        yield random.Random(seed).choice(positions[:-1])
