"""A table that grows with what is put into it, up to its limit.

Memory that is touched for the first time has to be found and cleared by the system, page by page,
which takes longer than a small solve. So a table begins small, and is copied into one four times as
large when about as many positions were looked at as it holds. One in a file has its full size from
the start: the file is what is left when the process is gone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import types

from plyground.core.bits import mix
from plyground.search.binding.compile import Bound
from plyground.search.solving.checkpoint import Words, new_memory
from plyground.search.solving.proof_number.node_table import BUCKET_WAYS, EXTRA_WORDS, bucket_at

FIRST_BYTES = 16 << 20
FACTOR = 4
NO_LIMIT = 1 << 62
SLICE = 1 << 22
"""Words that are copied at a time: around a tenth of a second."""


class GrowingTable:
    """The words of a table, and when they should become more."""

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
        """For identities of `width` words, in no more than so many bytes; or of exactly so many
        buckets."""
        self._bound = bound
        self._width = width
        self._bucket = (width + EXTRA_WORDS) * BUCKET_WAYS
        self._most = buckets or max(1, most_bytes // 8 // self._bucket)
        first = max(1, FIRST_BYTES // 8 // self._bucket)
        fixed = checkpoint is not None or buckets is not None
        self._buckets = self._most if fixed else min(self._most, first)
        self.words: Words = new_memory(self._buckets * self._bucket, checkpoint, label).words
        bound.prepare(transfer, self.words, self.words, width)  # no solve should pay for compiling

    @property
    def enough_for(self) -> int:
        """How many positions may be looked at before the table should grow."""
        if self._buckets == self._most:
            return NO_LIMIT
        return self._buckets * BUCKET_WAYS

    def grow(self, is_stopped: Callable[[], bool]) -> Words:
        """Make it larger, with all that is in it. If it is stopped meanwhile it stays as it is."""
        buckets = min(self._most, FACTOR * self._buckets)
        larger = new_memory(buckets * self._bucket).words
        step = SLICE // self._bucket * self._bucket
        for first in range(0, len(self.words), step):
            if is_stopped():
                return self.words
            self._bound.run(transfer, self.words[first : first + step], larger, self._width)
        self._buckets, self.words = buckets, larger
        return larger


def transfer(game: Any, old: Any, new: Any, width: Any) -> None:
    """The kernel: every entry of one table into another. Where a bucket is full, what took the
    least work is left out."""
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
