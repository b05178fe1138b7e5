"""What the two searching solvers share: threads that search one transposition table."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from plyground.core.errors import PlygroundError
from plyground.core.game import Position, same_board
from plyground.search.solving import kernel_solver
from plyground.search.solving.checkpoint import label_of
from plyground.search.solving.kernel_solver import KernelSolver
from plyground.search.solving.solution import Unsolved
from plyground.search.solving.transposition_table import NO_LIMIT, TranspositionTable

Found = TypeVar("Found")

# Arrays of small numbers that the memory of a search has.
# counters: one thread's own
NODES, STOPPED, TOO_LONG = range(3)
# settings: the same for all threads
NODE_LIMIT, THREADS = range(2)
# shared
STOP = 0
COUNTERS = 128
"""The length of `counters`: no other thread writes to the cache lines of the first few."""

SHARED_ARRAYS = ("table", "lengths", "busy", "settings", "shared")


def another_thread(memory: Any) -> Any:
    """The memory of one more thread on the same table."""
    own = {
        name: np.zeros_like(array)
        for name, array in memory._asdict().items()
        if name not in SHARED_ARRAYS
    }
    return memory._replace(**own)


class TableSolver(KernelSolver):
    """A solver that searches with a transposition table. It keeps the table from one position to
    the next, as long as they are on the same board."""

    label: str
    """The name of the method in a checkpoint."""

    _buckets: int | None = None
    """The exact size of the table, if not as much as fits into memory."""
    _board: Any = None
    _table: TranspositionTable
    _memories: tuple[Any, ...] = ()
    """The memory of each thread: a named tuple of arrays, as the kernels take it."""
    _status = ""
    """What the next progress report says."""

    def stop(self) -> None:
        super().stop()
        self._set_stop_flag()

    def _set_stop_flag(self) -> None:
        for memory in self._memories[:1]:
            memory.shared[STOP] = 1

    def _clear_stop_flag(self) -> None:
        self._memories[0].shared[STOP] = 0
        if self._is_interrupted:  # meanwhile, perhaps
            self._set_stop_flag()

    @property
    def _is_interrupted(self) -> bool:
        return self._stopped

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
            self._table = TranspositionTable(
                self._bound,
                width,
                self._table_bytes,
                self._checkpoint,
                label_of(self.label, position),
                buckets=self._buckets,
            )
            first = self._new_memory(width)
            others = (another_thread(first) for _ in range(self._threads - 1))
            self._memories = first, *others
            self._board = position.board
            self._packed_board = self._bound.pack_board(position.board)
        for memory in self._memories:
            memory.counters[:] = 0
        self._clear_stop_flag()
        self._status = ""

    @property
    def _table_bytes(self) -> int:
        return self._memory << 20

    def _nodes(self) -> int:
        return sum(int(memory.counters[NODES]) for memory in self._memories)

    def _is_too_long(self) -> bool:
        return any(memory.counters[TOO_LONG] for memory in self._memories)

    def _check_stopped(self) -> None:
        if self._is_interrupted:
            raise self._unsolved()

    def _first_answer(
        self,
        search: Callable[[Any], Found | None],
        node_limit: int = NO_LIMIT,
    ) -> Found:
        """Run `search` on the memory of every thread until one returns an answer. The table grows
        whenever as many positions were visited as it holds."""
        while True:
            enough = self._table.enough_for // self._threads
            self._memories[0].settings[NODE_LIMIT] = min(node_limit, enough)
            self._check_stopped()
            answers = self._run_threads(search)
            if answers:
                return answers[0]
            self._check_stopped()
            if node_limit <= enough or self._is_too_long():
                raise self._unsolved()
            words = self._table.grow(lambda: bool(self._memories[0].shared[STOP]))
            self._memories = tuple(memory._replace(table=words) for memory in self._memories)

    def _run_threads(self, search: Callable[[Any], Found | None]) -> list[Found]:
        answers: list[Found] = []
        failures: list[PlygroundError] = []

        def run(memory: Any) -> None:
            try:
                answer = search(memory)
                if answer is not None:
                    answers.append(answer)
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
        return answers

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """While inside, a thread reports the progress."""
        done = threading.Event()

        def report() -> None:
            while not done.wait(kernel_solver.REPORT_SECONDS):
                self._report(self._status)

        reporter = threading.Thread(target=report, daemon=True)
        if self._progress is not None:
            reporter.start()
        try:
            yield
        finally:
            done.set()
