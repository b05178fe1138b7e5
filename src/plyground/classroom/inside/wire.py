"""The line to the referee, which only this end of it knows.

Two descriptors of our own lead to the referee's pipes. Standard input is empty and standard output
goes to standard error before a student's code runs, so that neither `print` nor `input` nor a
program that it starts can get between two messages. What it forks has no part in the game.

Nothing is imported that Python has not loaded anyway: a class of students is thousands of starts.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
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


class Channel:
    """Messages from the referee, and one answer to each."""

    def __init__(self) -> None:
        self.incoming, self.outgoing = os.dup(0), os.dup(1)
        self._process = os.getpid()
        self._pipes = [_identity(self.incoming), _identity(self.outgoing)]
        self._unread = b""
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

    def receive(self) -> dict[str, Any]:
        """The next message. At the end of the game it says so, and whoever asks again is ended."""
        if self.over:
            end(0)
        self._check()
        while b"\n" not in self._unread:
            chunk = os.read(self.incoming, CHUNK)
            if not chunk:  # the referee is gone
                self._unread = b'{"type": "over"}\n'
                break
            self._unread += chunk
        line, _, self._unread = self._unread.partition(b"\n")
        message: dict[str, Any] = self.parse(line)
        self.over = message["type"] == "over"
        return message

    def send(self, kind: str, answer: dict[str, object]) -> None:
        self._check()
        line = write_json({"type": kind, **answer}).encode() + b"\n"
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
