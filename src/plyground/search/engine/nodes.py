"""What is done at every node: counting, polling the limits, valuing, keeping the best line."""

from __future__ import annotations

from typing import Any

from plyground.core.values import WIN, bounded
from plyground.search.binding import dispatch as rules
from plyground.search.binding.native import native, types
from plyground.search.binding.pointers import field
from plyground.search.clock import poll_clock
from plyground.search.engine.search_memory import (
    EVALUATION,
    FEATURES,
    LEARNED,
    OPEN,
    OWN,
    PAST,
    PLIES,
)
from plyground.search.features import Features
from plyground.search.kernel_memory import NODES, poll
from plyground.search.net.kernel import net_output

limited = native(bounded)

USES_SETTLED = int(Features.SETTLED)

POLL_MASK = 63
"""Limits are polled every 64 nodes: under 1 % of the time of the quickest game, and a deadline is
seen within a millisecond even where a node takes 10 microseconds."""


@native
def final_value(board: Any, state: Any, ply: Any) -> Any:
    """The value of a finished game for the player whose turn it would be."""
    result = rules.utility(board, state)
    if rules.turn(board, state) != 0:
        result = -result
    if rules.point() != 0:
        return limited(result * rules.point())
    if result > 0:
        return WIN - ply
    if result < 0:
        return ply - WIN
    return types.int64(0)


@native
def estimate(board: Any, state: Any, memory_at: Any) -> Any:
    """The evaluation for the player to move, kept apart from won and lost games."""
    evaluation = field(memory_at, "settings")[EVALUATION]
    if evaluation != OWN:
        value = standing(board, state)
        if evaluation == LEARNED:
            value += learned_value(board, state, memory_at)
            if rules.has_bounds():  # a net may expect more than there is
                least, most = limits_of(board, state)
                value = min(max(value, least), most)
        return limited(value)
    value = limited(rules.evaluate(board, state))
    return value if rules.turn(board, state) == 0 else -value


@native
def learned_value(board: Any, state: Any, memory_at: Any) -> Any:
    """What the rest of the game is worth to the player to move, by the net in use."""
    items = field(memory_at, "items")
    rules.flatten(state, items)
    side = rules.turn(board, state)
    return net_output(
        items,
        field(memory_at, "net_table"),
        field(memory_at, "net_rows"),
        field(memory_at, "net_items"),
        field(memory_at, "net_sums"),
        side,
    )


@native
def certain_value(board: Any, state: Any, ply: Any, memory_at: Any) -> Any:
    """The value for the player to move of a game whose winner is certain at sight; 0 if it is open.
    The win may be nearer than that."""
    if not rules.has_settled():
        return types.int64(0)
    if field(memory_at, "settings")[FEATURES] & USES_SETTLED == 0:
        return types.int64(0)
    plies = rules.settled(board, state)
    if rules.turn(board, state) != 0:
        plies = -plies
    if plies > 0:
        return WIN - ply - plies
    if plies < 0:
        return ply - plies - WIN
    return types.int64(0)


@native
def standing(board: Any, state: Any) -> Any:
    """The points so far of the player to move. The table keeps values without them, so that it
    knows a position again however the points were shared out on the way to it."""
    if not rules.has_score():
        return types.int64(0)
    value = rules.point() * rules.score(board, state)
    return value if rules.turn(board, state) == 0 else -value


@native
def limits_of(board: Any, state: Any) -> Any:
    """The least and the most that the game can still be worth to the player to move."""
    least, most = rules.bounds(board, state)
    least = limited(least * rules.point())
    most = limited(most * rules.point())
    if rules.turn(board, state) == 0:
        return least, most
    return -most, -least


@native
def came_back(memory_at: Any, ply: Any, hashed: Any) -> Any:
    """Note the position at this ply; whether it was there before on the line to it."""
    settings = field(memory_at, "settings")
    path = field(memory_at, "path")
    here = settings[PAST] + ply
    path[here] = hashed
    seen = False
    for before in range(here):
        seen = seen or path[before] == hashed
    return seen


@native
def count_node(memory_at: Any) -> None:
    """One more node; every few nodes, poll the limits."""
    counters = field(memory_at, "counters")
    nodes = counters[NODES] + 1
    counters[NODES] = nodes
    if nodes & POLL_MASK == 0:
        poll(memory_at)
        poll_clock(memory_at)


@native
def leaf_value(board: Any, state: Any, ply: Any, memory_at: Any) -> Any:
    """The value of a leaf: a finished game, or a state at the horizon."""
    count_node(memory_at)
    counters = field(memory_at, "counters")
    if rules.over(board, state):
        counters[OPEN] = 0
        return final_value(board, state, ply)
    certain = certain_value(board, state, ply, memory_at)
    counters[OPEN] = certain == 0
    return certain if certain != 0 else estimate(board, state, memory_at)


@native
def extend_line(memory_at: Any, ply: Any, move: Any) -> None:
    """The best line from here: this move, then the best line of the child."""
    line = field(memory_at, "line")
    line_length = field(memory_at, "line_length")
    own = ply * PLIES
    below = own + PLIES
    line[own] = move
    length = line_length[ply + 1]
    for index in range(length):
        line[own + 1 + index] = line[below + index]
    line_length[ply] = length + 1
