"""One retrograde analysis, from an empty graph to the values of its states, in limited memory.

The graph is built level by level, and from time to time values are propagated through the part that
is there. A win within n plies lies in n levels, so it may be proven, with its exact distance, long
before the graph is whole; only draws need all of it.

Counters are written after the work that they count. So the memory, in a file or after a stop, is
always in a state from which the analysis can be resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import numpy as np

from plyground.core.game import Position, same_board
from plyground.search.binding.compile import Bound
from plyground.search.binding.exports import places_of
from plyground.search.solving.checkpoint import new_memory
from plyground.search.solving.retrograde import graph, packing, propagation
from plyground.search.solving.retrograde.graph import (
    EDGES,
    EXPANDED,
    FAULT,
    SLOTS,
    STATES,
    Graph,
    Scratch,
)
from plyground.search.solving.retrograde.propagation import DECIDED, LONGEST, LOW, TOO_LONG
from plyground.search.solving.solution import Bounds, Unsolved, Worth, won_within

# MappedMemory.numbers; the counters of the graph have the same places there
PHASE, DEGREE, LEVEL_END, LEVELS = range(8, 12)
EMPTY, BUILDING, BUILT, SOLVED = range(4)
THOUSAND = 1000
"""DEGREE, the moves per state that memory was partitioned for, is in thousandths."""

SLICE = 100_000
"""States that a kernel expands before it returns: about a tenth of a second."""
EDGE_SLICE = 4_000_000
FIRST_SLOTS = 1 << 12
GROWTH = 4
"""The factor by which the index grows, so that filling it again costs little in all."""
MARGIN = 1.1
"""Memory for moves, compared with the average that was seen."""
WORTHWHILE = 1.25
"""Memory is partitioned again, and the graph built anew, only for so many times as many states."""
FIRST_TRIAL = 1 << 16
"""A smaller graph is built in no time, and propagated once only."""
TRIALS = 4
"""The factor by which the graph grows between two propagations: all cost a third of the last."""


class ProgressReport(Protocol):
    def __call__(self, text: str, part: float | None = None) -> None: ...


class Analysis:
    """The analysis of all that can be reached from one position, the root."""

    def __init__(
        self,
        bound: Bound,
        root: Position,
        limit: int,
        checkpoint: Path | None,
        *,
        report: ProgressReport,
        is_stopped: Callable[[], bool],
    ) -> None:
        """`limit` is in MiB."""
        self.bound = bound
        self.root = root
        self.board = bound.pack_board(root.board)
        self._limit = limit
        self._report = report
        self._is_stopped = is_stopped
        self._most_moves = bound.game.rules.max_moves
        self._items = len(places_of(bound.game.rules.state_fields))
        self._root_items = np.zeros(self._items, np.uint64)
        bound.run(packing.write_items, bound.pack_state(root.state), self._root_items)
        label = f"retrograde analysis of {bound.game.name} from {root.text} by {bound.digest}"
        self._propagated = False
        self._out_of_memory = False
        self.proven = Bounds(Worth(-1), Worth(1))
        self.proven_of_moves = dict.fromkeys(root.legal_moves, self.proven)
        """The bounds of the root and of its moves after the last propagation."""
        self.memory = new_memory((limit << 20) // 8, checkpoint, label)

    # Answers

    @property
    def is_whole(self) -> bool:
        """Whether everything is known of every state."""
        return bool(self.memory.numbers[PHASE] == SOLVED)

    @property
    def states(self) -> int:
        return int(self.graph.counters[STATES])

    @property
    def expanded(self) -> int:
        """How many states were expanded; of the others nothing is known."""
        return int(self.graph.counters[EXPANDED])

    def has(self, position: Position) -> bool:
        return same_board(position.board, self.root.board) and self.number(position) >= 0

    def number(self, position: Position) -> int:
        """The number of a position on the board of the root, or -1."""
        state = self.bound.pack_state(position.state)
        return int(self.bound.run(graph.number_of, self.board, state, self.graph, self.scratch))

    def position(self, number: int) -> Position:
        state = self.bound.pack_state(self.root.state)
        self.bound.run(graph.write_state, self.graph, number, self.scratch.items, state)
        return Position(self.bound.game, self.root.board, self.bound.unpack_state(state))

    def worth(self, position: Position, later: int = 0) -> Worth | None:
        """The worth of a position that is reached so many plies after the root; plies are counted
        from the root. None if it is not known, or not exactly."""
        value = int(self.graph.values[self.number(position)]) & LOW
        if value == 0:
            return Worth(0) if self.is_whole else None
        plies = (value >> 1) - 1 + later
        # A quicker win would lie in as many levels. The last of them holds the finished game.
        if not self.is_whole and plies >= self.memory.numbers[LEVELS]:
            return None
        return Worth(-1 if value & 1 else 1, plies)

    def answers(self, *, every_move: bool) -> bool:
        """Whether enough is known of the root."""
        if not self._propagated or self.worth(self.root) is None:
            return False
        if not every_move or self._out_of_memory:
            return True
        return all(self.worth(child, 1) is not None for _, child in self.root.children())

    def _bounds(self, position: Position, later: int = 0) -> Bounds:
        """The bounds of a position so many plies after the root, plies counted from the root, by a
        part of the graph. A winner stays one, but may win sooner through states that are not in the
        graph yet; no sooner than after as many plies as there are levels."""
        sooner = max(1, int(self.memory.numbers[LEVELS]))
        number = self.number(position)
        value = 0 if number < 0 else int(self.graph.values[number]) & LOW
        if value == 0 and position.is_over:
            return Bounds(Worth(0), Worth(0))
        if value == 0:
            return Bounds(Worth(-1, sooner), Worth(1, sooner))
        plies = (value >> 1) - 1 + later
        return won_within(-1 if value & 1 else 1, min(plies, sooner), plies)

    # Phases

    def run(self, *, every_move: bool) -> None:
        """Run until enough is known. Raises Unsolved; after a stop it can be called again."""
        numbers = self.memory.numbers
        self._propagated = False
        if numbers[PHASE] == EMPTY:
            self._play_random_games()
        self._partition()
        if numbers[PHASE] == BUILDING:
            self._build(every_move=every_move)
        if numbers[PHASE] == BUILT:
            self._propagate()
            numbers[PHASE] = SOLVED
        self._propagated = True

    def _play_random_games(self) -> None:
        """Find out which bits of a state change, and how many moves there are on average."""
        masks = self.memory.words[: self._items]
        counters = np.zeros(2, np.int64)
        self.bound.run(
            packing.play_random_games,
            self.board,
            self.bound.pack_state(self.root.state),
            self._root_items,
            np.zeros_like(self._root_items),
            masks,
            np.zeros(self._most_moves, np.int64),
            counters,
        )
        masks[:] = packing.widened(self.bound.game.rules.state_fields, masks)
        self._begin(MARGIN * int(counters[1]) / max(1, int(counters[0])))

    def _begin(self, degree: float) -> None:
        """Start an empty graph, with memory partitioned for so many moves per state."""
        numbers = self.memory.numbers
        numbers[PHASE] = EMPTY
        numbers[[STATES, EXPANDED, SLOTS, LEVELS]] = 0
        numbers[LEVEL_END] = 1
        numbers[DEGREE] = max(THOUSAND, round(degree * THOUSAND))
        numbers[PHASE] = BUILDING

    def _partition(self) -> None:
        """Set up the graph as the memory has it, or with the root alone."""
        numbers, words = self.memory.numbers, self.memory.words
        how = packing.new_packing(self._root_items, words[: self._items].copy())
        self._width = packing.words_of(how)
        self.graph: Graph = graph.partition(
            words[self._items :], how, self._width, int(numbers[DEGREE]) / THOUSAND
        )
        self.scratch = self.new_scratch()
        counters = self.graph.counters
        if numbers[STATES] == 0:
            if len(self.graph.notes) < graph.block_size(self._most_moves):
                raise self._memory_is_full()
            self.graph.states[: self._width] = 0  # the root, packed
            numbers[STATES] = 1
        counters[[STATES, EXPANDED, SLOTS]] = numbers[[STATES, EXPANDED, SLOTS]]
        counters[EDGES] = self._count_edges()
        if numbers[PHASE] == BUILDING:
            self._fill_index(max(FIRST_SLOTS, 2 * int(counters[STATES])))

    def new_scratch(self) -> Scratch:
        return graph.new_scratch(self.graph, self._most_moves)

    def _count_edges(self) -> int:
        notes = self.graph.notes[: int(self.graph.counters[EXPANDED])]
        return sum(
            int((notes[at : at + EDGE_SLICE] & graph.MOVE_BITS).sum(dtype=np.int64))
            for at in range(0, len(notes), EDGE_SLICE)
        )

    def _save_counters(self) -> None:
        """In this order: a state that is not counted is found again, an expanded one never is."""
        for number in (STATES, EXPANDED, SLOTS):
            self.memory.numbers[number] = self.graph.counters[number]

    # Building the graph

    def _build(self, *, every_move: bool) -> None:
        """Build the whole graph, or as much of it as is enough."""
        numbers = self.memory.numbers
        trial = max(FIRST_TRIAL, TRIALS * int(numbers[STATES]))
        while numbers[EXPANDED] < numbers[STATES]:
            waiting = self.states - self.expanded
            self._report(f"{self.states:,} states found, {waiting:,} of them waiting")
            self.check_stopped()
            last = min(int(numbers[EXPANDED]) + SLICE, int(numbers[LEVEL_END]))
            reason = self.bound.run(graph.expand, self.board, self.graph, self.scratch, last)
            self._save_counters()
            if reason != graph.DONE and not self._can_continue(reason):
                return
            if numbers[EXPANDED] == numbers[LEVEL_END]:
                numbers[LEVEL_END] = numbers[STATES]
                numbers[LEVELS] += 1
                if numbers[STATES] >= trial and numbers[EXPANDED] < numbers[STATES]:
                    trial = TRIALS * int(numbers[STATES])
                    self._propagate()
                    if self.answers(every_move=every_move):
                        return
        numbers[PHASE] = BUILT

    def _can_continue(self, reason: int) -> bool:
        """Remove the reason why `expand` returned; False if enough is known."""
        if reason == graph.INDEX_FULL:
            self._fill_index(GROWTH * int(self.graph.counters[SLOTS]))
        elif reason == graph.DOES_NOT_FIT:
            self._widen_packing()
        elif reason == graph.NO_MOVES:
            self.position(int(self.graph.counters[FAULT])).legal_moves  # noqa: B018  raises
        else:
            return self._repartition()
        return True

    def _fill_index(self, slots: int) -> None:
        counters = self.graph.counters
        counters[SLOTS] = min(slots, len(self.graph.slots))
        self.graph.slots[: int(counters[SLOTS])] = 0
        for first, last in spans(int(counters[STATES]), SLICE):
            self.check_stopped()
            self.bound.run(graph.fill_index, self.board, self.graph, self.scratch, first, last)

    def _widen_packing(self) -> None:
        """A state differs in bits that never changed before: start again with those bits too."""
        masks, items = self.memory.words[: self._items], self.scratch.items
        masks |= items ^ self.graph.packing.root
        masks[:] = packing.widened(self.bound.game.rules.state_fields, masks)
        self._begin(int(self.memory.numbers[DEGREE]) / THOUSAND)
        self._partition()

    def _repartition(self) -> bool:
        """Memory is full of states or of moves: partition it better, or end with what is known."""
        counters = self.graph.counters
        states, expanded = int(counters[STATES]), int(counters[EXPANDED])
        degree = max(1.0, MARGIN * int(counters[EDGES]) / max(1, expanded))
        capacity = graph.state_capacity(len(self.memory.words), self._width, degree)
        if expanded > 0 and capacity >= WORTHWHILE * states:
            self._begin(degree)
            self._partition()
            return True
        self._propagate()
        self._out_of_memory = True
        if self.answers(every_move=False):
            return False
        raise self._memory_is_full()

    @property
    def _how_far(self) -> str:
        waiting = self.states - self.expanded
        return f"{self.states:,} states were found, {waiting:,} of them still to be looked into"

    def _memory_is_full(self) -> Unsolved:
        return Unsolved(f"{self._how_far}, when the limit of {self._limit} MiB was reached")

    # Propagating values

    def _propagate(self) -> None:
        self._propagated = False
        self._link()
        progress = np.zeros(2, np.int64)
        progress[DECIDED] = self.bound.run(propagation.begin_values, self.graph)
        reason = graph.PAUSED
        while reason != graph.DONE:
            self.check_stopped()
            reason = self.bound.run(propagation.propagate, self.graph, progress, 10 * SLICE)
            if reason == TOO_LONG:
                raise Unsolved(f"a win takes more than {LONGEST} plies, which is the limit")
            self._report(f"{progress[DECIDED]:,} of {self.states:,} states decided")
        self._fill_index(int(self.graph.counters[SLOTS]))
        self._save_counters()
        self._propagated = True
        self.proven = self.proven.narrowed(self._bounds(self.root))
        for move, child in self.root.children():
            before = self.proven_of_moves[move]
            self.proven_of_moves[move] = before.narrowed(self._bounds(child, 1))

    def _link(self) -> None:
        """List the predecessors of every state, in the memory of the index."""
        counters = self.graph.counters
        expanded, edges = int(counters[EXPANDED]), int(counters[EDGES])
        text = f"{self.states:,} states, looking back"
        self.graph.offsets[: self.states + 1] = 0
        for first, last in spans(edges, EDGE_SLICE):
            self._report(text, first / edges / 3)
            self.check_stopped()
            self.bound.run(propagation.count_predecessors, self.graph, first, last)
        self.bound.run(propagation.sum_offsets, self.graph)
        edge = 0
        for first, last in spans(expanded, EDGE_SLICE):
            self._report(text, (1 + 2 * first / expanded) / 3)
            self.check_stopped()
            edge = self.bound.run(propagation.link_predecessors, self.graph, first, last, edge)

    def check_stopped(self) -> None:
        if self._is_stopped():
            raise Unsolved(f"stopped: {self._how_far}")


def spans(count: int, size: int) -> Iterator[tuple[int, int]]:
    return ((first, min(first + size, count)) for first in range(0, count, size))
