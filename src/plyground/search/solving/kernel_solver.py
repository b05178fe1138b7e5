"""What all solvers share: checked limits, stopping, a time limit, progress, partial solutions.

Kernels of a solver poll a stop flag and no clock, so a time limit is a thread that stops the
solver. Compiling kernels, or loading them from disk, does not count: the first solve on a machine
gets as much time as any later one.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from plyground.core.errors import LimitError
from plyground.core.game import Game, Position
from plyground.search.binding.compile import Bound, bind
from plyground.search.memory_limit import check_memory
from plyground.search.result import check_seconds
from plyground.search.solving.solution import (
    Bounds,
    PartialSolution,
    ProgressListener,
    Solution,
    SolveProgress,
    Unsolved,
    Worth,
    best_moves,
    bounds_by_moves,
)

MAX_THREADS = 256
REPORT_SECONDS = 0.2
"""The time between two progress reports."""
STOP_AGAIN = 0.005
"""Seconds until a solver that has not stopped yet is stopped again: between two kernel calls it may
clear its stop flag."""
LONGEST_SLEEP = 3600.0
"""Seconds; the sleep of a thread has a limit on every system."""


class SolveTimer:
    """The seconds of solving since it was made, without compiling."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._started = self._now()

    @property
    def seconds(self) -> float:
        return self._now() - self._started

    def _now(self) -> float:
        return time.monotonic() - self._bound.seconds_preparing


@contextmanager
def time_limit(
    seconds: float | None, timer: SolveTimer, stop: Callable[[], None]
) -> Iterator[None]:
    """Call `stop` when the timer reaches `seconds`, and again until the block is left."""
    if seconds is None:
        yield
        return
    check_seconds(seconds)
    limit = seconds
    left = threading.Event()

    def watch() -> None:
        while not left.wait(min(LONGEST_SLEEP, max(STOP_AGAIN, limit - timer.seconds))):
            if timer.seconds >= limit:
                stop()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        left.set()
        watcher.join()  # so that it stops nothing that comes later


class KernelSolver(ABC):
    """A `Solver` whose work is done by compiled kernels."""

    method: str
    counted = "positions looked at"

    _timer: SolveTimer
    _seconds: float | None
    """The time limit of the solve that runs now."""

    def __init__(
        self,
        game: Game,
        *,
        memory: int = 1024,
        threads: int = 1,
        checkpoint: Path | None = None,
        progress: ProgressListener | None = None,
    ) -> None:
        """`memory` is in MiB. With a checkpoint the memory is that file, which a later solver
        resumes from."""
        check_memory(memory, "a solver")
        self._check_game(game)
        if not 1 <= threads <= MAX_THREADS:
            raise LimitError(f"{threads} threads: a solver takes from 1 to {MAX_THREADS}")
        self.game = game
        self._bound = bind(game)
        self._memory = memory
        self._threads = threads
        self._checkpoint = checkpoint
        self._progress = progress
        self._reported = 0.0
        self._stopped = False

    @abstractmethod
    def _check_game(self, game: Game) -> None:
        """Raise if the method does not solve this game."""

    def solve(
        self, position: Position, *, every_move: bool = True, seconds: float | None = None
    ) -> Solution:
        self._begin(position)
        self._timer, self._seconds = SolveTimer(self._bound), seconds
        try:
            with time_limit(seconds, self._timer, self.stop):
                worth, moves, line = self._solve(position, every_move=every_move)
        except Unsolved as unsolved:
            unsolved.stopped = self._stopped
            unsolved.partial = self._partial_solution(position)
            raise
        return Solution(
            position=position,
            method=self.method,
            worth=worth,
            moves=moves,
            optimal=best_moves(position.turn, moves) if moves else (),
            line=line,
            nodes=self._nodes(),
            counted=self.counted,
            seconds=self._timer.seconds,
        )

    @abstractmethod
    def verify(self, position: Position) -> int: ...

    def stop(self) -> None:
        self._stopped = True

    def _begin(self, position: Position) -> None:
        """Set up for a position, before the timer starts."""
        if position.game is not self.game:
            raise LimitError(f"this solver is for {self.game.name}, not {position.game.name}")
        self._stopped = False

    @abstractmethod
    def _solve(
        self, position: Position, *, every_move: bool
    ) -> tuple[Worth, dict[int, Worth], tuple[int, ...]]:
        """The worth of the position, that of its moves as far as wanted, and a line of perfect
        play. Raises Unsolved."""

    @abstractmethod
    def _proven(self, position: Position) -> tuple[Bounds, dict[int, Bounds]]:
        """What is proven so far of the position and of each of its moves."""

    @abstractmethod
    def _nodes(self) -> int: ...

    def _partial_solution(self, position: Position) -> PartialSolution:
        bounds, moves = self._proven(position)
        return PartialSolution(
            position=position,
            method=self.method,
            bounds=bounds.narrowed(bounds_by_moves(position.turn, moves.values())),
            moves=moves,
            nodes=self._nodes(),
            counted=self.counted,
            seconds=self._timer.seconds,
        )

    def _report(self, text: str, part: float | None = None) -> None:
        """Report progress, unless a report was made a moment ago."""
        now = time.monotonic()
        if self._progress is not None and now - self._reported >= REPORT_SECONDS:
            self._reported = now
            self._progress(SolveProgress(text, self._nodes(), part))
