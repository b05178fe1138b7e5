"""Run everything that is compiled for some games, while every index is checked.

A program of its own, `python -m tests.search.every_kernel GAME ...`, because Numba looks at
NUMBA_BOUNDSCHECK when it is imported. It fails if compiled code reaches outside an array, and
otherwise tells how deep a search of each game went.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import numba

from plyground.core.game import Game, Position
from plyground.core.registry import find_game
from plyground.search.conformance import check_game
from plyground.search.counting import MINIMAX, Counter, Method
from plyground.search.engine.engine import Engine
from plyground.search.engine.search_memory import MAX_DEPTH
from plyground.search.features import Features
from plyground.search.montecarlo import MonteCarlo
from plyground.search.perft import perft
from plyground.search.random_games import random_positions
from plyground.search.result import Limits
from tests.paths import SAMPLE_GAMES

GAMES = 8
LONGEST_GAME = 100
"""Random games for conformance: a few short ones, for whatever takes more is tested elsewhere."""
SIMULATIONS = 10_000
"""Enough to fill the smallest tree, and to get beyond the longest path."""
NODES = 40_000
"""Enough to get to the deepest depth where there is one move at a time."""
DEEP = Limits(depth=MAX_DEPTH, nodes=NODES)


def check_rules(game: Game) -> None:
    findings = check_game(game, games=GAMES, longest=LONGEST_GAME)
    broken = [found for found in findings if not found.passed]
    assert not broken, broken


def search(game: Game) -> int:
    """Search as deep as may be, with all features and with none, in a usual table and a tiny one.

    All of it runs in one kernel, so that it is compiled once.
    """
    positions = [game.start(), *random_positions(game.start(), 3, seed=1, step=4)]
    engines = [
        Engine(game, memory=1, features=features)
        for features in (Features.PLAY, Features.EXACT, Features.NONE)
    ]
    engines += [Engine(game, entries=1), Engine(game, memory=1, threads=2)]
    engines[0].search(positions[0], Limits(depth=3), lines=100, optimal=True, seed=1)
    return max(deepest(engine, positions) for engine in engines)


def deepest(engine: Engine, positions: list[Position]) -> int:
    depth = max(engine.search(position, DEEP).selective_depth for position in positions)
    engine.clear()  # waits for all threads
    return depth


def simulate(game: Game) -> None:
    monte_carlo = MonteCarlo(game, memory=1)
    for position in (game.start(), *random_positions(game.start(), 1, seed=2, step=4)):
        monte_carlo.search(position, Limits(nodes=SIMULATIONS), seed=3)


def count(game: Game) -> None:
    counter = Counter(game)
    for position in (game.start(), *random_positions(game.start(), 1, seed=2, step=4)):
        for method in (MINIMAX, Method(ordered=True, table=True, shuffle="all")):
            for depth in (3, 1, 2):
                counter.search(position, depth, method, seed=4)


def main(names: list[str]) -> None:
    assert numba.config.BOUNDSCHECK == 1, "set NUMBA_BOUNDSCHECK=1"
    failed: list[Any] = []
    threading.excepthook = failed.append
    for name in names:
        game = find_game(name)
        if SAMPLE_GAMES not in Path(name).parents:  # kernels are tested with those, not their rules
            check_rules(game)
        print("selective depth", search(game))
        simulate(game)
        count(game)
        for depth in range(4):
            perft(game.start(), depth)
    assert not failed, failed


if __name__ == "__main__":
    main(sys.argv[1:])
