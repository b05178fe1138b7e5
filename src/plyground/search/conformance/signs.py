"""Checks of the two classic slips: an evaluation for the player to move, and a utility of the wrong
sign. Both must be the first player's, whoever is to move.

Positions near the end of the sample are searched, uncompiled and with finished games alone, until
it is certain who wins. The evaluation must not favour the loser there. The two players to move are
looked at separately: an evaluation for the player to move is right for one of them and wrong for
the other. The same is done as if the utility had the other sign: if that is what the evaluation
agrees with, one of the two is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from statistics import mean
from typing import Any

from plyground.core.contract import Rules
from plyground.core.game import Position
from plyground.core.values import DECIDED, sign
from plyground.search.conformance.check import (
    CheckFailure,
    GameSample,
    failed,
    place_of,
    whole_number,
)
from plyground.search.random_games import RandomGame

ENOUGH_GAMES = 8
"""How many games must show a slip, for each winner, before it is reported."""
LAST_POSITIONS = 6
"""So many positions before the end of a game are searched, and the children of each."""
DEPTH = 3
"""Plies that a search looks ahead: enough to see that a threat cannot be met."""
NODES_OF_A_GAME = 4_000
"""Positions that are visited at most. Uncompiled rules take some 30 microseconds for each."""
CLEARLY = 3.5
"""Standard deviations that chance does not explain: a useless evaluation (a hash of the state)
would fail about once in two thousand samples. Measured with two samples on each of 26 boards of the
built-in games and the examples, all are on the right side, and nearly all by more than this."""


class OutcomeNode:
    """A position, and the positions after it once they are wanted."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.is_over = position.is_over
        self.result = sign(position.utility) if self.is_over else 0
        """The sign of the first player's result in a finished game."""
        self.children: list[OutcomeNode] | None = None


class OutcomeTree:
    """The nodes of one game. Uncompiled rules take most of the time: both signs of a utility are
    searched in one tree, and a position that is met again is the same node."""

    def __init__(self) -> None:
        self._nodes: dict[Any, OutcomeNode] = {}

    def node(self, position: Position) -> OutcomeNode:
        state = position.state
        try:
            known = self._nodes.get(state)
        except TypeError:  # a faulty state, which cannot be hashed
            return OutcomeNode(position)
        if known is None:
            known = self._nodes[state] = OutcomeNode(position)
        return known

    def children(self, node: OutcomeNode) -> list[OutcomeNode]:
        if node.children is None:
            node.children = [self.node(child) for _, child in node.position.children()]
        return node.children


@dataclass
class OutcomeSearch:
    """Finds out who wins, with so many nodes at most."""

    tree: OutcomeTree
    nodes: int
    sign: int
    """1 for the game as it is; -1 as if its utility had the other sign."""

    def winner(self, node: OutcomeNode, depth: int) -> int | None:
        """The sign of the first player's result, if it is certain within so many plies; else None.

        A move that is not decided ends the search, unless another one wins at once: that is soon
        seen, and leaves enough positions that are.
        """
        if node.is_over:
            return self.sign * node.result
        children = self.tree.children(node)
        self.nodes -= len(children)
        best = 1 if node.position.turn == 0 else -1
        results = [self.sign * child.result for child in children if child.is_over]
        for child in children:
            if best in results or child.is_over:
                continue
            result = self.winner(child, depth - 1) if depth > 1 and self.nodes > 0 else None
            if result is None:
                return None
            results.append(result)
        return max(results, key=best.__mul__)


@dataclass
class DecidedEvaluations:
    """What the evaluation says where it is certain who wins, one number for each game, because the
    positions of a game are not independent."""

    won: list[float] = field(default_factory=list)
    """Where the first player wins."""
    lost: list[float] = field(default_factory=list)

    @property
    def are_enough(self) -> bool:
        return min(len(self.won), len(self.lost)) >= ENOUGH_GAMES

    def agreement(self) -> float:
        """How clearly they are higher where the first player wins, in standard deviations of what
        chance does (by the rank-sum test); negative if they are lower."""
        games, others = len(self.won), len(self.lost)
        higher = sum((one > other) - (one < other) for one in self.won for other in self.lost)
        return higher / 2 / sqrt(games * others * (games + others + 1) / 12)


