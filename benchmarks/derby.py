"""Fishing Derby at 75 ms a move: how deep, how punctual, and whether it wins what can be won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean

from benchmarks.clock import describe, time_moves
from benchmarks.report import Row
from plyground.core.bits import mix
from plyground.core.game import Game, Option, Position
from plyground.core.registry import find_game
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.random_games import random_game
from plyground.search.result import Limits

SECONDS_PER_MOVE = 0.075
DEPTH = 26
"""The average depth to finish."""
POSITIONS = 100
MOVES = 2000
SCENARIOS = 100
SEED = 26

MIDDLE: dict[str, Option] = {"board": "random", "fish": 5, "plies": 300}
WALKED = 60
"""Random plies from the start of a day to its middle game."""
SHORT: dict[str, Option] = {"board": "random", "fish": 4, "plies": 36}
SOLVING = Limits(seconds=20)


def run(quick: bool) -> Iterator[Row]:
    game = find_game("derby")
    engine = Engine(game)
    engine.search(game.start(), Limits(depth=2))  # compiling is not a matter of the clock
    yield depth_row(engine, 3 if quick else POSITIONS, judged=not quick)
    yield clock_row(engine, 8 if quick else MOVES, judged=not quick)
    yield games_row(engine, 2 if quick else SCENARIOS, judged=not quick)


# How deep


def depth_row(engine: Engine, count: int, *, judged: bool) -> Row:
    """The average depth finished in time. A search that ended because all was proven counts as deep
    as the target: a deeper one would find the same."""
    positions = [*middle_positions(engine.game, count), engine.game.start({"board": "pier"})]
    found = []
    for position in positions:
        engine.clear()
        result = engine.search(position, Limits(seconds=SECONDS_PER_MOVE))
        found.append(max(result.depth, DEPTH) if result.proven else result.depth)
    depth = mean(found)
    return Row(
        f"depth in {SECONDS_PER_MOVE * 1000:.0f} ms, {len(positions)} positions",
        f"{min(found)} to {max(found)} plies",
        "-",
        f"{depth:.1f}",
        f">= {DEPTH}" if judged else "-",
        depth >= DEPTH if judged else None,
        {"depth": depth, "least": min(found), "most": max(found)},
    )


def middle_positions(game: Game, count: int) -> list[Position]:
    """Five fish on random walks, after random plies; each on a sea of its own."""
    found = []
    for number in range(count):
        start = game.start({**MIDDLE, "seed": number})
        course = random_game(start, mix(SEED, number), WALKED)
        found.append(course.positions[-2] if course.is_finished else course.last)
    return found


# How punctual


def clock_row(engine: Engine, count: int, *, judged: bool) -> Row:
    positions = middle_positions(engine.game, min(count, POSITIONS))
    many = [positions[number % len(positions)] for number in range(count)]
    return describe("of Fishing Derby", time_moves({"derby": engine}, many), judged=judged)


# What is won


def games_row(engine: Engine, count: int, *, judged: bool) -> Row:
    """Green has 75 ms, red looks one ply ahead: what perfect play wins or draws, green should."""
    exact = Engine(engine.game, memory=256, features=Features.EXACT)
    solved, kept, short = 0, 0, []
    for seed in range(count):
        start = engine.game.start({**SHORT, "seed": seed})
        solution = exact.search(start, SOLVING)
        if solution.proven:
            solved += 1
            utility = play_out(engine, start)
            if sign(utility) >= sign(solution.value):
                kept += 1
            else:
                short.append(seed)
    exceptions = f"; not with seeds {', '.join(map(str, short))}" if short else ""
    return Row(
        f"green at 75 ms against 1 ply, {count} short days",
        f"{kept} of {solved} won or drawn as perfect play would{exceptions}",
        f"{solved} of {count} solved exactly",
        f"{kept}/{solved}",
        "all" if judged else "-",
        kept == solved if judged else None,
        {"kept": kept, "solved": solved},
    )


def play_out(engine: Engine, position: Position) -> int:
    engine.clear()
    limits: Sequence[Limits] = (Limits(seconds=SECONDS_PER_MOVE), Limits(depth=1))
    red = Engine(engine.game, memory=1)
    while not position.is_over:
        player = (engine, red)[position.turn]
        position = position.after(player.search(position, limits[position.turn]).move)
    return position.utility


def sign(value: int) -> int:
    return (value > 0) - (value < 0)
