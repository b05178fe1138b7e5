"""The levels of Fishing Derby's suite on machines of different speeds, on a simulated clock.

What a reference player with a clock earns under the real one depends on the machine and its load.
On the clock of `tests/classroom/simulated_clock.py` it is the same everywhere. That clock needs the
CPU time of a node, once; `cost_row` measures it again and says how fast this machine is.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.report import Row
from plyground.classroom.opponents import Perfect
from plyground.classroom.suite import Suite
from plyground.core.game import Position
from plyground.players.player import Clock
from tests.classroom.derby_messages import messages_of
from tests.classroom.simulated_clock import (
    COSTS,
    NodeCost,
    ReferencePlayer,
    SimulatedClock,
    collector_paused,
    simulated_player,
    won_days,
)

SPEEDS = (0.6, 0.75, 1.0, 1.3, 1.6, 2.0)
IN_LEVEL = (0.6, 1.6)
"""From and to this speed a player stays in its level."""
ALIKE = (0.75, 1.3)
"""From and to this speed its points differ by one at most."""
POSITIONS = 40
REPEATS = 6


def simulated_rows(suite: Suite, speeds: tuple[float, ...], *, judged: bool) -> Iterator[Row]:
    """The points of the players with a clock at every speed."""
    red = Perfect(suite.game)
    for name, wanted in (("iterative", range(15, 20)), ("table", range(20, 26))):
        points = {speed: len(won_days(name, speed, suite.tasks, red)) for speed in speeds}
        judged_points = between(points, IN_LEVEL)
        alike = between(points, ALIKE)
        within = sum(count in wanted for count in judged_points)
        good = within == len(judged_points) and max(alike) - min(alike) <= 1
        yield Row(
            f"points of the reference player {name!r} by speed of the machine, simulated",
            ", ".join(f"{speed:g}: {count}" for speed, count in points.items()),
            f"its level, {IN_LEVEL[0]:g} to {IN_LEVEL[1]:g}: {wanted[0]} to {wanted[-1]}",
            f"{within}/{len(judged_points)}",
            f"all; {ALIKE[0]:g} to {ALIKE[1]:g} within one",
            good if judged else None,
            {f"points_at_{speed:g}": count for speed, count in points.items()},
        )


def between(points: dict[float, int], ends: tuple[float, float]) -> list[int]:
    return [count for speed, count in points.items() if ends[0] <= speed <= ends[1]]


def cost_rows(suite: Suite, positions: int, repeats: int) -> Iterator[Row]:
    """The CPU time of a node, beside that of the simulated clock."""
    for name, known in COSTS.items():
        cost, error = fitted_cost(name, sample(suite, positions), repeats)
        ratio = cost_of(known) / cost_of(cost)
        yield Row(
            f"CPU time of a node, reference player {name!r} ({error:.0%} off in the mean)",
            text_of(cost),
            f"simulated: {text_of(known)}",
            f"speed {ratio:.2f}",
            "-",
            None,
            {"node": cost.node, "fish": cost.fish, "speed": ratio},
        )


def cost_of(cost: NodeCost) -> float:
    """Of a node with three fish."""
    return cost.node + 3 * cost.fish


def text_of(cost: NodeCost) -> str:
    return f"{cost.node * 1e6:.2f} us and {cost.fish * 1e6:.2f} us a fish"


def sample(suite: Suite, count: int) -> list[Position]:
    """Positions of random games on all days in which green has a choice."""
    chance = random.Random(1)
    found: list[Position] = []
    while len(found) < count:
        position = chance.choice(suite.tasks).start
        for _ in range(chance.randrange(0, 30, 2)):
            if not position.is_over:
                position = position.after(chance.choice(position.legal_moves))
        if not position.is_over and len(position.legal_moves) > 1:
            found.append(position)
    return found


class Countdown:
    """Stands for the module `time` in a player's file: the time is up after so many readings."""

    def __init__(self, readings: int) -> None:
        self.left = readings

    def time(self) -> float:
        self.left -= 1
        return 0.0 if self.left > 0 else 1.0


def fitted_cost(name: str, positions: list[Position], repeats: int) -> tuple[NodeCost, float]:
    """The cost that explains the CPU time of searches best, and its mean relative error. Of several
    runs of a search the quickest counts: others shared their core with another process."""
    counted, seconds = [], []
    for position in positions:
        clock = SimulatedClock(COSTS[name], speed=1.0)
        simulated_player(name, clock).choose(position, Clock())
        counted.append((clock.nodes, clock.fish))
        runs = [cpu_seconds(name, position, clock.readings) for _ in range(repeats)]
        seconds.append(min(runs))
    # Each equation is divided by its time, so that relative errors count.
    parts = np.array(counted) / np.array(seconds)[:, None]
    found = np.linalg.lstsq(parts, np.ones(len(positions)), rcond=None)[0]
    error = float(np.abs(parts @ found - 1).mean())
    return NodeCost(float(found[0]), float(found[1])), error


def cpu_seconds(name: str, position: Position, readings: int) -> float:
    """The CPU time of the search that ends when it has read the clock so often."""
    messages = messages_of(position, position)
    player = ReferencePlayer(name, time=Countdown(readings))
    with collector_paused():
        started = time.process_time()
        player.answer(messages)
        return time.process_time() - started
