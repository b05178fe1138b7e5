"""A program in another process as a player. Messages are JSON, one per line.

An `Interface` knows what the messages mean; this file knows the process, its time and its failures.
Every kind of failure is a Fault with an ending of its own.

The time of a move is the CPU time of all processes of the program, without what the host of a
virtual machine took from their cores (`players/move_timer.py`). Between two moves a program may
compute for AFTERWARDS seconds, and collect its garbage; CPU time beyond that counts as its next
move. On the wall clock a move may take longer, up to the program's patience: a busy machine makes
no move late, and sleeping gains nothing.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.core.outcome import Ending
from plyground.core.printable import printable
from plyground.core.values import LONGEST
from plyground.players.line_process import LineProcess, LineTooLong, NoLine, ProcessClosed
from plyground.players.move_timer import MoveTime, MoveTimer
from plyground.players.player import Choice, Clock, Fault

ProgramMessage = dict[str, Any]

START_SECONDS = 20.0
"""For loading a program and its imports."""
LEAST_PATIENCE = 2.0
PATIENCE = 10
"""A program is silent if it has not answered after PATIENCE times its limit, and LEAST_PATIENCE
seconds at least."""
AFTERWARDS = 0.01
"""Seconds of CPU time that a program may use between an answer and the next question."""
COLLECTION_SHARE = 0.2
"""A program reports how long its garbage collections took between moves. The report is accepted up
to this part of the time of its moves so far, so that false reports gain no thinking time."""
COLLECTION_PATIENCE = 10.0
"""Seconds that a collection may take."""
LONGEST_SENTENCE = 500
"""Characters of a program's report about its own failure."""
EXIT_PATIENCE = 0.5
"""Seconds in which a program that has closed its pipe may end, so that its status is known."""


class Interface(Protocol):
    """Writes questions to a program, and reads its answers."""

    kind: str

    def begin(self, position: Position, side: int, seconds: float | None) -> ProgramMessage:
        """The first message of a game."""

    def turn(self, position: Position, seconds: float | None) -> ProgramMessage:
        """The question for a move."""

    def read(self, answer: ProgramMessage, position: Position) -> str:
        """The move that an answer names. Raises Fault if it names none."""


class NotStarted(PlygroundError):
    """A program could not be started, which is not its own fault."""


class _ProgramAnswer(NamedTuple):
    message: ProgramMessage
    took: MoveTime
    computed: float | None


