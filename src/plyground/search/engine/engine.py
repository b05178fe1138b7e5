"""The engine: iterative deepening over the compiled alpha-beta kernel, on one or several threads.

An `Engine` belongs to one game and keeps its table from search to search, so that a game played
with it profits from what was found before. With the same limits, one thread and a fresh or cleared
engine, the same search visits the same nodes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from plyground.core.errors import GameFileError, GameOver, LimitError, PlygroundError
from plyground.core.game import Game
from plyground.core.position import Position, same_board
from plyground.core.values import DECIDED, INFINITY
from plyground.search.binding.compile import Bound, bind
from plyground.search.clock import (
    BUSY_WAIT,
    LARGEST_RESERVE,
    NANOSECONDS,
    WAIT_MEMORY,
    is_busy,
    no_garbage_collection,
    read_clock,
    spendable,
    watched_for,
)
from plyground.search.engine.kernel import ASSIST, search_root
from plyground.search.engine.search_memory import (
    AGE,
    BUCKETS,
    EPOCH,
    FEATURES,
    LAST_POLL,
    LONGEST_WAIT,
    MAX_DEPTH,
    OPEN,
    PAST,
    PLIES,
    SALT,
    SELECTIVE,
    SHARED_ALPHA,
    SHARED_BETA,
    SHARED_DEPTH,
    SHARED_EPOCH,
    SHARED_FIELDS,
    WAYS,
    Root,
    SearchMemory,
    new_memory,
    new_root,
)
from plyground.search.engine.transposition_table import AGES, ENTRY_BYTES, EXACT, UPPER, new_table
from plyground.search.features import Features
from plyground.search.kernel_memory import (
    DEADLINE,
    NO_LIMIT,
    NODE_LIMIT,
    NODES,
    STOP,
    STOPPED,
    THREADS,
    another_thread,
)
from plyground.search.memory_limit import check_memory
from plyground.search.result import Limits, Line, Progress, SearchResult
from plyground.search.watched import Watched

MAX_THREADS = 256

PATIENCE = 5 * NANOSECONDS
"""How long a thread that was told to end may take. One waits for a core, but not that long."""

SALT_STEP = 0x1E3779B97F4A7C15
"""Between the salts of two boards: odd, and with bits all over the word."""

WINDOW = 30
"""Half the width of the first aspiration window beyond the last change of the value. Around a third
of a pawn in most evaluations; a wrong guess costs one more try, four times as wide."""


@dataclass
class _Job:
    """One search under way: what was asked, and how far it has come."""

    position: Position
    board: Any
    state: Any
    root: Root
    keep: int
    slack: int
    started: int
    seed: int | None = None
    finished: SearchResult | None = None
    answered: bool = False
    """Whoever asked has been answered: what is found from now on comes too late."""


class Engine:
    """Searches positions of one game. Not for two searches at a time."""

    def __init__(
        self,
        game: Game,
        *,
        memory: int = 64,
        threads: int = 1,
        features: Features = Features.PLAY,
        entries: int | None = None,
    ) -> None:
        """`memory` is the size of the table in MiB; `entries`, if given, its exact entries."""
        check_memory(memory, "the table")
        if not 1 <= threads <= MAX_THREADS:
            raise LimitError(f"{threads} threads: a search takes from 1 to {MAX_THREADS}")
        if entries is not None and entries < 1:
            raise LimitError(f"{entries} entries: a table has at least 1")
        self.game = game
        self.features = features
        self.bound: Bound = bind(game)
        table, buckets, ways = new_table(entries or (memory << 20) // ENTRY_BYTES)
        self._main = new_memory(game.rules, table)
        self._main.settings[[FEATURES, WAYS, BUCKETS, THREADS]] = features, ways, buckets, threads
        others = [another_thread(self._main, SHARED_FIELDS) for _ in range(threads - 1)]
        self._memories = [self._main, *others]
        self._shared = self._main.shared
        self._age = 0
        self._board: Any = None
        self._expected_wait = 0
        self._failure: PlygroundError | None = None
        self._running: list[Watched] = []
        self._told_to_end = 0
        self._prepare_kernels()

    @property
    def threads(self) -> int:
        return len(self._memories)

    def clear(self) -> None:
        """Forget everything that earlier searches found out."""
        self.wait_until_idle()
        self._main.table[:] = 0
        self._main.history[:] = 0
        self._main.settings[SALT] = 0
        self._board = None
        self._age = 0

    def stop(self) -> None:
        """End the search that is under way in another thread; it answers with what it has."""
        self._shared[STOP] = 1

    def wait_until_idle(self) -> None:
        """Wait until nothing of the last search runs any more: most often that is so already."""
        self._await_threads()

    def search(
        self,
        position: Position,
        limits: Limits,
        *,
        lines: int = 1,
        optimal: bool = False,
        seed: int | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        """The best move within the limits.

        `lines` asks for the values and lines of that many best moves; `optimal` for every move as
        good as the best. A `seed` decides between equals at random, but the same way each time.
        `progress` hears of every depth that is finished, from another thread if there is a time
        limit.
        """
        started = read_clock()
        if position.game is not self.game:
            raise LimitError(f"this engine plays {self.game.name}, not {position.game.name}")
        if position.is_over:
            raise GameOver(f"the game is over ({position.outcome.reason}): nothing to search")
        if lines < 1:
            raise LimitError(f"{lines} lines: a search gives at least 1")
        deadline = None
        if limits.seconds is not None:
            deadline = started + int(watched_for(limits.seconds) * NANOSECONDS)
        moves = list(position.legal_moves)
        if not self._await_threads(deadline):
            waited = (read_clock() - started) / NANOSECONDS
            return replace(SearchResult.unsearched(position, moves[0]), seconds=waited)
        self._forget_other_boards(position.board)
        if seed is not None:
            random.Random(seed).shuffle(moves)
        job = self._new_job(position, moves, min(lines, len(moves)), int(optimal), started)
        job.seed = seed
        self._set_limits(limits, started)
        if self.game.rules.repeats:
            self._set_path(position)
        depth = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
        with no_garbage_collection(), self._helpers(job):
            if deadline is None:
                self._deepen(job, depth, progress)
            else:
                self._deepen_by(deadline, job, depth, progress)
        if self._failure is not None:
            raise self._failure
        return self._answer(job)

    # Setting up

    def _prepare_kernels(self) -> None:
        """Load or compile now, so that no search pays for it with its own time."""
        job = self._new_job(self.game.start(), [0], 1, 0, 0)
        self.bound.prepare(search_root, *self._root_arguments(job, 1, -INFINITY, INFINITY))

    def _forget_other_boards(self, board: Any) -> None:
        """Keys tell states apart, not boards: each board gets a salt of its own to stir in."""
        if self._board is not None and not same_board(board, self._board):
            settings = self._main.settings
            settings[SALT] = (int(settings[SALT]) + SALT_STEP) % (1 << 62)
        self._board = board

    def _new_job(
        self, position: Position, moves: list[int], keep: int, slack: int, started: int
    ) -> _Job:
        return _Job(
            position=position,
            board=self.bound.pack_board(position.board),
            state=self.bound.pack_state(position.state),
            root=new_root(moves),
            keep=keep,
            slack=slack,
            started=started,
        )

    def _set_limits(self, limits: Limits, started: int) -> None:
        deadline, wait = 0, 0
        if limits.seconds is not None:
            nanoseconds = int(limits.seconds * NANOSECONDS)
            deadline = started + int(spendable(limits.seconds) * NANOSECONDS)
            wait = min(self._expected_wait, int(LARGEST_RESERVE * nanoseconds))
            if is_busy():
                wait = max(wait, int(BUSY_WAIT * nanoseconds))
        self._age = (self._age + 1) % AGES
        memory = self._main
        memory.shared[STOP] = 0
        memory.settings[AGE] = self._age
        memory.settings[DEADLINE] = deadline
        nodes = NO_LIMIT if limits.nodes is None else limits.nodes
        memory.settings[NODE_LIMIT] = max(1, nodes // self.threads)
        memory.busy[:] = 0
        memory.history[:] = memory.history >> 3  # what refuted much in the last search is a hint
        for thread in self._memories:
            thread.counters[:] = 0
            thread.counters[LAST_POLL] = started
            thread.counters[LONGEST_WAIT] = wait
            thread.killers[:] = 0

    def _set_path(self, position: Position) -> None:
        """Where the game has been, the root last: to come there again counts as a draw."""
        salt = int(self._main.settings[SALT])
        key = self.game.rules.key
        words = [int(key(position.board, past)) ^ salt for past in (*position.past, position.state)]
        self._main.settings[PAST] = len(words) - 1
        for memory in self._memories:
            memory.path[: len(words)] = words

    @contextmanager
    def _helpers(self, job: _Job) -> Iterator[None]:
        """The other threads, searching alongside until the main one is done."""
        self._steer(1, -INFINITY, INFINITY)
        self._failure = None
        for memory in self._memories[1:]:
            self._start(partial(self._assist, self._assist_arguments(job, memory)))
        try:
            yield
        finally:
            self._shared[STOP] = 1
            self._told_to_end = read_clock()
            longest = max(int(memory.counters[LONGEST_WAIT]) for memory in self._memories)
            self._expected_wait = int(WAIT_MEMORY * longest)

    def _start(self, work: Callable[[], None]) -> Watched:
        thread = Watched(work)
        self._running.append(thread)
        return thread

    def _assist(self, arguments: tuple[Any, ...]) -> None:
        """A thread's work. What the game's own code gets wrong in it, the main thread will say."""
        try:
            self.bound.run(search_root, *arguments)
        except PlygroundError as error:
            self._failure = error
            self.stop()

    def _await_threads(self, deadline: int | None = None) -> bool:
        """Threads of the last search were told to end. An answer does not wait for them, since on a
        busy machine they may have to wait for a core first; whoever needs their memory does, but no
        longer than until the deadline. Whether they have ended."""
        patience = max(self._told_to_end + PATIENCE, read_clock() + PATIENCE // 10)
        while self._running and self._running[-1].wait(patience if deadline is None else deadline):
            self._running.pop()
        if self._running and read_clock() >= self._told_to_end + PATIENCE:
            raise GameFileError(
                self.game.rules.path, None, "one of the rules does not come to an end"
            )
        return not self._running

    def _assist_arguments(self, job: _Job, memory: SearchMemory) -> tuple[Any, ...]:
        root = new_root(job.root.moves)
        return job.board, job.state, root, ASSIST, 0, 0, job.keep, job.slack, memory

    def _steer(self, depth: int, alpha: int, beta: int) -> None:
        """Tell all threads what is searched now. An odd epoch says that this is being written."""
        self._shared[SHARED_EPOCH] += 1
        self._shared[SHARED_DEPTH] = depth
        self._shared[SHARED_ALPHA] = alpha
        self._shared[SHARED_BETA] = beta
        self._shared[SHARED_EPOCH] += 1
        self._main.counters[EPOCH] = self._shared[SHARED_EPOCH]

    # Deepening

    def _deepen(self, job: _Job, max_depth: int, progress: Progress | None) -> None:
        values: list[int] = []
        for depth in range(1, max_depth + 1):
            value = self._iterate(job, depth, values)
            if value is None or job.answered:
                return
            values.append(value)
            _best_first(job.root)
            job.finished = self._result(job, depth, value)
            if progress is not None:
                progress(job.finished)
            if job.finished.proven:
                return

    def _deepen_by(
        self, deadline: int, job: _Job, max_depth: int, progress: Progress | None
    ) -> None:
        """The same in a thread of its own. If that one is kept from its core when time is up, what
        it had found by then is the answer."""
        try:
            thread = self._start(partial(self._deepen, job, max_depth, progress))
        except RuntimeError:  # this process may have no more threads: then nobody watches
            self._deepen(job, max_depth, progress)
            return
        try:
            if thread.wait(deadline):
                thread.raise_error()
                return
        finally:
            job.answered = True
        counters = self._main.counters
        waited = read_clock() - int(counters[LAST_POLL])
        counters[LONGEST_WAIT] = max(int(counters[LONGEST_WAIT]), waited)

    def _iterate(self, job: _Job, depth: int, values: list[int]) -> int | None:
        """The value of one iteration, from a narrow window widened as needed; None if stopped."""
        alpha, beta, width = -INFINITY, INFINITY, INFINITY
        narrow = self.features & Features.ASPIRATION and job.keep == 1 and not job.slack
        if narrow and len(values) >= 2 and abs(values[-1]) < DECIDED:
            width = WINDOW + min(abs(values[-1] - values[-2]), INFINITY)
            alpha, beta = _window(values[-1], width)
        while True:
            self._steer(depth, alpha, beta)
            self._main.counters[LAST_POLL] = read_clock()
            value = int(self.bound.run(search_root, *self._root_arguments(job, depth, alpha, beta)))
            if self._main.counters[STOPPED]:
                return None
            if alpha < value < beta:
                return value
            _best_first(job.root)
            width *= 4
            if value <= alpha:
                alpha = _window(value, width)[0]
            else:
                beta = _window(value, width)[1]

    def _root_arguments(self, job: _Job, depth: int, alpha: int, beta: int) -> tuple[Any, ...]:
        # The first iteration gives every move a value of its own, for a first order.
        keep = len(job.root.moves) if depth == 1 else job.keep
        return job.board, job.state, job.root, depth, alpha, beta, keep, job.slack, self._main

    # Answering

    def _result(self, job: _Job, depth: int, value: int) -> SearchResult:
        root, counters = job.root, self._main.counters
        sign = 1 if job.position.turn == 0 else -1
        optimal = self._optimal(job)
        chosen = 0
        if optimal and job.seed is not None:
            move = random.Random(job.seed).choice(sorted(optimal))
            chosen = list(root.moves).index(move)
        return SearchResult(
            position=job.position,
            move=int(root.moves[chosen]),
            value=sign * value,
            bound="exact",
            proven=bool(abs(value) >= DECIDED or not counters[OPEN]),
            depth=depth,
            selective_depth=max(depth, int(counters[SELECTIVE])),
            nodes=self._nodes(),
            seconds=self._seconds(job),
            line=_line(root, chosen),
            optimal=optimal,
            lines=_lines(root, job.keep, sign) if job.keep > 1 else (),
        )

    def _optimal(self, job: _Job) -> tuple[int, ...]:
        """Every move as good as the best, if that was asked."""
        if not job.slack:
            return ()
        root = job.root
        as_good = (root.values == root.values[0]) & (root.bounds != UPPER)
        return tuple(int(move) for move in root.moves[as_good])

    def _answer(self, job: _Job) -> SearchResult:
        finished = job.finished
        if finished is None:
            # Not even the first iteration was finished: any legal move, and the plain evaluation.
            finished = SearchResult.unsearched(job.position, int(job.root.moves[0]))
        return replace(finished, nodes=self._nodes(), seconds=self._seconds(job))

    def _nodes(self) -> int:
        return sum(int(memory.counters[NODES]) for memory in self._memories)

    def _seconds(self, job: _Job) -> float:
        return (read_clock() - job.started) / NANOSECONDS


def _window(value: int, width: int) -> tuple[int, int]:
    return max(-INFINITY, value - width), min(INFINITY, value + width)


def _best_first(root: Root) -> None:
    """Exact values in order, then the others as they were; the order is the next iteration's."""
    rank = np.where(root.bounds == UPPER, -INFINITY, root.values)
    if rank.argmax() == 0 and (rank[1:] == -INFINITY).all():
        return  # the last best move is the best again: nothing to move around
    order = np.argsort(-rank, kind="stable")
    lines = root.lines.reshape(-1, PLIES)
    for array in (root.moves, root.values, root.bounds, root.lengths, lines):
        array[:] = array[order]


def _line(root: Root, index: int) -> tuple[int, ...]:
    start = index * PLIES
    return tuple(root.lines[start : start + int(root.lengths[index])].tolist())


def _lines(root: Root, count: int, sign: int) -> tuple[Line, ...]:
    """The best moves whose values are exact, with their lines."""
    exact = np.flatnonzero(root.bounds == EXACT)[:count].tolist()
    return tuple(
        Line(sign * int(root.values[index]), "exact", _line(root, index)) for index in exact
    )
