"""The move picker: which move to search next, and what a refutation teaches.

Alpha-beta is as good as its guess of the best move. The order: the table's move, noisy moves, then
quiet moves by how often they refuted something; what refuted a sister position counts double. A
move is packed with its rank into one number, so that picking the next is finding the largest. A
move that another thread is searching is deferred until all others are searched.

Where it is hot, an index is an unsigned number (`uintp`): for a signed one the compiler adds a test
whether it counts from the end.
"""

from __future__ import annotations

from typing import Any

from plyground.core.contract import MOVE_LIMIT
from plyground.search.binding import dispatch as rules
from plyground.search.binding.native import native, types
from plyground.search.binding.pointers import field
from plyground.search.engine.search_memory import FEATURES
from plyground.search.features import Features
from plyground.search.kernel_memory import is_marked

MOVE_MASK = MOVE_LIMIT - 1
MOVE_BITS = MOVE_MASK.bit_length()

TABLE_RANK = 1 << 46
"""One more if the table's move is noisy, too."""
NOISY_RANK = 1 << 32
"""Times how noisy a move is, which is below MAX_NOISE."""
MAX_NOISE = 1 << 12
HISTORY_BITS = 27
HISTORY_LIMIT = 1 << HISTORY_BITS
"""History lies between -HISTORY_LIMIT and HISTORY_LIMIT."""

SORTED_MOVES = 6
"""After so many moves without a refutation there will hardly be one, and the order matters little:
on Breakthrough a search that sorts on visits no fewer nodes."""

QUIET_BOUND = NOISY_RANK << MOVE_BITS
"""A packed move below this is quiet: neither the table's move nor a noisy one."""

MOVE_STEP = 0x9E3779B97F4A7C15
"""Between the marks of two moves of a position: odd, and with bits all over the word."""

USES_KILLERS = int(Features.KILLERS)
USES_HISTORY = int(Features.HISTORY)
USES_NOISY = int(Features.NOISY_FIRST)


@native
def rank_moves(
    board: Any,
    state: Any,
    side: Any,
    memory_at: Any,
    base: Any,
    count: Any,
    table_move: Any,
    ply: Any,
) -> None:
    """Pack each legal move with its rank."""
    settings = field(memory_at, "settings")
    killers = field(memory_at, "killers")
    ranked = field(memory_at, "ranked")
    history = field(memory_at, "history")
    features = settings[FEATURES]
    by_noise = rules.has_noisy() and features & USES_NOISY != 0
    first_killer = killers[2 * ply]
    second_killer = killers[2 * ply + 1]
    offset = side << MOVE_BITS
    for index in range(types.uintp(base), types.uintp(base + count)):
        move = ranked[index] & MOVE_MASK  # within the tables, whatever the rules wrote
        rank = history[types.uintp(offset + move)] + HISTORY_LIMIT
        noise = rules.noisy(board, state, move) if by_noise else types.int64(0)
        if move == table_move:
            rank = types.int64(TABLE_RANK) + (noise > 0)
        elif noise > 0:
            rank = min(noise, MAX_NOISE) * NOISY_RANK
        elif move + 1 == first_killer or move + 1 == second_killer:
            # Its history twice over. Put before all other quiet moves, killers cost a tenth more
            # nodes to depth 12 of Breakthrough (material only) than none at all.
            rank += abs(rank - HISTORY_LIMIT) + 1
        ranked[index] = rank << MOVE_BITS | move


