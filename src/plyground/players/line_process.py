"""Another process to talk to, a line at a time, that is trusted with nothing.

What it writes is read in bounded pieces: an answer is at most a line of LONGEST_LINE bytes, of its
standard error the first and last parts are kept, and the rest is thrown away as it comes.
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
KEPT_OF_ERRORS = 1 << 14
"""Bytes of standard error that are kept from its beginning, and as many from its end."""
PIECE = 1 << 16
LARGEST_PIPE = 1 << 20
"""Bytes that a process can have written before anyone reads them."""
LONGEST_WAIT = 3600.0
"""Seconds. The system cannot wait for ever at a time; whoever has no limit waits again."""


class ChannelClosed(Exception):
    """The process has ended or closed its side."""


class LineTooLong(Exception):
    """The process writes and writes, and never ends a line."""


class Silence(Exception):
    """The time is up, and no whole line has come."""


class Channel:
    """A process with pipes to its standard input, output and error."""

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
            start_new_session=True,  # so that a signal reaches all that it has started
            bufsize=0,
        )
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._streams = tuple(stream for stream in streams if stream is not None)
        self._input, self._output, self._errors = (stream.fileno() for stream in self._streams)
        self._received = bytearray()
        self._unsent = memoryview(b"")
        self._first_errors, self._last_errors = bytearray(), bytearray()
        self._thrown_away = 0
        self.overstepped = ""
        """What it has taken too much of."""
        self._selector = selectors.DefaultSelector()
        for descriptor in (self._output, self._errors):
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
    def complaints(self) -> str:
        """What the process wrote to its standard error, its middle left out if it was long."""
        first, last = bytes(self._first_errors), bytes(self._last_errors)
        left_out = f"\n... {self._thrown_away} bytes left out ...\n" if self._thrown_away else ""
        return first.decode(errors="replace") + left_out + last.decode(errors="replace")

    def usage(self) -> Usage:
        """What the process and all that it has started have waited and computed so far."""
        return Usage.read(self.pid)

    def has_begun(self) -> bool:
        """Whether what came to an end here was the program, and not the way of starting it."""
        return True

    def ask(self, line: bytes, until: float) -> bytes:
        """Send a line, and return the next one; `until` is on `time.perf_counter`.

        A line that came before it was asked for is the answer to nothing, and is thrown away.
        """
        for _ in range(LARGEST_PIPE // PIECE + 1):
            self._hear(0)
            if not self._received:
                break
            self._received.clear()
        self._unsent = memoryview(line + b"\n")
        return self.listen(until)

    def listen(self, until: float) -> bytes:
        """The next line, while the rest of a question may still be on its way."""
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
                    raise Silence
                if self._hear(left) and self._unsent:
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
            raise ChannelClosed from None
        if not self._unsent:
            self._selector.unregister(self._input)

    def _hear(self, seconds: float) -> bool:
        """Read whatever has come; whether the process takes more input."""
        takes_input = False
        for key, _ in self._selector.select(min(seconds, LONGEST_WAIT)):
            if key.fd == self._input:
                takes_input = True
                continue
            try:
                piece = os.read(key.fd, PIECE)
            except BlockingIOError:
                continue
            except OSError:
                piece = b""
            if key.fd == self._errors:
                self._keep_errors(piece)
            elif len(self._received) <= LONGEST_LINE:  # more than that is never looked at
                self._received += piece
            if not piece:
                self._selector.unregister(key.fd)
                if key.fd == self._output:
                    raise ChannelClosed
        return takes_input

    def _keep_errors(self, piece: bytes) -> None:
        room = KEPT_OF_ERRORS - len(self._first_errors)
        self._first_errors += piece[:room]
        self._last_errors += piece[room:]
        surplus = len(self._last_errors) - KEPT_OF_ERRORS
        if surplus > 0:
            del self._last_errors[:surplus]
            self._thrown_away += surplus

    def tell(self, line: bytes) -> None:
        """Send a line if that is possible at once; an answer is not expected."""
        with contextlib.suppress(OSError):
            os.write(self._input, line + b"\n")

    def wait(self, seconds: float) -> int | None:
        """The exit status, given this much time to end by itself; its last complaints are heard."""
        until = time.perf_counter() + seconds
        while self._process.poll() is None and time.perf_counter() < until:
            with contextlib.suppress(ChannelClosed):
                self._hear(0.005)
        for _ in range(64):  # what is still in the pipe
            with contextlib.suppress(ChannelClosed):
                self._hear(0)
        return self._process.poll()

    def close(self) -> None:
        """End the process and all that belongs to it."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._selector.close()
        for stream in self._streams:
            stream.close()
