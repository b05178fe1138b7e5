"""The line to the referee, which only this end of it knows.

Two descriptors of our own lead to the referee's pipes. Standard input is empty and standard output
goes to standard error before a student's code runs, so that neither `print` nor `input` nor a
program that it starts can get between two messages. What it forks has no part in the game.

Next to nothing is imported that Python has not loaded anyway: a class of students is thousands of
starts.
"""

from __future__ import annotations

import os
import select
import sys
import time

from collector import Collector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, NoReturn

CHUNK = 1 << 16
LONGEST_SAID = 80
"""Of an answer that is no move, the referee is told so many characters."""
GREATEST = 1 << 63

WORDS: dict[str, object] = {"__builtins__": {}, "null": None, "true": True, "false": False}


def read_json(line: bytes) -> Any:
    """A line of the referee's, read as the Python expression that JSON is once it has three words.

    The module json takes as long to import as Python takes to start. Nobody but the referee writes
    these lines, and they hold nothing but ASCII (`json.dumps` and its defaults).
    """
    return eval(line, WORDS)


def write_json(value: Any) -> str:
    """JSON for the few things that an answer is made of."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return '"' + "".join(map(_escaped, value)) + '"'
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, dict):
        pairs = (f"{write_json(name)}: {write_json(value[name])}" for name in value)
        return "{" + ", ".join(pairs) + "}"
    return "[" + ", ".join(map(write_json, value)) + "]"


def _escaped(mark: str) -> str:
    if " " <= mark <= "~" and mark not in '"\\':
        return mark
    return f"\\u{ord(mark):04x}" if mark <= "\uffff" else "?"


def whole_number(value: object) -> int | None:
    """The number that a value is, NumPy's included; None for all else, truth values too."""
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        return None
    number = value.__index__()  # type: ignore[attr-defined]
    return int(number) if -GREATEST < number < GREATEST else None


def said(value: object) -> dict[str, object]:
    """What the referee is told where a student's code answered with something that is no move."""
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
    """The innermost line of the player's own that is being run, `player_loop, line 12`; empty if
    there is none."""
    here = os.path.dirname(os.path.abspath(__file__)) + os.sep
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(here):
        frame = frame.f_back
    return "" if frame is None else f"{frame.f_code.co_name}, line {frame.f_lineno}"


class Channel:
    """Messages from the referee, and one answer to each.

    Between two turns the referee may send `{"type": "collect"}`: that is done here and answered
    with `{"type": "collected", "microseconds": ...}`, and the player hears nothing of it.
    """

    def __init__(self) -> None:
        self.incoming, self.outgoing = os.dup(0), os.dup(1)
        self._process = os.getpid()
        self._pipes = [_identity(self.incoming), _identity(self.outgoing)]
        self._unread = b""
        self._next: dict[str, Any] | None = None
        self._turn_began: float | None = None
        self._collector = Collector()
        self.search_seconds: float | None = None
        """How long after the turn began the player's search came back, where it is known."""
        self.where = ""
        """Where in the player's file an answer came from that is no move, where it is known."""
        self.parse: Callable[[bytes], Any] = read_json
        self.over = False
        """Whether the game is: from then on the process may end, and its status is 0."""
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        try:
            os.dup2(2, 1)
        except OSError:  # there is no standard error
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
        os.close(nothing)
        os.register_at_fork(after_in_child=self._forget)

    def poll(self, timeout: float | None) -> bool:
        """Whether there is a message, within so many seconds; None: as long as it takes."""
        if self.over:
            end(0)
        if self._next is None:
            self._next = self._read(timeout)
        return self._next is not None

    def receive(self) -> dict[str, Any]:
        """The next message. At the end of the game it says so, and whoever asks again is ended."""
        self.poll(None)
        message, self._next = self._next, None
        assert message is not None
        self.over = message["type"] == "over"
        self._turn_began, self.search_seconds, self.where = time.perf_counter(), None, ""
        self._collector.turn_begins()
        return message

    def _read(self, timeout: float | None) -> dict[str, Any] | None:
        """The next message that is for the player; None if there is none in time."""
        self._check()
        until = None if timeout is None else time.perf_counter() + timeout
        while True:
            while b"\n" not in self._unread:
                left = None if until is None else max(0.0, until - time.perf_counter())
                if left is not None and not select.select([self.incoming], [], [], left)[0]:
                    return None
                chunk = os.read(self.incoming, CHUNK)
                if not chunk:  # the referee is gone
                    self._unread = b'{"type": "over"}\n'
                    break
                self._unread += chunk
            line, _, self._unread = self._unread.partition(b"\n")
            message: dict[str, Any] = self.parse(line)
            if message["type"] != "collect":
                return message
            self._write({"type": "collected", "microseconds": self._collector.collect()})

    def search_ended(self) -> None:
        if self._turn_began is not None:
            self.search_seconds = time.perf_counter() - self._turn_began

    def send(self, kind: str, answer: dict[str, object]) -> None:
        """Answer a message. What is known of a move goes with it: when the search came back, how
        long the garbage collector took, whether there is garbage to collect, where a wrong answer
        came from."""
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
        line = write_json(message).encode() + b"\n"
        while line:
            line = line[os.write(self.outgoing, line) :]
        _flush()  # what was printed is on its way before anyone can end this process

    def _check(self) -> None:
        """Stop where there is no line any more: in another process, or with our pipes closed.

        A descriptor that was closed may since have become another file's.
        """
        if os.getpid() != self._process:
            end(1)
        try:
            intact = self._pipes == [_identity(self.incoming), _identity(self.outgoing)]
        except OSError:
            intact = False
        if not intact:
            complain("the player closed the pipes to the referee")
            end(1)

    def _forget(self) -> None:
        """In a process that was forked: let go of the pipes, so that the referee sees our end."""
        for descriptor, pipe in zip((self.incoming, self.outgoing), self._pipes, strict=True):
            try:
                if _identity(descriptor) == pipe:
                    os.close(descriptor)
            except OSError:
                pass  # closed already


def _identity(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def complain(text: str) -> None:
    """A line on standard error, whatever has become of sys.stderr."""
    _flush()
    try:  # noqa: SIM105  contextlib is not loaded
        os.write(2, f"{text}\n".encode("utf-8", "backslashreplace"))
    except OSError:
        pass


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105  contextlib is not loaded
            stream.flush()
        except BaseException:
            pass  # closed, or replaced by something else


def end(status: int) -> NoReturn:
    """End this process at once: no thread, handler or destructor of a student's can prevent it."""
    try:
        _flush()
    finally:
        os._exit(status)
