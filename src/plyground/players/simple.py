"""Players that look no further than a move ahead, and people."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from plyground.core.position import Position
from plyground.core.values import terminal_value
from plyground.players.player import Choice, Clock


class Simple:
    """A player that is a function from a position to one of its moves."""

    def __init__(self, name: str, pick: Callable[[Position], str]) -> None:
        self._name, self._pick = name, pick

    @property
    def name(self) -> str:
        return self._name

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        """It takes every position as it comes."""

    def choose(self, position: Position, clock: Clock) -> Choice:
        started = time.perf_counter()
        move = self._pick(position)
        return Choice(move, time.perf_counter() - started)

    def close(self) -> None:
        """It holds nothing."""


def random_player(seed: int | None = None) -> Simple:
    """Any legal move, each as likely; the same ones for the same seed."""
    choice = random.Random(seed)
    return Simple(
        "random", lambda position: position.move_text(choice.choice(position.legal_moves))
    )


def greedy_player() -> Simple:
    """The move that looks best at once, the first of several: a finished game counts as it ended,
    any other by the game's own evaluation."""
    return Simple("greedy", lambda position: position.move_text(greedy_move(position)))


def greedy_move(position: Position) -> int:
    sign = 1 if position.turn == 0 else -1

    def prospect(move: int) -> int:
        child = position.after(move)
        if child.is_over:
            return sign * terminal_value(child.utility, child.game.rules.point, 1)
        return sign * child.evaluation

    return max(position.legal_moves, key=prospect)


def human_player(ask: Callable[[Position], str], name: str = "you") -> Simple:
    """A person: `ask` shows the position and returns what is typed."""
    return Simple(name, ask)
