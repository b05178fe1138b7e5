"""Players that look at most one move ahead."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from plyground.core.game import Position
from plyground.core.values import terminal_value
from plyground.players.player import Choice, Clock


class FunctionPlayer:
    """A player that is a function from a position to one of its moves."""

    def __init__(self, name: str, pick: Callable[[Position], str]) -> None:
        self.name, self._pick = name, pick

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        """A function needs no preparation."""

    def choose(self, position: Position, clock: Clock) -> Choice:
        started = time.perf_counter()
        move = self._pick(position)
        return Choice(move, time.perf_counter() - started)

    def close(self) -> None:
        """A function holds nothing."""


def random_player(seed: int | None = None, name: str = "random") -> FunctionPlayer:
    """Any legal move, all equally likely; the same ones for the same seed."""
    choice = random.Random(seed)
    return FunctionPlayer(
        name, lambda position: position.move_text(choice.choice(position.legal_moves))
    )


def greedy_player(name: str = "greedy") -> FunctionPlayer:
    """The move with the best position after it, the first of several: a finished game counts as it
    ended, any other by the game's own evaluation."""
    return FunctionPlayer(name, lambda position: position.move_text(greedy_move(position)))


def greedy_move(position: Position) -> int:
    sign = 1 if position.turn == 0 else -1

    def prospect(move: int) -> int:
        child = position.after(move)
        if child.is_over:
            return sign * terminal_value(child.utility, child.game.rules.point, 1)
        return sign * child.evaluation

    return max(position.legal_moves, key=prospect)
