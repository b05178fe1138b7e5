"""One retrograde analysis from beginning to end, within a limit of memory.

The graph is found level by level, and from time to time worked back as far as it is there. A win
within so many plies lies in as many levels, so it may well be proven, with its exact distance, long
before the graph is whole; only draws need all of it.

What is done is written down after it is done, so that whoever finds the memory later, in a file or
after a stop, can go on from there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from plyground.core.position import Position
from plyground.search.binding.compile import Bound
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
from plyground.search.solving.solution import Advance, Bounds, Listener, Unsolved, Worth

# Memory.numbers; those that tell how far the graph has come have the places of its counters
PHASE, DEGREE, LEVEL_END, LEVELS = range(8, 12)
EMPTY, FINDING, FOUND, SOLVED = range(4)
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
FIRST_TRIAL = 1 << 16
"""A smaller graph is found in no time, and worked back once only."""
TRIALS = 4
"""The graph grows so many times from one trial to the next: all cost a third of the last one."""
BETWEEN_REPORTS = 0.2


class Watch:
    """Tells a listener how far the work has come, a few times a second, and ends it if asked to."""

    def __init__(self, listener: Listener | None) -> None:
        self.listener = listener
        self.stopped = False
        self._told = 0.0

    def tell(self, text: str, nodes: int, part: float | None = None) -> None:
        now = time.monotonic()
        if self.listener is not None and now - self._told >= BETWEEN_REPORTS:
            self._told = now
            self.listener(Advance(text, nodes, part))


class Analysis:
    """The analysis of all that can be reached from one position, the root."""

    def __init__(
        self, bound: Bound, root: Position, limit: int, checkpoint: Path | None, watch: Watch
    ) -> None:
        """`limit` is in MiB."""
        self.bound = bound
        self.root = root
        self.board = bound.pack_board(root.board)
        self._limit = limit
        self._watch = watch
        self._items = packing.item_count(bound.game.rules.state_fields)
        label = f"retrograde analysis of {bound.game.name} from {root.text} by {bound.digest}"
        self._worked_back = False
        self._exhausted = False
        self.proven = Bounds(Worth(-1), Worth(1))
        self.proven_of_moves = dict.fromkeys(root.legal_moves, self.proven)
        """What the graph told of the root and its moves when it was last worked back."""
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
        """How many states were looked into; of the others nothing is known."""
        return int(self.graph.counters[EXPANDED])

    def number(self, position: Position) -> int:
        """The number of a position on the board of the root, or -1."""
        state = self.bound.pack_state(position.state)
        arguments = self.board, state, self.graph, self.scratch.items
        return int(self.bound.run(graph.number_of, *arguments))

    def position(self, number: int) -> Position:
        state = self.bound.run(graph.state_of, self.graph, number, self.scratch.items)
        return Position(self.bound.game, self.root.board, state)

    def worth(self, position: Position, later: int = 0) -> Worth | None:
        """What a position is worth that is reached so many plies after the root; plies are counted
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
        if not self._worked_back or self.worth(self.root) is None:
            return False
        if not every_move or self._exhausted:
            return True
        return all(self.worth(child, 1) is not None for _, child in self.root.children())

    def _bounds(self, position: Position, later: int = 0) -> Bounds:
        """What is proven of a position so many plies after the root, plies counted from there, by
        a part of the graph: a winner is one, but may win sooner by what is not found yet. That is
        not within as many plies as there are levels."""
        sooner = max(1, int(self.memory.numbers[LEVELS]))
        number = self.number(position)
        value = 0 if number < 0 else int(self.graph.values[number]) & LOW
        if value == 0:
            drawn = position.is_over
            return (
                Bounds(Worth(0), Worth(0)) if drawn else Bounds(Worth(-1, sooner), Worth(1, sooner))
            )
        winner, plies = -1 if value & 1 else 1, (value >> 1) - 1 + later
        latest, soonest = Worth(winner, plies), Worth(winner, min(plies, sooner))
        return Bounds(latest, soonest) if winner > 0 else Bounds(soonest, latest)

    # The way there

    def run(self, *, every_move: bool) -> None:
        """Go on until enough is known. Raises Unsolved; after a stop it can go on once more."""
        numbers = self.memory.numbers
        self._worked_back = False
        if numbers[PHASE] == EMPTY:
            self._scout()
        self._part_memory()
        if numbers[PHASE] == FINDING:
            self._find(every_move=every_move)
        if numbers[PHASE] == FOUND:
            self._work_back()
            numbers[PHASE] = SOLVED
        self._worked_back = True

    def _scout(self) -> None:
        """Random games tell which bits of a state change, and how many moves there are."""
        masks = self.memory.words[: self._items]
        counters = np.zeros(2, np.int64)
        self.bound.run(
            packing.scout,
            self.board,
            self.bound.pack_state(self.root.state),
            np.zeros(self._items, np.uint64),
            masks,
            np.zeros(self.bound.game.rules.max_moves, np.int64),
            counters,
        )
        masks[:] = packing.widened(self.bound.game.rules.state_fields, masks)
        self._begin(MARGIN * int(counters[1]) / max(1, int(counters[0])))

    def _begin(self, degree: float) -> None:
        """Begin to find states, with memory parted for so many moves per state."""
        numbers = self.memory.numbers
        numbers[PHASE] = EMPTY
        numbers[[STATES, EXPANDED, SLOTS, LEVELS]] = 0
        numbers[LEVEL_END] = 1
        numbers[DEGREE] = max(THOUSAND, round(degree * THOUSAND))
        numbers[PHASE] = FINDING

    def _part_memory(self) -> None:
        """Set the graph up as it was, or empty but for the first state."""
        numbers, words = self.memory.numbers, self.memory.words
        state = self.bound.pack_state(self.root.state)
        items = np.zeros(self._items, np.uint64)
        self.bound.run(packing.write_items, state, items)
        how = packing.new_packing(items, words[: self._items].copy())
        self._width = packing.words_of(how)
        self.graph: Graph = graph.part_memory(
            words[self._items :], how, self._width, int(numbers[DEGREE]) / THOUSAND
        )
        self.scratch = self.new_scratch()
        counters = self.graph.counters
        if numbers[STATES] == 0:
            if len(self.graph.notes) < graph.block_size(self.bound.game.rules.max_moves):
                raise self._no_room()
            self.bound.run(graph.plant, state, self.graph, self.scratch)
            self._write_down()
        counters[[STATES, EXPANDED, SLOTS]] = numbers[[STATES, EXPANDED, SLOTS]]
        counters[EDGES] = self._count_edges()
        if numbers[PHASE] == FINDING:
            self._fill_index(max(FIRST_SLOTS, 2 * int(counters[STATES])))

    def new_scratch(self) -> Scratch:
        return graph.new_scratch(self._items, self.bound.game.rules.max_moves, self._width)

    def _count_edges(self) -> int:
        notes = self.graph.notes[: int(self.graph.counters[EXPANDED])]
        return sum(
            int((notes[at : at + EDGE_SLICE] & graph.MOVE_BITS).sum(dtype=np.int64))
            for at in range(0, len(notes), EDGE_SLICE)
        )

    def _write_down(self) -> None:
        """In this order: a state that is not counted is found again, one that was looked into
        never is."""
        for number in (STATES, EXPANDED, SLOTS):
            self.memory.numbers[number] = self.graph.counters[number]

    # Finding the graph

    def _find(self, *, every_move: bool) -> None:
        """Find the whole graph, or as much of it as is enough."""
        numbers = self.memory.numbers
        trial = max(FIRST_TRIAL, TRIALS * int(numbers[STATES]))
        while numbers[EXPANDED] < numbers[STATES]:
            self.tell(self._found())
            self.heed_stop()
            last = min(int(numbers[EXPANDED]) + SLICE, int(numbers[LEVEL_END]))
            reason = self.bound.run(graph.expand, self.board, self.graph, self.scratch, last)
            self._write_down()
            if reason != graph.DONE and not self._mend(reason):
                return
            if numbers[EXPANDED] == numbers[LEVEL_END]:
                numbers[LEVEL_END] = numbers[STATES]
                numbers[LEVELS] += 1
                if numbers[STATES] >= trial and numbers[EXPANDED] < numbers[STATES]:
                    trial = TRIALS * int(numbers[STATES])
                    self._work_back()
                    if self.answers(every_move=every_move):
                        return
        numbers[PHASE] = FOUND

    def _mend(self, reason: int) -> bool:
        """See to it that the search for states can go on; False if it need not."""
        if reason == graph.CROWDED:
            self._fill_index(GROWTH * int(self.graph.counters[SLOTS]))
        elif reason == graph.MISFIT:
            self._widen()
        elif reason == graph.NO_MOVES:
            self.position(int(self.graph.counters[FAULT])).legal_moves  # noqa: B018  raises
        else:
            return self._make_room()
        return True

    def _found(self) -> str:
        states, waiting = self._states_and_waiting()
        return f"{states:,} states found, {waiting:,} of them waiting"

    def _states_and_waiting(self) -> tuple[int, int]:
        counters = self.graph.counters
        return int(counters[STATES]), int(counters[STATES] - counters[EXPANDED])

    def _fill_index(self, slots: int) -> None:
        counters = self.graph.counters
        counters[SLOTS] = min(slots, len(self.graph.slots))
        self.graph.slots[: int(counters[SLOTS])] = 0
        for first, last in spans(int(counters[STATES]), SLICE):
            self.heed_stop()
            self.bound.run(graph.fill_index, self.board, self.graph, self.scratch, first, last)

    def _widen(self) -> None:
        """A state has changed where none had before: begin again with those bits as well."""
        masks, items = self.memory.words[: self._items], self.scratch.items
        masks |= (items & ~masks) ^ self.graph.packing.base
        masks[:] = packing.widened(self.bound.game.rules.state_fields, masks)
        self._begin(int(self.memory.numbers[DEGREE]) / THOUSAND)
        self._part_memory()

    def _make_room(self) -> bool:
        """Memory is full of states or of moves: part it better, or end with what is known."""
        counters = self.graph.counters
        states, expanded = int(counters[STATES]), int(counters[EXPANDED])
        degree = max(1.0, MARGIN * int(counters[EDGES]) / max(1, expanded))
        room = graph.room_for(len(self.memory.words), self._width, degree)
        if expanded > 0 and room >= WORTHWHILE * states:
            self._begin(degree)
            self._part_memory()
            return True
        self._work_back()
        self._exhausted = True
        if self.answers(every_move=False):
            return False
        raise self._no_room()

    def _no_room(self) -> Unsolved:
        states, waiting = self._states_and_waiting()
        return Unsolved(
            f"{states:,} states were found, {waiting:,} of them still to be looked into, when the"
            f" limit of {self._limit} MiB was reached"
        )

    # Working back

    def _work_back(self) -> None:
        self._worked_back = False
        self._link()
        progress = np.zeros(2, np.int64)
        progress[DECIDED] = self.bound.run(propagation.begin_values, self.graph)
        reason = graph.PAUSED
        while reason != graph.DONE:
            self.heed_stop()
            reason = self.bound.run(propagation.tell_predecessors, self.graph, progress, 10 * SLICE)
            if reason == TOO_LONG:
                raise Unsolved(f"a win takes more than {LONGEST} plies, which is the limit")
            self.tell(f"{progress[DECIDED]:,} of {self.states:,} states decided")
        self._fill_index(int(self.graph.counters[SLOTS]))
        self._write_down()
        self._worked_back = True
        self.proven = self.proven.narrowed(self._bounds(self.root))
        for move, child in self.root.children():
            before = self.proven_of_moves[move]
            self.proven_of_moves[move] = before.narrowed(self._bounds(child, 1))

    def _link(self) -> None:
        """Tell every state its predecessors, where the index was."""
        counters = self.graph.counters
        expanded, edges = int(counters[EXPANDED]), int(counters[EDGES])
        text = f"{self.states:,} states, looking back"
        self.graph.offsets[: self.states + 1] = 0
        for first, last in spans(edges, EDGE_SLICE):
            self.tell(text, first / edges / 3)
            self.heed_stop()
            self.bound.run(propagation.count_predecessors, self.graph, first, last)
        self.bound.run(propagation.sum_offsets, self.graph)
        edge = 0
        for first, last in spans(expanded, EDGE_SLICE):
            self.tell(text, (1 + 2 * first / expanded) / 3)
            self.heed_stop()
            edge = self.bound.run(propagation.link_predecessors, self.graph, first, last, edge)

    # Reports

    def heed_stop(self) -> None:
        if self._watch.stopped:
            states, waiting = self._states_and_waiting()
            raise Unsolved(
                f"stopped: {states:,} states were found, {waiting:,} of them still to be"
                " looked into"
            )

    def tell(self, text: str, part: float | None = None) -> None:
        self._watch.tell(text, self.states, part)


def spans(count: int, size: int) -> Iterator[tuple[int, int]]:
    return ((first, min(first + size, count)) for first in range(0, count, size))
