"""Retrograde analysis: every state that can be reached, worked back from the ends of the game.

For games whose positions can come back, where looking ahead never ends: what neither side can force
is a draw. First the whole graph is found (`graph.py`), then it is worked through from the finished
games back (`backward.py`). All distances are exact: the winner hurries, the loser delays. A solver
keeps its graph, so that every position in it is answered at once.

Memory is taken as it is needed, never more than the limit. With a checkpoint it is a file, and what
a killed run has found is taken up again; the way back, by far the shorter part, starts anew.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from plyground.core.errors import LimitError
from plyground.core.game import Game
from plyground.core.position import Position, same_board
from plyground.search.alphabeta import MAX_THREADS
from plyground.search.compile import Bound, bind
from plyground.search.room import check_memory
from plyground.search.solving import backward, graph, packing
from plyground.search.solving.backward import DECIDED, LONGEST, LOW, TOO_LONG
from plyground.search.solving.checkpoint import Memory, new_memory
from plyground.search.solving.graph import EDGES, EXPANDED, FAULT, SLOTS, STATES, Graph, Scratch
from plyground.search.solving.solution import (
    Advance,
    Listener,
    Solution,
    Unsolved,
    Worth,
    best_moves,
    key_of,
)

# Memory.numbers; those that tell how far the graph has come have the places of its counters
PHASE, DEGREE = 8, 9
EMPTY, FINDING, LINKING, TELLING, SOLVED = range(5)
THOUSAND = 1000
"""DEGREE, the moves per state that memory was parted for, is in thousandths."""

SLICE = 100_000
"""States that a kernel looks into before it comes back: around a tenth of a second."""
EDGE_SLICE = 4_000_000
FIRST_SLOTS = 1 << 12
GROWTH = 4
"""The index grows so many times at once: filling it again then costs little in all."""
MARGIN = 1.1
"""Room for moves beyond the average that was seen."""
WORTHWHILE = 1.25
"""Memory is parted anew, and the work begun again, only for so many times as many states."""
BETWEEN_REPORTS = 0.2


class Retrograde:
    """Solves games of wins, above all those whose positions can come back."""

    method = "retrograde analysis"

    def __init__(
        self,
        game: Game,
        *,
        memory: int,
        threads: int = 1,
        checkpoint: Path | None = None,
        progress: Listener | None = None,
    ) -> None:
        """`memory` is in MiB. More than one thread helps to verify; a graph is found by one."""
        check_memory(memory, "the solver")
        if not 1 <= threads <= MAX_THREADS:
            raise LimitError(f"{threads} threads: a solver takes from 1 to {MAX_THREADS}")
        if game.rules.point:
            raise Unsolved(
                f"retrograde analysis finds out who wins, and {game.name} is a game of points"
            )
        self.game = game
        self._limit = memory
        self._threads = threads
        self._checkpoint = checkpoint
        self._progress = progress
        self._bound: Bound = bind(game)
        self._items = packing.item_count(game.rules.state_fields)
        self._memory: Memory | None = None
        self._root: Position | None = None
        self._stopped = False
        self._reported = 0.0

    def stop(self) -> None:
        self._stopped = True

    def solve(self, position: Position, *, every_move: bool = True) -> Solution:
        """The worth of a position, and of its moves; if not of every move, of the optimal ones.

        Plies are counted from the position, for its moves as well: the best has the same worth.
        """
        started = time.perf_counter()
        self._stopped = False
        if position.game is not self.game:
            raise LimitError(f"this solver is for {self.game.name}, not {position.game.name}")
        if not self._knows(position):
            self._analyse(position)
        moves = self._moves(position)
        optimal = best_moves(position.turn, moves) if moves else ()
        return Solution(
            position=position,
            method=self.method,
            worth=self._worth(position),
            moves=moves if every_move else {move: moves[move] for move in optimal},
            optimal=optimal,
            line=self._line(position),
            nodes=int(self._graph.counters[STATES]),
            counted="states",
            seconds=time.perf_counter() - started,
        )

    # Answers

    def _knows(self, position: Position) -> bool:
        return (
            self._memory is not None
            and self._root is not None
            and self._memory.numbers[PHASE] == SOLVED
            and same_board(position.board, self._root.board)
            and self._number(position) >= 0
        )

    def _number(self, position: Position) -> int:
        state = self._bound.pack_state(position.state)
        return int(
            self._bound.run(graph.number_of, self._board, state, self._graph, self._scratch.items)
        )

    def _worth(self, position: Position, later: int = 0) -> Worth:
        value = int(self._graph.values[self._number(position)]) & LOW
        if value == 0:
            return Worth(0)
        return Worth(-1 if value & 1 else 1, (value >> 1) - 1 + later)

    def _moves(self, position: Position) -> dict[int, Worth]:
        return {move: self._worth(child, later=1) for move, child in position.children()}

    def _line(self, position: Position) -> tuple[int, ...]:
        """Perfect play to the end, or until a position comes back."""
        line: list[int] = []
        seen = set()
        while not position.is_over:
            words = key_of(self.game.rules.identity(position.board, position.state))
            if words in seen:
                break
            seen.add(words)
            line.append(best_moves(position.turn, self._moves(position))[0])
            position = position.after(line[-1])
        return tuple(line)

    # Checking

    def verify(self, position: Position) -> int:
        self._stopped = False
        if not self._knows(position):
            self._analyse(position)
        states = int(self._graph.counters[STATES])
        spans = [(first, min(first + SLICE, states)) for first in range(0, states, SLICE)]
        self._bound.prepare(backward.check_values, *self._check_arguments(0, 0))
        with ThreadPoolExecutor(self._threads) as pool:
            for done, fault in enumerate(pool.map(self._check, spans)):
                self._heed_stop()
                if fault >= 0:
                    raise Unsolved(
                        "a value does not follow from those of its children:"
                        f" {self._position(fault).text}"
                    )
                self._tell(f"{spans[done][1]:,} of {states:,} states checked", done / len(spans))
        return states

    def _check(self, span: tuple[int, int]) -> int:
        if self._stopped:
            return -1
        return int(self._bound.run(backward.check_values, *self._check_arguments(*span)))

    def _check_arguments(self, first: int, last: int) -> tuple[Any, ...]:
        return self._board, self._graph, self._new_scratch(), first, last

    def _position(self, number: int) -> Position:
        state = self._bound.run(graph.state_of, self._graph, number, self._scratch.items)
        assert self._root is not None
        return Position(self.game, self._root.board, state)

    # The analysis, phase by phase. What is done is written down after it is done, so that whoever
    # finds the memory later, in a file or after a stop, can go on from there.

    def _analyse(self, position: Position) -> None:
        if self._memory is None or position != self._root:
            self._open(position)
        assert self._memory is not None
        numbers = self._memory.numbers
        if numbers[PHASE] == EMPTY:
            self._scout()
        self._part_memory()
        if numbers[PHASE] == FINDING:
            self._find_all()
            numbers[PHASE] = LINKING
        if numbers[PHASE] == LINKING:
            self._link()
            numbers[PHASE] = TELLING
        if numbers[PHASE] == TELLING:
            self._work_back()
            numbers[PHASE] = SOLVED

    def _open(self, position: Position) -> None:
        # What was there goes before the new memory comes: the limit is for both.
        self._memory = self._root = None
        self.__dict__.pop("_graph", None)
        self._board = self._bound.pack_board(position.board)
        words = (self._limit << 20) // 8
        label = f"{self.method} of {self.game.name} from {position.text} by {self._bound.digest}"
        self._memory = new_memory(words, self._checkpoint, label)
        self._root = position

    def _scout(self) -> None:
        """Random games tell which bits of a state change, and how many moves there are."""
        assert self._memory is not None
        assert self._root is not None
        masks = self._memory.words[: self._items]
        counters = np.zeros(2, np.int64)
        self._bound.run(
            packing.scout,
            self._board,
            self._bound.pack_state(self._root.state),
            np.zeros(self._items, np.uint64),
            masks,
            np.zeros(self.game.rules.max_moves, np.int64),
            counters,
        )
        masks[:] = packing.widened(self.game.rules.state_fields, masks)
        self._begin(MARGIN * int(counters[1]) / max(1, int(counters[0])))

    def _begin(self, degree: float) -> None:
        """Begin to find states, with memory parted for so many moves per state."""
        assert self._memory is not None
        numbers = self._memory.numbers
        numbers[PHASE] = EMPTY
        numbers[[STATES, EXPANDED, SLOTS]] = 0
        numbers[DEGREE] = max(THOUSAND, round(degree * THOUSAND))
        numbers[PHASE] = FINDING

    def _part_memory(self) -> None:
        """Set the graph up as it was, or empty but for the first state."""
        assert self._memory is not None
        assert self._root is not None
        numbers, words = self._memory.numbers, self._memory.words
        state = self._bound.pack_state(self._root.state)
        items = np.zeros(self._items, np.uint64)
        self._bound.run(packing.write_items, state, items)
        how = packing.new_packing(items, words[: self._items].copy())
        self._width = packing.words_of(how)
        self._graph: Graph = graph.part_memory(
            words[self._items :], how, self._width, int(numbers[DEGREE]) / THOUSAND
        )
        self._scratch = self._new_scratch()
        counters = self._graph.counters
        if numbers[STATES] == 0:
            if len(self._graph.notes) < graph.block_size(self.game.rules.max_moves):
                raise self._no_room()
            self._bound.run(graph.plant, state, self._graph, self._scratch)
            self._write_down()
        counters[[STATES, EXPANDED, SLOTS]] = numbers[[STATES, EXPANDED, SLOTS]]
        counters[EDGES] = self._count_edges()
        if numbers[PHASE] == FINDING:
            self._fill_index(max(FIRST_SLOTS, 2 * int(counters[STATES])))

    def _new_scratch(self) -> Scratch:
        return graph.new_scratch(self._items, self.game.rules.max_moves, self._width)

    def _count_edges(self) -> int:
        notes = self._graph.notes[: int(self._graph.counters[EXPANDED])]
        return sum(
            int((notes[at : at + EDGE_SLICE] & graph.MOVE_BITS).sum(dtype=np.int64))
            for at in range(0, len(notes), EDGE_SLICE)
        )

    def _write_down(self) -> None:
        """In this order: a state that is not counted is found again, one that was looked into
        never is."""
        assert self._memory is not None
        for number in (STATES, EXPANDED, SLOTS):
            self._memory.numbers[number] = self._graph.counters[number]

    # Finding the graph

    def _find_all(self) -> None:
        reason = graph.PAUSED
        while reason != graph.DONE:
            self._tell(self._found())
            self._heed_stop()
            reason = self._bound.run(graph.expand, self._board, self._graph, self._scratch, SLICE)
            self._write_down()
            if reason == graph.CROWDED:
                self._fill_index(GROWTH * int(self._graph.counters[SLOTS]))
            elif reason == graph.MISFIT:
                self._widen()
            elif reason == graph.NO_ROOM:
                self._make_room()
            elif reason == graph.NO_MOVES:
                self._position(int(self._graph.counters[FAULT])).legal_moves  # noqa: B018  raises
        # From here on nothing is written to the index, and it can be used as it is.
        self._write_down()

    def _found(self) -> str:
        states, waiting = self._states_and_waiting()
        return f"{states:,} states found, {waiting:,} of them waiting"

    def _states_and_waiting(self) -> tuple[int, int]:
        counters = self._graph.counters
        return int(counters[STATES]), int(counters[STATES] - counters[EXPANDED])

    def _fill_index(self, slots: int) -> None:
        counters = self._graph.counters
        counters[SLOTS] = min(slots, len(self._graph.slots))
        self._graph.slots[: int(counters[SLOTS])] = 0
        for first, last in _spans(int(counters[STATES]), SLICE):
            self._heed_stop()
            self._bound.run(graph.fill_index, self._board, self._graph, self._scratch, first, last)

    def _widen(self) -> None:
        """A state has changed where none had before: begin again with those bits as well."""
        assert self._memory is not None
        masks, items = self._memory.words[: self._items], self._scratch.items
        masks |= (items & ~masks) ^ self._graph.packing.base
        masks[:] = packing.widened(self.game.rules.state_fields, masks)
        self._begin(int(self._memory.numbers[DEGREE]) / THOUSAND)
        self._part_memory()

    def _make_room(self) -> None:
        """Memory is full of states or of moves: part it better, or give up."""
        assert self._memory is not None
        counters = self._graph.counters
        states, expanded = int(counters[STATES]), int(counters[EXPANDED])
        degree = MARGIN * int(counters[EDGES]) / max(1, expanded)
        room = 8 * len(self._memory.words) / graph.bytes_per_state(self._width, max(1, degree))
        if expanded == 0 or room < WORTHWHILE * states:
            raise self._no_room()
        self._begin(degree)
        self._part_memory()

    def _no_room(self) -> Unsolved:
        states, waiting = self._states_and_waiting()
        return Unsolved(
            f"{states:,} states were found, {waiting:,} of them still to be looked into, when the"
            f" limit of {self._limit} MiB was reached"
        )

    # Working back

    def _link(self) -> None:
        counters = self._graph.counters
        states, edges = int(counters[STATES]), int(counters[EDGES])
        self._graph.offsets[: states + 1] = 0
        for first, last in _spans(edges, EDGE_SLICE):
            self._tell(f"{states:,} states, looking back", first / edges / 3)
            self._heed_stop()
            self._bound.run(backward.count_predecessors, self._graph, first, last)
        self._bound.run(backward.sum_offsets, self._graph)
        edge = 0
        for first, last in _spans(states, EDGE_SLICE):
            self._tell(f"{states:,} states, looking back", (1 + 2 * first / states) / 3)
            self._heed_stop()
            edge = self._bound.run(backward.link_predecessors, self._graph, first, last, edge)

    def _work_back(self) -> None:
        states = int(self._graph.counters[STATES])
        progress = np.zeros(2, np.int64)
        progress[DECIDED] = self._bound.run(backward.begin_values, self._graph)
        reason = graph.PAUSED
        while reason != graph.DONE:
            self._heed_stop()
            reason = self._bound.run(backward.tell_predecessors, self._graph, progress, 10 * SLICE)
            if reason == TOO_LONG:
                raise Unsolved(f"a win takes more than {LONGEST} plies, which is the limit")
            self._tell(f"{progress[DECIDED]:,} of {states:,} states decided")

    # Reports

    def _heed_stop(self) -> None:
        if self._stopped:
            states, waiting = self._states_and_waiting()
            raise Unsolved(
                f"stopped: {states:,} states were found, {waiting:,} of them still to be"
                " looked into"
            )

    def _tell(self, text: str, part: float | None = None) -> None:
        now = time.monotonic()
        if self._progress is not None and now - self._reported >= BETWEEN_REPORTS:
            self._reported = now
            self._progress(Advance(text, int(self._graph.counters[STATES]), part))


def _spans(count: int, size: int) -> Iterator[tuple[int, int]]:
    return ((first, min(first + size, count)) for first in range(0, count, size))
