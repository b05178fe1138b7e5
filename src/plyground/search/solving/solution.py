"""The results of solvers, whole and partial, and the interface of a solver."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Protocol

from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.core.values import terminal_value
from plyground.search.result import SearchResult


class Unsolved(PlygroundError):
    """A position was not solved. The message says why, and what is known.

    `stopped`: the time was up, or another thread stopped the solver; else memory or another limit
    was reached. `partial` is what is proven all the same, None if the solve did not start.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.stopped = False
        self.partial: PartialSolution | None = None


@dataclass(frozen=True)
class Worth:
    """The result of perfect play, for the first player.

    `utility` is in points in a game of points, else 1, 0 or -1. `plies` is how long a won game
    lasts if the winner hurries and the loser delays: None for a draw and in a game of points.
    `exactly` is False if that is an upper bound.
    """

    utility: int
    plies: int | None = None
    exactly: bool = True


@dataclass(frozen=True)
class Solution:
    """A solved position."""

    position: Position
    method: str
    worth: Worth
    moves: dict[int, Worth]
    """The worth of the legal moves, as far as that was wanted and found."""
    optimal: tuple[int, ...]
    """The moves that keep the worth: of winning moves the quickest where that is known, of losing
    ones those that last longest."""
    line: tuple[int, ...]
    """Perfect play, as far as it is known."""
    nodes: int
    counted: str
    """What the nodes are, such as "states"."""
    seconds: float


@dataclass(frozen=True)
class Bounds:
    """Proven lower and upper bounds of a worth. None is a bound that is not known.

    In a game of wins a bound has plies as well, if they are known. A later loss is better than a
    sooner one, and a sooner win better than a later one. So from Worth(-1, 5) to Worth(1, 7) means
    that the second player needs at least 5 plies to win, and the first player at least 7.
    """

    low: Worth | None = None
    high: Worth | None = None

    @property
    def worth(self) -> Worth | None:
        """The worth of the position, if that is decided; the plies of a win at most."""
        if self.low is None or self.high is None or self.low.utility != self.high.utility:
            return None
        latest = self.low if self.low.utility > 0 else self.high
        return Worth(latest.utility, latest.plies, exactly=self.low == self.high)

    def narrowed(self, other: Bounds) -> Bounds:
        """The tighter of two bounds of the same position, at both ends."""
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
    """Of every legal move."""
    nodes: int
    counted: str
    seconds: float


@dataclass(frozen=True)
class SolveProgress:
    """How far a solve is, in words; `part` from 0 to 1 if known."""

    text: str
    nodes: int
    part: float | None = None


ProgressListener = Callable[[SolveProgress], None]


class Solver(Protocol):
    """One method, set up for one game. It keeps what it has found from one position to the next."""

    method: str

    def solve(
        self, position: Position, *, every_move: bool = True, seconds: float | None = None
    ) -> Solution:
        """The worth of a position, and of all its moves if wanted. Raises Unsolved, also when the
        seconds are over."""

    def verify(self, position: Position) -> int:
        """Check the solution of a position once more, each value against its children; how many
        positions were checked. Raises Unsolved with the position if one is wrong."""

    def stop(self) -> None:
        """From another thread: stop soon."""


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
    """The bounds of a position that follow from those of its moves."""
    lows, highs = [bounds.low for bounds in moves], [bounds.high for bounds in moves]
    known_lows = [end for end in lows if end is not None]
    known_highs = [end for end in highs if end is not None]
    # The mover can do as well as by any move, but no better than by the best.
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
    """The order of lower bounds: a distance that is not known may be the worst."""
    return _rank(worth, -inf)


def _high_rank(worth: Worth) -> tuple[int, float]:
    """The order of upper bounds: a distance that is not known may be the best."""
    return _rank(worth, inf)


def _rank(worth: Worth, unknown: float) -> tuple[int, float]:
    return (worth.utility, unknown) if worth.plies is None else preference(0, worth)


def perfect_result(solution: Solution, seed: int | None = None) -> SearchResult:
    """A solution as the result of a search. A seed chooses one of the optimal moves, if they are
    known."""
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


def worth_text(position: Position, worth: Worth) -> str:
    """A worth in words."""
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
    """Bounds in words."""
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
    within = {}  # by winner, the plies within which that player does not win
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
