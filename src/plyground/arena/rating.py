"""Ratings of many players from their games, by maximum likelihood.

The model (E. Zermelo; R. Bradley and M. Terry): a player who moves first against another scores on
average 1 / (1 + 10 ** (-d / 400)), where d is the difference of their ratings plus the advantage of
moving first, which is the same in all games and is estimated with the ratings. A draw counts as
half a win and half a loss.

Errors come from the Fisher information, the curvature of the likelihood at its maximum. It takes
games for independent, and draws for as uncertain as wins, so that with many draws the errors are
too large rather than too small.

PRIOR_GAMES hypothetical draws against an average player are added for every player, and for the
advantage. They hardly change a rating, but a player who has won or lost everything gets a finite
one, with a large error, and groups of players that never met each other share a scale. `notes` says
where a result depends on them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from plyground.arena.statistics import CONFIDENCE, ELO_OF_ODDS

if TYPE_CHECKING:  # NumPy is loaded when players are rated: a command starts sooner without it
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

PRIOR_GAMES = 0.5
"""Drawn games. With a half, a player who won all games of a match against one opponent is rated as
if a quarter of a point was missing, which is also what `statistics.estimate` says."""
STEPS = 100
"""Of Newton's method. It needs about ten."""
PRECISION = 1e-9
"""Of ratings, in units in which odds are natural logarithms."""
UNIT = ELO_OF_ODDS / math.log(10)


@dataclass(frozen=True)
class Result:
    """Games with the same players, sides and score."""

    first: int
    """The index of the player who moved first."""
    second: int
    score: float
    """Of the first: 0, 1/2 or 1."""
    count: int = 1


@dataclass(frozen=True)
class Rating:
    """A value with its error: half the length of the interval."""

    value: float
    error: float


@dataclass(frozen=True)
class Ratings:
    players: tuple[Rating, ...]
    """In the order of the indices. The error is that of the distance from the anchor, which has
    none itself; without an anchor it is that of the distance from the average."""
    advantage: Rating
    """Of moving first, in rating points."""
    groups: tuple[tuple[int, ...], ...]
    """The players by whether games connect them. Ratings compare only within a group."""
    extremes: tuple[tuple[int, ...], ...]
    """Players of one group between whom and the others in it points went one way only: how far they
    are from the others depends on the hypothetical draws."""


def rate(
    players: int,
    results: Iterable[Result],
    *,
    anchor: int | None = None,
    anchor_rating: float = 0.0,
) -> Ratings:
    """Rate players 0 to `players` - 1. The anchor's rating, or the average, is `anchor_rating`."""
    games = list(results)
    for game in games:
        if game.first == game.second or not {game.first, game.second} <= set(range(players)):
            raise ValueError(f"a game between two of {players} players is needed, not {game}")
    if anchor is not None and not 0 <= anchor < players:
        raise ValueError(f"the anchor is one of {players} players, not number {anchor}")
    *rated, advantage = _rated(players, games, anchor)
    groups = _groups(players, games)
    return Ratings(
        players=tuple(Rating(one.value + anchor_rating, one.error) for one in rated),
        advantage=advantage,
        groups=groups,
        extremes=_extremes(players, games, groups),
    )


def notes(ratings: Ratings, names: Sequence[str]) -> list[str]:
    """What a reader of the ratings has to know, in sentences without a full stop."""

    def named(group: Sequence[int]) -> str:
        return ", ".join(names[player] for player in group)

    found = []
    if len(ratings.groups) > 1:
        groups = "; ".join(named(group) for group in ratings.groups)
        found.append(
            "no games connect these groups of players, so ratings compare only within each:"
            f" {groups}"
        )
    for group in ratings.extremes:
        found.append(
            f"how far {named(group)} {'is' if len(group) == 1 else 'are'} from the other players"
            " is a guess, because points between them went one way only"
        )
    return found


