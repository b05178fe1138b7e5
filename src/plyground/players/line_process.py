"""An untrusted child process that exchanges lines with this one through pipes.

Its output is read in bounded pieces: a line has at most LONGEST_LINE bytes, and of standard error
the first and the last part are kept.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence

from plyground.players.usage import Usage

LONGEST_LINE = 1 << 16
KEPT_OF_STDERR = 1 << 14
"""Bytes of standard error that are kept from its beginning, and as many from its end."""
PIECE = 1 << 16
LARGEST_PIPE = 1 << 20
"""Bytes that a pipe can hold."""
LONGEST_SELECT = 3600.0
"""Seconds. A selector cannot wait without a limit."""


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
    ) -> None:
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            pass_fds=tuple(pass_descriptors),
            start_new_session=True,  # one signal reaches all its children
            bufsize=0,
        )
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._streams = tuple(stream for stream in streams if stream is not None)
        self._input, self._output, self._error = (stream.fileno() for stream in self._streams)
        self._received = bytearray()
        self._unsent = memoryview(b"")
        self._first_errors, self._last_errors = bytearray(), bytearray()
        self._dropped = 0
        self.exceeded = ""
        """The limit that the process has exceeded, as a sentence, if it was ended for that."""
        self._selector = selectors.DefaultSelector()
        for descriptor in (self._output, self._error):
            os.set_blocking(descriptor, False)
            self._selector.register(descriptor, selectors.EVENT_READ)
        os.set_blocking(self._input, False)

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
        self._unsent = memoryview(line + b"\n")
        return self.read_line(until)

    def read_line(self, until: float) -> bytes:
        """The next line. Meanwhile the rest of a question is sent."""
        if self._unsent:
            self._selector.register(self._input, selectors.EVENT_WRITE)
        try:
            while True:
                end = self._received.find(b"\n")
                if end >= 0:
                    answer = bytes(self._received[:end])
                    del self._received[: end + 1]
                    return answer
                if len(self._received) > LONGEST_LINE:
                    raise LineTooLong
                left = until - time.perf_counter()
                if left <= 0:
                    raise NoLine
                if self._read(left) and self._unsent:
                    self._write()
        finally:
            with contextlib.suppress(KeyError, ValueError):
                self._selector.unregister(self._input)

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._input, self._unsent) :]
        except BlockingIOError:
            return
        except OSError:
            raise ProcessClosed from None
        if not self._unsent:
            self._selector.unregister(self._input)

    def _read(self, seconds: float) -> bool:
        """Read what is available, waiting so long at most. Returns whether input can be sent."""
        takes_input = False
        for key, _ in self._selector.select(min(seconds, LONGEST_SELECT)):
            if key.fd == self._input:
                takes_input = True
                continue
            try:
                piece = os.read(key.fd, PIECE)
            except BlockingIOError:
                continue
            except OSError:
                piece = b""
            if key.fd == self._error:
                self._keep_errors(piece)
            elif len(self._received) <= LONGEST_LINE:  # the rest of a longer line is dropped
                self._received += piece
            if not piece:
                self._selector.unregister(key.fd)
                if key.fd == self._output:
                    raise ProcessClosed
        return takes_input

    def _keep_errors(self, piece: bytes) -> None:
        missing = KEPT_OF_STDERR - len(self._first_errors)
        self._first_errors += piece[:missing]
        self._last_errors += piece[missing:]
        surplus = len(self._last_errors) - KEPT_OF_STDERR
        if surplus > 0:
            del self._last_errors[:surplus]
            self._dropped += surplus

    def send(self, line: bytes) -> None:
        """Send a line if that is possible at once; no answer is expected."""
        with contextlib.suppress(OSError):
            os.write(self._input, line + b"\n")

    def wait(self, seconds: float) -> int | None:
        """The exit status; None if the process does not end in this time. Output is read on."""
        until = time.perf_counter() + seconds
        while self._process.poll() is None and time.perf_counter() < until:
            with contextlib.suppress(ProcessClosed):
                self._read(0.005)
        for _ in range(64):  # the rest in the pipes
            with contextlib.suppress(ProcessClosed):
                self._read(0)
        return self._process.poll()

    def close(self) -> None:
        """End the process and all its descendants."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._selector.close()
        for stream in self._streams:
            stream.close()
