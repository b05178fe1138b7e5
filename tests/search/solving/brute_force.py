"""What a position is worth, by looking at everything: the oracle that solvers are compared with."""

from __future__ import annotations

from typing import Any

from plyground.core.game import Position
from plyground.search.solving.solution import Solution, Worth

WON = 1000
"""A won game. A ply away it is worth one less."""

Memory = dict[Any, int]


def brute_force(position: Position, depth: int | None = None, memory: Memory | None = None) -> int:
    """The first player's worth: points, or WON less the plies to a win, or its negative.

    What is not decided within `depth` plies is worth 0. Nothing is cut off, and nothing is shared
    with a search; states are remembered, so that small games do not take for ever.
    """
    memory = {} if memory is None else memory
    key = position.state, depth
    if key not in memory:
        memory[key] = _looked_at(position, depth, memory)
    return memory[key]


def _looked_at(position: Position, depth: int | None, memory: Memory) -> int:
    counts = position.game.rules.point > 0
    if position.is_over:
        return position.utility if counts else WON * position.utility
    if depth == 0:
        return 0
    below = None if depth is None else depth - 1
    values = [worth_of_move(position, move, below, memory) for move in position.legal_moves]
    return max(values) if position.turn == 0 else min(values)


def worth_of_move(
    position: Position, move: int, depth: int | None = None, memory: Memory | None = None
) -> int:
    value = brute_force(position.after(move), depth, memory)
    if position.game.rules.point > 0:
        return value
    return value - 1 if value > 0 else value + 1 if value < 0 else 0


def as_number(worth: Worth) -> int:
    """A solver's answer on the same scale."""
    if worth.plies is None:
        return worth.utility
    assert worth.exactly
    return worth.utility * (WON - worth.plies)


def assert_perfect(solution: Solution, memory: Memory | None = None) -> None:
    """Everything in a complete solution, against brute force. Positions of one board may share the
    memory of brute force."""
    position = solution.position
    memory = {} if memory is None else memory
    value = brute_force(position, None, memory)
    moves = {move: worth_of_move(position, move, None, memory) for move in position.legal_moves}
    assert as_number(solution.worth) == value
    assert {move: as_number(worth) for move, worth in solution.moves.items()} == moves
    assert solution.optimal == tuple(move for move in moves if moves[move] == value)
    assert_line(solution, value)


def assert_line(solution: Solution, value: int) -> None:
    """The line of perfect play ends the game, with the worth that was promised, when it was."""
    position = solution.position
    assert solution.line[0] in solution.optimal
    for move in solution.line:
        position = position.play(move)
    assert position.is_over
    if position.game.rules.point > 0:
        assert position.utility == value
    else:
        assert position.utility == (value > 0) - (value < 0)
        assert value == 0 or len(solution.line) == WON - abs(value)


def same(solution: Solution, other: Solution) -> bool:
    """Whether two solutions agree in all but the time they took."""
    return (solution.worth, solution.moves, solution.optimal, solution.nodes) == (
        other.worth,
        other.moves,
        other.optimal,
        other.nodes,
    )