class Program:
    """One process for one game. `start` starts it; `clean` is called when it is closed."""

    def __init__(
        self,
        start: Callable[[], LineProcess],
        interface: Interface,
        *,
        name: str,
        start_seconds: float = START_SECONDS,
        clean: Callable[[], None] = lambda: None,
    ) -> None:
        self._start, self._interface, self.name = start, interface, name
        self._start_seconds, self._clean = start_seconds, clean
        self.is_ready = False
        self._computed: float | None = None
        """CPU time up to the last answer."""
        self._moves = 0
        self._is_collecting = False
        """Whether the program is collecting garbage and has not reported the end of it."""
        self._collection_seconds = 0.0
        """Seconds that reports of collections may still add up to."""
        self._process: LineProcess | None = None
        self._closed = False

    @property
    def stderr(self) -> str:
        """What the program wrote to its standard error so far."""
        return "" if self._process is None else self._process.stderr

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        self._process = self._start()
        message = self._interface.begin(position, side, clock.seconds)
        answer = self._ask(message, self._start_seconds).message
        if answer.get("type") != "ready":
            raise Fault(Ending.GARBAGE, f"{self.name} did not say that it is ready")
        self.is_ready = True
        self._start_collection(answer, clock)

    def choose(self, position: Position, clock: Clock) -> Choice:
        self._moves += 1
        self._finish_collection()
        message = self._interface.turn(position, clock.seconds)
        patience = math.inf
        if clock.limit is not None:
            patience = max(LEAST_PATIENCE, PATIENCE * clock.limit)
        answer = self._ask(message, patience)
        self._start_collection(answer.message, clock)
        try:
            move = self._interface.read(answer.message, position)
        except Fault as fault:
            raise Fault(fault.ending, f"in move {self._moves} {fault}") from None
        return Choice(
            move,
            answer.took.seconds,
            stolen=answer.took.stolen,
            computed=answer.computed,
            searched=_microseconds(answer.message.get("search")),
            collector=_microseconds(answer.message.get("collector")) or 0.0,
            depth=_depth(answer.message.get("depth")),
        )

    def _start_collection(self, answer: ProgramMessage, clock: Clock) -> None:
        """Let the program collect its garbage during the opponent's move, if it wants to."""
        assert self._process is not None
        if clock.seconds is not None:
            self._collection_seconds += COLLECTION_SHARE * clock.seconds
        if answer.get("garbage") == 1:
            self._is_collecting = True
            self._process.send(b'{"type":"collect"}')

    def _finish_collection(self) -> None:
        """Wait for the end of a collection, and do not charge the time that it took. If anything
        fails here, the next question fails as well, and its Fault says how."""
        assert self._process is not None
        if not self._is_collecting:
            return
        self._is_collecting = False
        try:
            line = self._process.read_line(time.perf_counter() + COLLECTION_PATIENCE)
            took = _microseconds(self._read_json(line).get("microseconds")) or 0.0
        except (ProcessClosed, LineTooLong, NoLine, Fault):
            return
        accepted = min(took, self._collection_seconds)
        self._collection_seconds -= accepted
        if self._computed is not None:
            self._computed += accepted

    def _ask(self, message: ProgramMessage, patience: float) -> _ProgramAnswer:
        assert self._process is not None, "begin comes first"
        question = json.dumps(message, separators=(",", ":")).encode()
        before, timer = self._process.usage(), MoveTimer()
        try:
            line = self._process.ask(question, timer.started + patience)
            took = timer.stop()
        except ProcessClosed:
            raise self._end_of_process() from None
        except LineTooLong:
            reason = f"{self.name} answered with more than any answer needs"
            raise Fault(Ending.GARBAGE, reason) from None
        except NoLine:
            what = "move" if self.is_ready else "get ready"
            reason = f"{self.name} did not answer when it was asked to {what}"
            raise Fault(Ending.SILENT, reason) from None
        after = self._process.usage()
        computed = after.computed - before.computed
        if took.stolen:
            computed = min(computed, took.available * took.cores)
        if self._computed is not None:
            computed += max(0.0, before.computed - self._computed - AFTERWARDS)
        self._computed = after.computed
        answer = self._read_json(line)
        if answer.get("type") == "failed":
            raise self._crashed(_sentence(answer.get("error")))
        return _ProgramAnswer(answer, took, computed if after.computed else None)

    def _end_of_process(self) -> PlygroundError:
        """What to raise when the process has closed its pipe."""
        assert self._process is not None
        if self._process.exceeded:
            return Fault(Ending.CRASHED, f"{self.name} was ended: {self._process.exceeded}")
        status = self._process.wait(EXIT_PATIENCE)
        if status is not None and not self._process.has_started():
            printed = " ".join(self.stderr.split())[:200]
            return NotStarted(f"{self.name} could not be started: {printed}")
        return self._crashed(f"it {_ending_text(status)}")

    def _crashed(self, how: str) -> Fault:
        when = f"failed in move {self._moves}" if self.is_ready else "could not be loaded"
        return Fault(Ending.CRASHED, f"{self.name} {when}: {how}")

    def _read_json(self, line: bytes) -> ProgramMessage:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise Fault(Ending.GARBAGE, f"{self.name} answered with {line[:60]!r}: no JSON object")
        return answer

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._process is not None:
            self._process.send(b'{"type":"over"}')
            self._process.wait(0.05)
            self._process.close()
        self._clean()


def _microseconds(value: object) -> float | None:
    """A time that a program reports, in seconds; None if it is no such number."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**10:
        return None
    return value / 1e6


def _depth(value: object) -> int | None:
    """A depth that a program reports; None if it is no such number."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LONGEST:
        return None
    return value


def _sentence(report: object) -> str:
    """A program's report about its own failure, with printable characters only."""
    text = report if isinstance(report, str) else ""
    shown = printable(text[:LONGEST_SENTENCE])
    return shown or "it does not say why"


def _ending_text(status: int | None) -> str:
    if status is None:
        return "closed its pipe before the game was over"
    if status < 0:
        return f"was ended by signal {-status}"
    return f"ended before the game was over, with status {status}"
