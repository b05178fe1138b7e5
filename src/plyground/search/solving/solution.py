"""The results of solvers, whole and partial, and the interface of a solver."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Protocol, TypedDict

from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.core.values import terminal_value
from plyground.search.result import SearchResult, plies_text, points_text, value_text


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
        return Bounds(
            max(self.low, other.low, key=_low_rank), min(self.high, other.high, key=_high_rank)
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


class SolverOptions(TypedDict, total=False):
    """What every solver takes, in addition to a game."""

    memory: int
    """In MiB."""
    threads: int
    checkpoint: Path | None
    """The memory is this file, which a later solver resumes from."""
    progress: ProgressListener | None


DEFAULT_MEMORY = 1024


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


def one_ply_later(worth: Worth) -> Worth:
    """The worth of a move to a position of this worth."""
    return worth if worth.plies is None else replace(worth, plies=worth.plies + 1)


def won_within(winner: int, soonest: int | None, latest: int | None) -> Bounds:
    """The bounds of a position that is won, between so many plies if they are known."""
    ends = Worth(winner, latest), Worth(winner, soonest)
    return Bounds(*ends) if winner > 0 else Bounds(*reversed(ends))


def bounds_by_moves(turn: int, moves: Iterable[Bounds]) -> Bounds:
    """The bounds of a position that follow from those of its moves: the mover can do as well as by
    any of them, but no better than by the best."""
    best = max if turn == 0 else min
    ends = [(bounds.low, bounds.high) for bounds in moves]
    return Bounds(
        best((low for low, _ in ends), key=_low_rank),
        best((high for _, high in ends), key=_high_rank),
    )


def _low_rank(worth: Worth | None) -> tuple[float, float]:
    """The order of lower bounds: what is not known may be the worst."""
    return _rank(worth, -inf)


def _high_rank(worth: Worth | None) -> tuple[float, float]:
    """The order of upper bounds: what is not known may be the best."""
    return _rank(worth, inf)


def _rank(worth: Worth | None, unknown: float) -> tuple[float, float]:
    if worth is None:
        return unknown, unknown
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
        evaluation=None,
    )


def value_of(position: Position, worth: Worth) -> int:
    """A worth on the scale of searches: points of evaluation, or a win with its distance."""
    return terminal_value(worth.utility, position.game.rules.point, worth.plies or 0)


def worth_text(position: Position, worth: Worth) -> str:
    """A worth in words, those of `value_text`."""
    is_win = worth.utility != 0 and not position.game.rules.point
    if is_win and (worth.plies is None or not worth.exactly):
        winner = position.game.players[0 if worth.utility > 0 else 1]
        within = "" if worth.plies is None else f" within {plies_text(worth.plies)}"
        return f"{winner} wins{within}"
    return value_text(position, value_of(position, worth), proven=True)


def bounds_text(position: Position, bounds: Bounds) -> str:
    """Bounds in words."""
    if bounds.worth is not None:
        return worth_text(position, bounds.worth)
    text = _points_text if position.game.rules.point else _wins_text
    return text(position, bounds) or "nothing is proven yet"


def _points_text(position: Position, bounds: Bounds) -> str:
    first, second = position.game.players
    low = None if bounds.low is None else bounds.low.utility
    high = None if bounds.high is None else bounds.high.utility
    if low is not None and low > 0:
        return f"{first} wins by {_range_text(low, high)}"
    if high is not None and high < 0:
        return f"{second} wins by {_range_text(-high, None if low is None else -low)}"
    parts = []
    if low is not None:
        parts.append(f"{second} +{-low} at most" if low else f"{first} does not lose")
    if high is not None:
        parts.append(f"{first} +{high} at most" if high else f"{second} does not lose")
    return ", ".join(parts)


def _range_text(least: int, most: int | None) -> str:
    return f"at least {points_text(least)}" if most is None else f"{least} to {points_text(most)}"


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
            parts.append(f"{wins} within {plies_text(plies)}")
    return "; ".join(parts)
