"""The engine: iterative deepening over the compiled alpha-beta kernel, on one or several threads.

An `Engine` belongs to one game and keeps its transposition table from search to search, so that
later moves of a game profit from earlier ones. Several threads each deepen on their own and share
that table (Lazy SMP), and each leaves for later what another one is searching right now. The first
to finish a depth reports it. With the same limits, one thread and a fresh or cleared engine, the
same search visits the same nodes.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from plyground.core.errors import GameFileError, LimitError, PlygroundError
from plyground.core.game import Game, Position, same_board
from plyground.core.values import DECIDED, INFINITY
from plyground.search.binding.compile import Bound, bind
from plyground.search.binding.layout import PackedArrays
from plyground.search.clock import DeadlineThread, SearchDeadlines
from plyground.search.engine.kernel import search_root
from plyground.search.engine.search_memory import (
    AGE,
    BUCKETS,
    EVALUATION,
    FEATURES,
    LEARNED,
    MAX_DEPTH,
    NONE,
    OPEN,
    OWN,
    PAST,
    PLIES,
    SALT,
    SEARCHED,
    SELECTIVE,
    SHARED_FIELDS,
    WAYS,
    Root,
    SearchMemory,
    new_memory,
    new_root,
    with_net,
)
from plyground.search.engine.transposition_table import AGES, ENTRY_BYTES, EXACT, UPPER, new_table
from plyground.search.features import Features
from plyground.search.garbage_collection import (
    exempt_loaded_objects,
    no_garbage_collection_on_clock,
)
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
from plyground.search.net.evaluation import EvaluationChoice
from plyground.search.net.net import Net
from plyground.search.result import (
    MAX_THREADS,
    Limits,
    Line,
    Progress,
    SearchResult,
    refuse_finished,
)
from plyground.search.system_clock import NANOSECONDS, read_clock
from plyground.search.thread_cores import use_share_of_cores

LONGEST_LINGER = 0.001
"""Seconds for which the main thread waits for what the helpers have found, when it is stopped: less
than a quarter of the reserve of any time limit that is not very short. With a core they need some
microseconds."""

LONGEST_STOP = 5 * NANOSECONDS
"""How long a thread may take to stop. It may have to wait for a core, but not that long."""

SALT_STEP = 0x1E3779B97F4A7C15
"""Between the salts of two boards: odd, and with bits all over the word."""

WINDOW = 30
"""Half the width of the first aspiration window beyond the last change of the value. Around a third
of a pawn in most evaluations; a wrong guess costs one more try, four times as wide."""


@dataclass
class _EngineSearch:
    """One search: its request, and how far it has come."""

    position: Position
    board: Any
    state: Any
    keep: int
    slack: int
    max_depth: int
    seed: int | None = None
    progress: Progress | None = None
    found: SearchResult | None = None
    """The result of the last finished depth."""
    better: SearchResult | None = None
    """A better move of a depth after that, which was broken off."""
    answered: bool = False
    """The caller has its answer: what is found from now on comes too late."""
    reporting: threading.Lock = field(default_factory=threading.Lock)
    """Held by a thread that has finished a depth first or was stopped, while it says what it has
    found."""
    helpers_ended: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    """Released by every helper."""


@dataclass
class _SearchThread:
    """One thread of a search: its memory, and the root moves in its own order."""

    number: int
    """0 is the main thread."""
    packed_memory: PackedArrays
    root: Root
    best: int = -1
    """The best move of the last depth that it has finished."""
    packed_root: PackedArrays = field(init=False)

    def __post_init__(self) -> None:
        self.packed_root = PackedArrays(self.root)

    @property
    def memory(self) -> SearchMemory:
        memory: SearchMemory = self.packed_memory.source
        return memory


class Engine:
    """Searches positions of one game, one search at a time."""

    def __init__(
        self,
        game: Game,
        *,
        memory: int = 64,
        threads: int = 1,
        features: Features = Features.PLAY,
        entries: int | None = None,
        evaluation: str | Net | None = "own",
    ) -> None:
        """`memory` is the size of the table in MiB; `entries`, if given, its exact entries.
        `evaluation` is a word or a file (`search/net/evaluation.py`), or a net."""
        check_memory(memory, "the table")
        if not 1 <= threads <= MAX_THREADS:
            raise LimitError(f"{threads} threads: a search takes from 1 to {MAX_THREADS}")
        if entries is not None and entries < 1:
            raise LimitError(f"{entries} entries: a table has at least 1")
        self.game = game
        self.features = features
        self.bound: Bound = bind(game)
        table, buckets, ways = new_table(entries or (memory << 20) // ENTRY_BYTES)
        main = new_memory(game.rules, table)
        main.settings[[FEATURES, WAYS, BUCKETS]] = features, ways, buckets
        main.settings[THREADS] = threads
        others = [another_thread(main, SHARED_FIELDS) for _ in range(threads - 1)]
        self._use_memories([main, *others])
        self._shared = self._main.shared
        self._age = 0
        self._board: Any = None
        self._choice = EvaluationChoice(game, evaluation)
        self._evaluation = ""
        self._time = SearchDeadlines()
        self._failure: BaseException | None = None
        self._running: list[DeadlineThread] = []
        self._stopped_at = 0
        self._prepare_kernels()

    @property
    def threads(self) -> int:
        return len(self._memories)

    def use_evaluation(self, evaluation: str | Net | None) -> None:
        """Evaluate positions otherwise from now on, and forget all results of earlier searches. New
        weights are data: nothing is compiled."""
        self._choice = EvaluationChoice(self.game, evaluation)
        self.clear()

    def _load_net(self, net: Net) -> None:
        self._use_memories(with_net(self._memories, net))
        self._main.settings[EVALUATION] = LEARNED

    def clear(self) -> None:
        """Forget all results of earlier searches."""
        self.wait_until_idle()
        self._main.table[:] = 0
        for memory in self._memories:
            memory.history[:] = 0
        self._main.settings[SALT] = 0
        self._board = None
        self._age = 0

    def stop(self) -> None:
        """End the search that is under way in another thread; it answers with what it has."""
        self._shared[STOP] = 1

    def wait_until_idle(self) -> None:
        """Wait until no thread of the last search runs any more; most often none does."""
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
        `progress` is called after every finished depth, by the thread that was first to finish it.
        """
        self._time.start(limits.seconds)
        if position.game is not self.game:
            raise LimitError(f"this engine plays {self.game.name}, not {position.game.name}")
        refuse_finished(position)
        if lines < 1:
            raise LimitError(f"{lines} lines: a search gives at least 1")
        deadline = self._time.answer_deadline
        moves = list(position.legal_moves)
        if not self._await_threads(deadline):
            unsearched = SearchResult.unsearched(position, moves[0])
            return replace(unsearched, seconds=self._time.elapsed)
        self._forget_other_boards(position.board)
        if seed is not None:
            random.Random(seed).shuffle(moves)
        search = _EngineSearch(
            position=position,
            board=self.bound.pack_board(position.board),
            state=self.bound.pack_state(position.state),
            keep=min(lines, len(moves)),
            slack=int(optimal),
            max_depth=min(limits.depth or MAX_DEPTH, MAX_DEPTH),
            seed=seed,
            progress=progress,
        )
        self._set_limits(limits)
        if self.game.rules.repeats:
            self._set_path(position)
        workers = [
            _SearchThread(number, packed_memory, new_root(moves))
            for number, packed_memory in enumerate(self._packed_memories)
        ]
        with no_garbage_collection_on_clock(limits.seconds), self._helpers(search, workers[1:]):
            if deadline is None:
                self._lead(search, workers[0])
            else:
                self._lead_by(deadline, search, workers[0])
        if self._failure is not None:
            raise self._failure
        return self._answer(search)

    # Setting up

    def _use_memories(self, memories: list[SearchMemory]) -> None:
        """Search with these, one for each thread; the first is the main thread's."""
        self._main = memories[0]
        self._memories = memories
        self._packed_memories = [PackedArrays(memory) for memory in memories]

    def _prepare_kernels(self) -> None:
        """Load or compile now, outside the time limit of any search."""
        start = self.game.start()
        with suppress(PlygroundError):  # a search of another board may go well
            self._choice.for_board(start.board)
        board, state = self.bound.pack(start)
        numbers = 1, -INFINITY, INFINITY, 1, 0
        self.bound.prepare(search_root, board, state, new_root([0]), *numbers, self._main)
        exempt_loaded_objects()

    def _forget_other_boards(self, board: Any) -> None:
        """A key is that of a state on any board: each board has a salt that changes its keys."""
        if self._board is not None and not same_board(board, self._board):
            settings = self._main.settings
            settings[SALT] = (int(settings[SALT]) + SALT_STEP) % (1 << 62)
            self._board = None
        if self._board is None:
            chosen = self._choice.for_board(board)
            self._evaluation = self._choice.name_of(chosen)
            if isinstance(chosen, Net):
                self._load_net(chosen)
            else:
                self._main.settings[EVALUATION] = {"own": OWN, "none": NONE}[chosen]
        self._board = board

    def _set_limits(self, limits: Limits) -> None:
        self._age = (self._age + 1) % AGES
        main = self._main
        main.shared[STOP] = 0
        main.settings[AGE] = self._age
        nodes = NO_LIMIT if limits.nodes is None else limits.nodes
        main.settings[NODE_LIMIT] = max(1, nodes // self.threads)
        main.settings[DEADLINE] = self._time.kernel_deadline
        for memory in self._memories:
            memory.counters[:] = 0
            memory.killers[:] = 0
            # What refuted much in the last search is a hint.
            np.right_shift(memory.history, 3, out=memory.history)

    def _set_path(self, position: Position) -> None:
        """Where the game has been, the root last: to come there again counts as a draw."""
        salt = int(self._main.settings[SALT])
        key = self.game.rules.key
        words = [int(key(position.board, past)) ^ salt for past in (*position.past, position.state)]
        self._main.settings[PAST] = len(words) - 1
        for memory in self._memories:
            memory.path[: len(words)] = words

    @contextmanager
    def _helpers(self, search: _EngineSearch, workers: list[_SearchThread]) -> Iterator[None]:
        """The other threads, deepening on their own until the search is answered."""
        self._failure = None
        for worker in workers:
            self._start(self._assist, search, worker)
        try:
            yield
        finally:
            search.answered = True
            self._shared[STOP] = 1
            self._stopped_at = read_clock()

    def _start(
        self,
        function: Callable[[_EngineSearch, _SearchThread], None],
        search: _EngineSearch,
        worker: _SearchThread,
    ) -> DeadlineThread:
        def run() -> None:
            use_share_of_cores(worker.number, self.threads)
            function(search, worker)

        thread = DeadlineThread(run)
        self._running.append(thread)
        return thread

    def _assist(self, search: _EngineSearch, worker: _SearchThread) -> None:
        """What a helper runs. Its errors are raised by `search`."""
        try:
            self._deepen(search, worker)
        except BaseException as error:
            self._failure = error
            self.stop()
        finally:
            search.helpers_ended.release()

    def _await_threads(self, deadline: int | None = None) -> bool:
        """Wait for the threads of the last search, no longer than until the deadline; whether they
        have ended. They were stopped when it was answered, but on a busy machine they may have to
        wait for a core first, and a new search needs their memory."""
        latest = max(self._stopped_at + LONGEST_STOP, read_clock() + LONGEST_STOP // 10)
        while self._running and self._running[-1].wait(latest if deadline is None else deadline):
            self._running.pop()
        if self._running and read_clock() >= self._stopped_at + LONGEST_STOP:
            raise GameFileError(
                self.game.rules.path, None, "one of the rules does not come to an end"
            )
        return not self._running

    # Deepening

    def _lead(self, search: _EngineSearch, worker: _SearchThread) -> None:
        """What the main thread runs: when it ends, the search is answered."""
        self._deepen(search, worker)
        self.stop()
        for _ in range(self.threads - 1):
            if not search.helpers_ended.acquire(timeout=LONGEST_LINGER):
                break
        with search.reporting:
            search.answered = True

    def _deepen(self, search: _EngineSearch, worker: _SearchThread) -> None:
        """What each thread does: search one depth after another, on the table of all threads, until
        one of them has finished the last."""
        values: list[int] = []
        for depth in range(1, search.max_depth + 1):
            value = self._iterate(search, worker, depth, values)
            if value is None:
                self._break_off(search, worker, depth)
                return
            values.append(value)
            _best_first(worker.root)
            worker.best = int(worker.root.moves[0])
            self._report(search, worker, depth, value)
            if self._shared[STOP]:
                return
            if depth == 1:
                _divide(worker, search.keep, self.threads)

    def _report(self, search: _EngineSearch, worker: _SearchThread, depth: int, value: int) -> None:
        """A thread has finished a depth: if it is the first, that is the answer so far."""
        with search.reporting:
            if search.answered or (search.found is not None and search.found.depth >= depth):
                return
            search.found = self._result(search, worker, depth, value)
            if search.progress is not None:
                search.progress(search.found)
            if search.found.proven or depth == search.max_depth:
                self.stop()

    def _break_off(self, search: _EngineSearch, worker: _SearchThread, depth: int) -> None:
        """A thread was stopped. If it has found a better move than that of the depth before, that
        is the answer, unless another thread has a better one still. Its value is a bound, since the
        moves after it were not searched."""
        if search.keep > 1 or search.slack:
            return  # several lines belong to one depth
        root = worker.root
        searched = int(worker.memory.counters[SEARCHED])
        values = np.where(root.bounds == UPPER, -INFINITY, root.values)[:searched]
        best = int(values.argmax()) if searched else 0
        if not searched or values[best] == -INFINITY or root.moves[best] == worker.best:
            return
        value = int(root.values[best])
        with search.reporting:
            found, better = search.found, search.better
            if search.answered or (found and (found.proven or found.move != worker.best)):
                return  # found with another move: this one was compared with something else
            sign = 1 if search.position.turn == 0 else -1
            if better is None or (depth, value) > (better.depth, sign * better.value):
                search.better = replace(
                    self._result(search, worker, depth, value, best),
                    bound="lower" if sign > 0 else "upper",
                    proven=value >= DECIDED,
                )

    def _lead_by(self, deadline: int, search: _EngineSearch, worker: _SearchThread) -> None:
        """The same in a thread of its own. If it has no core when time is up, the depth that it
        finished last is the answer."""
        try:
            thread = self._start(self._lead, search, worker)
        except RuntimeError:  # the process may have no more threads: search without a deadline
            self._lead(search, worker)
            return
        if thread.wait(deadline):
            thread.raise_error()

    def _iterate(
        self, search: _EngineSearch, worker: _SearchThread, depth: int, values: list[int]
    ) -> int | None:
        """The value of one iteration, from a narrow window widened as needed; None if stopped."""
        alpha, beta, width = -INFINITY, INFINITY, INFINITY
        narrow = self.features & Features.ASPIRATION and search.keep == 1 and not search.slack
        if narrow and len(values) >= 2 and abs(values[-1]) < DECIDED:
            width = WINDOW + min(abs(values[-1] - values[-2]), INFINITY)
            alpha, beta = _window(values[-1], width)
        memory, root = worker.memory, worker.root
        # The first iteration gives every move a value of its own, for a first order.
        keep = len(root.moves) if depth == 1 else search.keep
        counters = memory.counters
        counters[SEARCHED] = 0
        while True:
            value = self.bound.run(
                search_root,
                *(search.board, search.state, worker.packed_root),
                *(depth, alpha, beta, keep, search.slack),
                worker.packed_memory,
            )
            if counters[STOPPED]:
                return None
            if alpha < value < beta:
                return value
            _best_first(root)
            width *= 4
            if value <= alpha:
                alpha = _window(value, width)[0]
                counters[SEARCHED] = 0
            else:
                beta = _window(value, width)[1]
                counters[SEARCHED] = 1  # the first move is that good at least

    # Answering

    def _result(
        self, search: _EngineSearch, worker: _SearchThread, depth: int, value: int, chosen: int = 0
    ) -> SearchResult:
        root, counters = worker.root, worker.memory.counters
        sign = 1 if search.position.turn == 0 else -1
        optimal = _optimal(root) if search.slack else ()
        if optimal and search.seed is not None:
            move = random.Random(search.seed).choice(sorted(optimal))
            chosen = list(root.moves).index(move)
        return SearchResult(
            position=search.position,
            move=int(root.moves[chosen]),
            value=sign * value,
            bound="exact",
            proven=bool(abs(value) >= DECIDED or not counters[OPEN]),
            depth=depth,
            selective_depth=max(depth, int(counters[SELECTIVE])),
            nodes=self._nodes(),
            seconds=self._time.elapsed,
            line=_line(root, chosen),
            optimal=optimal,
            lines=_lines(root, search.keep, sign) if search.keep > 1 else (),
            evaluation=self._evaluation,
        )

    def _answer(self, search: _EngineSearch) -> SearchResult:
        found, better = search.found, search.better
        if better is not None and (found is None or better.depth > found.depth):
            found = better
        if found is None:
            # Not even one move was searched: any legal move, and the plain evaluation.
            found = SearchResult.unsearched(search.position, search.position.legal_moves[0])
        return replace(found, nodes=self._nodes(), seconds=self._time.elapsed)

    def _nodes(self) -> int:
        return sum(int(memory.counters[NODES]) for memory in self._memories)


def _window(value: int, width: int) -> tuple[int, int]:
    return max(-INFINITY, value - width), min(INFINITY, value + width)


def _best_first(root: Root) -> None:
    """Exact values in order, then the others as they were; the order is the next iteration's."""
    rank = np.where(root.bounds == UPPER, -INFINITY, root.values)
    if rank.argmax() == 0 and (rank[1:] == -INFINITY).all():
        return  # the last best move is the best again: nothing to move around
    _reorder(root, np.argsort(-rank, kind="stable"))


def _divide(worker: _SearchThread, keep: int, threads: int) -> None:
    """Let each thread begin with other root moves, after the best ones, so that it finds the others
    searched when it comes to them. Every second one goes through them backwards, to meet the thread
    before it however unequal the moves are.

    Measured in nodes to a given depth, two threads taking turns of 64 nodes, on 60 positions of
    Breakthrough 8x8: 1.34 times sooner than one thread with the same order for both, 1.49 times so;
    6x6 with exact features and material only: 1.58 and 1.74 times.
    """
    order = np.arange(len(worker.root.moves))
    pair, backwards = divmod(worker.number, 2)
    rest = np.roll(order[keep:], 2 * pair * len(order) // threads)
    order[keep:] = rest[::-1] if backwards else rest
    _reorder(worker.root, order)


def _reorder(root: Root, order: npt.NDArray[np.intp]) -> None:
    lines = root.lines.reshape(-1, PLIES)
    for array in (root.moves, root.values, root.bounds, root.lengths, lines):
        array[:] = array[order]


def _optimal(root: Root) -> tuple[int, ...]:
    """Every move as good as the best."""
    as_good = (root.values == root.values[0]) & (root.bounds != UPPER)
    return tuple(int(move) for move in root.moves[as_good])


def _line(root: Root, index: int) -> tuple[int, ...]:
    start = index * PLIES
    return tuple(root.lines[start : start + int(root.lengths[index])].tolist())


def _lines(root: Root, count: int, sign: int) -> tuple[Line, ...]:
    """The best moves whose values are exact, with their lines."""
    exact = np.flatnonzero(root.bounds == EXACT)[:count].tolist()
    return tuple(
        Line(sign * int(root.values[index]), "exact", _line(root, index)) for index in exact
    )
