"""An untrusted child process that exchanges lines with this one through pipes.

Its output is read in bounded pieces: a line has at most LONGEST_LINE bytes, and of standard error
the first and the last part are kept.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence

from plyground.core.processes import NEW_GROUP, kill_session
from plyground.players.pipes import PIECE, Pipes, Process, open_pipes
from plyground.players.usage import Usage

LONGEST_LINE = 1 << 16
KEPT_OF_STDERR = 1 << 14
"""Bytes of standard error that are kept from its beginning, and as many from its end."""
LARGEST_PIPE = 1 << 20
"""Bytes that a pipe can hold."""
POLL_INTERVAL = 0.005
"""Seconds between two looks whether the process has ended."""
REST_SECONDS = 0.02
"""How long the rest of what an ended process has written may take to arrive."""


class ProcessClosed(Exception):
    """The process has ended, or has closed its standard output."""


class LineTooLong(Exception):
    """The process has written more than LONGEST_LINE bytes without a newline."""


class NoLine(Exception):
    """The process has not written a whole line in time."""


class LineProcess:
    """A process with pipes to its standard input, output and error, in a session of its own."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        pass_descriptors: Sequence[int] = (),
        pipes: Callable[[Process], Pipes] = open_pipes,
        on_errors: Callable[[bytes], None] | None = None,
    ) -> None:
        """`on_errors` is called with each piece of standard error, and with none when it ends."""
        self._on_errors = on_errors
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            pass_fds=tuple(pass_descriptors),
            start_new_session=True,  # one signal reaches all its children
            creationflags=NEW_GROUP,
            bufsize=0,
        )
        self._pipes = pipes(self._process)
        self._open_outputs = 2
        self._is_closed = False
        """Whether the process has closed its standard output, or its input when it was sent to."""
        self._received = bytearray()
        self._first_errors, self._last_errors = bytearray(), bytearray()
        self._dropped = 0
        self.exceeded = ""
        """The limit that the process has exceeded, as a sentence, if it was ended for that."""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status, negative for a signal; None while the process runs."""
        return self._process.poll()

    @property
    def stderr(self) -> str:
        """What the process wrote to its standard error, without the middle if it is long."""
        first, last = bytes(self._first_errors), bytes(self._last_errors)
        dropped = f"\n... {self._dropped} bytes left out ...\n" if self._dropped else ""
        return first.decode(errors="replace") + dropped + last.decode(errors="replace")

    @property
    def received(self) -> bytes:
        """What the process wrote to its standard output and `read_line` has not returned."""
        return bytes(self._received)

    def usage(self) -> Usage:
        """The resources that the process and its descendants have used so far."""
        return Usage.read(self.pid)

    def has_started(self) -> bool:
        """Whether the program itself has run, asked after its end."""
        return True

    def ask(self, line: bytes, until: float) -> bytes:
        """Send a line and return the next one; `until` is a time of `time.perf_counter`.

        Lines that were written before the question are dropped.
        """
        for _ in range(LARGEST_PIPE // PIECE + 1):
            self._read(0)
            if not self._received:
                break
            self._received.clear()
        self._pipes.write(line + b"\n")
        return self.read_line(until)

    def read_line(self, until: float) -> bytes:
        """The next line. Meanwhile the rest of a question is sent."""
        while True:
            end = self._received.find(b"\n")
            if end >= 0:
                answer = bytes(self._received[:end])
                del self._received[: end + 1]
                return answer
            if len(self._received) > LONGEST_LINE:
                raise LineTooLong
            if self._is_closed:
                raise ProcessClosed
            left = until - time.perf_counter()
            if left <= 0:
                raise NoLine
            self._read(left)

    def _read(self, seconds: float) -> bool:
        """Read what is available, waiting so long at most. Returns whether there was something."""
        pieces = self._pipes.read(seconds)
        for stream, piece in pieces:
            if not piece and stream is not self._process.stdin:
                self._open_outputs -= 1
            if stream is self._process.stderr:
                self._keep_errors(piece)
            elif not piece:
                self._is_closed = True
            elif len(self._received) <= LONGEST_LINE:  # the rest of a longer line is dropped
                self._received += piece
        return bool(pieces)

    def _keep_errors(self, piece: bytes) -> None:
        if self._on_errors is not None:
            self._on_errors(piece)
        missing = KEPT_OF_STDERR - len(self._first_errors)
        self._first_errors += piece[:missing]
        self._last_errors += piece[missing:]
        surplus = len(self._last_errors) - KEPT_OF_STDERR
        if surplus > 0:
            del self._last_errors[:surplus]
            self._dropped += surplus

    def send(self, line: bytes) -> None:
        """Send a line to which no answer is expected."""
        self._pipes.write(line + b"\n")

    def wait(self, seconds: float) -> int | None:
        """The exit status; None if the process does not end in this time. Output is read on."""
        until = time.perf_counter() + seconds
        while self._process.poll() is None and time.perf_counter() < until:
            self._read(POLL_INTERVAL)
        patience = 0.0 if self._process.poll() is None else REST_SECONDS
        for _ in range(64):  # the rest in the pipes
            if not self._open_outputs or not self._read(patience):
                break
        return self._process.poll()

    def close(self) -> None:
        """End the process and all its descendants."""
        if self._process.poll() is None:
            kill_session(self._process.pid)
        self._process.wait()
        self._pipes.close()
