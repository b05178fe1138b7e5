"""How hard a task is: the depth that a plain search needs for it.

The plain search is alpha-beta with an evaluation as students write it (`evaluations.py`), which
chooses the first of equally good moves. It plays a `win` task to the end against perfect play, at
every depth; in a `best` task it must choose one of the best moves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from plyground.classroom.forge.evaluations import plain_game
from plyground.classroom.opponents import Perfect
from plyground.core.game import Position
from plyground.players.player import Clock
from plyground.players.simple import greedy_move
from plyground.search.result import Limits
from plyground.search.solving.solution import Solution

DEEPEST = 14
"""The greatest depth that is measured."""
SHALLOWEST = 2
"""The least depth at which a game is played: the player sees its opponent's reply."""

Pick = Callable[[Position], int]


class Difficulty(Protocol):
    """What was measured of a task. Its fields are stored in a proof."""

    @property
    def depth(self) -> int | None:
        """The least depth at which the plain search solves it; None if DEEPEST is not enough."""

    @property
    def greedy_is_enough(self) -> bool:
        """Whether a player that looks one move ahead solves it."""

    def shown(self) -> dict[str, str]:
        """The columns of a table for people, by their titles."""


@dataclass(frozen=True)
class DifficultyLevel:
    """A band of difficulty."""

    name: str
    least: int
    most: int | None
    """None: no limit."""
    greedy_is_enough: bool = False
    """Whether a player that looks one move ahead may solve a task of the level."""

    def holds(self, difficulty: Difficulty) -> bool:
        depth = DEEPEST + 1 if difficulty.depth is None else difficulty.depth
        in_band = self.least <= depth <= (depth if self.most is None else self.most)
        return in_band and (self.greedy_is_enough or not difficulty.greedy_is_enough)

    @property
    def deepest(self) -> int:
        """The depth at which measuring for this level can end."""
        return self.most or DEEPEST


LEVELS = {
    "E": DifficultyLevel("E/D", 2, 4, greedy_is_enough=True),
    "C": DifficultyLevel("C", 5, 8),
    "A": DifficultyLevel("A", 9, None),
}


def depth_text(depth: int | None) -> str:
    return "more" if depth is None else str(depth)


class PlainSearch:
    """Plain searches of every depth, on the rules with the plainest evaluation."""

    def __init__(self, name: str) -> None:
        """`name` is that of the game."""
        from plyground.search.engine.engine import Engine
        from plyground.search.features import Features

        self.plain = plain_game(name)
        self._engine = Engine(self.plain, memory=32, features=Features.EXACT)

    def at_depth(self, depth: int) -> Pick:
        """The move that alpha-beta of this depth chooses: the lowest number of all that are as
        good as the best."""

        def pick(position: Position) -> int:
            same = Position(self.plain, position.board, position.state)
            found = self._engine.search(same, Limits(depth=depth), optimal=True)
            return min(found.optimal)

        return pick


# Tasks of the kind `win`


@dataclass(frozen=True)
class WinDifficulty:
    """What was measured of a `win` task for the first player."""

    value: int
    """The margin of perfect play."""
    depth: int | None
    """The depth from which on the plain search wins at every depth that was measured; None if it
    does not win at the last."""
    lucky: int
    """The number of lower depths at which it wins as well: 0 if depth alone decides."""
    winning_moves: int
    """How many first moves keep the win."""
    legal_moves: int
    greedy: int
    """The margin of a player that looks one move ahead, with the game's own evaluation."""

    greedy_is_enough = False
    """That evaluation is better than a student's, so the level does not depend on it."""

    def shown(self) -> dict[str, str]:
        return {
            "margin": f"{self.value:+d}",
            "depth": depth_text(self.depth),
            "winning moves": f"{self.winning_moves} of {self.legal_moves}",
            "greedy": f"{self.greedy:+d}",
        }


def measure_win(
    start: Position, perfect: Perfect, plain_search: PlainSearch, deepest: int = DEEPEST
) -> WinDifficulty | None:
    """The difficulty of winning as the first player, measured at depths SHALLOWEST to `deepest`;
    None if perfect play does not win."""
    solution = perfect.solver.solve(start)
    if solution.worth.utility <= 0:
        return None
    depths = range(SHALLOWEST, deepest + 1)
    won = {depth for depth in depths if margin(start, plain_search.at_depth(depth), perfect) > 0}
    last_lost = max((depth for depth in depths if depth not in won), default=SHALLOWEST - 1)
    return WinDifficulty(
        value=solution.worth.utility,
        depth=last_lost + 1 if last_lost < deepest else None,
        lucky=sum(depth < last_lost for depth in won),
        winning_moves=sum(worth.utility > 0 for worth in solution.moves.values()),
        legal_moves=len(start.legal_moves),
        greedy=margin(start, greedy_move, perfect),
    )


def margin(start: Position, pick: Pick, perfect: Perfect) -> int:
    """The first player's result against perfect play."""
    position = start
    perfect.begin(start, 1, Clock())
    while not position.is_over:
        if position.turn == 0:
            position = position.after(pick(position))
        else:
            position = position.play(perfect.choose(position, Clock()).move)
    return position.utility


# Tasks of the kind `best`


@dataclass(frozen=True)
class BestMoveDifficulty:
    """What was measured of a `best` task."""

    value: int
    """What perfect play leads to, for the first player."""
    depth: int | None
    """The least depth at which the plain search finds it; None if not even DEEPEST is enough."""
    best_moves: int
    """How many moves keep the value."""
    legal_moves: int
    greedy: bool
    """Whether a player that looks one move ahead finds one."""

    @property
    def greedy_is_enough(self) -> bool:
        return self.greedy

    def shown(self) -> dict[str, str]:
        return {
            "value": f"{self.value:+d}",
            "depth": depth_text(self.depth),
            "best moves": f"{self.best_moves} of {self.legal_moves}",
            "greedy": "finds it" if self.greedy else "fails",
        }


def keeping_moves(solution: Solution) -> tuple[int, ...]:
    """The moves that keep the value of a position: in a won game every winning move, however long
    the win takes."""
    return tuple(
        move for move, worth in solution.moves.items() if worth.utility == solution.worth.utility
    )


def measure_best(
    solution: Solution, plain_search: PlainSearch, deepest: int = DEEPEST
) -> BestMoveDifficulty:
    """The difficulty of finding a best move in a solved position, measured to depth `deepest`."""
    position, best = solution.position, keeping_moves(solution)
    found = (
        depth for depth in range(1, deepest + 1) if plain_search.at_depth(depth)(position) in best
    )
    return BestMoveDifficulty(
        value=solution.worth.utility,
        depth=next(found, None),
        best_moves=len(best),
        legal_moves=len(position.legal_moves),
        greedy=greedy_move(position) in best,
    )


def best_texts(position: Position, solution: Solution) -> list[str]:
    """The best moves as people write them, in the order of the rules."""
    best = keeping_moves(solution)
    return [position.move_text(move) for move in position.legal_moves if move in best]
