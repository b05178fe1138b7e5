"""How hard a task is: how deep a plain search must look to do it.

The yardstick is alpha-beta as students write it first, with the score so far at its leaves and ties
given to the first move in order. It plays whole games against perfect play, at depth after depth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyground.classroom.opponents import Perfect
from plyground.core.game import Game
from plyground.core.position import Position
from plyground.players.player import Clock
from plyground.players.simple import greedy_move
from plyground.search.result import Limits

DEEPEST = 14
"""Where the measuring ends: what a search of this depth does not win is the hardest there is."""

Pick = Callable[[Position], int]


@dataclass(frozen=True)
class Difficulty:
    """What was measured of a task that the first player wins."""

    value: int
    """The margin of perfect play."""
    depth: int | None
    """The least depth at which the plain search wins; None if not even DEEPEST is enough."""
    winning_moves: int
    """How many first moves keep the win."""
    legal_moves: int
    greedy: int
    """The margin of a player who looks one move ahead."""

    def as_json(self) -> dict[str, int | None]:
        return dict(vars(self))


class Yardstick:
    """Plain searches of every depth, on the rules with the plainest evaluation."""

    def __init__(self, plain: Game) -> None:
        from plyground.search.alphabeta import Engine
        from plyground.search.features import Features

        self._plain = plain
        self._engine = Engine(plain, memory=32, features=Features.EXACT)

    def at_depth(self, depth: int) -> Pick:
        """The move that alpha-beta of this depth chooses: the first in order of all that are as
        good as the best."""

        def pick(position: Position) -> int:
            same = Position(self._plain, position.board, position.state)
            found = self._engine.search(same, Limits(depth=depth), optimal=True)
            return next(move for move in position.legal_moves if move in found.optimal)

        return pick


def measure(
    start: Position, perfect: Perfect, yardstick: Yardstick, deepest: int = DEEPEST
) -> Difficulty | None:
    """How hard it is to win from here as the first player; None if perfect play does not win.
    What takes more than `deepest` plies is not measured further."""
    solution = perfect.solver.solve(start)
    if solution.worth.utility <= 0:
        return None
    depths = range(1, deepest + 1)
    wins = (depth for depth in depths if margin(start, yardstick.at_depth(depth), perfect) > 0)
    return Difficulty(
        value=solution.worth.utility,
        depth=next(wins, None),
        winning_moves=sum(worth.utility > 0 for worth in solution.moves.values()),
        legal_moves=len(start.legal_moves),
        greedy=margin(start, greedy_move, perfect),
    )


def margin(start: Position, pick: Pick, perfect: Perfect) -> int:
    """What the first player ends with against perfect play."""
    position = start
    perfect.begin(start, 1, Clock())
    while not position.is_over:
        if position.turn == 0:
            position = position.after(pick(position))
        else:
            position = position.play(perfect.choose(position, Clock()).move)
    return position.utility