def _rated(players: int, games: Sequence[Result], anchor: int | None) -> list[Rating]:
    """The ratings of the players, with the anchor or the average at 0, and the advantage."""
    import numpy as np

    design, scores, weights = _observations(players, games)
    strengths, information = _maximum(design, scores, weights)
    # Subtract the anchor, or the average, from every player.
    shift = np.eye(players + 1)
    if anchor is not None:
        shift[:players, anchor] -= 1
    elif players:
        shift[:players, :players] -= 1 / players
    covariance = shift @ np.linalg.inv(information) @ shift.T
    values = UNIT * (shift @ strengths)
    width = UNIT * NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    errors = width * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return [Rating(float(value), float(error)) for value, error in zip(values, errors, strict=True)]


def _observations(players: int, games: Sequence[Result]) -> tuple[Vector, Vector, Vector]:
    """One row for each result: which strengths make up its odds, its score and its weight. The last
    strength is the advantage of moving first."""
    import numpy as np

    rows = len(games) + players + 1
    design = np.zeros((rows, players + 1))
    scores, weights = np.full(rows, 0.5), np.full(rows, PRIOR_GAMES)
    for at, game in enumerate(games):
        design[at, game.first] = 1.0
        design[at, game.second] = -1.0
        design[at, players] = 1.0
        scores[at], weights[at] = game.score, game.count
    # The hypothetical draws: each strength alone against 0.
    design[len(games) :] = np.eye(players + 1)
    return design, scores, weights


def _maximum(design: Vector, scores: Vector, weights: Vector) -> tuple[Vector, Vector]:
    """The strengths of the highest likelihood, and the information about them there.

    The likelihood is strictly concave, because of the hypothetical draws. Newton's method finds its
    maximum if a step that would lower it is halved until it does not.
    """
    import numpy as np

    strengths = np.zeros(design.shape[1])
    best = _likelihood(design @ strengths, scores, weights)
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-(design @ strengths)))
        gradient = design.T @ (weights * (scores - expected))
        information = _information(design, weights, strengths)
        step = np.linalg.solve(information, gradient)
        reached = _likelihood(design @ (strengths + step), scores, weights)
        while reached < best and np.abs(step).max() > PRECISION:
            step = step / 2
            reached = _likelihood(design @ (strengths + step), scores, weights)
        strengths = strengths + step
        best = max(best, reached)
        if np.abs(step).max() <= PRECISION:
            break
    return strengths, _information(design, weights, strengths)


def _likelihood(odds: Vector, scores: Vector, weights: Vector) -> float:
    """Its logarithm. log(1 + exp(x)) is computed so that no large x overflows."""
    import numpy as np

    return float(
        -(weights * (scores * np.logaddexp(0, -odds) + (1 - scores) * np.logaddexp(0, odds))).sum()
    )


def _information(design: Vector, weights: Vector, strengths: Vector) -> Vector:
    import numpy as np

    expected = 1 / (1 + np.exp(-(design @ strengths)))
    information: Vector = (design * (weights * expected * (1 - expected))[:, None]).T @ design
    return information


def _groups(players: int, games: Sequence[Result]) -> tuple[tuple[int, ...], ...]:
    """Players that are connected by games."""
    met: list[set[int]] = [{player} for player in range(players)]
    for game in games:
        met[game.first].add(game.second)
        met[game.second].add(game.first)
    return tuple(dict.fromkeys(tuple(sorted(group)) for group in _closure(met)))


def _extremes(
    players: int, games: Sequence[Result], groups: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, ...], ...]:
    """Without hypothetical draws, a distance of ratings is finite only between players who are
    connected both ways by points that one took from the other."""
    took: list[set[int]] = [{player} for player in range(players)]
    for game in games:
        if game.score > 0:
            took[game.first].add(game.second)
        if game.score < 1:
            took[game.second].add(game.first)
    reach = _closure(took)
    found: list[tuple[int, ...]] = []
    for group in groups:
        parts = {
            tuple(sorted(other for other in reach[player] if player in reach[other]))
            for player in group
        }
        # The largest part, of equal ones the last, is the one that the others are far from.
        found += sorted(parts, key=lambda part: (len(part), part))[:-1]
    return tuple(found)


def _closure(relation: Sequence[set[int]]) -> list[set[int]]:
    """Which players each one leads to, in any number of steps."""
    reach = [set(others) for others in relation]
    for middle in range(len(reach)):
        for others in reach:
            if middle in others:
                others |= reach[middle]
    return reach
