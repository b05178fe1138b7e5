"""What a solver answers, and what every solver can do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Any, Protocol

from plyground.core.errors import PlygroundError
from plyground.core.position import Position


class Unsolved(PlygroundError):
    """The answer was not reached: too little memory, or stopped. The sentence says what was.

    `stopped` tells that its time was up or that it was stopped from another thread; `partial` is
    what is proven all the same, None where nothing was begun.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.stopped = False
        self.partial: PartialSolution | None = None


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
class Bounds:
    """The least and the most that perfect play can lead to, for the first player; both are proven.
    None is an end of which nothing is known.

    In a game of wins the ends tell plies as well, if they are known. A later loss is better than a
    sooner one, a win the other way round: from Worth(-1, 5) to Worth(1, 7) says that nobody is
    known to win, that the second player needs at least 5 plies to do so and the first at least 7.
    """

    low: Worth | None = None
    high: Worth | None = None

    @property
    def worth(self) -> Worth | None:
        """What the position is worth, if that is decided; the plies of a win at most."""
        if self.low is None or self.high is None or self.low.utility != self.high.utility:
            return None
        latest = self.low if self.low.utility > 0 else self.high
        return Worth(latest.utility, latest.plies, exactly=self.low == self.high)

    def narrowed(self, other: Bounds) -> Bounds:
        """What both of these say of the same position."""
        lows = [end for end in (self.low, other.low) if end is not None]
        highs = [end for end in (self.high, other.high) if end is not None]
        return Bounds(
            max(lows, key=_low_rank, default=None), min(highs, key=_high_rank, default=None)
        )


@dataclass(frozen=True)
class PartialSolution:
    """What is proven of a position that is not solved."""

    position: Position
    method: str
    bounds: Bounds
    moves: dict[int, Bounds]
    """What is proven of every legal move."""
    nodes: int
    counted: str
    """As in a Solution."""
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

    def solve(
        self, position: Position, *, every_move: bool = True, seconds: float | None = None
    ) -> Solution:
        """The worth of a position, and of all its moves if wanted. Raises Unsolved, also when it
        has taken so many seconds."""

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


def bounds_by_moves(turn: int, moves: Iterable[Bounds]) -> Bounds:
    """What is proven of a position by what is proven of each of its moves."""
    lows, highs = [bounds.low for bounds in moves], [bounds.high for bounds in moves]
    known_lows = [end for end in lows if end is not None]
    known_highs = [end for end in highs if end is not None]
    # The mover can do as well as by any move, and no better than by the best of all.
    if turn == 0:
        all_known = len(known_highs) == len(highs)
        return Bounds(
            max(known_lows, key=_low_rank, default=None),
            max(known_highs, key=_high_rank) if all_known else None,
        )
    all_known = len(known_lows) == len(lows)
    return Bounds(
        min(known_lows, key=_low_rank) if all_known else None,
        min(known_highs, key=_high_rank, default=None),
    )


def _low_rank(worth: Worth) -> tuple[int, float]:
    """The order of lower ends: a distance that is not known may be the worst."""
    return _rank(worth, -inf)


def _high_rank(worth: Worth) -> tuple[int, float]:
    """The order of upper ends: a distance that is not known may be the best."""
    return _rank(worth, inf)


def _rank(worth: Worth, unknown: float) -> tuple[int, float]:
    if worth.plies is None:
        return worth.utility, unknown
    return preference(0, worth)


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


def bounds_text(position: Position, bounds: Bounds) -> str:
    """What is proven, in words."""
    if bounds.worth is not None:
        return worth_text(position, bounds.worth)
    text = _points_text if position.game.rules.point else _wins_text
    return text(position, bounds) or "nothing is proven yet"


def _points_text(position: Position, bounds: Bounds) -> str:
    ends = ((bounds.low, "at least"), (bounds.high, "at most"))
    known = [f"{words} {end.utility:+d}" for end, words in ends if end is not None]
    if not known:
        return ""
    first, second = position.game.players
    text = f"{', '.join(known)} points for {first}".replace("+0", "0")
    low, high = bounds.low, bounds.high
    if low is not None and low.utility >= 0:
        return f"{text}: {first} {'wins' if low.utility > 0 else 'does not lose'}"
    if high is not None and high.utility <= 0:
        return f"{text}: {second} {'wins' if high.utility < 0 else 'does not lose'}"
    return text


def _wins_text(position: Position, bounds: Bounds) -> str:
    first, second = position.game.players
    parts = []
    within = {}  # who may still win, and in how many plies not
    for winner, loser, end in ((first, second, bounds.high), (second, first, bounds.low)):
        if end is not None and end.utility == 0:
            parts.append(f"{loser} does not lose")
        elif end is not None:
            within[winner] = (end.plies or 1) - 1
    if len(within) == 2 and len(set(within.values())) == 1:
        within = {"nobody": within[first]}
    for winner, plies in within.items():
        wins = "nobody wins" if winner == "nobody" else f"{winner} does not win"
        if plies > 0:
            parts.append(f"{wins} within {plies} pl{'ies' if plies != 1 else 'y'}")
    return "; ".join(parts)


def key_of(words: Any) -> tuple[int, ...]:
    """An identity as a key of a dictionary."""
    return tuple(int(word) for word in words)
