"""What workers do for `plyground learn`: games of self-play, and games of a match between two
evaluations. Which game a seed gives does not depend on the worker."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyground.arena.statistics import PairCounts
from plyground.core.game import Game, Options
from plyground.core.values import sign
from plyground.executor.task import Tell
from plyground.learning.self_play import GamePlayer, Positions, joined
from plyground.search.net.net import Net

SELF_PLAY_PLIES = (2, 12)
"""The fewest and the most random moves at the beginning of a game of self-play."""
MATCH_PLIES = 4
SEEDS_A_TASK = 1 << 20
PATIENCE = 20
"""After so many openings that have ended the game, there is a random move less: some games are so
short that hardly any opening leaves one to play."""


@dataclass(frozen=True)
class LearningSettings:
    """What all tasks of a run have in common."""

    game: Game
    options: Options


@dataclass(frozen=True)
class SelfPlayTask:
    """Games of an evaluation against itself, for so many seconds."""

    number: int
    seed: int
    evaluation: Net | str
    nodes: int
    seconds: float


@dataclass(frozen=True)
class MatchTask:
    """Pairs of games between two evaluations, from the same random moves with sides swapped."""

    number: int
    seed: int
    first: Net | str
    second: Net | str
    nodes: int
    pairs: int


def set_up(settings: LearningSettings) -> Callable[[Any, Tell], Any]:
    """The function that does tasks in a worker."""
    start = settings.game.start(settings.options)

    def run(task: SelfPlayTask | MatchTask, _: Tell) -> Positions | PairCounts:
        if isinstance(task, SelfPlayTask):
            player = GamePlayer(start, task.evaluation, task.evaluation)
            return _self_play(player, task)
        return _match(GamePlayer(start, task.first, task.second), task)

    return run


def _self_play(player: GamePlayer, task: SelfPlayTask) -> Positions:
    parts: list[Positions] = []
    seed = (task.seed << 40) + task.number * SEEDS_A_TASK
    least, most = SELF_PLAY_PLIES
    spoiled = 0
    until = time.perf_counter() + task.seconds
    while not parts or time.perf_counter() < until:
        seed += 1
        plies = max(0, least + seed % (most - least + 1) - spoiled // PATIENCE)
        result = player.play(seed, random_plies=plies, nodes=(task.nodes, task.nodes), varied=True)
        if result is None:
            spoiled += 1
        else:
            parts.append(player.positions(result))
    return joined(parts)


def _match(player: GamePlayer, task: MatchTask) -> PairCounts:
    """A pair is given up if its random moves end the game."""
    points: list[float] = []
    spoiled = 0
    seed = (task.seed << 40) + task.number * SEEDS_A_TASK
    while len(points) < task.pairs:
        seed += 1
        plies = max(0, MATCH_PLIES - spoiled // PATIENCE)
        scores = []
        for side in (0, 1):
            result = player.play(
                seed, random_plies=plies, nodes=(task.nodes, task.nodes), side=side
            )
            if result is None:
                spoiled += 1
                break
            won = sign(result)
            scores.append(((won if side == 0 else -won) + 1) / 2)
        else:
            points.append(sum(scores))
    return PairCounts.of(points)
