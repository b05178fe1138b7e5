"""What all solvers share: checked limits, stopping, a time limit, progress, partial solutions; and
what the two that search share: threads with one transposition table.

Kernels of a solver poll a stop flag and no clock, so a time limit is a thread that stops the
solver. Compiling kernels, or loading them from disk, does not count: the first solve on a machine
gets as much time as any later one.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar, Unpack

from plyground.core.errors import LimitError, PlygroundError
from plyground.core.game import Game, Position, same_board
from plyground.search.binding.compile import Bound, bind
from plyground.search.kernel_memory import (
    NO_LIMIT,
    NODE_LIMIT,
    NODES,
    STOP,
    THREADS,
    another_thread,
)
from plyground.search.memory_limit import MEBIBYTE, check_memory
from plyground.search.result import MAX_THREADS, check_seconds
from plyground.search.solving.checkpoint import label_of
from plyground.search.solving.solution import (
    DEFAULT_MEMORY,
    Bounds,
    PartialSolution,
    ProgressListener,
    Solution,
    SolveProgress,
    SolverOptions,
    Unsolved,
    Worth,
    best_moves,
    bounds_by_moves,
)
from plyground.search.solving.transposition_table import TOO_LONG, TranspositionTable

Found = TypeVar("Found")

SHARED_FIELDS = ("table", "lengths", "busy", "settings", "shared")
"""The fields of a kernel's memory that all threads of a search share."""
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
def repeatedly(action: Callable[[], None], pause: Callable[[], float]) -> Iterator[None]:
    """While inside, another thread does this again and again, each time after so many seconds."""
    left = threading.Event()

    def repeat() -> None:
        while not left.wait(pause()):
            action()

    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        left.set()
        thread.join()  # so that it does nothing to what comes later


def time_limit(
    seconds: float | None, timer: SolveTimer, stop: Callable[[], None]
) -> AbstractContextManager[None]:
    """Call `stop` when the timer reaches `seconds`, and again until the block is left."""
    if seconds is None:
        return nullcontext()
    check_seconds(seconds)
    limit = seconds

    def check() -> None:
        if timer.seconds >= limit:
            stop()

    return repeatedly(check, lambda: min(LONGEST_SLEEP, max(STOP_AGAIN, limit - timer.seconds)))


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
        memory: int = DEFAULT_MEMORY,
        threads: int = 1,
        checkpoint: Path | None = None,
        progress: ProgressListener | None = None,
    ) -> None:
        """The parameters are those of SolverOptions."""
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
        bounds = bounds.narrowed(bounds_by_moves(position.turn, moves.values()))
        if self.game.rules.point:  # no move is worth more to its player than the position is
            limit = Bounds(high=bounds.high) if position.turn == 0 else Bounds(low=bounds.low)
            moves = {move: one.narrowed(limit) for move, one in moves.items()}
        return PartialSolution(
            position=position,
            method=self.method,
            bounds=bounds,
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


class TableSolver(KernelSolver):
    """A solver that searches with a transposition table. It keeps the table from one position to
    the next, as long as they are on the same board."""

    label: str
    """The name of the method in a checkpoint."""

    _board: Any = None
    _table: TranspositionTable
    _memories: tuple[Any, ...] = ()
    """The memory of each thread: a named tuple of arrays, as the kernels take it."""
    _status = ""
    """What the next progress report says."""

    def __init__(
        self, game: Game, *, nodes: int | None = None, **options: Unpack[SolverOptions]
    ) -> None:
        """A search visits at most `nodes` positions. When that is not enough, Unsolved says what is
        known."""
        super().__init__(game, **options)
        self.limit_nodes(nodes)

    def limit_nodes(self, nodes: int | None) -> None:
        """From now on a search visits at most so many positions."""
        if nodes is not None and nodes < 1:
            raise LimitError(f"{nodes} nodes: there must be at least 1")
        self._node_limit = NO_LIMIT if nodes is None else max(1, nodes // self._threads)

    def stop(self) -> None:
        super().stop()
        self._set_stop_flag()

    def _set_stop_flag(self) -> None:
        for memory in self._memories[:1]:
            memory.shared[STOP] = 1

    def _clear_stop_flag(self) -> None:
        self._memories[0].shared[STOP] = 0
        if self._stopped:  # meanwhile, perhaps
            self._set_stop_flag()

    @abstractmethod
    def _new_memory(self, width: int) -> Any:
        """The memory of one thread, for identities of `width` words."""

    @abstractmethod
    def _unsolved(self) -> Unsolved:
        """Why the position that was searched last is not solved, and what is known."""

    def _begin(self, position: Position) -> None:
        super()._begin(position)
        if self._board is None or not same_board(position.board, self._board):
            width = len(self.game.rules.identity(position.board, position.state))
            label = "" if self._checkpoint is None else label_of(self.label, position)
            self._table = TranspositionTable(
                self._bound, width, self._table_bytes, self._checkpoint, label
            )
            first = self._new_memory(width)
            others = (another_thread(first, SHARED_FIELDS) for _ in range(self._threads - 1))
            self._memories = first, *others
            self._board = position.board
            self._packed_board = self._bound.pack_board(position.board)
        for memory in self._memories:
            memory.counters[:] = 0
        self._clear_stop_flag()
        self._status = ""

    @property
    def _table_bytes(self) -> int:
        return self._memory * MEBIBYTE

    def _nodes(self) -> int:
        return sum(int(memory.counters[NODES]) for memory in self._memories)

    def _is_too_long(self) -> bool:
        return any(memory.counters[TOO_LONG] for memory in self._memories)

    def _check_stopped(self) -> None:
        if self._stopped:
            raise self._unsolved()

    def _first_answer(self, search: Callable[[Any], Found | None]) -> Found:
        """Run `search` on the memory of every thread until one returns an answer. The table grows
        whenever as many positions were visited as it holds. Raises Unsolved when the stop flag is
        set."""
        while True:
            enough = self._table.enough_for // self._threads
            limit = min(self._node_limit, enough)
            self._memories[0].settings[NODE_LIMIT] = limit
            self._check_stopped()
            answer = self._run_threads(search)
            if answer is not None:
                return answer
            most = max(int(memory.counters[NODES]) for memory in self._memories)
            if most < limit or self._node_limit <= enough or self._is_too_long():
                raise self._unsolved()
            words = self._table.grow(lambda: bool(self._memories[0].shared[STOP]))
            if words is self._memories[0].table:  # stopped
                raise self._unsolved()
            self._memories = tuple(memory._replace(table=words) for memory in self._memories)

    def _run_threads(self, search: Callable[[Any], Found | None]) -> Found | None:
        answers: list[Found | None] = []
        failures: list[PlygroundError] = []

        def run(memory: Any) -> None:
            try:
                answers.append(search(memory))
            except PlygroundError as error:
                failures.append(error)
            if self._threads > 1:
                self._set_stop_flag()  # one answer is enough, and a table grows for all threads

        first, *others = self._memories
        first.settings[THREADS] = self._threads
        helpers = [threading.Thread(target=run, args=(memory,), daemon=True) for memory in others]
        for helper in helpers:
            helper.start()
        run(first)
        for helper in helpers:
            helper.join()
        first.settings[THREADS] = 1
        self._clear_stop_flag()
        if failures:
            raise failures[0]
        return next((answer for answer in answers if answer is not None), None)

    def _reporting(self) -> AbstractContextManager[None]:
        """While inside, a thread reports the progress."""
        if self._progress is None:
            return nullcontext()
        return repeatedly(lambda: self._report(self._status), lambda: REPORT_SECONDS)
