"""The memory of a solver, in a file if wanted, so that a killed solve can be resumed.

The file is mapped into memory: nothing has to be saved from time to time, and everything that was
written when the process ended is in it. A header identifies the solve. A file of another game,
board or version is refused and not changed.
"""

from __future__ import annotations

import hashlib
import mmap
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plyground.core.errors import FileError
from plyground.core.files import allocate
from plyground.core.game import Position
from plyground.search.binding.sources import digest_of
from plyground.search.kernel_memory import Numbers, Words
from plyground.search.large_pages import zero_words

MAGIC = b"plyground solver 1\n"
HEADER_BYTES = 4096
NUMBERS = 64
"""How many counters of a solver the header holds."""
LABEL_AT = 1024
LABEL_BYTES = 2048


@dataclass
class MappedMemory:
    """Words for a solver, and the counters that say how far it is."""

    words: Words
    numbers: Numbers


def new_memory(count: int, path: Path | None = None, label: str = "") -> MappedMemory:
    """So many words, all 0, or as an earlier run left them in the file.

    The label names everything that the meaning of the words depends on.
    """
    if path is None:
        return MappedMemory(zero_words(count), np.zeros(NUMBERS, np.int64))
    mapped = _map_file(path, HEADER_BYTES + 8 * count, _header(label))
    numbers = np.frombuffer(mapped, np.int64, NUMBERS, offset=HEADER_BYTES - 8 * NUMBERS)
    words = np.frombuffer(mapped, np.uint64, count, offset=HEADER_BYTES)
    return MappedMemory(words, numbers)


def label_of(method: str, position: Position) -> str:
    """The label of a transposition table: method, rules, board. All positions of a board share
    it."""
    game, board = position.game, hashlib.sha256()
    for value in position.board:
        board.update(repr(value.tolist() if hasattr(value, "tolist") else value).encode())
    return f"{game.name}, {method}, rules {digest_of(game.rules)}, board {board.hexdigest()[:16]}"


def _header(label: str) -> bytes:
    digest = hashlib.sha256(label.encode()).hexdigest().encode()
    text = label.encode()[:LABEL_BYTES]
    return (MAGIC + digest).ljust(LABEL_AT, b"\0") + text.ljust(LABEL_BYTES, b"\0")


def _map_file(path: Path, size: int, header: bytes) -> mmap.mmap:
    try:
        path.touch()
        with path.open("r+b") as file:
            found = os.fstat(file.fileno()).st_size
            if found:
                _check(path, file.read(len(header)), header, found, size)
            else:
                allocate(file, size)
                file.write(header)
                file.flush()
            return mmap.mmap(file.fileno(), size)
    except (OSError, ValueError) as error:
        raise FileError(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def _check(path: Path, found: bytes, header: bytes, found_size: int, size: int) -> None:
    if not found.startswith(MAGIC):
        raise FileError(f"{path} is not a checkpoint; it was left as it is")
    if found[:LABEL_AT] != header[:LABEL_AT]:
        label = found[LABEL_AT:].rstrip(b"\0").decode(errors="replace")
        raise FileError(
            f"{path} is the checkpoint of another solve, or of another version: {label}"
        )
    if found_size != size:
        raise FileError(
            f"{path} was begun with another amount of memory, which cannot be changed:"
            " go on with the same --memory as then, or begin another file"
        )
