"""Published experiments, with the settings that reproduce their numbers.

`blocker-2023`: two students of a course on symbolic AI measured how much alpha-beta saves in
Blocker, in whole games of the program against itself on the course's own board. Their text gives
the means; three details of their program explain them, and are options of our experiment:

* valuation `asking`: where neither agent can move, the player who searches has won. From depth 8 on
  agent A sees such a state ahead and plays for it, and the games get short;
* shuffle `max`: children are shuffled at the nodes of the player who searches only;
* window -2,2 and cut `at`: nodes are left when beta <= alpha. No value is beyond 1, so that at the
  root nothing is ever cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

AGREEMENT = 3.0
"""Two means agree if they are no further apart than this many standard errors of their difference.
By chance alone, a comparison is further off in one of twenty-one experiments of eighteen each."""


@dataclass(frozen=True)
class Preset:
    """A published experiment."""

    name: str
    title: str
    game: str
    options: Mapping[str, str]
    """Of the game's board."""
    settings: Mapping[str, Any]
    """Of the experiment: fields of `Pruning`."""
    published: Mapping[str, Mapping[int, float]]
    """By algorithm and depth, the mean number of states."""
    published_runs: int
    """The runs of each published mean; if that is not known exactly, the fewest."""

    def published_mean(self, algorithm: str, depth: int) -> float | None:
        return self.published.get(algorithm, {}).get(depth)


DEPTHS = tuple(range(6, 15))


def by_depth(*means: float) -> dict[int, float]:
    return dict(zip(DEPTHS, means, strict=True))


BLOCKER_2023 = Preset(
    name="blocker-2023",
    title="states visited in whole games of Blocker, both sides searching (100-200 games, 2023)",
    game="blocker",
    options=MappingProxyType({"board": "official", "stuck": "mover"}),
    settings=MappingProxyType(
        {
            "depths": DEPTHS,
            "algorithms": ("minimax", "alpha-beta", "engine"),
            "runs": 200,
            "games": True,
            "shuffle": "max",
            "valuation": "asking",
            "window": (-2, 2),
            "cut": "at",
        }
    ),
    published=MappingProxyType(
        {
            "minimax": by_depth(4505, 10500, 5696, 14333, 33056, 79494, 191870, 466699, 1109798),
            "alpha-beta": by_depth(850, 1529, 624, 1270, 1495, 2497, 3541, 6817, 9490),
        }
    ),
    published_runs=100,
)

PRESETS = {preset.name: preset for preset in (BLOCKER_2023,)}
