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

from numba import types

from plyground.core.bits import mix
from plyground.search.binding.compile import Bound
from plyground.search.binding.native import native
from plyground.search.solving.checkpoint import Words, new_memory

BUCKET_WAYS = 4
EXTRA_WORDS = 2
"""In addition to the identity: the data, and the work it took."""

FIRST_BYTES = 16 << 20
GROWTH = 4
NO_LIMIT = 1 << 62
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
        *,
        buckets: int | None = None,
    ) -> None:
        """For identities of `width` words, in at most `most_bytes` or in exactly `buckets`."""
        self._bound = bound
        self._width = width
        self._bucket = bucket_words(width)
        self._most = buckets or max(1, most_bytes // 8 // self._bucket)
        first = max(1, FIRST_BYTES // 8 // self._bucket)
        fixed = checkpoint is not None or buckets is not None
        self._buckets = self._most if fixed else min(self._most, first)
        self.words: Words = new_memory(self._buckets * self._bucket, checkpoint, label).words
        bound.prepare(copy_entries, self.words, self.words, width)  # compile before a solve starts

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


def copy_entries(game: Any, old: Any, new: Any, width: Any) -> None:
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
        place = bucket_at(new, width, hashed)
        victim = place
        for way in range(BUCKET_WAYS):
            other = place + way * entry
            if new[other + width] == 0:
                victim = other
                break
            if new[other + width + 1] < new[victim + width + 1]:
                victim = other
        if new[victim + width] == 0 or new[victim + width + 1] < old[at + width + 1]:
            for index in range(entry):
                new[victim + index] = old[at + index]


@native
def hash_of(identity: Any) -> Any:
    hashed = types.uint64(0)
    for word in identity:
        hashed = mix(hashed, word)
    return hashed


@native
def bucket_of(table: Any, identity: Any, hashed: Any) -> Any:
    """Where the bucket of a position starts."""
    return bucket_at(table, len(identity), hashed)


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
    return probe_at(table, identity, types.int64(0), len(identity), start)


@native
def probe_at(table: Any, words: Any, first: Any, width: Any, start: Any) -> Any:
    """The data word of the identity in `words[first : first + width]`, or 0."""
    at = entry_at(table, words, first, width, start)
    return table[at + width] if at >= 0 else types.uint64(0)


@native
def entry_at(table: Any, words: Any, first: Any, width: Any, start: Any) -> Any:
    """Where the entry of an identity starts, or -1."""
    at = types.int64(start)
    for _ in range(BUCKET_WAYS):
        data = table[at + width]
        if data != 0:
            same = True
            for index in range(width):
                same = same and table[at + index] ^ data == words[first + index]
            if same:
                return at
        at += width + EXTRA_WORDS
    return types.int64(-1)


@native
def store(table: Any, identity: Any, start: Any, data: Any, work: Any) -> None:
    """Write the data word of a position, which took so much work."""
    width = len(identity)
    at = start
    victim = start
    least = types.int64(1) << 62
    for _ in range(BUCKET_WAYS):
        old = table[at + width]
        spent = types.int64(table[at + width + 1])
        same = old != 0
        for index in range(width):
            same = same and table[at + index] ^ old == identity[index]
        if same:
            victim = at
            break
        if old == 0:
            spent = types.int64(-1)
        if spent < least:
            least = spent
            victim = at
        at += width + EXTRA_WORDS
    for index in range(width):
        table[victim + index] = identity[index] ^ data
    table[victim + width] = data
    table[victim + width + 1] = types.uint64(work)
