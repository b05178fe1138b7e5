"""The engine: iterative deepening over the compiled alpha-beta kernel, on one or several threads.

An `Engine` belongs to one game and keeps its transposition table from search to search, so that
later moves of a game profit from earlier ones. With the same limits, one thread and a fresh or
cleared engine, the same search visits the same nodes.
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
from plyground.core.game import Game, Position, same_board
from plyground.core.values import DECIDED, INFINITY
from plyground.search.binding.compile import Bound, bind
from plyground.search.clock import DeadlineThread, TimeControl, no_garbage_collection
from plyground.search.engine.kernel import ASSIST, search_root
from plyground.search.engine.search_memory import (
    AGE,
    BUCKETS,
    EPOCH,
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
from plyground.search.result import MAX_THREADS, Limits, Line, Progress, SearchResult
from plyground.search.system_clock import NANOSECONDS, read_clock

LONGEST_STOP = 5 * NANOSECONDS
"""How long a thread may take to stop. It may have to wait for a core, but not that long."""

SALT_STEP = 0x1E3779B97F4A7C15
"""Between the salts of two boards: odd, and with bits all over the word."""

WINDOW = 30
"""Half the width of the first aspiration window beyond the last change of the value. Around a third
of a pawn in most evaluations; a wrong guess costs one more try, four times as wide."""


@dataclass
class _Search:
    """One search: its request, and how far it has come."""

    position: Position
    board: Any
    state: Any
    root: Root
    keep: int
    slack: int
    seed: int | None = None
    found: SearchResult | None = None
    """The answer so far: of the last finished depth, or a better one of the depth after it."""
    answered: bool = False
    """The caller has its answer: what is found from now on comes too late."""


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
        self._main = new_memory(game.rules, table)
        self._main.settings[[FEATURES, WAYS, BUCKETS, THREADS]] = features, ways, buckets, threads
        others = [another_thread(self._main, SHARED_FIELDS) for _ in range(threads - 1)]
        self._memories = [self._main, *others]
        self._shared = self._main.shared
        self._age = 0
        self._board: Any = None
        self._choice = EvaluationChoice(game, evaluation)
        self._evaluation = ""
        self._time = TimeControl()
        self._failure: PlygroundError | None = None
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
        table, rows = net.table, net.flat_rows
        self._memories = [
            memory._replace(net_table=table, net_rows=rows) for memory in self._memories
        ]
        self._main = self._memories[0]
        self._main.settings[EVALUATION] = LEARNED

    def clear(self) -> None:
        """Forget all results of earlier searches."""
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
        `progress` is called after every finished depth, by another thread if there is a time limit.
        """
        self._time.start(limits.seconds)
        if position.game is not self.game:
            raise LimitError(f"this engine plays {self.game.name}, not {position.game.name}")
        if position.is_over:
            raise GameOver(f"the game is over ({position.outcome.reason}): nothing to search")
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
        search = self._new_search(position, moves, min(lines, len(moves)), int(optimal))
        search.seed = seed
        self._set_limits(limits)
        if self.game.rules.repeats:
            self._set_path(position)
        depth = min(limits.depth or MAX_DEPTH, MAX_DEPTH)
        with no_garbage_collection(), self._helpers(search):
            if deadline is None:
                self._deepen(search, depth, progress)
            else:
                self._deepen_by(deadline, search, depth, progress)
        if self._failure is not None:
            raise self._failure
        return self._answer(search)

    # Setting up

    def _prepare_kernels(self) -> None:
        """Load or compile now, outside the time limit of any search."""
        search = self._new_search(self.game.start(), [0], 1, 0)
        self.bound.prepare(search_root, *self._root_arguments(search, 1, -INFINITY, INFINITY))

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

    def _new_search(self, position: Position, moves: list[int], keep: int, slack: int) -> _Search:
        return _Search(
            position=position,
            board=self.bound.pack_board(position.board),
            state=self.bound.pack_state(position.state),
            root=new_root(moves),
            keep=keep,
            slack=slack,
        )

    def _set_limits(self, limits: Limits) -> None:
        self._age = (self._age + 1) % AGES
        main = self._main
        main.shared[STOP] = 0
        main.settings[AGE] = self._age
        nodes = NO_LIMIT if limits.nodes is None else limits.nodes
        main.settings[NODE_LIMIT] = max(1, nodes // self.threads)
        main.busy[:] = 0
        main.history[:] = main.history >> 3  # what refuted much in the last search is a hint
        for memory in self._memories:
            memory.counters[:] = 0
            memory.killers[:] = 0
        self._time.set_deadline(self._memories)

    def _set_path(self, position: Position) -> None:
        """Where the game has been, the root last: to come there again counts as a draw."""
        salt = int(self._main.settings[SALT])
        key = self.game.rules.key
        words = [int(key(position.board, past)) ^ salt for past in (*position.past, position.state)]
        self._main.settings[PAST] = len(words) - 1
        for memory in self._memories:
            memory.path[: len(words)] = words

    @contextmanager
    def _helpers(self, search: _Search) -> Iterator[None]:
        """The other threads, searching alongside until the main one is done."""
        self._steer(1, -INFINITY, INFINITY)
        self._failure = None
        for memory in self._memories[1:]:
            self._start(partial(self._assist, self._assist_arguments(search, memory)))
        try:
            yield
        finally:
            self._shared[STOP] = 1
            self._stopped_at = read_clock()
            self._time.note_waits(self._memories)

    def _start(self, function: Callable[[], None]) -> DeadlineThread:
        thread = DeadlineThread(function)
        self._running.append(thread)
        return thread

    def _assist(self, arguments: tuple[Any, ...]) -> None:
        """What a helper runs. The main thread raises the errors of the game's own code."""
        try:
            self.bound.run(search_root, *arguments)
        except PlygroundError as error:
            self._failure = error
            self.stop()

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

    def _assist_arguments(self, search: _Search, memory: SearchMemory) -> tuple[Any, ...]:
        root = new_root(search.root.moves)
        return search.board, search.state, root, ASSIST, 0, 0, search.keep, search.slack, memory

    def _steer(self, depth: int, alpha: int, beta: int) -> None:
        """Set what all threads search from now on. While it is being written the epoch is odd."""
        self._shared[SHARED_EPOCH] += 1
        self._shared[SHARED_DEPTH] = depth
        self._shared[SHARED_ALPHA] = alpha
        self._shared[SHARED_BETA] = beta
        self._shared[SHARED_EPOCH] += 1
        self._main.counters[EPOCH] = self._shared[SHARED_EPOCH]

    # Deepening

    def _deepen(self, search: _Search, max_depth: int, progress: Progress | None) -> None:
        values: list[int] = []
        for depth in range(1, max_depth + 1):
            value = self._iterate(search, depth, values)
            if search.answered:
                return
            if value is None:
                self._break_off(search, depth)
                return
            values.append(value)
            _best_first(search.root)
            search.found = self._result(search, depth, value)
            if progress is not None:
                progress(search.found)
            if search.found.proven:
                return

    def _break_off(self, search: _Search, depth: int) -> None:
        """An iteration was stopped. If it has found a better move than the one before, that is the
        answer; its value is a bound, since the moves after it were not searched."""
        if search.keep > 1 or search.slack:
            return  # several lines belong to one depth
        root = search.root
        searched = int(self._main.counters[SEARCHED])
        values = np.where(root.bounds == UPPER, -INFINITY, root.values)[:searched]
        best = int(values.argmax()) if searched else 0
        known = -1 if search.found is None else search.found.move
        if not searched or values[best] == -INFINITY or root.moves[best] == known:
            return
        value = int(root.values[best])
        search.found = replace(
            self._result(search, depth, value, best),
            bound="lower" if search.position.turn == 0 else "upper",
            proven=value >= DECIDED,
        )

    def _deepen_by(
        self, deadline: int, search: _Search, max_depth: int, progress: Progress | None
    ) -> None:
        """The same in a thread of its own. If it has no core when time is up, the depth that it
        finished last is the answer."""
        try:
            thread = self._start(partial(self._deepen, search, max_depth, progress))
        except RuntimeError:  # the process may have no more threads: search without a deadline
            self._deepen(search, max_depth, progress)
            return
        try:
            if thread.wait(deadline):
                thread.raise_error()
                return
        finally:
            search.answered = True
        self._time.note_missing_poll(self._main)

    def _iterate(self, search: _Search, depth: int, values: list[int]) -> int | None:
        """The value of one iteration, from a narrow window widened as needed; None if stopped."""
        alpha, beta, width = -INFINITY, INFINITY, INFINITY
        narrow = self.features & Features.ASPIRATION and search.keep == 1 and not search.slack
        if narrow and len(values) >= 2 and abs(values[-1]) < DECIDED:
            width = WINDOW + min(abs(values[-1] - values[-2]), INFINITY)
            alpha, beta = _window(values[-1], width)
        self._main.counters[SEARCHED] = 0
        while True:
            self._steer(depth, alpha, beta)
            self._time.start_polling(self._main)
            arguments = self._root_arguments(search, depth, alpha, beta)
            value = int(self.bound.run(search_root, *arguments))
            if self._main.counters[STOPPED]:
                return None
            if alpha < value < beta:
                return value
            _best_first(search.root)
            width *= 4
            if value <= alpha:
                alpha = _window(value, width)[0]
                self._main.counters[SEARCHED] = 0
            else:
                beta = _window(value, width)[1]
                self._main.counters[SEARCHED] = 1  # the first move is that good at least

    def _root_arguments(
        self, search: _Search, depth: int, alpha: int, beta: int
    ) -> tuple[Any, ...]:
        root = search.root
        # The first iteration gives every move a value of its own, for a first order.
        keep = len(root.moves) if depth == 1 else search.keep
        return search.board, search.state, root, depth, alpha, beta, keep, search.slack, self._main

    # Answering

    def _result(self, search: _Search, depth: int, value: int, chosen: int = 0) -> SearchResult:
        root, counters = search.root, self._main.counters
        sign = 1 if search.position.turn == 0 else -1
        optimal = self._optimal(search)
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

    def _optimal(self, search: _Search) -> tuple[int, ...]:
        """Every move as good as the best, if requested."""
        if not search.slack:
            return ()
        root = search.root
        as_good = (root.values == root.values[0]) & (root.bounds != UPPER)
        return tuple(int(move) for move in root.moves[as_good])

    def _answer(self, search: _Search) -> SearchResult:
        found = search.found
        if found is None:
            # Not even one move was searched: any legal move, and the plain evaluation.
            found = SearchResult.unsearched(search.position, int(search.root.moves[0]))
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