def evaluation_is_the_first_players(sample: GameSample) -> str:
    """Evaluations are whole numbers, and do not favour the loser where it is certain who wins."""
    rules = sample.game.rules
    if "evaluate" in rules.defaults:
        return "no evaluate(): every open position counts as equal"
    values = [0]
    for position in sample.open_positions:
        value = whole_number(position, "evaluate")
        if abs(value) >= DECIDED:
            raise failed(rules.evaluate, f"is {value}, but {DECIDED} and more is a won game")
        values.append(value)
    agreement = agreement_by_mover(sample)
    if min(agreement) < -CLEARLY:
        raise _slip(sample, agreement)
    return f"from {min(values)} to {max(values)}, never clearly against who wins near the end"


def agreement_by_mover(sample: GameSample) -> tuple[float, float]:
    """How clearly the evaluation agrees with the utility, where either player is to move: that with
    the utility as it is, and how little with the other sign, as far as there are enough games."""
    as_it_is, reversed_sign = evaluations_near_the_end(sample)
    first, second = (
        mean(
            [
                *([right.agreement()] if right.are_enough else []),
                *([-wrong.agreement()] if wrong.are_enough else []),
            ]
            or [0.0]
        )
        for right, wrong in zip(as_it_is, reversed_sign, strict=True)
    )
    return first, second


ByMover = tuple[DecidedEvaluations, DecidedEvaluations]
"""Evaluations where the first player is to move, and where the second is."""


def evaluations_near_the_end(sample: GameSample) -> tuple[ByMover, ByMover]:
    """The evaluations where it is certain who wins: with the utility as it is, and with the other
    sign."""
    found = (
        (DecidedEvaluations(), DecidedEvaluations()),
        (DecidedEvaluations(), DecidedEvaluations()),
    )
    for game in sample.finished:
        tree = OutcomeTree()
        nodes = list(_nodes_near_the_end(game, tree))
        for by_mover, utility_sign in zip(found, (1, -1), strict=True):
            _add_evaluations(by_mover, nodes, OutcomeSearch(tree, NODES_OF_A_GAME, utility_sign))
    return found


def _add_evaluations(by_mover: ByMover, nodes: list[OutcomeNode], search: OutcomeSearch) -> None:
    """Add those of one game."""
    seen: dict[tuple[int, int], list[int]] = {}
    for node in nodes:
        winner = search.winner(node, DEPTH)
        if winner:
            seen.setdefault((node.position.turn, winner), []).append(node.position.evaluation)
        if search.nodes <= 0:
            break
    for (turn, winner), values in seen.items():
        (by_mover[turn].won if winner > 0 else by_mover[turn].lost).append(mean(values))


def _nodes_near_the_end(game: RandomGame, tree: OutcomeTree) -> Iterator[OutcomeNode]:
    """Open positions, the last one first, each before its children: a random game seldom has a
    position that is lost for the player to move, but what it might have gone through often has."""
    for position in reversed(game.positions[-1 - LAST_POSITIONS : -1]):
        node = tree.node(position)
        yield node
        yield from (child for child in tree.children(node) if not child.is_over)


def _slip(sample: GameSample, agreement: tuple[float, float]) -> CheckFailure:
    rules, mover = sample.game.rules, agreement.index(min(agreement))
    if max(agreement) < 0:
        return failed(
            rules.evaluate,
            f"and utility() ({place_of(rules.utility)}) contradict each other near the end of the"
            " game: one of them has the wrong sign, for both must be the first player's",
        )
    whose = "of the player to move" if mover == 1 else "of the player who has just moved"
    return failed(
        rules.evaluate,
        f"favours the loser near the end of the game where {sample.game.players[mover]} is to move:"
        f" it must always be the first player's, not that {whose}",
    )


def utility_agrees_with_the_points(sample: GameSample, rules: Rules) -> None:
    """In a game of points whose score is kept, whoever has more points at the end has won."""
    if not rules.point or "score" in rules.defaults:
        return
    products = [whole_number(game.last, "score") * game.last.utility for game in sample.finished]
    against, agreeing = sum(value < 0 for value in products), sum(value > 0 for value in products)
    if against >= ENOUGH_GAMES and against > CLEARLY * agreeing:
        raise failed(
            rules.utility,
            f"and score() ({place_of(rules.score)}) contradict each other at the end of"
            f" {against} of {len(products)} games: one of them has the wrong sign, for both must be"
            " the first player's",
        )
