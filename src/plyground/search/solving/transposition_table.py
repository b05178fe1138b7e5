"""The transposition table of a solver: positions by their whole identity, never by a hash alone.

An entry is the identity's words, each XOR the data word, then the data word, then the work that the
entry took. Threads write without locks, and a process may be killed while it writes to a file: a
torn entry fails the comparison of its words and is not found. Entries lie in buckets. A new entry
replaces the one of the same position, or else the one that took the least work.

The system has to clear memory when it is touched for the first time, which takes longer than a
small solve. So a table starts small, and is copied into one four times as large when about as many
positions were visited as it holds. A table in a file has its full size from the start.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyground.core.bits import mix
from plyground.search.binding.compile import Bound
from plyground.search.binding.native import native, types
from plyground.search.binding.pointers import field, identity_at, prefetch
from plyground.search.kernel_memory import FIRST_COUNTER, NO_LIMIT, Words
from plyground.search.solving.checkpoint import new_memory

BUCKET_WAYS = 4
EXTRA_WORDS = 2
"""In addition to the identity: the data, and the work it took."""
CACHE_LINE = 8
"""In words."""

TOO_LONG = FIRST_COUNTER
"""A counter of the kernels that search with a table: a line of play was too long for their
memory."""

FIRST_BYTES = 16 << 20
GROWTH = 4
COPIED_WORDS = 1 << 22
"""Words that are copied between two checks for a stop: about a tenth of a second."""


def bucket_words(width: int) -> int:
    """The size of a bucket for identities of `width` words."""
    return (width + EXTRA_WORDS) * BUCKET_WAYS


class TranspositionTable:
    """The words of a table, and when it should grow."""

    def __init__(
        self,
        bound: Bound,
        width: int,
        most_bytes: int,
        checkpoint: Path | None = None,
        label: str = "",
    ) -> None:
        """For identities of `width` words."""
        self._bound = bound
        self._width = width
        self._bucket = bucket_words(width)
        self._most = max(1, most_bytes // 8 // self._bucket)
        first = max(1, FIRST_BYTES // 8 // self._bucket)
        self._buckets = self._most if checkpoint is not None else min(self._most, first)
        self.words: Words = new_memory(self._buckets * self._bucket, checkpoint, label).words

    @property
    def enough_for(self) -> int:
        """How many positions may be visited before the table should grow."""
        if self._buckets == self._most:
            return NO_LIMIT
        return self._buckets * BUCKET_WAYS

    def grow(self, is_stopped: Callable[[], bool]) -> Words:
        """Copy all entries into a larger table. A stop on the way leaves the table as it is."""
        buckets = min(self._most, GROWTH * self._buckets)
        larger = new_memory(buckets * self._bucket).words
        step = COPIED_WORDS // self._bucket * self._bucket
        for first in range(0, len(self.words), step):
            if is_stopped():
                return self.words
            self._bound.run(copy_entries, self.words[first : first + step], larger, self._width)
        self._buckets, self.words = buckets, larger
        return larger


def prepare_to_grow(bound: Bound, width: int) -> None:
    """Compile ahead what `grow` runs; a small solve needs none of it."""
    some = new_memory(bucket_words(width)).words
    bound.prepare(copy_entries, some, some, width)


def copy_entries(old: Any, new: Any, width: Any) -> None:
    """Kernel: copy every entry of one table into another. In a full bucket the entries that took
    the least work are left out."""
    entry = width + EXTRA_WORDS
    for at in range(0, len(old), entry):
        data = old[at + width]
        if data == 0:
            continue
        hashed = types.uint64(0)
        for index in range(width):
            hashed = mix(hashed, old[at + index] ^ data)
        victim = victim_in(new, width, bucket_at(new, width, hashed))
        if new[victim + width] == 0 or new[victim + width + 1] < old[at + width + 1]:
            for index in range(entry):
                new[victim + index] = old[at + index]


@native
def hash_of(identity: Any) -> Any:
    hashed = types.uint64(0)
    for index in range(len(identity)):
        hashed = mix(hashed, identity[index])
    return hashed


@native
def bucket_of(table: Any, identity: Any) -> Any:
    """Where the bucket of a position starts."""
    return bucket_at(table, len(identity), hash_of(identity))


@native
def bucket_at(table: Any, width: Any, hashed: Any) -> Any:
    """Where the bucket of an identity of `width` words starts."""
    size = types.uint64((width + EXTRA_WORDS) * BUCKET_WAYS)
    buckets = types.uint64(len(table)) // size
    place = (hashed >> types.uint64(32)) * buckets >> types.uint64(32)
    return types.int64(place * size)


@native
def probe(table: Any, identity: Any, start: Any) -> Any:
    """The data word of a position, or 0. `start` is where its bucket starts."""
    at = entry_at(table, identity, start)
    return table[at + len(identity)] if at >= 0 else types.uint64(0)


@native
def entry_at(table: Any, identity: Any, start: Any) -> Any:
    """Where the entry of a position starts, or -1."""
    width = len(identity)
    at = types.int64(start)
    for _ in range(BUCKET_WAYS):
        data = table[at + width]
        if data != 0:
            same = True
            for index in range(width):
                same = same and table[at + index] ^ data == identity[index]
            if same:
                return at
        at += width + EXTRA_WORDS
    return types.int64(-1)


@native
def victim_in(table: Any, width: Any, start: Any) -> Any:
    """Which entry of a bucket a new one replaces: an empty one, or the one that took the least
    work."""
    victim = at = types.int64(start)
    least = types.int64(NO_LIMIT)
    for _ in range(BUCKET_WAYS):
        work = types.int64(table[at + width + 1]) if table[at + width] != 0 else types.int64(-1)
        if work < least:
            least = work
            victim = at
        at += width + EXTRA_WORDS
    return victim


@native
def store(table: Any, identity: Any, start: Any, data: Any, work: Any) -> None:
    """Write the data word of a position, which took so much work."""
    width = len(identity)
    at = entry_at(table, identity, start)
    if at < 0:
        at = victim_in(table, width, start)
    for index in range(width):
        table[at + index] = identity[index] ^ data
    table[at + width] = data
    table[at + width + 1] = types.uint64(work)


# The children of a position that is searched. They are listed first and probed afterwards, so that
# the reads of memory overlap. The memory of a kernel has the arrays `places` and `identities`.


@native
def list_child(memory_at: Any, index: Any, identity: Any) -> Any:
    """Note the identity of a child and where its bucket starts, and prefetch that; its hash."""
    table = field(memory_at, "table")
    identities = field(memory_at, "identities")
    width = len(identity)
    hashed = hash_of(identity)
    start = bucket_at(table, width, hashed)
    field(memory_at, "places")[index] = start
    first = types.uintp(index) * types.uintp(width)
    for part in range(width):
        identities[first + types.uintp(part)] = identity[part]
    for word in range(types.uintp(0), types.uintp((width + EXTRA_WORDS) * BUCKET_WAYS), CACHE_LINE):
        prefetch(table, types.uintp(start) + types.uintp(word))
    return hashed


@native
def probe_child(memory_at: Any, index: Any, width: Any) -> Any:
    """The data word of a listed child, or 0."""
    identity = identity_at(field(memory_at, "identities"), types.int64(index) * width)
    return probe(field(memory_at, "table"), identity, field(memory_at, "places")[index])
