"""How hard a task is: how deep a plain search must look to do it.

The yardstick is alpha-beta as students write it first, with an evaluation as they write it too
(`evaluations.py`), and ties given to the first move in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from plyground.classroom.forge.evaluations import plain_game
from plyground.core.game import Game
from plyground.core.position import Position
from plyground.search.result import Limits

DEEPEST = 14
"""Where the measuring ends: what a search of this depth does not do is the hardest there is."""

Pick = Callable[[Position], int]


class Difficulty(Protocol):
    """What was measured of a task."""

    @property
    def depth(self) -> int | None:
        """The least depth at which the plain search does it; None if not even DEEPEST is enough."""

    @property
    def greedy_is_enough(self) -> bool:
        """Whether a player does it who looks one move ahead."""

    def as_json(self) -> dict[str, int | None]:
        """Everything, as a proof keeps it."""

    def shown(self) -> dict[str, str]:
        """What people want to see of it, by the names of columns."""


@dataclass(frozen=True)
class Level:
    """A band of difficulty."""

    name: str
    least: int
    most: int | None
    """None: as deep as you like."""
    greedy_is_enough: bool = False
    """Whether a task may be done by looking one move ahead."""

    def holds(self, difficulty: Difficulty) -> bool:
        depth = DEEPEST + 1 if difficulty.depth is None else difficulty.depth
        in_band = self.least <= depth <= (depth if self.most is None else self.most)
        return in_band and (self.greedy_is_enough or not difficulty.greedy_is_enough)

    @property
    def deepest(self) -> int:
        """Where measuring can end: what takes more than this does not belong here."""
        return self.most or DEEPEST


LEVELS = {
    "E": Level("E/D", 2, 4, greedy_is_enough=True),
    "C": Level("C", 5, 8),
    "A": Level("A", 9, None),
}


def depth_text(depth: int | None) -> str:
    return "more" if depth is None else str(depth)


class Yardstick:
    """Plain searches of every depth, on the rules with the plainest evaluation."""

    def __init__(self, plain: Game) -> None:
        from plyground.search.engine.engine import Engine
        from plyground.search.features import Features

        self.plain = plain
        self._engine = Engine(plain, memory=32, features=Features.EXACT)

    @classmethod
    def of(cls, name: str) -> Yardstick:
        return cls(plain_game(name))

    def at_depth(self, depth: int) -> Pick:
        """The move that alpha-beta of this depth chooses: the lowest number of all that are as
        good as the best."""

        def pick(position: Position) -> int:
            same = Position(self.plain, position.board, position.state)
            found = self._engine.search(same, Limits(depth=depth), optimal=True)
            return min(found.optimal)

        return pick
