"""The workers, and who gets one: a queue of jobs in front of a few processes.

    result = await pool.run({"type": "search", "place": {...}, "seconds": 1.0}, urgent=True)

A job is a message of /api/think without its id. `run` returns its result, or raises a
PlygroundError with a sentence for the user; cancelled, it stops the job at once. `listen` hears how
it comes along, on the event loop: what the socket sends before the result, without id, and messages
{"type": "notice", "text"} when something takes longer for the first time.

* Urgent jobs, moves that somebody waits for on a clock, go first. If no worker is free they take
  the place of an analysis, which goes on later.
* When more jobs wait than workers are free, each runs for a second and then waits for its next
  turn. A job that has to begin anew gets twice as long a turn the next time, so that it ends. One
  that has had no turn at all goes before those that had, and after a quarter of a second.
* Solvers never hold all workers: one is left for everything else.
* A job goes to a worker that knows its game, if it can, and to the one that it was at before.
* A worker that dies, or does not stop when it is told to, is replaced. Its job has failed.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from plyground.core.errors import PlygroundError
from plyground.web.catalogue import Catalogue
from plyground.web.workers.process import Link
from plyground.web.workers.scheduling import Hand, Ticket, WorkerLost

LEAST_WORKERS = 2
GRACE = 5.0
"""Seconds of computing in which a worker that was told to stop must have stopped. A search takes
milliseconds; only to load a game's compiled code takes longer, and cannot be interrupted."""
COMPILING_GRACE = 120.0
"""The same while it compiles a game."""
SILENCE = 60.0
"""Seconds after which a worker is lost that does not even say that it has not stopped yet."""
LOOK_AGAIN = 0.5
OVERTIME = 60.0
"""Seconds beyond its own that an urgent job may take: then its game is taken to hang."""
SHORT_WAIT = 0.05
"""Seconds for which a job waits for a worker that knows its game and has been told to stop."""
KNOWN_GAMES = 3
"""Games that idle workers load ahead, the latest ones; no worker keeps more (`search_cache.py`)."""
RESTARTS = 3
"""A worker that dies so often before it is ready will not come to life."""

Listen = Callable[[dict[str, Any]], None]


