"""Nets that have learned nothing, for tests of how nets are used."""

from __future__ import annotations

import numpy as np

from plyground.core.game import Position
from plyground.search.net.kernel import HIDDEN, MOST_OUTPUT
from plyground.search.net.layout import find_layout
from plyground.search.net.net import Net, fingerprint
from plyground.search.random_games import random_game


def random_net(start: Position, seed: int, *, largest: int = 200) -> Net:
    """A net with random weights; the sums of large ones overflow, and wrap around."""
    chance = np.random.default_rng(seed)
    layout = find_layout(sample(start))
    return Net(
        game=start.game.name,
        options={},
        fingerprint=fingerprint(start.game, start.board),
        layout=layout,
        rows=chance.integers(-largest, largest, (2, layout.features + 1, HIDDEN)).astype(np.int16),
        output=chance.integers(-MOST_OUTPUT, MOST_OUTPUT + 1, (2, HIDDEN)).astype(np.int16),
        constants=(int(chance.integers(-50, 50)), int(chance.integers(-50, 50))),
        scale=int(chance.integers(1, 400)),
        log={"seed": seed},
    )


def sample(start: Position, games: int = 20) -> list[Position]:
    played = (random_game(start, seed, 200) for seed in range(games))
    return [position for game in played for position in game.positions]
