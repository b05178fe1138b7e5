"""Breakthrough 6x6 from the start: two threads on one table beside one thread."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from statistics import median

from benchmarks.contest import OurEngine, in_turns, material_breakthrough
from benchmarks.report import Row, UnavailableError, ratio_row, seconds_text
from plyground.core.game import Game
from plyground.core.registry import find_game
from plyground.search.features import Features

TARGET = 1.5
HASHED_BYTES = 1 << 26


def run(quick: bool) -> list[Row]:
    if (os.cpu_count() or 1) < 2:
        raise UnavailableError("this machine has one core")
    depth, rounds = (6, 1) if quick else (14, 7)
    material, own = material_breakthrough(), find_game("breakthrough")
    return [
        measure("exact, material only", material, Features.EXACT, depth, rounds, judged=not quick),
        measure("play, own evaluation", own, Features.PLAY, depth, rounds, judged=False),
        measure_machine(rounds),
    ]


def measure(
    how: str, game: Game, features: Features, depth: int, rounds: int, *, judged: bool
) -> Row:
    alone = OurEngine(game, threads=1, features=features)
    together = OurEngine(game, threads=2, features=features)
    ones, twos = in_turns(rounds, [lambda: alone.search(depth), lambda: together.search(depth)])
    # Two threads never search the same tree twice, so it is the usual time that counts.
    one, two = (median(result.seconds for result in results) for results in (ones, twos))
    return ratio_row(
        f"time to finish depth {depth} ({how})",
        ours=f"two: {seconds_text(two)}",
        other=f"one: {seconds_text(one)}",
        ratio=one / two,
        target=TARGET,
        judged=judged,
        numbers={
            "one_thread_seconds": one,
            "two_threads_seconds": two,
            "one_thread_nodes": median(result.nodes for result in ones),
            "two_threads_nodes": median(result.nodes for result in twos),
        },
    )


def measure_machine(rounds: int) -> Row:
    """What this machine gives two threads that share nothing: no search can gain more."""
    ones, twos = in_turns(rounds, [lambda: hash_in_threads(1), lambda: hash_in_threads(2)])
    one, two = median(ones), median(twos)
    return ratio_row(
        "the machine itself: work of two threads that share nothing",
        ours=f"two: {seconds_text(two / 2)}",
        other=f"one: {seconds_text(one)}",
        ratio=2 * one / two,
        target=TARGET,
        judged=False,
    )


def hash_in_threads(count: int) -> float:
    """The seconds until so many threads, free of the interpreter, have hashed as much each."""
    data = bytes(HASHED_BYTES)
    threads = [threading.Thread(target=hashlib.sha256, args=(data,)) for _ in range(count)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - started
