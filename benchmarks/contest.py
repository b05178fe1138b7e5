"""Running contestants fairly: in turns, so that a busy moment of the machine hits all alike."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from plyground.core.bits import popcount
from plyground.core.game import Game, Position
from plyground.core.registry import find_game
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.result import Limits, SearchResult

ROOT = Path(__file__).parent.parent
FOLDER = Path(__file__).parent
PAWN = 100

Result = TypeVar("Result")


def in_turns(
    rounds: int, contestants: Sequence[Callable[[], Result]], budget: float = float("inf")
) -> list[list[Result]]:
    """The results of each contestant, who run one after the other in every round.

    Once the budget of seconds is used up no further round begins; there is always a first one.
    """
    results: list[list[Result]] = [[] for _ in contestants]
    started = time.perf_counter()
    for _ in range(rounds):
        for contestant, found in zip(contestants, results, strict=True):
            found.append(contestant())
        if time.perf_counter() - started > budget:
            break
    return results


@dataclass(frozen=True)
class Timed:
    """A search that took so many seconds. `finished` is False if it was stopped by then."""

    value: float
    seconds: float
    finished: bool = True


class OurEngine:
    """The engine on one position, with an empty table at every search."""

    def __init__(self, game: Game, *, threads: int = 1, features: Features) -> None:
        self.position: Position = game.start()
        self._engine = Engine(game, threads=threads, features=features)
        self._engine.search(self.position, Limits(depth=2))  # compiles what needs compiling
        self.values: dict[int, int] = {}

    def search(self, depth: int) -> SearchResult:
        """Search anew. `seconds` of the answer is what the caller waited, all overhead included."""
        self._engine.clear()
        self.values = {}
        started = time.perf_counter()
        result = self._engine.search(
            self.position, Limits(depth=depth), progress=self._remember_value
        )
        return replace(result, seconds=time.perf_counter() - started)

    def _remember_value(self, result: SearchResult) -> None:
        self.values[result.depth] = result.value


def material(board: Any, state: Any) -> int:
    return PAWN * (popcount(state.white) - popcount(state.black))


def material_breakthrough() -> Game:
    """Breakthrough with nothing but material: the evaluation that every contestant is given."""
    return find_game("breakthrough").replace(
        name="breakthrough_material", evaluate=material, settled=None
    )


def plain_connectfour() -> Game:
    """Connect Four without an evaluation, as easyAI's own example plays it: wins alone count."""
    return find_game("connectfour").replace(name="connectfour_plain", evaluate=None)


# A contestant of another package runs in a process of its own: it can be stopped, and nothing that
# it imports slows ours down.


def search_elsewhere(module: str, depth: int, patience: float) -> Timed:
    """Run `python -m benchmarks.MODULE DEPTH`, which serves with `serve_search`."""
    process = subprocess.Popen(
        [sys.executable, "-m", f"benchmarks.{module}", str(depth)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    with process:
        process.stdout.readline()  # it has imported all it needs
        started = time.perf_counter()
        try:
            process.wait(timeout=patience)  # the answer is short: it waits in the pipe
        except subprocess.TimeoutExpired:
            process.kill()
            return Timed(0.0, time.perf_counter() - started, finished=False)
        output = process.stdout.read()
    if process.returncode != 0:
        raise RuntimeError(f"benchmarks.{module} failed with status {process.returncode}")
    answer = json.loads(output)
    return Timed(answer["value"], answer["seconds"])


def serve_search(search: Callable[[int], float]) -> None:
    """The other end of `search_elsewhere`: search to the depth on the command line, and time it."""
    print("ready", flush=True)
    started = time.perf_counter()
    value = search(int(sys.argv[1]))
    print(json.dumps({"value": value, "seconds": time.perf_counter() - started}))
