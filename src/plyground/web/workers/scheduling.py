"""A job that waits for its turn or has it (`Ticket`), and a worker as the pool sees it (`Hand`)."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import signal
import time
from collections.abc import Callable
from typing import Any

from plyground.core.errors import PlygroundError
from plyground.web.workers.process import Link

TURN = 1.0
"""Seconds of a turn while others wait."""
SHORT_TURN = 0.25
"""The same while a job waits that has had no turn at all: a page that shows nothing yet."""
TREE_TURN = 20.0
"""The same for a tree, which ends soon by itself and would have to begin anew."""

_numbers = itertools.count(1)


class WorkerLost(PlygroundError):
    """The process that did a job has ended before the job."""


class Ticket:
    """One job on its way through the pool."""

    def __init__(
        self,
        job: dict[str, Any],
        *,
        urgent: bool = False,
        listen: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self.number = next(_numbers)
        self.job = job
        self.urgent = urgent
        is_tree = job["type"] == "tree"
        self.turn = TREE_TURN if is_tree else TURN
        self.short_turn = TREE_TURN if is_tree else SHORT_TURN
        self.last_hand: Hand | None = None
        self.future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._listen = listen

    @classmethod
    def loading(cls, source: str) -> Ticket:
        """The job of loading a game ahead; nobody waits for it."""
        return cls({"type": "warm", "source": source})

    @property
    def source(self) -> str:
        source: str = self.job["source"]
        return source

    @property
    def is_new(self) -> bool:
        """Whether it has had no turn yet."""
        return self.last_hand is None

    @property
    def is_heavy(self) -> bool:
        """Whether this may take for ever and much memory: a solver's work."""
        return self.job["type"] == "solve" or self.job.get("algorithm") == "perfect"

    @property
    def is_timed(self) -> bool:
        """Whether this is a move on a clock, which is never interrupted."""
        return self.urgent and self.job.get("seconds") is not None

    @property
    def loads_engine(self) -> bool:
        kind = self.job["type"]
        return kind in ("warm", "review") or (
            kind == "search" and self.job.get("algorithm", "engine") == "engine"
        )

    def weight(self, most: int) -> int:
        """How many cores it keeps busy."""
        return min(most, self.job.get("threads") or 1)

    def tell(self, message: dict[str, Any]) -> None:
        if self._listen is None or self.future.done():
            return
        try:
            self._listen(message)
        except Exception as error:  # the listener's own: for whoever waits, nobody else
            self.future.set_exception(error)

    def next_turn(self, rest: dict[str, Any], *, restarts: bool) -> None:
        """It has been interrupted and goes on later; if it begins anew, with twice the time."""
        self.job = rest
        if restarts:
            self.turn *= 2

    def succeed(self, result: dict[str, Any]) -> None:
        with contextlib.suppress(asyncio.InvalidStateError):
            self.future.set_result(result)

    def fail(self, error: PlygroundError) -> None:
        with contextlib.suppress(asyncio.InvalidStateError):
            self.future.set_exception(error)
            self.future.exception()  # if nobody waits any more, nobody needs to be told


class Hand:
    """A worker: the link to it, what it knows and what it is doing."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.is_ready = False
        self.is_compiling = False
        self.hangs = False
        self.spent_stopping = 0.0
        """Seconds of computing since it was told to stop, as it says itself."""
        self.last_heard = 0.0
        self.ticket: Ticket | None = None
        self.games: list[str] = []
        """The games whose engine it has loaded, the last one last."""
        self._has_solver = False
        self._since = 0.0
        self._stopped_at: float | None = None

    @property
    def is_idle(self) -> bool:
        return self.is_ready and self.ticket is None

    @property
    def is_stopping(self) -> bool:
        return self.ticket is not None and self._stopped_at is not None

    @property
    def is_timed(self) -> bool:
        return self.ticket is not None and self.ticket.is_timed

    @property
    def can_be_paused(self) -> bool:
        """Whether its job may be interrupted for one that waits."""
        return self.ticket is not None and not self.is_stopping and not self.ticket.is_timed

    @property
    def can_be_preempted(self) -> bool:
        """Whether its job gives way to an urgent one at once."""
        return (
            self.can_be_paused
            and self.ticket is not None
            and not (self.ticket.urgent or self.ticket.is_heavy)
        )

    @property
    def stopping_for(self) -> float:
        return 0.0 if self._stopped_at is None else time.monotonic() - self._stopped_at

    @property
    def turn_so_far(self) -> float:
        return time.monotonic() - self._since

    def turn_left(self, *, for_new: bool) -> float:
        """Seconds until its job has to give way, to one that has had no turn yet or to others."""
        assert self.ticket is not None
        turn = self.ticket.short_turn if for_new else self.ticket.turn
        return turn - self.turn_so_far

    def overtime_in(self, overtime: float) -> float:
        """Seconds until a job with a time limit has taken so much more than that."""
        assert self.ticket is not None
        return float(self.ticket.job["seconds"]) + overtime - self.turn_so_far

    @property
    def silent_for(self) -> float:
        """Seconds since it was told to stop, or has said that it has not stopped yet."""
        return time.monotonic() - self.last_heard

    def suits(self, ticket: Ticket) -> tuple[bool, bool, int, int]:
        """How well it suits a job: the larger, the better."""
        known = self.games.index(ticket.source) + 1 if ticket.source in self.games else 0
        return (
            self is ticket.last_hand,
            ticket.is_heavy and self._has_solver,
            known,
            -len(self.games),
        )

    def take(self, ticket: Ticket) -> None:
        """Begin a job, or go on with it."""
        self.ticket = ticket
        ticket.last_hand = self
        self._has_solver = self._has_solver or ticket.is_heavy
        self._since = time.monotonic()
        self._stopped_at = None
        self.is_compiling = False
        self.link.send({"do": ticket.number, "job": ticket.job, "aside": not ticket.is_timed})

    def stop(self) -> bool:
        """Tell it to stop; False if it has nothing to stop or has been told before."""
        if self.ticket is None or self._stopped_at is not None:
            return False
        self._stopped_at = self.last_heard = time.monotonic()
        self.spent_stopping = 0.0
        self.link.send({"stop": self.ticket.number})
        return True

    def take_leave(self) -> None:
        """Its job has ended, or its turn."""
        self.ticket = None
        self._stopped_at = None
        self.is_compiling = False

    def learn(self, source: str, most: int) -> None:
        """It has loaded this game's engine; of more than it keeps, the oldest is gone."""
        if source in self.games:
            self.games.remove(source)
        self.games = [*self.games, source][-most:]

    def why_lost(self, status: int) -> str:
        """What to say to whoever waits for the job of a worker that has ended."""
        if self.hangs:
            return "the search did not end when it was told to: do the game's rules go on for ever?"
        if status < 0:
            name = signal.Signals(-status).name
            return f"the process that searched was ended by {name}; another one has taken its place"
        return f"the process that searched has ended (status {status}); another one is there now"
