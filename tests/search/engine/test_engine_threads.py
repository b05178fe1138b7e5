"""The threads of a search: each deepens on its own, and the first to finish a depth reports it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.search.engine.engine import Engine
from plyground.search.engine.kernel import SHARED_DEPTH
from plyground.search.engine.ordering import MOVE_STEP
from plyground.search.engine.search_memory import SHARED_FIELDS, Root, SearchMemory
from plyground.search.features import Features
from plyground.search.kernel_memory import STOPPED
from plyground.search.result import Limits, SearchResult
from tests.paths import EXAMPLES
from tests.random_play import random_positions
from tests.search.engine.stopped_search import check_stopped
from tests.search.net.random_nets import random_net

BLOCKED = 3
"""The depth at which a thread blocks."""
CACHE_LINE = 64

KernelCall = Callable[[Root, int, SearchMemory], None]


@pytest.fixture
def start() -> Position:
    return find_game("breakthrough").start()


def before_each_kernel(engine: Engine, monkeypatch: pytest.MonkeyPatch, called: KernelCall) -> None:
    """Call this function in the thread that is about to run a kernel: root moves, depth, memory."""
    run = engine.bound.run

    def watched(function: Any, *arguments: Any) -> int:
        called(arguments[2].source, arguments[3], arguments[-1].source)
        return run(function, *arguments)

    monkeypatch.setattr(engine.bound, "run", watched)


class MainThreadBlocks:
    """The calling thread blocks at a depth, as if it had no core, until `resume` is set."""

    def __init__(self, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
        self.resume = threading.Event()
        self._caller = threading.get_ident()
        before_each_kernel(engine, monkeypatch, self._block)

    def _block(self, root: Root, depth: int, memory: SearchMemory) -> None:
        if depth == BLOCKED and threading.get_ident() == self._caller:
            assert self.resume.wait(60)


def test_any_thread_may_finish_a_search(start: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Engine(start.game, memory=1, features=Features.EXACT)
    expected = alone.search(start, Limits(depth=7))
    together = Engine(start.game, memory=1, threads=2, features=Features.EXACT)
    blocked = MainThreadBlocks(together, monkeypatch)

    def report(result: SearchResult) -> None:
        if result.depth == 7:
            assert not blocked.resume.is_set()
            blocked.resume.set()

    found = together.search(start, Limits(depth=7), progress=report)
    assert (found.depth, found.bound, found.value) == (7, "exact", expected.value)


def test_any_thread_may_prove_a_win(monkeypatch: pytest.MonkeyPatch) -> None:
    position = find_game("tictactoe").position("o1x/1o1/x2 x")
    engine = Engine(position.game, memory=1, threads=2)
    blocked = MainThreadBlocks(engine, monkeypatch)

    def report(result: SearchResult) -> None:
        if result.proven:
            blocked.resume.set()

    found = engine.search(position, Limits(depth=5), progress=report)
    assert (found.proven, found.value_text) == (True, "X wins in 3 plies")


def test_when_time_is_up_the_deepest_thread_has_the_answer(
    start: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(start.game, memory=1, threads=3)
    resume, first = threading.Event(), threading.Lock()

    def block_one(root: Root, depth: int, memory: SearchMemory) -> None:
        if depth == BLOCKED and first.acquire(blocking=False):
            assert resume.wait(60)

    before_each_kernel(engine, monkeypatch, block_one)
    depths: list[int] = []
    found = engine.search(
        start, Limits(seconds=1), progress=lambda result: depths.append(result.depth)
    )
    resume.set()
    assert BLOCKED < depths[-1] <= found.depth


class MainThreadIsLate(MainThreadBlocks):
    """The calling thread blocks until the other one has ended, only to be stopped then."""

    def __init__(self, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(engine, monkeypatch)
        self.reports: list[SearchResult] = []
        self._engine, self._run = engine, engine.bound.run
        monkeypatch.setattr(engine.bound, "run", self._run_and_stop)

    def report(self, result: SearchResult) -> None:
        self.reports.append(result)
        if result.proven:
            self.resume.set()

    def _run_and_stop(self, function: Any, *arguments: Any) -> int:
        value: int = self._run(function, *arguments)
        if arguments[-1].source.counters[STOPPED]:
            self._engine.stop()
            self.resume.set()
        return value


def test_a_better_move_of_any_thread_that_was_stopped_is_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken_off = 0
    for position in random_positions(find_game("breakthrough"), 40):
        for nodes in (600, 1200, 2400):
            engine = Engine(position.game, memory=1, threads=2, features=Features.EXACT)
            with monkeypatch.context() as patch:
                late = MainThreadIsLate(engine, patch)
                stopped = engine.search(position, Limits(nodes=nodes), progress=late.report)
            broken_off += check_stopped(stopped, late.reports)
    assert broken_off > 3


@pytest.mark.parametrize("limits", [Limits(depth=8), Limits(nodes=60_000), Limits(seconds=3)])
def test_each_depth_is_reported_once_and_in_order(start: Position, limits: Limits) -> None:
    reports: list[SearchResult] = []
    engine = Engine(start.game, memory=1, threads=3)
    found = engine.search(start, limits, progress=reports.append)
    in_time = len(reports)  # a thread that is finishing a depth may still report it
    engine.wait_until_idle()
    assert in_time > 0
    assert [report.depth for report in reports] == list(range(1, len(reports) + 1))
    assert found.depth - reports[in_time - 1].depth in (-1, 0, 1)  # the next may have a better move


def test_one_report_at_a_time(start: Position) -> None:
    inside: list[int] = []

    def report(result: SearchResult) -> None:
        assert not inside
        inside.append(result.depth)
        threading.Event().wait(0.001)
        inside.clear()

    Engine(start.game, memory=1, threads=4).search(start, Limits(depth=6), progress=report)


def test_an_error_of_any_thread_is_raised(start: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(start.game, memory=1, threads=2)
    blocked = MainThreadBlocks(engine, monkeypatch)

    def fail(result: SearchResult) -> None:
        if result.depth > BLOCKED:
            blocked.resume.set()
            raise ZeroDivisionError(result.depth)

    with pytest.raises(ZeroDivisionError, match=str(BLOCKED + 1)):
        engine.search(start, Limits(depth=30), progress=fail)
    assert engine.search(start, Limits(depth=4)).depth == 4


@pytest.mark.parametrize("threads", [2, 3, 4, 8])
@pytest.mark.parametrize("keep", [1, 2])
def test_threads_begin_with_different_moves_after_the_best(
    start: Position, threads: int, keep: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(start.game, memory=1, threads=threads, features=Features.EXACT)
    orders: list[list[int]] = []
    all_here = threading.Barrier(threads)

    def note_order(root: Root, depth: int, memory: SearchMemory) -> None:
        if depth == 2:
            orders.append(root.moves.tolist())
            all_here.wait(60)

    before_each_kernel(engine, monkeypatch, note_order)
    engine.search(start, Limits(depth=2), lines=keep)
    assert len(orders) == threads
    assert all(sorted(order) == sorted(start.legal_moves) for order in orders)
    assert len({tuple(order[:keep]) for order in orders}) == 1
    assert len({order[keep] for order in orders}) == threads


class HelperBlocks:
    """A search with two threads, the second of which blocks before it searches anything."""

    def __init__(self, start: Position, monkeypatch: pytest.MonkeyPatch) -> None:
        self.engine = Engine(start.game, memory=1, threads=2, features=Features.EXACT)
        self.memories: list[SearchMemory] = []
        self._start = start
        self._caller = threading.get_ident()
        self._resume = threading.Event()
        before_each_kernel(self.engine, monkeypatch, self._block)

    def search(self, depth: int) -> SearchResult:
        self._resume.clear()
        found = self.engine.search(self._start, Limits(depth=depth))
        self._resume.set()
        self.engine.wait_until_idle()
        return found

    def _block(self, root: Root, depth: int, memory: SearchMemory) -> None:
        self.memories.append(memory)
        if threading.get_ident() != self._caller:
            assert self._resume.wait(60)


def test_what_another_thread_is_searching_comes_last(
    start: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = HelperBlocks(start, monkeypatch)
    unmarked = alone.search(SHARED_DEPTH + 2)
    assert not alone.memories[0].busy.any()  # every mark was removed
    alone.engine.clear()
    busy = alone.memories[0].busy
    for child in map(start.play, start.legal_moves):
        key = int(start.game.rules.key(child.board, child.state))
        for move in child.legal_moves:
            word = (key ^ (move + 1) * MOVE_STEP) % (1 << 64)
            busy[word % len(busy)] = word
    marks = np.count_nonzero(busy)
    marked = alone.search(SHARED_DEPTH + 2)
    assert marked.nodes != unmarked.nodes  # another order
    assert (marked.value, marked.bound) == (unmarked.value, "exact")
    assert np.count_nonzero(busy) < marks  # what was searched is marked no more


@pytest.mark.parametrize("name", ["breakthrough", "connectfour", "slant", "kalah.py", "dots.py"])
def test_a_principal_line_that_is_in_the_table_is_not_searched_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game(str(EXAMPLES / name) if name.endswith(".py") else name)
    spared = 0
    for position in random_positions(game, 12):
        single = Engine(game, memory=1, features=Features.EXACT)
        single.search(position, Limits(depth=5))
        again = single.search(position, Limits(depth=5))
        with monkeypatch.context() as patch:
            alone = HelperBlocks(position, patch)
            alone.search(5)
            found = alone.search(5)
        assert (found.value, found.line) == (again.value, again.line)
        spared += again.nodes - found.nodes
    assert spared > 0


def test_threads_write_to_no_cache_line_of_each_other(
    start: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(start.game, memory=1, threads=4, evaluation=random_net(start, 1))
    memories: list[SearchMemory] = []
    all_here = threading.Barrier(4)

    def note_memory(root: Root, depth: int, memory: SearchMemory) -> None:
        if depth == 1:
            memories.append(memory)
            all_here.wait(60)

    before_each_kernel(engine, monkeypatch, note_memory)
    engine.search(start, Limits(depth=1))
    arrays = [memories[0].shared, memories[0].settings]
    for memory in memories:
        arrays += [getattr(memory, name) for name in memory._fields if name not in SHARED_FIELDS]
    lines = [cache_lines(array) for array in arrays]
    assert len(memories) == 4
    assert sum(map(len, lines)) == len(set().union(*lines))


def cache_lines(array: np.ndarray[Any, Any]) -> range:
    first = array.ctypes.data
    return range(first // CACHE_LINE, (first + array.nbytes - 1) // CACHE_LINE + 1)


@pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity"), reason="the system cannot set the cores of a thread"
)
def test_the_threads_of_a_timed_search_have_cores_of_their_own_and_the_caller_keeps_its_own(
    start: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = os.sched_getaffinity(0)
    threads = min(2, len(allowed))
    engine = Engine(start.game, threads=threads, memory=1)
    cores: dict[int, set[int]] = {}
    before_each_kernel(
        engine,
        monkeypatch,
        lambda root, depth, memory: cores.update({id(memory): os.sched_getaffinity(0)}),
    )
    engine.search(start, Limits(seconds=0.2))
    engine.wait_until_idle()
    assert len(cores) == threads
    assert set().union(*cores.values()) == allowed
    assert sum(map(len, cores.values())) == len(allowed)
    assert os.sched_getaffinity(0) == allowed
