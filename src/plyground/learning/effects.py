"""What a net thinks of single features: how its value changes with and without them.

Weights of the first layer say little by themselves, since hidden units bound and square their sums.
So features are switched off, and numbers are replaced, in positions of games that the net plays
against itself; the effect is the mean change of its value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plyground.core.game import Position
from plyground.learning.self_play import GamePlayer, joined
from plyground.search.net.kernel import ACTIVATION_ONE, DIVISOR
from plyground.search.net.layout import BITS, FeatureLayout, state_of
from plyground.search.net.net import Net

GAMES = 150
NODES = 100
"""A move."""
RANDOM_PLIES = 8
"""The most random moves at the beginning of a game."""
FEWEST = 8
"""Positions on which an effect rests."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Effects:
    """The effects of all features of a net, by the side to move, in units of evaluation for the
    first player. NaN where too few positions have a feature."""

    values: tuple[Floats, Floats]
    counts: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
    """Positions that have a feature."""
    positions: list[Position]
    """Some of those that were looked at."""

    def of_item(self, layout: FeatureLayout, item: int, side: int) -> Floats:
        first = layout.firsts[item]
        found: Floats = self.values[side][first : first + layout.items[item].count]
        return found


def measure_effects(start: Position, net: Net) -> Effects:
    """Play some games, and measure the effects in their positions."""
    player = GamePlayer(start, net, net)
    parts = []
    for game in range(GAMES):
        plies = game % (RANDOM_PLIES + 1)
        result = player.play(game, random_plies=plies, nodes=(NODES, NODES))
        if result is not None:
            parts.append(player.positions(result))
    played = joined(parts)
    numbers = _numbers(start, played.items)
    layout = net.layout
    active = np.zeros((len(numbers), layout.features), bool)
    for row, state in enumerate(numbers):
        active[row, layout.active(state)] = True
    values, counts = [], []
    for side in (0, 1):
        here = active[played.turns == side]
        sign = 1 if side == 0 else -1
        counts.append(here.sum(axis=0))
        values.append(sign * _changes(net, here, side))
    sample = [
        Position(start.game, start.board, state_of(start.game.rules, state))
        for state in numbers[:: max(1, len(numbers) // 300)]
    ]
    return Effects((values[0], values[1]), (counts[0], counts[1]), sample)


def _numbers(start: Position, items: Any) -> list[list[int]]:
    """The numbers of states from their items (`folded` in `search/binding/exports.py`)."""
    kinds = [
        field.kind for field in start.game.rules.state_fields for _ in range(max(1, field.length))
    ]
    return [
        [
            word if kind == "uint64" else (word >> 1) ^ -(word & 1) if kind == "int64" else word
            for kind, word in zip(kinds, row, strict=True)
        ]
        for row in items.tolist()
    ]


def _changes(net: Net, active: npt.NDArray[np.bool_], side: int) -> Floats:
    """By feature, for the player to move: a bit against its absence where it is set, a number
    against what the positions have, wherever it might be instead."""
    rows = net.rows[side, :-1].astype(np.float64)
    sums = active @ rows + net.rows[side, -1]
    before = _outputs(net, sums, side)
    found = np.full(net.layout.features, np.nan)
    for item, first in zip(net.layout.items, net.layout.firsts, strict=True):
        features = range(first, first + item.count)
        if item.kind == BITS:
            for feature in features:
                on = active[:, feature]
                if on.sum() >= FEWEST:
                    after = _outputs(net, sums[on] - rows[feature], side)
                    found[feature] = (before[on] - after).mean()
        elif item.count:
            without = sums - active[:, features] @ rows[list(features)]
            for feature in features:
                if active[:, feature].sum() >= FEWEST:
                    after = _outputs(net, without + rows[feature], side)
                    found[feature] = (after - before).mean()
    return found


def _outputs(net: Net, sums: Floats, side: int) -> Floats:
    hidden = np.clip(sums, 0, ACTIVATION_ONE)
    found: Floats = (hidden * hidden) @ net.output[side].astype(np.float64) * net.scale / DIVISOR
    return found
