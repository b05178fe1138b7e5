"""A program in another process as a player: it is asked in JSON, a line a message.

What the messages say is the affair of an `Interface`; this file knows the process, its clock and
what can go wrong with it. Every way of going wrong is a Fault with an ending of its own.
"""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from plyground.core.errors import PlygroundError
from plyground.core.outcome import Ending
from plyground.core.position import Position
from plyground.core.values import LONGEST
from plyground.players.line_process import Channel, ChannelClosed, LineTooLong, Silence
from plyground.players.player import Choice, Clock, Fault
from plyground.players.usage import Usage

Message = dict[str, Any]

START_SECONDS = 20.0
"""For loading a program and whatever it imports."""
LEAST_PATIENCE = 1.0
PATIENCE = 10
"""A program that has not answered after so many times its time, and LEAST_PATIENCE seconds at
least, is called silent. What it waited for a core does not count, up to LONGEST_WAIT seconds."""
LONGEST_WAIT = 60.0
LEAST_EXCUSE = 0.01
AFTERWARDS = 0.01
"""Seconds that a program may compute between answering and being asked again, to put its things in
order. What it computes beyond that while others think is counted as its own next move."""
COLLECTION_SHARE = 0.2
"""Besides, its garbage may be collected then. What this takes is believed up to this part of the
time of its moves so far, so that nobody gains thinking time by it."""
COLLECTION_PATIENCE = 10.0
"""Seconds that a collection may take."""
LONGEST_SENTENCE = 500
"""Characters of what a program says of its own failure."""
LAST_WORDS = 0.5
"""Seconds in which a program that has closed its pipe may end, so that its status can be told."""


class Interface(Protocol):
    """How a position is put to a program, and what its answer means."""

    kind: str

    def begin(self, position: Position, side: int, seconds: float | None) -> Message:
        """The first message of a game."""

    def turn(self, position: Position, seconds: float | None) -> Message:
        """The question for a move."""

    def read(self, answer: Message, position: Position) -> str:
        """The move that an answer names. Raises Fault if it names none."""


class NotStarted(PlygroundError):
    """A program could not even be started. That is no fault of its own."""


class _Answer(NamedTuple):
    message: Message
    seconds: float
    """How long it took."""
    waited: float
    """How much of that the program was waiting for a core."""
    computed: float
    """What it used of all cores for it."""


