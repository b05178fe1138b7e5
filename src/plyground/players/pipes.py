"""The pipes to a child process. Every read and write has a time limit, whatever the process does.

`SelectedPipes` lets the system tell which pipes are ready. Windows cannot tell: `ThreadedPipes` has
a thread for each pipe, and works everywhere.
"""

from __future__ import annotations

import contextlib
import os
import queue
import selectors
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, Protocol

PIECE = 1 << 16
"""Bytes that are read at a time."""
MOST_PIECES = 16
"""Pieces that are kept until they are asked for."""
LONGEST_WAIT = 3600.0
"""Seconds. Neither a selector nor a queue can wait without a limit."""
CLOSING_SECONDS = 1.0
"""The time in which a thread notices that its pipe was closed at the other end."""

Process = subprocess.Popen[bytes]
Piece = tuple[IO[bytes], bytes]
"""What was read from one of the pipes. No bytes: the pipe is closed at the other end."""


class Pipes(Protocol):
    """The standard input, output and error of a process, which was started without buffers."""

    def read(self, seconds: float) -> list[Piece]:
        """What the process has written, as soon as there is something; nothing after this time."""

    def write(self, data: bytes) -> None:
        """Write as much as the process takes now, and the rest during `read`."""

    def close(self) -> None:
        """Close the pipes to a process that has ended."""


def _streams(process: Process) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


class ThreadedPipes:
    """A thread waits for each pipe, and a queue has what they have read."""

    def __init__(self, process: Process) -> None:
        self._input, *outputs = _streams(process)
        self._pieces: queue.Queue[Piece] = queue.Queue(MOST_PIECES)
        self._unsent: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._is_closing = False
        self._threads = {
            stream: threading.Thread(target=self._read_on, args=[stream], daemon=True)
            for stream in outputs
        }
        self._threads[self._input] = threading.Thread(target=self._write_on, daemon=True)
        for thread in self._threads.values():
            thread.start()

    def read(self, seconds: float) -> list[Piece]:
        pieces: list[Piece] = []
        with contextlib.suppress(queue.Empty):
            pieces.append(self._pieces.get(seconds > 0, min(seconds, LONGEST_WAIT)))
            while True:
                pieces.append(self._pieces.get_nowait())
        return pieces

    def write(self, data: bytes) -> None:
        self._unsent.put(data)

    def close(self) -> None:
        self._is_closing = True
        self._unsent.put(b"")
        for stream, thread in self._threads.items():
            self.read(0)  # a thread may be waiting for room in the queue
            thread.join(CLOSING_SECONDS)
            if not thread.is_alive():  # else closing would wait for the thread
                stream.close()

    def _read_on(self, stream: IO[bytes]) -> None:
        piece = b"unknown"
        while piece and not self._is_closing:
            try:
                piece = stream.read(PIECE)
            except OSError:
                piece = b""
            self._pieces.put((stream, piece))

    def _write_on(self) -> None:
        while not self._is_closing:
            unsent = memoryview(self._unsent.get())
            try:
                while unsent:
                    unsent = unsent[self._input.write(unsent) :]
            except OSError:
                self._pieces.put((self._input, b""))
                return


if sys.platform == "win32":
    open_pipes: Callable[[Process], Pipes] = ThreadedPipes

else:

    class SelectedPipes:
        """The thread that reads waits for all pipes at once."""

        def __init__(self, process: Process) -> None:
            self._streams = _streams(process)
            self._input, *outputs = self._streams
            self._unsent = memoryview(b"")
            self._is_input_closed = False
            self._selector = selectors.DefaultSelector()
            for stream in self._streams:
                os.set_blocking(stream.fileno(), False)
            for stream in outputs:
                self._selector.register(stream, selectors.EVENT_READ, stream)

        def read(self, seconds: float) -> list[Piece]:
            pieces: list[Piece] = []
            if self._is_input_closed:  # reported once for each attempt to write
                pieces.append((self._input, b""))
                self._is_input_closed = False
                seconds = 0
            takes_input = False
            for key, _ in self._selector.select(min(seconds, LONGEST_WAIT)):
                if key.data is self._input:
                    takes_input = True
                    continue
                try:
                    piece = os.read(key.fd, PIECE)
                except BlockingIOError:
                    continue
                except OSError:
                    piece = b""
                pieces.append((key.data, piece))
                if not piece:
                    self._selector.unregister(key.data)
            if takes_input:
                self._write_on()
                if not self._unsent:
                    self._selector.unregister(self._input)
            return pieces

        def write(self, data: bytes) -> None:
            if self._unsent:
                self._unsent = memoryview(bytes(self._unsent) + data)
            else:
                self._unsent = memoryview(data)
                self._write_on()
                if self._unsent:
                    self._selector.register(self._input, selectors.EVENT_WRITE, self._input)

        def close(self) -> None:
            self._selector.close()
            for stream in self._streams:
                stream.close()

        def _write_on(self) -> None:
            try:
                self._unsent = self._unsent[os.write(self._input.fileno(), self._unsent) :]
            except BlockingIOError:
                pass
            except OSError:
                self._unsent = memoryview(b"")
                self._is_input_closed = True

    open_pipes: Callable[[Process], Pipes] = SelectedPipes
