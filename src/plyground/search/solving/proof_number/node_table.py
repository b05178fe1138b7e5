"""The memory of a solver: positions by their whole identity, so that no collision fakes a proof.

An entry is the identity's words, each XOR the data word, then the data word, then a word that says
how much work the entry stands for. Threads write without locks, and a process may be killed in the
middle of writing to a file: an entry that is torn between two writers fails the test of its words
and is not seen. Entries lie in buckets; a new one replaces the one of the same position, or else
the one that took the least work.
"""

from __future__ import annotations

from typing import Any

from numba import types

from plyground.core.bits import mix
from plyground.search.binding.native import native

BUCKET_WAYS = 4
EXTRA_WORDS = 2
"""Beside the identity: the data, and the work it took."""


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
def bucket_at(table: Any, length: Any, hashed: Any) -> Any:
    """The same, for an identity of so many words."""
    width = types.uint64((length + EXTRA_WORDS) * BUCKET_WAYS)
    buckets = types.uint64(len(table)) // width
    place = (hashed >> types.uint64(32)) * buckets >> types.uint64(32)
    return types.int64(place * width)


@native
def look_up(table: Any, identity: Any, start: Any) -> Any:
    """The data word of a position, or 0. `start` is where its bucket starts."""
    return look_up_within(table, identity, types.int64(0), len(identity), start)


@native
def look_up_within(table: Any, words: Any, first: Any, length: Any, start: Any) -> Any:
    """The same for an identity that is kept among other words, from the first one on."""
    at = start
    for _ in range(BUCKET_WAYS):
        data = table[at + length]
        if data != 0:
            same = True
            for index in range(length):
                same = same and table[at + index] ^ data == words[first + index]
            if same:
                return data
        at += length + EXTRA_WORDS
    return types.uint64(0)


@native
def write_down(table: Any, identity: Any, start: Any, data: Any, work: Any) -> None:
    """Remember the data word of a position, which took so much work."""
    length = len(identity)
    at = start
    victim = start
    least = types.int64(1) << 62
    for _ in range(BUCKET_WAYS):
        old = table[at + length]
        worth = types.int64(table[at + length + 1])
        same = old != 0
        for index in range(length):
            same = same and table[at + index] ^ old == identity[index]
        if same:
            victim = at
            break
        if old == 0:
            worth = types.int64(-1)
        if worth < least:
            least = worth
            victim = at
        at += length + EXTRA_WORDS
    for index in range(length):
        table[victim + index] = identity[index] ^ data
    table[victim + length] = data
    table[victim + length + 1] = types.uint64(work)
