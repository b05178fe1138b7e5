"""Moves to find, measured: the plain search is asked for one, at depth after depth, until it names
one of the best."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.classroom.forge.difficulty import DEEPEST, Yardstick, depth_text
from plyground.core.position import Position
from plyground.players.simple import greedy_move
from plyground.search.solving.solution import Solution


@dataclass(frozen=True)
class Finding:
    """What was measured of a position with a best move to find."""

    value: int
    """What perfect play leads to, for the first player."""
    depth: int | None
    """The least depth at which the plain search finds it; None if not even DEEPEST is enough."""
    best_moves: int
    """How many moves keep the value."""
    legal_moves: int
    greedy: bool
    """Whether a player finds one who looks one move ahead."""

    @property
    def greedy_is_enough(self) -> bool:
        return self.greedy

    def as_json(self) -> dict[str, int | None]:
        return dict(vars(self))

    def shown(self) -> dict[str, str]:
        return {
            "value": f"{self.value:+d}",
            "depth": depth_text(self.depth),
            "best moves": f"{self.best_moves} of {self.legal_moves}",
            "greedy": "finds it" if self.greedy else "fails",
        }


def keeping_moves(solution: Solution) -> tuple[int, ...]:
    """The moves that keep what a position is worth: every one that wins a won game, however long
    it takes. Nobody is told that a winning move was wrong."""
    return tuple(
        move for move, worth in solution.moves.items() if worth.utility == solution.worth.utility
    )


def measure_best(solution: Solution, yardstick: Yardstick, deepest: int = DEEPEST) -> Finding:
    """How hard it is to find a best move of a solved position. What takes more than `deepest` plies
    is not measured further."""
    position, best = solution.position, keeping_moves(solution)
    found = (
        depth for depth in range(1, deepest + 1) if yardstick.at_depth(depth)(position) in best
    )
    return Finding(
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
