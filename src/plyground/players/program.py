"""A program in another process as a player: it is asked in JSON, a line a message.

What the messages say is the affair of an `Interface`; this file knows the process, its clock and
what can go wrong with it. Every way of going wrong is a Fault with an ending of its own.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from typing import Any, Protocol

from plyground.core.outcome import Ending
from plyground.core.position import Position
from plyground.core.values import LONGEST
from plyground.players.channel import Channel, ChannelClosed, LineTooLong, Silence, time_waited
from plyground.players.player import Choice, Clock, Fault

Message = dict[str, Any]

START_SECONDS = 20.0
"""For loading a program and whatever it imports."""
LEAST_PATIENCE = 1.0
PATIENCE = 10
"""A program that has not answered after so many times its time, and LEAST_PATIENCE seconds at
least, is called silent."""
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


class Program:
    """One process for one game."""

    def __init__(
        self,
        start: Callable[[], Channel],
        interface: Interface,
        *,
        name: str,
        watched: Callable[[], int] | None = None,
    ) -> None:
        """`start` starts the process; `watched` tells the number of the one whose waiting for a
        core is no fault, if that is another."""
        self._start, self._interface, self._name = start, interface, name
        self._watched = watched
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
        answer = self._ask(message, time.perf_counter() + START_SECONDS, "get ready")
        if answer.get("type") != "ready":
            raise Fault(Ending.GARBAGE, f"{self._name} did not say that it is ready")

    def choose(self, position: Position, clock: Clock) -> Choice:
        assert self._channel is not None, "begin comes first"
        message = self._interface.turn(position, clock.seconds)
        pid = self._channel.pid if self._watched is None else self._watched()
        waited = time_waited(pid)
        started = time.perf_counter()
        until = started + math.inf
        if clock.seconds is not None:
            until = started + max(LEAST_PATIENCE, PATIENCE * clock.seconds)
        answer = self._ask(message, until, "move")
        seconds = time.perf_counter() - started
        move = self._interface.read(answer, position)
        return Choice(
            move,
            seconds,
            waited=min(seconds, max(0.0, time_waited(pid) - waited)),
            depth=_whole_number(answer.get("depth")),
        )

    def _ask(self, message: Message, until: float, what: str) -> Message:
        assert self._channel is not None
        try:
            line = self._channel.ask(json.dumps(message, separators=(",", ":")).encode(), until)
        except ChannelClosed:
            status = self._channel.wait(LAST_WORDS)
            raise Fault(Ending.CRASHED, f"{self._name} {_ending_text(status)}") from None
        except LineTooLong:
            raise Fault(
                Ending.GARBAGE, f"{self._name} answered with more than any answer needs"
            ) from None
        except Silence:
            raise Fault(
                Ending.SILENT, f"{self._name} did not answer when it was asked to {what}"
            ) from None
        return self._read_json(line)

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


def _whole_number(value: object) -> int | None:
    """A depth that a program boasts of; anything else counts as not said."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and isinstance(value, int) and 0 <= value <= LONGEST else None


def _ending_text(status: int | None) -> str:
    if status is None:
        return "closed its pipe in the middle of the game"
    if status < 0:
        return f"was ended by signal {-status}"
    return f"ended in the middle of the game with status {status}"
