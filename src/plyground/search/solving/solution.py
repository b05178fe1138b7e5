"""What a solver answers, and what every solver can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from plyground.core.errors import PlygroundError
from plyground.core.position import Position


class Unsolved(PlygroundError):
    """The answer was not reached: too little memory, or stopped. The sentence says what was."""


@dataclass(frozen=True)
class Worth:
    """What perfect play leads to, for the first player.

    `utility` is in points in a game of points, else 1, 0 or -1. `plies` is how long a won game
    lasts if the winner hurries and the loser delays: None where nobody wins or points are counted.
    `exactly` is False if the winner needs no more than so many, but perhaps fewer.
    """

    utility: int
    plies: int | None = None
    exactly: bool = True


@dataclass(frozen=True)
class Solution:
    """A solved position."""

    position: Position
    method: str
    """How it was solved, in a few words."""
    worth: Worth
    moves: dict[int, Worth]
    """What every legal move is worth, as far as it was asked and found out."""
    optimal: tuple[int, ...]
    """The moves that keep the worth; of winning moves the quickest where that is known, of losing
    ones those that last longest."""
    line: tuple[int, ...]
    """Perfect play, as far as it is known."""
    nodes: int
    """Positions looked at, or kept: `counted` says which."""
    counted: str
    seconds: float


@dataclass(frozen=True)
class Advance:
    """How far a solver has come, in words for a line of progress; `part` from 0 to 1 if known."""

    text: str
    nodes: int
    part: float | None = None


Listener = Callable[[Advance], None]


class Solver(Protocol):
    """One method, set up for one game. What it has found out it keeps from question to question."""

    method: str

    def solve(self, position: Position, *, every_move: bool = True) -> Solution:
        """The worth of a position, and of all its moves if wanted. Raises Unsolved."""

    def verify(self, position: Position) -> int:
        """Check the solution of a position once more, each value against its children; how many
        positions were checked. Raises Unsolved with the position at fault if one is wrong."""

    def stop(self) -> None:
        """From another thread: give up soon."""


def best_moves(turn: int, moves: dict[int, Worth]) -> tuple[int, ...]:
    """The moves that are best for the player to move."""
    best = max(preference(turn, worth) for worth in moves.values())
    return tuple(move for move, worth in moves.items() if preference(turn, worth) == best)


def preference(turn: int, worth: Worth) -> tuple[int, int]:
    """The larger, the better for this player: more utility, then the nearer win or later loss."""
    utility = worth.utility if turn == 0 else -worth.utility
    if worth.plies is None or not worth.exactly:
        return utility, 0
    return utility, -worth.plies if utility > 0 else worth.plies


def worth_text(position: Position, worth: Worth) -> str:
    """What perfect play leads to, in words."""
    if worth.utility == 0:
        return "a draw"
    winner = position.game.players[0 if worth.utility > 0 else 1]
    if position.game.rules.point:
        points = abs(worth.utility)
        return f"{winner} wins by {points} point{'s' if points != 1 else ''}"
    if worth.plies is None:
        return f"{winner} wins"
    reach = "in" if worth.exactly else "within"
    return f"{winner} wins {reach} {worth.plies} pl{'ies' if worth.plies != 1 else 'y'}"


def key_of(words: Any) -> tuple[int, ...]:
    """An identity as a key of a dictionary."""
    return tuple(int(word) for word in words)
