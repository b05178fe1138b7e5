"""Random games, the same ones everywhere: a seed gives the same moves on every machine.

Python's own generator may change its choices between versions, so the choice here is a hash.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plyground.core.bits import mix
from plyground.core.game import Position

LONGEST_GAME = 1000
"""Where a random game is given up, in plies; far beyond any game here played at random."""


@dataclass(frozen=True)
class RandomGame:
    """A game of random moves: `positions[i + 1]` is `positions[i]` after `moves[i]`."""

    positions: tuple[Position, ...]
    moves: tuple[int, ...]

    @property
    def last(self) -> Position:
        return self.positions[-1]

    @property
    def is_finished(self) -> bool:
        return self.last.is_over


def random_game(start: Position, seed: int, longest: int = LONGEST_GAME) -> RandomGame:
    """Play random moves to the end of the game, or until so many have been played."""
    positions = [start]
    moves: list[int] = []
    while len(moves) < longest and not positions[-1].is_over:
        position = positions[-1]
        legal = position.legal_moves
        move = legal[mix(mix(len(legal), seed), len(moves)) % len(legal)]
        moves.append(move)
        positions.append(position.after(move))
    return RandomGame(tuple(positions), tuple(moves))


def random_positions(start: Position, count: int, seed: int, step: int) -> Iterator[Position]:
    """So many positions that are not over, each of a game of its own and `step` plies further in.

    A game that ends too early gives the last position before its end.
    """
    for number in range(1, count + 1):
        game = random_game(start, mix(seed, number), step * number)
        yield game.positions[-2] if game.is_finished else game.last
