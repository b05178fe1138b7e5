"""What the jobs of a solve have found, in a file, so that a solve that was ended goes on from it.

The file has a line that names the solve, and one for each job, which is written when its result
arrives. Results that are added in the same order make the same tree. Every line has a checksum of
itself and all lines before it. A last line that is not complete is removed.
"""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from plyground.core.errors import FileError
from plyground.core.file_lock import lock_soon
from plyground.search.solving.proof_number.jobs import ChildResult, JobResult
from plyground.search.solving.solution import Worth

MAGIC = b"plyground jobs 1 "
LONGEST_HEADER = 1 << 16
"""Bytes. The first line of another file may have no end."""

Key = tuple[int, ...]
"""Names the leaf of a job in the tree."""


class JobLog:
    """The results of the jobs of one solve, in the order in which they arrived. Without a file it
    keeps nothing. Only one process has a file at a time."""

    def __init__(self, path: Path | None, label: str) -> None:
        """The label names everything that the meaning of the results depends on. Raises FileError
        if the file belongs to another solve."""
        self._file: BinaryIO | None = None
        self._checksum = 0
        """Of all lines so far."""
        self._length = 0
        """Bytes of whole lines."""
        if path is None:
            return
        self._path = path
        try:
            # Without a buffer: it would keep a line that could not be written, and write it later.
            self._file = open(path, "ab", buffering=0)  # noqa: SIM115
            if not lock_soon(self._file):
                raise FileError(f"{path}: another solve is writing here; choose another file")
            self._begin(MAGIC + label.encode() + b"\n")
        except OSError as error:
            self.close()
            raise FileError(f"{path}: {error.strerror}") from None
        except BaseException:
            self.close()
            raise

    def _begin(self, header: bytes) -> None:
        """Check the first line, or write it."""
        assert self._file is not None
        with self._path.open("rb") as file:
            found = file.readline(LONGEST_HEADER)
        if found == header:
            self._count(header)
        elif header.startswith(found):  # empty, or its writer was killed
            self._file.truncate(0)
            self._write(header)
        elif found.startswith(MAGIC):
            label = found.removeprefix(MAGIC).decode(errors="replace").strip()
            raise FileError(
                f"{self._path} is the checkpoint of another solve, or of another version: {label}"
            )
        else:
            raise FileError(
                f"{self._path} is not a checkpoint of many workers; it was left as it is"
            )

    def results(self) -> Iterator[tuple[Key, JobResult]]:
        """What the file has, before anything is added. Raises FileError if it is damaged."""
        if self._file is None:
            return
        with self._path.open("rb") as file:
            file.seek(self._length)
            for number, line in enumerate(file, 2):
                if not line.endswith(b"\n"):
                    break
                checksum, _, text = line.partition(b" ")
                if checksum != b"%08x" % zlib.crc32(text, self._checksum):
                    raise FileError(
                        f"{self._path}, line {number} is damaged; remove it and all after it"
                    )
                self._count(text, len(line))
                yield _decode(json.loads(text))
        self._file.truncate(self._length)

    def add(self, key: Key, result: JobResult) -> None:
        """Write a result. If that fails, the file stays as it was."""
        if self._file is not None:
            self._write(json.dumps(_encode(key, result)).encode() + b"\n", with_checksum=True)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _write(self, text: bytes, *, with_checksum: bool = False) -> None:
        assert self._file is not None
        line = b"%08x %b" % (zlib.crc32(text, self._checksum), text) if with_checksum else text
        try:
            left = memoryview(line)
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(self._length)
            raise FileError(f"{self._path}: {error.strerror}") from None
        self._count(text, len(line))

    def _count(self, text: bytes, length: int | None = None) -> None:
        """A line has been read or written."""
        self._checksum = zlib.crc32(text, self._checksum)
        self._length += len(text) if length is None else length


def _encode(key: Key, result: JobResult) -> list[Any]:
    children = [
        [one.move, one.proof, one.disproof, _encode_worth(one.worth), one.line]
        for one in result.children
    ]
    return [key, result.nodes, _encode_worth(result.worth), result.line, children]


def _decode(values: list[Any]) -> tuple[Key, JobResult]:
    key, nodes, worth, line, children = values
    results = (
        ChildResult(move, proof, disproof, _decode_worth(worth_there), tuple(line_there))
        for move, proof, disproof, worth_there, line_there in children
    )
    return tuple(key), JobResult(nodes, _decode_worth(worth), tuple(line), tuple(results))


def _encode_worth(worth: Worth | None) -> list[Any] | None:
    return None if worth is None else [worth.utility, worth.plies, worth.exactly]


def _decode_worth(values: list[Any] | None) -> Worth | None:
    return None if values is None else Worth(values[0], values[1], exactly=values[2])
