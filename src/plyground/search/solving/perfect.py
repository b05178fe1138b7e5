"""Perfect play: a solution as the answer of a search, so that a solver can play a game."""

from __future__ import annotations

import random

from plyground.core.position import Position
from plyground.core.values import terminal_value
from plyground.search.result import SearchResult
from plyground.search.solving.solution import Solution, Worth


def perfect_result(solution: Solution, seed: int | None = None) -> SearchResult:
    """The best move of a solved position; a seed decides between several, if they are known."""
    move = solution.line[0]
    if seed is not None and solution.optimal:
        move = random.Random(seed).choice(sorted(solution.optimal))
    depth = solution.worth.plies if solution.worth.plies is not None else len(solution.line)
    return SearchResult(
        position=solution.position,
        move=move,
        value=value_of(solution.position, solution.worth),
        bound="exact",
        proven=True,
        depth=depth,
        selective_depth=depth,
        nodes=solution.nodes,
        seconds=solution.seconds,
        line=solution.line if move == solution.line[0] else (move,),
        optimal=solution.optimal,
    )


def value_of(position: Position, worth: Worth) -> int:
    """A worth on the scale of searches: points of evaluation, or a win with its distance."""
    return terminal_value(worth.utility, position.game.rules.point, worth.plies or 0)