class Pool:
    """All workers of a server. Belongs to one event loop."""

    def __init__(self, catalogue: Catalogue, *, workers: int | None = None) -> None:
        self._catalogue = catalogue
        self._size = workers or max(LEAST_WORKERS, os.cpu_count() or 1)
        self._hands: list[Hand] = []
        self._urgent: deque[Ticket] = deque()
        self._others: deque[Ticket] = deque()
        self._games: list[str] = []
        self._stillborn = 0
        self._closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._starting: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start all workers; the first is there in a moment, and jobs may come before it is."""
        self._closed = False
        for _ in range(self._size):
            await self._hire()

    async def close(self) -> None:
        """End all workers. Jobs that were under way have failed."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(*self._starting)
        await asyncio.gather(*(hand.link.close() for hand in self._hands))
        for ticket in [*self._urgent, *self._others]:
            ticket.fail(WorkerLost("the server has been closed"))
        self._urgent.clear()
        self._others.clear()

    async def run(
        self, job: dict[str, Any], *, urgent: bool = False, listen: Listen | None = None
    ) -> dict[str, Any]:
        """Do a job, when its turn comes."""
        if self._closed:
            raise WorkerLost("the server has been closed")
        source = self._catalogue.source(job["place"]["game"])
        ticket = Ticket({**job, "source": source}, urgent=urgent, listen=listen)
        if not self._hands:
            self._try_again()
        self._queue_new(ticket)
        self._schedule()
        try:
            return await ticket.future
        finally:
            self._forget(ticket)

    # What can be seen from outside

    @property
    def pids(self) -> list[int]:
        """The processes of all workers."""
        return [hand.link.pid for hand in self._hands if hand.link.pid is not None]

    @property
    def working(self) -> list[int]:
        """The processes of the workers that have something to do."""
        return [pid for hand in self._hands if hand.ticket and (pid := hand.link.pid) is not None]

    @property
    def loaded(self) -> list[list[str]]:
        """For each worker, the games whose engine it has loaded."""
        return [list(hand.games) for hand in self._hands]

    # Workers come and go

    async def _hire(self) -> None:
        hand = Hand(Link(self._heard, self._ended))
        self._hands.append(hand)
        try:
            await hand.link.start()
        except OSError as error:
            self._hands.remove(hand)
            self._stillborn += 1
            self._give_up(error.strerror or str(error))

    def _hire_soon(self) -> None:
        task = asyncio.get_running_loop().create_task(self._hire())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    def _try_again(self) -> None:
        """Workers did not start when they were needed last; perhaps they do now."""
        self._stillborn = 0
        for _ in range(self._size - len(self._starting)):
            self._hire_soon()

    def _ended(self, link: Link, status: int) -> None:
        """A worker's process has ended. Its job has failed, and another worker comes."""
        hand = self._hand(link)
        self._hands.remove(hand)
        if self._closed:
            if hand.ticket is not None:
                hand.ticket.fail(WorkerLost("the server has been closed"))
            return
        self._stillborn = 0 if hand.is_ready else self._stillborn + 1
        if hand.ticket is not None:
            hand.ticket.fail(WorkerLost(hand.why_lost(status)))
        if self._stillborn >= RESTARTS:
            self._give_up(f"status {status}")
            return
        self._hire_soon()
        self._schedule()

    def _give_up(self, why: str) -> None:
        """Workers do not start. If none is there, nobody is left waiting for one."""
        if self._hands or self._stillborn < RESTARTS:
            return
        for queue in (self._urgent, self._others):
            while queue:
                queue.popleft().fail(
                    WorkerLost(f"the process that searches does not start ({why})")
                )

    def _hand(self, link: Link) -> Hand:
        return next(hand for hand in self._hands if hand.link is link)

    # What workers say

    def _heard(self, link: Link, message: dict[str, Any]) -> None:
        hand = self._hand(link)
        ticket = hand.ticket
        if "ready" in message:
            hand.is_ready = True
        elif "compiling" in message:
            hand.is_compiling = True
            if ticket is not None:
                ticket.tell({"type": "notice", "text": message["compiling"]})
        elif "stopping" in message:
            hand.spent_stopping, hand.last_heard = message["stopping"], time.monotonic()
            return
        elif "tell" in message:
            hand.is_compiling = False
            if ticket is not None and ticket.number == message["job"]:
                ticket.tell(message["tell"])
            return
        elif ticket is None or ticket.number != message.get("job"):
            link.kill()  # it speaks of a job that it does not have: something is very wrong
            return
        else:
            self._end_turn(hand, ticket, message)
        self._schedule()

    def _end_turn(self, hand: Hand, ticket: Ticket, message: dict[str, Any]) -> None:
        """A job is done, has failed, or was stopped and waits for its next turn."""
        hand.take_leave()
        if "failed" not in message:
            self._learn(hand, ticket)
        if "result" in message:
            ticket.succeed(message["result"])
        elif "failed" in message:
            ticket.fail(PlygroundError(message["failed"]))
            if ticket.source in self._games:  # nobody loads it ahead any more
                self._games.remove(ticket.source)
        elif not ticket.future.done():
            ticket.next_turn(message["rest"], restarts=message["restarts"])
            self._queue_of(ticket).append(ticket)

    def _learn(self, hand: Hand, ticket: Ticket) -> None:
        """This worker has the engine of this game now."""
        if not ticket.loads_engine:
            return
        hand.learn(ticket.source, KNOWN_GAMES)
        if ticket.source in self._games:
            self._games.remove(ticket.source)
        self._games = [*self._games, ticket.source][-KNOWN_GAMES:]

    # Who is next

    def _queue_of(self, ticket: Ticket) -> deque[Ticket]:
        return self._urgent if ticket.urgent else self._others

    def _queue_new(self, ticket: Ticket) -> None:
        """A job that has had no turn yet waits behind others like it, and before the rest."""
        queue = self._queue_of(ticket)
        queue.insert(sum(other.is_new for other in queue), ticket)

    def _forget(self, ticket: Ticket) -> None:
        """Whoever asked for a job wants it no more, or has its answer."""
        if not ticket.future.done():
            ticket.future.cancel()
        queue = self._queue_of(ticket)
        if ticket in queue:
            queue.remove(ticket)
        for hand in self._hands:
            if hand.ticket is ticket:
                self._stop(hand)
                self._schedule()

    def _schedule(self) -> None:
        """Give out what can be given out, and make room for what cannot wait."""
        if self._closed:
            return
        for queue in (self._urgent, self._others):
            for ticket in list(queue):
                if ticket.is_heavy and not self._has_room_for_heavy:
                    continue
                hand = self._choose(ticket) if self._has_room_for(ticket) else None
                if hand is None:
                    break  # nobody overtakes, or what needs several cores would never get them
                queue.remove(ticket)
                hand.take(ticket)
        self._preempt()
        self._end_turns()
        if not (self._urgent or self._others or any(hand.is_timed for hand in self._hands)):
            self._load_ahead()
        self._set_timer()

    @property
    def _has_room_for_heavy(self) -> bool:
        """Whether another solver may begin: one worker is always left for other things."""
        heavy = sum(hand.ticket is not None and hand.ticket.is_heavy for hand in self._hands)
        return heavy < max(1, self._size - 1)

    def _has_room_for(self, ticket: Ticket) -> bool:
        """Whether enough cores are free for this job."""
        running = [hand.ticket for hand in self._hands if hand.ticket is not None]
        if ticket.is_timed:  # it waits for whoever could be stopped, and for nobody else
            running = [other for other in running if not other.is_heavy]
        weight = sum(other.weight(self._size) for other in running)
        return not running or weight + ticket.weight(self._size) <= self._size

    def _choose(self, ticket: Ticket) -> Hand | None:
        """The idle worker that suits a job best; None if there is none, or a better one soon."""
        idle = [hand for hand in self._hands if hand.is_idle]
        if not idle:
            return None
        best = max(idle, key=lambda hand: hand.suits(ticket))
        if ticket.source not in best.games and any(
            hand.is_stopping and ticket.source in hand.games and hand.stopping_for < SHORT_WAIT
            for hand in self._hands
        ):
            return None
        return best

    def _preempt(self) -> None:
        """Stop analyses for the urgent jobs that wait."""
        waiting = [ticket for ticket in self._urgent if not ticket.is_heavy]
        coming = sum(hand.is_stopping for hand in self._hands)
        victims = sorted(
            (hand for hand in self._hands if hand.can_be_preempted),
            key=lambda hand: hand.turn_so_far,
        )
        for _ in waiting[coming:]:
            if victims:
                self._stop(victims.pop())

    def _end_turns(self) -> None:
        """End the turns that are over, if somebody waits who could take the place."""
        waiting = [*self._urgent, *self._others]
        heavy = sum(ticket.is_heavy for ticket in waiting)
        light = len(waiting) - heavy - sum(hand.is_stopping for hand in self._hands)
        if self._has_room_for_heavy:
            light, heavy = light + heavy, 0
        for hand in sorted(self._hands, key=lambda hand: -hand.turn_so_far):
            if hand.ticket is None or not hand.can_be_paused or self._turn_left(hand) > 0:
                continue
            if heavy > 0 and hand.ticket.is_heavy:
                heavy -= 1
                self._stop(hand)
            elif light > 0:
                light -= 1
                self._stop(hand)

    def _turn_left(self, hand: Hand) -> float:
        """Seconds until a job has to give way: after its turn, or sooner to one that is new."""
        has_new = any(ticket.is_new for ticket in (*self._urgent, *self._others))
        return hand.turn_left(for_new=has_new)

    def _load_ahead(self) -> None:
        """Idle workers load the games that others know, one at a time."""
        for hand in self._hands:
            unknown = [source for source in self._games if source not in hand.games]
            if hand.is_idle and unknown:
                hand.take(Ticket.loading(unknown[-1]))

    def _stop(self, hand: Hand) -> None:
        """Tell a worker to stop what it does. One that does not is ended, and replaced."""
        if hand.stop():
            self._look_later(hand, hand.ticket)

    def _look_later(self, hand: Hand, ticket: Ticket | None) -> None:
        delay = min(GRACE, LOOK_AGAIN)
        asyncio.get_running_loop().call_later(delay, self._check_stopped, hand, ticket)

    def _check_stopped(self, hand: Hand, ticket: Ticket | None) -> None:
        if self._closed or hand.ticket is not ticket or ticket is None:
            return
        grace = COMPILING_GRACE if self._compiles(hand) else GRACE
        if hand.spent_stopping < grace and hand.silent_for < SILENCE:
            self._look_later(hand, ticket)
        else:
            hand.hangs = True
            hand.link.kill()

    def _compiles(self, hand: Hand) -> bool:
        """Whether a worker compiles its game, or waits for another one that does."""
        assert hand.ticket is not None
        return any(
            other.is_compiling and other.ticket and other.ticket.source == hand.ticket.source
            for other in self._hands
        )

    # Time

    def _set_timer(self) -> None:
        """Look again when the next turn is over, or a job has taken far more than its time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        times = [hand.overtime_in(OVERTIME) for hand in self._hands if hand.is_timed]
        if self._urgent or self._others:
            times += [self._turn_left(hand) for hand in self._hands if hand.can_be_paused]
            if any(hand.is_stopping for hand in self._hands):
                times.append(SHORT_WAIT)
        if times:
            delay = max(0.005, min(times))
            self._timer = asyncio.get_running_loop().call_later(delay, self._time_is_up)

    def _time_is_up(self) -> None:
        for hand in self._hands:
            if hand.is_timed and hand.overtime_in(OVERTIME) <= 0 and not self._compiles(hand):
                hand.hangs = True
                hand.link.kill()
        self._schedule()
