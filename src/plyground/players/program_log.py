"""The log of a program that plays: what it is told, what it answers, what it writes to its standard
error. Each line has the time and a sign:

    12:30:05.123 = a sentence of plyground, such as how the program was started
    12:30:05.130 > a line that the program was sent
    12:30:05.131 < a line that it wrote to its standard output
    12:30:05.131 ! a line that it wrote to its standard error
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from itertools import count
from pathlib import Path
from typing import BinaryIO

from plyground.core.errors import FileError

LARGEST_LOG = 8 << 20
"""Bytes of a file. Then it gets the ending OLD, in place of an older one, and the next begins."""
OLD = ".old"
LONGEST_LINE = 1 << 16
"""Bytes of standard error without a newline that are kept back as one line."""
LONGEST_NAME = 60
"""Letters of a player's name in that of a file."""
NOTE, SENT, RECEIVED, ERROR = "=><!"


class ProgramLog:
    """A file in a folder, for one player in one process: several workers do not share one.

    It is written at once, so that nothing is lost with a process that is killed. That a disk is
    full does not disturb a game.
    """

    def __init__(self, folder: Path, name: str, *, largest: int = LARGEST_LOG) -> None:
        """Raises FileError if no file can be made there."""
        self._largest = largest
        self._errors = b""
        """The beginning of a line."""
        self._file: BinaryIO | None = None
        """Open while the program runs."""
        self._size = 0
        safe = re.sub(r"[^\w.=-]+", "_", name).strip("._")[:LONGEST_NAME] or "program"
        for number in count(1):
            copy = "" if number == 1 else f"-{number}"
            self.path = folder / f"{safe}-{os.getpid()}{copy}.log"
            try:
                self.path.touch(exist_ok=False)
            except FileExistsError:  # of another player, or of a process that had this number
                continue
            except OSError as error:
                raise FileError(f"cannot write {self.path}: {error.strerror}") from None
            break

    def write(self, sign: str, text: str) -> None:
        now = time.time()
        clock = time.strftime("%H:%M:%S", time.localtime(now))
        line = f"{clock}.{int(now % 1 * 1000):03} {sign} {text}\n".encode(errors="replace")
        with contextlib.suppress(OSError):
            if self._size + len(line) > self._largest:
                self.close()
                os.replace(self.path, self.path.with_name(self.path.name + OLD))
                self._size = 0
            if self._file is None:
                self._file = self.path.open("ab", buffering=0)
            self._file.write(line)
            self._size += len(line)

    def write_errors(self, piece: bytes) -> None:
        """What the program has written to its standard error; nothing, if that was closed."""
        *lines, self._errors = (self._errors + piece).split(b"\n")
        if self._errors and (not piece or len(self._errors) > LONGEST_LINE):
            lines.append(self._errors)
            self._errors = b""
        for line in lines:
            self.write(ERROR, line.decode(errors="replace").rstrip("\r"))

    def close(self) -> None:
        """Close the file until the program is started anew."""
        if self._file is not None:
            self._file.close()
            self._file = None
