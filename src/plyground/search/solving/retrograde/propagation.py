"""Propagates values backwards from finished games: who wins each state of a graph, and how soon.

A state is won for its mover as soon as one successor is; it is lost when all of them are. States
are decided in the order of their distance from the end, through a queue: each decided state updates
its predecessors. So the first winning successor of a state is the quickest win, and the last of its
losing successors the longest resistance. A state that is never decided is a draw if the graph is
whole. In a part of the graph, states that were not expanded decide nothing, and what is decided
stays decided.

A value is a word of 32 bits: the low half is 0 while undecided, else 2 * (distance + 1) + winner;
the high half holds how many successors are still undecided and, in its highest bit, whose turn it
is.
"""

from __future__ import annotations

from typing import Any

from plyground.search.binding import dispatch as rules
from plyground.search.binding.native import native, types
from plyground.search.binding.pointers import address_of, fetch
from plyground.search.solving.retrograde.graph import (
    DONE,
    DRAWN,
    END_SHIFT,
    EXPANDED,
    FIRST_WON,
    GOES_ON,
    MOVE_BITS,
    PAUSED,
    STATES,
    TURN_SHIFT,
    find,
    read_items,
)

LOW = 0xFFFF
LONGEST = (LOW >> 1) - 2
"""The longest distance that a value can hold."""
TOO_LONG = 6
"""Why a kernel returned, in addition to those of a graph: a win takes longer than that."""

# How many states of the queue are decided, and how many have updated their predecessors
DECIDED, PROCESSED = range(2)


@native
def edges_of(note: Any) -> Any:
    return types.int64(note) & MOVE_BITS


def count_predecessors(graph: Any, first: Any, last: Any) -> None:
    """Kernel: count how often these successors name each state, in its offset."""
    graph = fetch(address_of(graph))
    for edge in range(first, last):
        graph.offsets[graph.successors[edge]] += types.uint32(1)


def sum_offsets(graph: Any) -> None:
    """Kernel: from counts to where each state's predecessors end."""
    graph = fetch(address_of(graph))
    total = types.int64(0)
    for number in range(graph.counters[STATES] + 1):
        total += graph.offsets[number]
        graph.offsets[number] = types.uint32(total)


def link_predecessors(graph: Any, first: Any, last: Any, edge: Any) -> Any:
    """Kernel: add these states to the rows of their successors. Rows are filled from their ends;
    when all is done each offset is where a row starts. Returns the next edge."""
    graph = fetch(address_of(graph))
    for number in range(first, last):
        for _ in range(edges_of(graph.notes[number])):
            successor = graph.successors[edge]
            place = graph.offsets[successor] - types.uint32(1)
            graph.offsets[successor] = place
            graph.predecessors[place] = types.uint32(number)
            edge += 1
    return edge


def begin_values(graph: Any) -> Any:
    """Kernel: set every value to that of a finished game or to undecided, and put the won games
    into the queue. Returns how many."""
    graph = fetch(address_of(graph))
    decided = types.int64(0)
    for number in range(graph.counters[EXPANDED], graph.counters[STATES]):
        graph.values[number] = types.uint32(0)
    for number in range(graph.counters[EXPANDED]):
        note = types.int64(graph.notes[number])
        end = (note >> END_SHIFT) & 3
        value = (note & MOVE_BITS | (note >> TURN_SHIFT) << TURN_SHIFT) << 16
        if end != GOES_ON and end != DRAWN:
            value |= 2 + (0 if end == FIRST_WON else 1)
            graph.queue[decided] = types.uint32(number)
            decided += 1
        graph.values[number] = types.uint32(value)
    return decided


def propagate(graph: Any, progress: Any, limit: Any) -> Any:
    """Kernel: update the predecessors of up to `limit` decided states."""
    graph = fetch(address_of(graph))
    values = graph.values
    last = progress[PROCESSED] + limit
    decided = progress[DECIDED]
    processed = progress[PROCESSED]
    while processed < decided and processed < last:
        number = types.int64(graph.queue[processed])
        value = types.int64(values[number]) & LOW
        if value >> 1 > LONGEST:
            return TOO_LONG
        for edge in range(graph.offsets[number], graph.offsets[number + 1]):
            other = types.int64(graph.predecessors[edge])
            before = types.int64(values[other])
            if before & LOW != 0:
                continue
            if before >> (16 + TURN_SHIFT) != value & 1:
                before -= 1 << 16  # this successor is lost; are there others?
                if (before >> 16) & MOVE_BITS != 0:
                    values[other] = types.uint32(before)
                    continue
            values[other] = types.uint32(before | (value + 2))
            graph.queue[decided] = types.uint32(other)
            decided += 1
        processed += 1
    progress[PROCESSED] = processed
    progress[DECIDED] = decided
    return DONE if processed == decided else PAUSED


def check_values(board: Any, graph: Any, scratch: Any, first: Any, last: Any) -> Any:
    """Kernel: check that each of these values follows from the rules and from its children, which
    are looked up in the index. Returns the number of a state that is wrong, or -1."""
    graph = fetch(address_of(graph))
    scratch = fetch(address_of(scratch))
    for number in range(first, last):
        value = types.int64(graph.values[number]) & LOW
        if value != value_by_rules(board, graph, scratch, number):
            return number
    return types.int64(-1)


@native
def value_by_rules(board: Any, graph: Any, scratch: Any, number: Any) -> Any:
    """The value of a state that follows from its children; -1 if a child is not in the graph."""
    read_items(graph, number, scratch.items)
    state = rules.rebuild(scratch.items)
    if rules.over(board, state):
        worth = rules.utility(board, state)
        return types.int64(2 if worth > 0 else 3 if worth < 0 else 0)
    mover = rules.turn(board, state)
    quickest = types.int64(LOW)
    longest = types.int64(0)
    open_children = types.int64(0)
    for index in range(rules.moves(board, state, scratch.moves)):
        child = rules.play(board, state, scratch.moves[index])
        found = find(board, graph, scratch, child)
        if found < 0:
            return types.int64(-1)
        value = types.int64(graph.values[found]) & LOW
        if value == 0:
            open_children += 1
        elif value & 1 == mover:
            quickest = min(quickest, value + 2)
        else:
            longest = max(longest, value + 2)
    if quickest < LOW:
        return quickest
    return types.int64(0) if open_children > 0 else longest
