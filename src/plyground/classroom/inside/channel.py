"""The connection to the referee: JSON messages, one per line, over two private descriptors.

Before the student's code runs, standard input is empty and standard output goes to standard error,
so that neither `print` nor `input` nor a child process can write or read a message. A forked
process cannot use the connection.

Grading a class starts thousands of processes, so this folder imports few modules. The JSON coders
are bound at import: a student's file may replace the module `json`.
"""

from __future__ import annotations

import os
import sys
import time
from json import JSONDecoder, JSONEncoder

from collector import Collector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, NoReturn

    Reader = Callable[[float | None], bytes | None]
    """Reads from a pipe, for so many seconds at most (None: without a limit). Returns None if there
    was nothing in this time, and no bytes at the end of the pipe."""

CHUNK = 1 << 16
LONGEST_SAID = 80
"""Characters of an answer that is no move, as sent to the referee."""
GREATEST = 1 << 63

decode, encode = JSONDecoder().decode, JSONEncoder().encode


def whole_number(value: object) -> int | None:
    """The number that a value is, NumPy's included; None for all else, truth values too."""
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        return None
    number = value.__index__()  # type: ignore[attr-defined]
    return int(number) if -GREATEST < number < GREATEST else None


def no_move(value: object) -> dict[str, object]:
    """The answer to send where a student's code returned something that is no move."""
    if isinstance(value, (str, bytes)):
        value = value[:LONGEST_SAID]
    try:
        text = str.__str__(repr(value))
    except Exception:
        text = f"a {type(value).__name__}"
    if len(text) > LONGEST_SAID:
        text = text[: LONGEST_SAID - 3] + "..."
    return {"move": None, "said": text}


def calling_line() -> str:
    """The innermost line of the player's code that is running, `player_loop, line 12`; empty if
    there is none."""
    here = os.path.dirname(os.path.abspath(__file__)) + os.sep
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(here):
        frame = frame.f_back
    return "" if frame is None else f"{frame.f_code.co_name}, line {frame.f_lineno}"


if sys.platform == "win32":
    # A thread reads: the system does not tell whether there is something to read.

    def reader(descriptor: int) -> Reader:
        from _thread import start_new_thread
        from queue import Empty, SimpleQueue

        chunks: SimpleQueue[bytes] = SimpleQueue()

        def fill() -> None:
            chunk = b"unknown"
            while chunk:
                chunk = os.read(descriptor, CHUNK)
                chunks.put(chunk)

        def read(seconds: float | None) -> bytes | None:
            try:
                return chunks.get(timeout=seconds)
            except Empty:
                return None

        start_new_thread(fill, ())
        return read

else:
    from select import select

    def reader(descriptor: int) -> Reader:
        def read(seconds: float | None) -> bytes | None:
            if seconds is not None and not select([descriptor], [], [], seconds)[0]:
                return None
            return os.read(descriptor, CHUNK)

        return read


class Channel:
    """Messages from the referee, and one answer to each.

    Between two turns the referee may send `{"type": "collect"}`. The channel then collects garbage
    and answers `{"type": "collected", "microseconds": ...}`; the player is not involved.
    """

    def __init__(self) -> None:
        self.incoming, self.outgoing = os.dup(0), os.dup(1)
        self._process = os.getpid()
        self._pipes = [_identity(self.incoming), _identity(self.outgoing)]
        self._read_chunk = reader(self.incoming)
        self._unread = b""
        self._next: dict[str, Any] | None = None
        self._turn_began: float | None = None
        self._collector = Collector()
        self.search_seconds: float | None = None
        """Seconds from the beginning of the turn until the player's search returned, if known."""
        self.where = ""
        """Where in the player's file an answer came from that is no move, if known."""
        self.over = False
        """Whether the game is over: from then on the process ends with status 0."""
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        try:
            os.dup2(2, 1)
        except OSError:  # there is no standard error
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
        os.close(nothing)
        if sys.platform != "win32":
            os.register_at_fork(after_in_child=self._close_in_child)

    def poll(self, timeout: float | None) -> bool:
        """Whether a message arrives within so many seconds; None waits without a limit."""
        if self.over:
            end(0)
        if self._next is None:
            self._next = self._read(timeout)
        return self._next is not None

    def receive(self) -> dict[str, Any]:
        """The next message. A call after the last one ends the process."""
        self.poll(None)
        message, self._next = self._next, None
        assert message is not None
        self.over = message["type"] == "over"
        self._turn_began, self.search_seconds, self.where = time.perf_counter(), None, ""
        self._collector.turn_begins()
        return message

    def _read(self, timeout: float | None) -> dict[str, Any] | None:
        """The next message for the player; None if none arrives in time."""
        self._check()
        until = None if timeout is None else time.perf_counter() + timeout
        while True:
            while b"\n" not in self._unread:
                left = None if until is None else max(0.0, until - time.perf_counter())
                chunk = self._read_chunk(left)
                if chunk is None:
                    return None
                if not chunk:  # the referee is gone
                    self._unread = b'{"type": "over"}\n'
                    break
                self._unread += chunk
            line, _, self._unread = self._unread.partition(b"\n")
            message: dict[str, Any] = decode(line.decode())
            if message["type"] != "collect":
                return message
            self._write({"type": "collected", "microseconds": self._collector.collect()})

    def search_ended(self) -> None:
        if self._turn_began is not None:
            self.search_seconds = time.perf_counter() - self._turn_began

    def send(self, kind: str, answer: dict[str, object]) -> None:
        """Answer a message. A move carries its measurements: when the search returned, how long the
        garbage collector ran, whether there is garbage to collect, where a wrong answer came from.
        """
        self._check()
        known: dict[str, object] = {"type": kind, **answer}
        if kind == "move":
            if self.search_seconds is not None:
                known["search"] = int(self.search_seconds * 1e6)
            if self._collector.seconds > 0:
                known["collector"] = int(self._collector.seconds * 1e6)
            if "said" in answer and (where := self.where or calling_line()):
                known["where"] = where
        if kind in ("move", "ready") and self._collector.turn_ends():
            known["garbage"] = 1
        self._write(known)

    def _write(self, message: dict[str, object]) -> None:
        line = encode(message).encode() + b"\n"
        while line:
            line = line[os.write(self.outgoing, line) :]
        _flush()  # before the referee can end this process

    def _check(self) -> None:
        """End the process if it is a forked one, or if the player has closed the pipes.

        A closed descriptor may have been reused for another file.
        """
        if os.getpid() != self._process:
            end(1)
        try:
            intact = self._pipes == [_identity(self.incoming), _identity(self.outgoing)]
        except OSError:
            intact = False
        if not intact:
            write_error("the player closed the pipes to the referee")
            end(1)

    def _close_in_child(self) -> None:
        """Close the pipes in a forked process, so that the referee notices the end of this one."""
        for descriptor, pipe in zip((self.incoming, self.outgoing), self._pipes, strict=True):
            try:
                if _identity(descriptor) == pipe:
                    os.close(descriptor)
            except OSError:
                pass  # closed already


def _identity(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def write_error(text: str) -> None:
    """Write a line to standard error, even if sys.stderr is closed or replaced."""
    _flush()
    try:  # noqa: SIM105
        os.write(2, f"{text}\n".encode("utf-8", "backslashreplace"))
    except OSError:
        pass


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105
            stream.flush()
        except BaseException:
            pass  # closed, or replaced by something else


def end(status: int) -> NoReturn:
    """End this process at once, without running threads, handlers or destructors."""
    try:
        _flush()
    finally:
        os._exit(status)
