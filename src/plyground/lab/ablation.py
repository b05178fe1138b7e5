"""The experiment `lab depth`: how deep a search gets in a given time, feature by feature.

It starts with bare alpha-beta with iterative deepening, and adds the features of the engine one
after another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from operator import or_
from typing import NamedTuple

from plyground.core.bits import mix
from plyground.core.errors import LimitError
from plyground.core.game import Position
from plyground.executor.ordered import in_order
from plyground.executor.serial import SerialExecutor
from plyground.executor.task import Executor, TaskFunction, Work
from plyground.search.features import Features
from plyground.search.memory_limit import check_memory
from plyground.search.random_games import random_game
from plyground.search.result import Limits, SearchResult, refuse_finished

FEATURES = tuple(Features)
"""In the order in which they are added: those that do not change the value of a search first."""


def step_name(added: Features) -> str:
    return f"+ {str(added.name).lower().replace('_', ' ')}"


STEPS: dict[str, Features] = {
    "alpha-beta": Features.NONE,
    **{
        step_name(added): together
        for added, together in zip(FEATURES, accumulate(FEATURES, or_), strict=True)
    },
}
"""The searches that can be compared, by name."""

LONGEST_TIME = 3600.0
MOST_POSITIONS = 10_000
EARLY_PART = 3, 4
"""Random positions are from the first three quarters of a game: later, all searches see its end."""


class DepthReached(NamedTuple):
    """How far one search of one position was after so many seconds."""

    step: str
    position: int
    seconds: float
    depth: int
    nodes: int
    proven: bool
    """The value was proven: there was nothing deeper to search."""


@dataclass(frozen=True)
class Ablation:
    """The experiment: positions of one game, and the times after which the depth is measured."""

    positions: tuple[Position, ...]
    times: tuple[float, ...]
    """In seconds, the shortest first."""
    memory: int = 16
    """MiB of table for each of the searches."""

    def __post_init__(self) -> None:
        for number, position in enumerate(self.positions, 1):
            refuse_finished(position, f"position {number}")
        for seconds in self.times:
            if not 0 < seconds <= LONGEST_TIME:
                raise LimitError(
                    f"time {seconds:g}: a time is more than 0 and at most {LONGEST_TIME:g} seconds"
                )
        check_memory(len(self.steps) * self.memory, f"a set of {len(self.steps)} tables")

    @property
    def steps(self) -> dict[str, Features]:
        """The searches to compare, without the features that do nothing in this game: repetition
        if positions cannot come back, wins at sight if the rules have no `settled`, futility if no
        position is better than another before the end."""
        rules = self.positions[0].game.rules
        useless = Features.NONE
        if not rules.repeats:
            useless |= Features.REPETITION
        if "settled" in rules.defaults:
            useless |= Features.SETTLED
        if "evaluate" in rules.defaults and not rules.point:
            useless |= Features.FUTILITY
        return {
            step: features & ~useless
            for step, features in STEPS.items()
            if step not in {step_name(feature) for feature in useless}
        }

    @property
    def total(self) -> int:
        """The number of searches."""
        return len(self.steps) * len(self.positions)


def measure(experiment: Ablation, executor: Executor | None = None) -> Iterator[list[DepthReached]]:
    """The searches, each with how far it was at all of the times.

    One search serves all times: its depth at an earlier time is the depth of a search with that
    limit. A position is searched in all ways before the next one, so that other load on the machine
    affects all of them alike. Without an executor, all searches run in this process.
    """
    searches = product(range(len(experiment.positions)), experiment.steps)
    return in_order(executor or SerialExecutor(), Work(_set_up, experiment), searches)


def _set_up(experiment: Ablation) -> TaskFunction:
    from plyground.search.engine.engine import Engine

    game = experiment.positions[0].game
    engines: dict[str, Engine] = {}
    limits = Limits(seconds=max(experiment.times))

    def search(which: tuple[int, str], report: object) -> list[DepthReached]:
        number, step = which
        if step not in engines:
            features = experiment.steps[step]
            engines[step] = Engine(game, memory=experiment.memory, features=features)
        engines[step].clear()
        finished: list[SearchResult] = []
        engines[step].search(experiment.positions[number], limits, progress=finished.append)
        return [_reached(step, number, seconds, finished) for seconds in experiment.times]

    return search


def _reached(
    step: str, position: int, seconds: float, finished: Sequence[SearchResult]
) -> DepthReached:
    in_time = [result for result in finished if result.seconds <= seconds]
    if not in_time:
        return DepthReached(step, position, seconds, 0, 0, False)
    last = in_time[-1]
    return DepthReached(step, position, seconds, last.depth, last.nodes, last.proven)


def early_positions(start: Position, count: int, seed: int) -> tuple[Position, ...]:
    """Positions from random games, one from each, and none near its end; the same for the same
    seed."""
    if not 1 <= count <= MOST_POSITIONS:
        raise LimitError(f"{count} positions: there can be from 1 to {MOST_POSITIONS}")
    refuse_finished(start)
    found = []
    for number in range(count):
        chosen = mix(mix(1, seed), number)
        positions = random_game(start, chosen).positions
        early = max(1, (len(positions) - 1) * EARLY_PART[0] // EARLY_PART[1])
        found.append(positions[mix(chosen, 1) % early])
    return tuple(found)