class Program:
    """One process for one game.

    With `one_core`, what it and its helpers compute on all cores together counts as its time, so
    that what a player can do in its time does not depend on how many cores the machine has.
    """

    def __init__(
        self,
        start: Callable[[], Channel],
        interface: Interface,
        *,
        name: str,
        one_core: bool = False,
        start_seconds: float = START_SECONDS,
    ) -> None:
        self._start, self._interface, self._name = start, interface, name
        self._one_core, self._start_seconds = one_core, start_seconds
        self.is_ready = False
        self._answered: Usage | None = None
        self._moves = 0
        self._position: Position | None = None
        self._collects = False
        """Whether it was told to collect its garbage and has not said yet that this is done."""
        self._collected = 0.0
        """Seconds that its collections may still take."""
        self._channel: Channel | None = None
        self._closed = False

    @property
    def name(self) -> str:
        return self._name

    @property
    def complaints(self) -> str:
        """What the program wrote to its standard error so far."""
        return "" if self._channel is None else self._channel.complaints

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        self._channel = self._start()
        message = self._interface.begin(position, side, clock.seconds)
        answer = self._ask(message, self._start_seconds).message
        if answer.get("type") != "ready":
            raise Fault(Ending.GARBAGE, f"{self._name} did not say that it is ready")
        self.is_ready = True
        self._collect(answer, clock)

    def choose(self, position: Position, clock: Clock) -> Choice:
        assert self._channel is not None, "begin comes first"
        if position != self._position:  # it may be asked again
            self._position = position
            self._moves += 1
        self._await_collection()
        message = self._interface.turn(position, clock.seconds)
        patience = math.inf
        if clock.limit is not None:
            patience = max(LEAST_PATIENCE, PATIENCE * clock.limit)
        answer = self._ask(message, patience)
        self._collect(answer.message, clock)
        try:
            move = self._interface.read(answer.message, position)
        except Fault as fault:
            raise Fault(fault.ending, f"in move {self._moves} {fault}") from None
        return Choice(
            move,
            answer.seconds,
            waited=answer.waited,
            computed=answer.computed if self._one_core else 0.0,
            searched=_microseconds(answer.message.get("search")),
            collector=_microseconds(answer.message.get("collector")) or 0.0,
            depth=_whole_number(answer.message.get("depth")),
        )

    def _collect(self, answer: Message, clock: Clock) -> None:
        """Let the program collect its garbage while others think, if it says that there is any."""
        assert self._channel is not None
        if clock.seconds is not None:
            self._collected += COLLECTION_SHARE * clock.seconds
        if answer.get("garbage") == 1:
            self._collects = True
            self._channel.tell(b'{"type":"collect"}')

    def _await_collection(self) -> None:
        """Wait until it has, and take off what it has used for it. Whatever goes wrong meanwhile is
        told when the program is asked for its move."""
        assert self._channel is not None
        if not self._collects:
            return
        self._collects = False
        try:
            line = self._channel.listen(time.perf_counter() + COLLECTION_PATIENCE)
            took = _microseconds(self._read_json(line).get("microseconds")) or 0.0
        except (ChannelClosed, LineTooLong, Silence, Fault):
            return
        believed = min(took, self._collected)
        self._collected -= believed
        if self._answered is not None:
            computed = self._answered.computed + believed
            self._answered = replace(self._answered, computed=computed)

    def _ask(self, message: Message, patience: float) -> _Answer:
        assert self._channel is not None
        question = json.dumps(message, separators=(",", ":")).encode()
        before, started = self._channel.usage(), time.perf_counter()
        try:
            line = self._line(question, patience, before, started)
            seconds = time.perf_counter() - started
        except ChannelClosed:
            if self._channel.overstepped:
                raise Fault(
                    Ending.CRASHED, f"{self._name} was ended: {self._channel.overstepped}"
                ) from None
            status = self._channel.wait(LAST_WORDS)
            if status is not None and not self._channel.has_begun():
                said = " ".join(self.complaints.split())[:200]
                raise NotStarted(f"{self._name} could not be started: {said}") from None
            raise self._crashed(f"it {_ending_text(status)}") from None
        except LineTooLong:
            raise Fault(
                Ending.GARBAGE, f"{self._name} answered with more than any answer needs"
            ) from None
        except Silence:
            what = "move" if self.is_ready else "get ready"
            raise Fault(
                Ending.SILENT, f"{self._name} did not answer when it was asked to {what}"
            ) from None
        after = self._channel.usage()
        computed = after.computed - before.computed
        if self._answered is not None:
            computed += max(0.0, before.computed - self._answered.computed - AFTERWARDS)
        self._answered = after
        waited = after.excused(before, seconds)
        answer = self._read_json(line)
        if answer.get("type") == "failed":
            raise self._crashed(_sentence(answer.get("error")))
        return _Answer(answer, seconds, waited, computed)

    def _crashed(self, how: str) -> Fault:
        when = f"failed in move {self._moves}" if self.is_ready else "could not be loaded"
        return Fault(Ending.CRASHED, f"{self._name} {when}: {how}")

    def _line(self, question: bytes, patience: float, before: Usage, started: float) -> bytes:
        """The answer. Patience is longer by what the program had to wait for a core."""
        channel = self._channel
        assert channel is not None
        until = started + patience
        with contextlib.suppress(Silence):
            return channel.ask(question, until)
        while True:
            excused = channel.usage().excused(before, time.perf_counter() - started)
            later = started + patience + min(excused, LONGEST_WAIT)
            if later < until + LEAST_EXCUSE:
                raise Silence
            until = later
            with contextlib.suppress(Silence):
                return channel.listen(until)

    def _read_json(self, line: bytes) -> Message:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise Fault(Ending.GARBAGE, f"{self._name} answered with {line[:60]!r}: no JSON object")
        return answer

    def close(self) -> None:
        if self._channel is not None and not self._closed:
            self._closed = True
            self._channel.tell(b'{"type":"over"}')
            self._channel.wait(0.05)
            self._channel.close()


def _microseconds(value: object) -> float | None:
    """Seconds, from what a program says of its own times; anything else counts as not said."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**10:
        return None
    return value / 1e6


def _sentence(said: object) -> str:
    """What a program says of its own failure, with nothing in it that could disturb a terminal."""
    text = said if isinstance(said, str) else ""
    shown = "".join(mark if mark.isprintable() else "?" for mark in text[:LONGEST_SENTENCE])
    return shown or "it does not say why"


def _whole_number(value: object) -> int | None:
    """A depth that a program boasts of; anything else counts as not said."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and isinstance(value, int) and 0 <= value <= LONGEST else None


def _ending_text(status: int | None) -> str:
    if status is None:
        return "closed its pipe before the game was over"
    if status < 0:
        return f"was ended by signal {-status}"
    return f"ended before the game was over, with status {status}"
