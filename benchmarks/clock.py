"""A move with 75 ms on the clock is never late, not even beside two busy processes.

A virtual machine may be kept from its cores by others on the same hardware, for longer than any
reserve. The figures show how long, and in how many of the late moves; these count as late.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from multiprocessing.process import BaseProcess
from statistics import quantiles
from typing import NamedTuple

from benchmarks.report import Row
from plyground.core.bits import mix
from plyground.core.game import Game, Position
from plyground.core.registry import find_game, game_names
from plyground.players.usage import TICK_SECONDS, stolen_ticks
from plyground.search.engine.engine import Engine
from plyground.search.random_games import random_game
from plyground.search.result import Limits

SECONDS_PER_MOVE = 0.075
MOVES = 2000
BUSY_PROCESSES = 2
SEED = 75


def time_stolen() -> float:
    """Seconds that this machine was kept from its cores so far, all together; 0 if unknown."""
    return sum(stolen_ticks().values()) * TICK_SECONDS


class TimedMove(NamedTuple):
    """One move."""

    waited: float
    """Seconds that the caller waited for it."""
    stolen: float = 0.0
    """Seconds of them that this machine was kept from its cores, all together, in ticks."""


def run(quick: bool) -> list[Row]:
    count = 8 if quick else MOVES
    games = [find_game(name) for name in game_names()]
    engines = {game.name: Engine(game) for game in games}
    for game in games:  # compiling is not a matter of the clock
        engines[game.name].search(game.start(), Limits(depth=2))
    positions = random_positions(games, count)
    alone = time_moves(engines, positions)
    with busy_processes(BUSY_PROCESSES):
        beside = time_moves(engines, positions)
    return [
        describe("alone", alone, judged=not quick),
        describe(f"with {BUSY_PROCESSES} other busy processes", beside, judged=not quick),
    ]


def random_positions(games: Sequence[Game], count: int) -> list[Position]:
    """Positions of every game in turn, from random games stopped in their first half.

    Later on, most are decided so soon that the clock does not matter.
    """
    return [random_position(games[index % len(games)], index) for index in range(count)]


def random_position(game: Game, number: int) -> Position:
    seed = mix(SEED, number)
    course = random_game(game.start(), seed).positions
    return course[mix(seed, number) % ((len(course) + 1) // 2)]


def time_moves(engines: dict[str, Engine], positions: Sequence[Position]) -> list[TimedMove]:
    for engine in engines.values():
        engine.clear()
    limits = Limits(seconds=SECONDS_PER_MOVE)
    moves = []
    for position in positions:
        engine = engines[position.game.name]
        stolen_before, started = time_stolen(), time.perf_counter()
        engine.search(position, limits)
        waited = time.perf_counter() - started
        moves.append(TimedMove(waited, time_stolen() - stolen_before))
    return moves


@contextlib.contextmanager
def busy_processes(count: int) -> Iterator[list[BaseProcess]]:
    """As many processes that do nothing but compute, for as long as the block runs."""
    context = multiprocessing.get_context("spawn")
    processes: list[BaseProcess] = [
        context.Process(target=compute_forever, daemon=True) for _ in range(count)
    ]
    for process in processes:
        process.start()
    time.sleep(0.5)  # until they have started and are busy
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.join()


def compute_forever() -> None:
    number = 1
    while True:
        number = number * 1103515245 + 12345 & 0xFFFFFFFF


def describe(how: str, moves: Sequence[TimedMove], *, judged: bool) -> Row:
    waited = [move.waited for move in moves]
    late = [move for move in moves if move.waited > SECONDS_PER_MOVE]
    stolen = sum(move.stolen for move in moves)
    percentiles = quantiles(waited, n=100, method="inclusive")
    numbers = {
        "p50": percentiles[49],
        "p99": percentiles[98],
        "max": max(waited),
        "late": len(late),
        "stolen": stolen,
        "late_and_stolen": sum(move.stolen > 0 for move in late),
    }
    times = ", ".join(f"{name} {numbers[name] * 1000:.2f} ms" for name in ("p50", "p99", "max"))
    if stolen > 0:
        times += f"; {stolen:.1f} s stolen from this machine"
        times += f", in {numbers['late_and_stolen']} of the late moves" if late else ""
    return Row(
        f"{len(waited)} moves {how}",
        times,
        f"allowed: {SECONDS_PER_MOVE * 1000:.0f} ms",
        f"{len(late)} late",
        "0 late",
        not late if judged else None,
        numbers,
    )