@native
def pick_move(
    memory_at: Any, ply: Any, base: Any, index: Any, end: Any, sharing: Any, hashed: Any
) -> Any:
    """The next move to search, packed, and its number in the order.

    It is brought to `index`, which counts up from `base` to `end`. When sharing, a move that
    another thread is searching in the position with this key is deferred: it comes after all others
    and keeps its number. The first move is not deferred.
    """
    if not sharing:
        return bring_next(memory_at, base, index, end), index - base
    ranked = field(memory_at, "ranked")
    numbers = field(memory_at, "deferred_numbers")
    starts = field(memory_at, "deferred_starts")
    start = end if index == base else starts[types.uintp(ply)]
    while index < start:
        packed = bring_next(memory_at, base, index, start)
        number = index - base + end - start
        if index == base or not is_marked(memory_at, busy_word(hashed, packed & MOVE_MASK)):
            starts[types.uintp(ply)] = start
            return packed, number
        start -= 1
        ranked[types.uintp(index)] = ranked[types.uintp(start)]
        ranked[types.uintp(start)] = packed
        numbers[types.uintp(start)] = number
    starts[types.uintp(ply)] = start
    return ranked[types.uintp(index)], numbers[types.uintp(index)]


@native
def bring_next(memory_at: Any, base: Any, index: Any, end: Any) -> Any:
    """Bring the best-ranked of the moves from `index` to `end` to the front, or after SORTED_MOVES
    just leave the next one there; the packed move."""
    if index - base < SORTED_MOVES:
        return bring_best(memory_at, index, end)
    return field(memory_at, "ranked")[types.uintp(index)]


@native
def busy_word(hashed: Any, move: Any) -> Any:
    """What a move is marked busy with, whatever the depth to which it is searched: at another depth
    a thread profits from the table, too, if it comes later."""
    return hashed ^ (types.uint64(move + 1) * types.uint64(MOVE_STEP))


@native
def keep_noisy(board: Any, state: Any, memory_at: Any, base: Any, count: Any) -> Any:
    """Keep only the noisy moves, packed with how noisy they are; returns where they end."""
    ranked = field(memory_at, "ranked")
    end = types.uintp(base)
    for index in range(types.uintp(base), types.uintp(base + count)):
        move = ranked[index] & MOVE_MASK
        noise = rules.noisy(board, state, move)
        if noise > 0:
            ranked[end] = min(noise, MAX_NOISE) << MOVE_BITS | move
            end += types.uintp(1)
    return types.int64(end)


@native
def bring_best(memory_at: Any, index: Any, end: Any) -> Any:
    """Swap the best-ranked of the moves from `index` to `end` to the front; the packed move."""
    ranked = field(memory_at, "ranked")
    first = types.uintp(index)
    best = first
    best_packed = ranked[first]
    for other in range(types.uintp(index + 1), types.uintp(end)):
        if ranked[other] > best_packed:
            best_packed = ranked[other]
            best = other
    ranked[best] = ranked[first]
    ranked[first] = best_packed
    return best_packed


@native
def learn_refutation(
    memory_at: Any, side: Any, base: Any, number: Any, depth: Any, ply: Any
) -> None:
    """The move of this number cut the search short: try it earlier next time, and the quiet moves
    before it later."""
    settings = field(memory_at, "settings")
    ranked = field(memory_at, "ranked")
    killers = field(memory_at, "killers")
    features = settings[FEATURES]
    packed = ranked[base + number]
    move = packed & MOVE_MASK
    if packed >= QUIET_BOUND and packed >> MOVE_BITS != TABLE_RANK:
        return  # noisy moves are tried early anyway, and would drown what quiet ones teach
    if features & USES_KILLERS and killers[2 * ply] != move + 1:
        killers[2 * ply + 1] = killers[2 * ply]
        killers[2 * ply] = move + 1
    if features & USES_HISTORY:
        offset = side << MOVE_BITS
        bonus = depth * depth
        change_history(memory_at, offset + move, bonus)
        for index in range(base, base + number):
            if ranked[index] < QUIET_BOUND:
                change_history(memory_at, offset + (ranked[index] & MOVE_MASK), -bonus)


@native
def change_history(memory_at: Any, entry: Any, bonus: Any) -> None:
    """Add a bonus that counts less the nearer the entry is to its limit already."""
    history = field(memory_at, "history")
    history[entry] += bonus - (history[entry] * abs(bonus) >> HISTORY_BITS)
