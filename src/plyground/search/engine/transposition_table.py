"""The transposition table: what is known of positions that were searched before.

An entry is two 64-bit words, key XOR data and data. The data word packs

    value 32 | move 16 | depth 8 | bound 2 | proven 1 | age 5

* Threads write without locks. An entry torn between two of them fails the XOR test and is not seen.
* Entries lie in buckets of four, a cache line. A new entry replaces the one of the same position,
  or else the least useful: the shallowest, where a past search's count as shallower.
* A won or lost game is stored with its distance from the entry's own position, so that it is right
  wherever that position turns up.
* A bound is never taken for a value: LOWER means "at least", UPPER "at most".
* `proven` marks what rests on finished games alone, so that it holds at any depth.
"""

from __future__ import annotations

from typing import Any

from plyground.core.values import DECIDED, INFINITY, WIN
from plyground.search.binding.native import native, types
from plyground.search.binding.pointers import field
from plyground.search.engine.search_memory import AGE, BUCKETS, WAYS
from plyground.search.kernel_memory import Words
from plyground.search.large_pages import zero_words

UPPER, LOWER, EXACT = 1, 2, 3

ENTRY_WORDS = 2
BUCKET_WAYS = 4
ENTRY_BYTES = 8 * ENTRY_WORDS
AGES = 32
UNKNOWN = 2 * INFINITY
"""What the table answers if it does not know."""

AGE_WEIGHT = 4
"""An entry of the search before last counts as this much shallower for each search since."""


def new_table(entries: int) -> tuple[Words, int, int]:
    """Memory for a table, its number of buckets, and the entries in a bucket."""
    ways = min(BUCKET_WAYS, entries)
    buckets = entries // ways
    return zero_words(buckets * ways * ENTRY_WORDS, touched=True), buckets, ways


@native
def bucket_of(memory_at: Any, hashed: Any) -> Any:
    """Where the bucket of a position starts. Scaling the upper half suits any number of buckets."""
    settings = field(memory_at, "settings")
    bucket = (hashed >> types.uint64(32)) * types.uint64(settings[BUCKETS])
    return (bucket >> types.uint64(32)) * types.uintp(settings[WAYS] * ENTRY_WORDS)


@native
def probe(memory_at: Any, hashed: Any) -> Any:
    """The data word of a position, or 0."""
    settings = field(memory_at, "settings")
    table = field(memory_at, "table")
    start = bucket_of(memory_at, hashed)
    end = start + types.uintp(settings[WAYS] * ENTRY_WORDS)
    for at in range(start, end, types.uintp(ENTRY_WORDS)):
        data = table[types.uintp(at + 1)]
        if table[at] ^ data == hashed:
            return types.int64(data)
    return types.int64(0)


@native
def store(
    memory_at: Any,
    hashed: Any,
    value: Any,
    move: Any,
    depth: Any,
    bound: Any,
    proven: Any,
    ply: Any,
) -> None:
    """Write down what was found out about a position."""
    settings = field(memory_at, "settings")
    table = field(memory_at, "table")
    if value >= DECIDED:
        value += ply
    elif value <= -DECIDED:
        value -= ply
    age = settings[AGE]
    data = types.uint64(
        value << 32 | move << 16 | depth << 8 | bound << 6 | types.int64(proven) << 5 | age
    )
    start = bucket_of(memory_at, hashed)
    end = start + types.uintp(settings[WAYS] * ENTRY_WORDS)
    victim = start
    least = types.int64(1 << 40)
    for at in range(start, end, types.uintp(ENTRY_WORDS)):
        old = types.int64(table[types.uintp(at + 1)])
        if table[at] ^ types.uint64(old) == hashed:
            victim = at
            break
        elapsed = (age - (old & (AGES - 1))) & (AGES - 1)
        worth = (old >> 8 & 0xFF) - AGE_WEIGHT * elapsed
        if old == 0:
            worth = -(1 << 30)
        if worth < least:
            least = worth
            victim = at
    table[victim] = hashed ^ data
    table[types.uintp(victim + 1)] = data


@native
def stored_value(data: Any, ply: Any) -> Any:
    """The value in an entry, with the distance of a win or loss counted from the root again."""
    value = data >> 32
    if value >= DECIDED:
        return value - ply
    if value <= -DECIDED:
        return value + ply
    return value


@native
def stored_move(data: Any) -> Any:
    return data >> 16 & 0xFFFF


@native
def stored_depth(data: Any) -> Any:
    return data >> 8 & 0xFF


@native
def stored_bound(data: Any) -> Any:
    return data >> 6 & 3


@native
def stored_proven(data: Any) -> Any:
    return data >> 5 & 1


@native
def table_answer(data: Any, depth: Any, alpha: Any, beta: Any, ply: Any, exactly: Any) -> Any:
    """The value in a table entry if it settles a search of this depth and window, else UNKNOWN.

    An exact search may use only what minimax of this very depth would find. A decided game within
    that depth is the same in both; otherwise the depths must be equal.
    """
    value = stored_value(data, ply)
    bound = stored_bound(data)
    if not (
        bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
    ):
        return types.int64(UNKNOWN)
    decided = (value >= DECIDED and bound != UPPER) or (value <= -DECIDED and bound != LOWER)
    if exactly:
        usable = stored_depth(data) == depth or (decided and WIN - abs(value) - ply <= depth)
    else:
        usable = stored_depth(data) >= depth or decided or stored_proven(data) != 0
    return value if usable else types.int64(UNKNOWN)


@native
def is_estimate(data: Any, value: Any) -> Any:
    """Whether the value of a table entry rests on an evaluation anywhere."""
    return types.int64(stored_proven(data) == 0 and abs(value) < DECIDED)
