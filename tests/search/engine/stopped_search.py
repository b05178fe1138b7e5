"""What holds for the answer of a search that was stopped."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.core.game import Position
from plyground.core.values import DECIDED
from plyground.search.result import SearchResult
from plyground.search.textbook.algorithms import alpha_beta


def check_stopped(stopped: SearchResult, reports: Sequence[SearchResult]) -> bool:
    """The answer is that of the last finished depth, or a better move of the depth that was broken
    off: worth what is said of it at least, and more than the move of the depth before. Whether it
    is such a move. For searches whose values are those of minimax."""
    position = stopped.position
    finished = reports[-1] if reports else None
    if stopped.bound == "exact":
        assert finished is None or stopped.depth == finished.depth == len(reports)
        assert finished is None or stopped.line == finished.line
        return False
    assert stopped.depth == len(reports) + 1
    assert stopped.bound == ("lower" if position.turn == 0 else "upper")
    sign = 1 if position.turn == 0 else -1
    worth = sign * _value_of(position, stopped.move, stopped.depth)
    assert sign * stopped.value <= worth <= sign * alpha_beta(position, stopped.depth).value
    if finished is not None:
        assert stopped.move != finished.move
        assert sign * _value_of(position, finished.move, stopped.depth) < sign * stopped.value
    return True


def _value_of(position: Position, move: int, depth: int) -> int:
    """Of one move, by the textbook's search."""
    value = alpha_beta(position.play(move), depth - 1).value
    return value - (value > DECIDED) + (value < -DECIDED)  # a win is a ply farther from here
