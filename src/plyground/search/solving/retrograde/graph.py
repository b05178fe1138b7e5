"""The graph of all states that can be reached from a position, built breadth first.

States are numbered in the order in which they are found, and stored packed. The index maps an
identity to its number: a slot holds half of the identity's hash and the number. A lookup compares
the state itself, so that no collision joins two states. For every expanded state there is a note of
its end or its moves, and the numbers of its successors in a row.

Everything lies in one block of memory, partitioned by how many states it can hold, so that it can
be a file. The kernels work in slices. Between two slices the counters say how far the graph is;
everything beyond them may be half written.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyground.search.binding import dispatch as rules
from plyground.search.binding.native import native, types
from plyground.search.binding.pointers import address_of, fetch, prefetch
from plyground.search.solving.retrograde.packing import (
    Packing,
    fits,
    pack,
    unpack,
)
from plyground.search.solving.transposition_table import hash_of

MAX_STATES = (1 << 32) - 2
MAX_EDGES = (1 << 32) - 2
FULLEST = 3, 4
"""The part of the index that may be filled, as a fraction: beyond it lookups grow long."""

# Graph.counters
STATES, EXPANDED, EDGES, SLOTS, WIDTH, FAULT = range(6)
COUNTERS = 8

# Why a kernel returned
DONE, PAUSED, OUT_OF_MEMORY, INDEX_FULL, DOES_NOT_FIT, NO_MOVES = range(6)

# A note: how many moves (13 bits), how it ended (2 bits), whose turn it is (the highest bit)
END_SHIFT = 13
MOVE_BITS = (1 << END_SHIFT) - 1
GOES_ON, FIRST_WON, SECOND_WON, DRAWN = range(4)
TURN_SHIFT = 15


class Graph(NamedTuple):
    states: npt.NDArray[np.uint64]
    """Packed, some words each."""
    notes: npt.NDArray[np.uint16]
    successors: npt.NDArray[np.uint32]
    slots: npt.NDArray[np.uint64]
    """The index: the low half of a hash, then a number + 1; 0 if free."""
    predecessors: npt.NDArray[np.uint32]
    """In the memory of the index, which propagation does not need and which is easily rebuilt."""
    offsets: npt.NDArray[np.uint32]
    """Where the predecessors of each state start; one more than there are states."""
    values: npt.NDArray[np.uint32]
    queue: npt.NDArray[np.uint32]
    counters: npt.NDArray[np.int64]
    packing: Packing


class Scratch(NamedTuple):
    """The buffers of one kernel call."""

    items: npt.NDArray[np.uint64]
    moves: npt.NDArray[np.int64]
    words: npt.NDArray[np.uint64]
    """The children of the states of one block, packed."""
    hashes: npt.NDArray[np.uint64]


def new_scratch(graph: Graph, max_moves: int) -> Scratch:
    block = block_size(max_moves)
    return Scratch(
        items=np.zeros_like(graph.packing.root),
        moves=np.zeros(max_moves, np.int64),
        words=np.zeros(block * int(graph.counters[WIDTH]), np.uint64),
        hashes=np.zeros(block, np.uint64),
    )


def block_size(max_moves: int) -> int:
    """How many children are looked up together, so that many reads of memory overlap."""
    return max_moves + 64


def bytes_per_state(width: int, degree: float) -> float:
    shared = max(8 * FULLEST[1] / FULLEST[0], 4 * degree)
    return 8 * width + 2 + 4 * degree + shared + 4 + 4 + 4


def state_capacity(words: int, width: int, degree: float) -> int:
    """How many states fit into so many words."""
    rounding = 2 * len(Graph._fields)
    states = 8 * max(0, words - rounding) / bytes_per_state(width, degree)
    return int(min(states, MAX_STATES, MAX_EDGES / degree))


def partition(words: npt.NDArray[np.uint64], packing: Packing, width: int, degree: float) -> Graph:
    """An empty graph in a block of memory, for states with so many moves on average."""
    states = state_capacity(len(words), width, degree)
    edges = int(states * degree)
    slots = states * FULLEST[1] // FULLEST[0]
    at = 0

    def part(kind: Any, count: int) -> Any:
        nonlocal at
        needed = -(-np.dtype(kind).itemsize * count // 8)
        at += needed
        return words[at - needed : at].view(kind)[:count]

    shared = part(np.uint64, max(slots, -(-edges // 2)))
    counters = np.zeros(COUNTERS, np.int64)
    counters[WIDTH] = width
    return Graph(
        states=part(np.uint64, states * width),
        notes=part(np.uint16, states),
        successors=part(np.uint32, edges),
        slots=shared[:slots],
        predecessors=shared.view(np.uint32)[:edges],
        offsets=part(np.uint32, states + 1),
        values=part(np.uint32, states),
        queue=part(np.uint32, states),
        counters=counters,
        packing=packing,
    )


# Looking up


@native
def slot_of(hashed: Any, slots: Any) -> Any:
    return types.int64((hashed >> types.uint64(32)) * types.uint64(slots) >> types.uint64(32))


@native
def mark_of(hashed: Any) -> Any:
    """The half of a hash that a slot holds, in its place."""
    return hashed << types.uint64(32)


@native
def same_mark(slot: Any, hashed: Any) -> Any:
    return (slot ^ mark_of(hashed)) >> types.uint64(32) == 0


@native
def number_in(slot: Any) -> Any:
    return types.int64(slot & types.uint64(0xFFFFFFFF)) - 1


@native
def read_items(graph: Any, number: Any, items: Any) -> None:
    """The items of the state with a number, for `rebuild`."""
    unpack(graph.packing, graph.states, number * graph.counters[WIDTH], items)


@native
def pack_child(board: Any, graph: Any, scratch: Any, child: Any, place: Any) -> Any:
    """Pack a child to be looked up; False if its items do not fit the packing."""
    rules.flatten(child, scratch.items)
    if not fits(graph.packing, scratch.items):
        return False
    width = graph.counters[WIDTH]
    pack(graph.packing, scratch.items, scratch.words, place * width, width)
    hashed = hash_of(rules.identity(board, child))
    scratch.hashes[place] = hashed
    prefetch(graph.slots, types.uintp(slot_of(hashed, graph.counters[SLOTS])))
    return True


@native
def find_packed(board: Any, graph: Any, scratch: Any, place: Any) -> Any:
    """The slot of a packed child: its own, or the free one where it belongs.

    The same words are the same state; other words may still have the same identity.
    """
    width = graph.counters[WIDTH]
    hashed = scratch.hashes[place]
    slots = graph.counters[SLOTS]
    at = slot_of(hashed, slots)
    while graph.slots[at] != 0:
        slot = graph.slots[at]
        if same_mark(slot, hashed):
            first = number_in(slot) * width
            equal = True
            for index in range(width):
                equal &= graph.states[first + index] == scratch.words[place * width + index]
            if equal:
                return at
            unpack(graph.packing, scratch.words, place * width, scratch.items)
            words = rules.identity(board, rules.rebuild(scratch.items))
            read_items(graph, number_in(slot), scratch.items)
            if words == rules.identity(board, rules.rebuild(scratch.items)):
                return at
        at = at + 1 if at + 1 < slots else 0
    return at


@native
def find(board: Any, graph: Any, scratch: Any, state: Any) -> Any:
    """The number of a state, or -1."""
    if not pack_child(board, graph, scratch, state, 0):
        return types.int64(-1)
    return number_in(graph.slots[find_packed(board, graph, scratch, 0)])


# Kernels


def write_state(graph: Any, number: Any, items: Any, state: Any) -> None:
    """Kernel: the state with a number."""
    read_items(graph, number, items)
    rules.copy_state(rules.rebuild(items), state)


def number_of(board: Any, state: Any, graph: Any, scratch: Any) -> Any:
    """Kernel: the number of a state, or -1 if it is not in the graph."""
    return find(board, fetch(address_of(graph)), fetch(address_of(scratch)), state)


def fill_index(board: Any, graph: Any, scratch: Any, first: Any, last: Any) -> None:
    """Kernel: add these states, none of which is in it, to the index."""
    graph = fetch(address_of(graph))
    slots = graph.counters[SLOTS]
    for number in range(first, last):
        read_items(graph, number, scratch.items)
        hashed = hash_of(rules.identity(board, rules.rebuild(scratch.items)))
        at = slot_of(hashed, slots)
        while graph.slots[at] != 0:
            at = at + 1 if at + 1 < slots else 0
        graph.slots[at] = mark_of(hashed) | types.uint64(number + 1)


def expand(board: Any, graph: Any, scratch: Any, last: Any) -> Any:
    """Kernel: expand the states before this one. Returns why it ended."""
    graph = fetch(address_of(graph))
    scratch = fetch(address_of(scratch))
    while graph.counters[EXPANDED] < last:
        reason = expand_block(board, graph, scratch, last)
        if reason != DONE:
            return reason
    return DONE


@native
def expand_block(board: Any, graph: Any, scratch: Any, last: Any) -> Any:
    """Expand a few states, as many as have their children fit into the scratch memory."""
    counters = graph.counters
    block = len(scratch.hashes)
    # 1. Is there memory for the children?
    known = counters[STATES]
    edges = counters[EDGES]
    if known + block > len(graph.notes) or edges + block > len(graph.successors):
        return OUT_OF_MEMORY
    if (known + block) * FULLEST[1] > counters[SLOTS] * FULLEST[0]:
        return INDEX_FULL
    # 2. Pack all children, and prefetch their slots of the index.
    number = counters[EXPANDED]
    children = types.int64(0)
    while number < last and children + rules.max_moves() <= block:
        read_items(graph, number, scratch.items)
        state = rules.rebuild(scratch.items)
        note = types.int64(rules.turn(board, state)) << TURN_SHIFT
        if rules.over(board, state):
            worth = rules.utility(board, state)
            end = FIRST_WON if worth > 0 else SECOND_WON if worth < 0 else DRAWN
            note |= types.int64(end) << END_SHIFT
        else:
            count = rules.moves(board, state, scratch.moves)
            if count == 0:
                counters[FAULT] = number
                return NO_MOVES
            note |= count
            for index in range(count):
                child = rules.play(board, state, scratch.moves[index])
                if not pack_child(board, graph, scratch, child, children):
                    return DOES_NOT_FIT
                children += 1
        graph.notes[number] = types.uint16(note)
        number += 1
    # 3. Prefetch the states in those slots.
    width = graph.counters[WIDTH]
    for child in range(children):
        slot = graph.slots[slot_of(scratch.hashes[child], counters[SLOTS])]
        if slot != 0:
            prefetch(graph.states, types.uintp(number_in(slot) * width))
    # 4. Find each child, or give it the next number.
    for child in range(children):
        at = find_packed(board, graph, scratch, child)
        if graph.slots[at] == 0:
            for index in range(width):
                graph.states[known * width + index] = scratch.words[child * width + index]
            graph.slots[at] = mark_of(scratch.hashes[child]) | types.uint64(known + 1)
            known += 1
        graph.successors[edges + child] = types.uint32(number_in(graph.slots[at]))
    counters[STATES] = known
    counters[EDGES] = edges + children
    counters[EXPANDED] = number
    return DONE
