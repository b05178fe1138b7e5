"""A net: whole numbers that give a state its value. Made by `plyground learn`, used by the engine.

One hidden layer. A state switches on some features (`search/net/layout.py`); each feature adds its
row of weights to the hidden units, which are kept between 0 and 1 and squared; the output is their
weighted sum. Each side has weights of its own, and the value is that of the player to move.
In a game that keeps a score, the value is what the rest of the game is worth, beyond that score.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from plyground.core.game import Game, Position
from plyground.search.net.kernel import (
    ACTIVATION_ONE,
    DIVISOR,
    HEADER,
    HIDDEN,
    MOST_OUTPUT,
    OUTPUT_ONE,
)
from plyground.search.net.layout import FeatureLayout, numbers_of
from plyground.search.random_games import random_game

SHORTEST, LARGEST = -(1 << 15), (1 << 15) - 1
FINGERPRINT_GAMES = 16
FINGERPRINT_PLIES = 200


@dataclass(frozen=True, eq=False)
class Net:
    game: str
    """The name of the game."""
    options: dict[str, Any]
    """Those of the board on which it was learned."""
    fingerprint: str
    """Of the rules and the board (`fingerprint`)."""
    layout: FeatureLayout
    rows: npt.NDArray[np.int16]
    """By side, then the rows of all features and one of biases, then HIDDEN numbers."""
    output: npt.NDArray[np.int16]
    """The output weights by side."""
    constants: tuple[int, int]
    """Added to the output, by side, in units of evaluation."""
    scale: int
    """How many units of evaluation an output of 1 is."""
    log: dict[str, Any] = field(default_factory=dict)
    """How it was made."""

    @property
    def table(self) -> npt.NDArray[np.int64]:
        """What kernels need to know besides the weights."""
        header = np.zeros(HEADER, np.int64)
        header[:] = self.layout.features, len(self.layout.items), self.scale, *self.constants
        return np.concatenate([header, self.layout.table.ravel()])

    @property
    def flat_rows(self) -> npt.NDArray[np.int16]:
        """All weights as kernels take them."""
        return np.concatenate([self.rows, self.output[:, None, :]], axis=1).ravel()

    @property
    def first_sums(self) -> npt.NDArray[np.int16]:
        """By side, the hidden units of the state with which kernels begin: all its items are 0."""
        nothing = [0] * len(self.layout.items)
        return np.concatenate([self._hidden(side, nothing) for side in (0, 1)])

    def value(self, position: Position) -> int:
        """The value for the player to move, uncompiled: what the kernels compute."""
        side = position.turn
        hidden = self._hidden(side, numbers_of(position.state)).astype(np.int64)
        hidden = np.clip(hidden, 0, ACTIVATION_ONE)
        total = int((hidden * hidden * self.output[side].astype(np.int64)).sum()) * self.scale
        quotient = abs(total) // DIVISOR  # as compiled code divides: towards 0
        return (quotient if total >= 0 else -quotient) + self.constants[side]

    def _hidden(self, side: int, numbers: Sequence[int]) -> npt.NDArray[np.int16]:
        """The hidden units of the state with these numbers. Sums wrap around."""
        active = [*self.layout.active(numbers), self.layout.features]  # the last are the biases
        hidden: npt.NDArray[np.int16] = self.rows[side, active].sum(axis=0, dtype=np.int16)
        return hidden


def quantized(
    weights: npt.NDArray[np.float32], output: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """Weights of features and biases, and of the output, as whole numbers."""
    rows = np.clip(np.rint(weights * ACTIVATION_ONE), SHORTEST, LARGEST).astype(np.int16)
    outputs = np.clip(np.rint(output * OUTPUT_ONE), -MOST_OUTPUT, MOST_OUTPUT).astype(np.int16)
    assert rows.shape[-1] == outputs.shape[-1] == HIDDEN
    return rows, outputs


def fingerprint(game: Game, board: Any) -> str:
    """A digest of how the rules behave on a board: of a few random games on it, move by move.

    Two sets of rules with one fingerprint play alike, whatever their code looks like; it is the
    same for all versions of Python. What does not change how a game is played, such as its
    evaluation, is no part of it.
    """
    digest = hashlib.sha256()
    start = Position(game, board, game.call(game.rules.start, board))
    for seed in range(FINGERPRINT_GAMES):
        played = random_game(start, seed, FINGERPRINT_PLIES)
        for position in played.positions:
            facts = [numbers_of(position.state), position.is_over]
            if position.is_over:
                facts += [position.utility]
            else:
                facts += [position.turn, list(position.legal_moves)]
            digest.update(repr(facts).encode())
    return digest.hexdigest()[:16]
