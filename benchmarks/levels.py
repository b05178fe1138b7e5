"""The levels of computer players against each other: a rating for each, in each game.

Every level plays the next two above it, in pairs of games from random openings, so that each has
the first move once. The ratings are those under which these results are most likely, on the scale
of chess: 200 points more win three games of four. The weakest level has 1000 in every game, so
ratings of different games do not compare.

A level that thinks for a time gets a number of nodes here: as many as the engine searches in so
many CPU seconds in that game. So other programs on the machine weaken no level.

A whole run writes the ratings that the dialog of a new game shows (`RATINGS_FILE`). The games are
named in PLYGROUND_LEVELS, with commas; without it they are GAMES. Ratings of other games stay.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import log10

from benchmarks.report import Row
from plyground.arena.referee import play_game
from plyground.core.game import Game, Position
from plyground.core.registry import find_game
from plyground.players.player import Player
from plyground.players.search_player import SearchPlayer
from plyground.players.simple import random_player
from plyground.search.engine.engine import Engine
from plyground.search.result import Limits
from plyground.search.searcher import Algorithm, SearcherSettings, limits_for, make_searcher
from plyground.web.levels import LEVELS, RATINGS_FILE, PlayerLevel

GAMES = ("tictactoe", "connectfour", "breakthrough", "blocker", "derby", "slant")
SOLVED = {"tictactoe"}
"""Games that a solver finishes at once, so that the level Perfect can be measured."""
PAIRS = 50
"""Pairs of games between two levels."""
TIMED_PAIRS = 10
"""The same where one of them thinks for a time."""
LONG, LONG_PAIRS, LONG_TIMED_PAIRS = {"blocker"}, 12, 4
"""Games whose random games are so long that a pair takes ten seconds even of weak levels, and their
pairs. Their ratings are less certain."""
MEASURED_NODES = 300_000
"""Searched to measure the speed of the engine, from each of a few positions."""
MEASURED_POSITIONS = 4
REACH = 2
"""A level plays so many levels above it. Levels farther apart only confirm each other."""
OPENING_PLIES = 2
LOWEST = 1000
STEP = 400
"""Rating points that make the odds ten to one."""
ROUNDED = 50
"""Ratings are multiples of this: so few games tell no finer."""
PRIOR = 0.5
"""Added to the points of both sides of every pairing: one that was won outright would otherwise be
infinitely far apart."""
ROUNDS = 2000
"""Steps of the iteration that finds the ratings; it has converged long before."""


@dataclass
class Pairing:
    """The games between two levels, by their indices."""

    lower: int
    upper: int
    games: int = 0
    upper_points: float = 0.0


def run(quick: bool) -> Iterator[Row]:
    names = os.environ.get("PLYGROUND_LEVELS", ",".join(GAMES)).split(",")
    for name in names[:1] if quick else names:
        game = find_game(name)
        levels = [level for level in LEVELS if level.player.kind != "perfect" or name in SOLVED]
        pairings = play_all(game, levels, quick=quick)
        ratings = rate(len(levels), pairings)
        if not quick:
            write_ratings(name, dict(zip([level.name for level in levels], ratings, strict=True)))
        yield from rows(name, levels, pairings, ratings, judged=not quick)


def rows(
    name: str,
    levels: list[PlayerLevel],
    pairings: list[Pairing],
    ratings: list[int],
    *,
    judged: bool,
) -> Iterator[Row]:
    """A row for each level but the lowest, which should not be weaker than the one below it. Where
    the lower one plays perfectly already, both are equal but for chance."""
    for upper in range(1, len(levels)):
        played = next(one for one in pairings if (one.lower, one.upper) == (upper - 1, upper))
        share = played.upper_points / played.games
        yield Row(
            f"{name}: {levels[upper].name} against {levels[upper - 1].name}",
            f"{played.upper_points:g} of {played.games} points, rated {ratings[upper]}",
            f"rated {ratings[upper - 1]}",
            f"{share:.0%}",
            ">= 50%" if judged else "-",
            share >= 0.5 if judged else None,
            {"rating": ratings[upper], "points": played.upper_points, "games": played.games},
        )


def play_all(game: Game, levels: list[PlayerLevel], *, quick: bool) -> list[Pairing]:
    speed = nodes_per_second(game, 1000 if quick else MEASURED_NODES)
    pairings = [
        Pairing(lower, upper)
        for lower in range(len(levels))
        for upper in range(lower + 1, min(lower + REACH + 1, len(levels)))
    ]
    for pairing in pairings:
        timed = any(levels[each].player.seconds for each in (pairing.lower, pairing.upper))
        if game.name in LONG:
            pairs = LONG_TIMED_PAIRS if timed else LONG_PAIRS
        else:
            pairs = TIMED_PAIRS if timed else PAIRS
        for number in range(1 if quick else pairs):
            start = opening(game, seed=number)
            for upper_side in (0, 1):
                # New players: what a search remembers of another game is not part of its level.
                lower = player_of(game, levels[pairing.lower], speed, seed=number)
                upper = player_of(game, levels[pairing.upper], speed, seed=number)
                pairing.games += 1
                pairing.upper_points += points_of(upper_side, start, lower, upper)
    return pairings


def nodes_per_second(game: Game, nodes: int) -> float:
    """How many nodes the engine searches in a second of CPU time, from a few positions."""
    engine = Engine(game)
    started = time.process_time()
    searched = 0
    for seed in range(MEASURED_POSITIONS):
        engine.clear()
        searched += engine.search(opening(game, seed), Limits(nodes=nodes)).nodes
    return searched / max(time.process_time() - started, 1e-9)


def player_of(game: Game, level: PlayerLevel, speed: float, seed: int) -> Player:
    spec = level.player
    if spec.kind == "random":
        return random_player(seed)
    algorithm = Algorithm(spec.kind)
    nodes = spec.nodes if spec.seconds is None else round(speed * spec.seconds)
    limits = limits_for(algorithm, depth=spec.depth, nodes=nodes)
    searcher = make_searcher(algorithm, game, SearcherSettings(evaluation=spec.evaluation))
    return SearchPlayer(searcher, limits, seed=seed, name=level.name)


def opening(game: Game, seed: int) -> Position:
    """A position after a few random moves, the same for both games of a pair."""
    draw = random.Random(seed)
    position = game.start()
    for _ in range(OPENING_PLIES):
        position = position.play(draw.choice(position.legal_moves))
    return position


def points_of(upper_side: int, start: Position, lower: Player, upper: Player) -> float:
    """What the upper level scores with this side: 1, a half or 0."""
    seated = (upper, lower) if upper_side == 0 else (lower, upper)
    winner = play_game(start, seated).outcome.winner
    return 0.5 if winner is None else float(winner == upper_side)


def rate(count: int, pairings: list[Pairing]) -> list[int]:
    """The ratings under which the results are most likely (Bradley and Terry), by the iteration
    that is known for them: a level's strength is its points, over what it would take to score them
    against opponents as strong as they are."""
    strengths = [1.0] * count
    for _ in range(ROUNDS):
        for level in range(count):
            points, share = 0.0, 0.0
            for pairing in pairings:
                if level not in (pairing.lower, pairing.upper):
                    continue
                other = pairing.lower + pairing.upper - level
                won = pairing.upper_points
                points += PRIOR + (won if level == pairing.upper else pairing.games - won)
                share += (pairing.games + 2 * PRIOR) / (strengths[level] + strengths[other])
            strengths[level] = points / share
        strengths = [strength / strengths[0] for strength in strengths]
    return [LOWEST + ROUNDED * round(STEP * log10(each) / ROUNDED) for each in strengths]


def write_ratings(game: str, ratings: dict[str, int]) -> None:
    document = json.loads(RATINGS_FILE.read_text())
    document["ratings"][game] = ratings
    RATINGS_FILE.write_text(json.dumps(document, indent=2) + "\n")
