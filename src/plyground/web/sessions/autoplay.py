"""Who moves next at a table in use, when nobody touches it: searches, fallen flags, live plies.

`arrange` is called after every change. It compares what should be going on with what is, stops the
one and starts the other: so a search never outlives the position that it was asked about.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from plyground.core.errors import PlygroundError
from plyground.web.sessions.move_requests import (
    ADVISER,
    Job,
    Pool,
    Question,
    question_of,
    read_answer,
    search_job,
    turn_job,
)
from plyground.web.sessions.outbox import Mailbox
from plyground.web.sessions.session import Table
from plyground.web.sessions.setup import Answer

if TYPE_CHECKING:
    from plyground.web.sessions.active_session import Room

PACE = 0.25
"""Seconds between two moves of searches that play each other: people want to see them."""
PATIENCE = 30.0
"""Seconds for a perfect player to solve a position, before the engine is asked instead."""
COMPILING = 120.0
"""Seconds more if a solver has to be compiled first."""
WAITING = 5.0
"""Seconds that a search may have waited for its turn, when nobody knows exactly."""
TELL_PROGRESS = 0.25


class Turns:
    """What goes on by itself at one table."""

    def __init__(self, room: Room, pool: Pool) -> None:
        self._room = room
        self._pool = pool
        self._question: Question | None = None
        self._thinking: asyncio.Task[Any] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._beat: float | None = None
        self._living: asyncio.Task[Any] | None = None
        self._hints: dict[Mailbox, tuple[int, asyncio.Task[Any]]] = {}
        self._told_at = 0.0
        self._said = ""

    def arrange(self) -> None:
        """Let go on what should, and nothing else. The table must not be changing."""
        table = self._room.table
        self._arrange_flag(table)
        self._arrange_search(table)
        self._arrange_live(table)
        for page, (node, _) in list(self._hints.items()):
            if node != table.current:
                self.forget(page)

    # Searches

    def _arrange_search(self, table: Table) -> None:
        question = question_of(table) if table.live is None else None
        if question == self._question:
            return
        if self._thinking is not None:
            self._thinking.cancel()
        self._question, self._thinking, self._room.progress = question, None, None
        if question is not None:
            self._thinking = self._room.spawn(self._think(question))

    async def _think(self, question: Question) -> None:
        """Find a move and play it. What goes wrong is said, and then the game is paused."""
        room, started = self._room, time.monotonic()
        try:
            answer = await self._answer(question)
            if not any(room.table.is_human(player) for player in (0, 1)):
                await asyncio.sleep(PACE - (time.monotonic() - started))
            self._thinking = None  # what is done next must not be stopped by its own effect
            await room.change(lambda now: room.table.answer(question.node, answer, now))
        except PlygroundError as error:
            self._thinking = None
            room.complain(f"{error}; the game is paused")
            await room.change(room.table.pause)

    async def _answer(self, question: Question) -> Answer:
        job = await self._room.ask(lambda table: turn_job(table, question))
        clock = self._room.table.clock
        left = None if clock is None else clock.left[question.player]
        if question.spec.kind == "perfect":
            return await self._perfect_answer(question, job, left)
        if left is None or "seconds" in job:
            return read_answer(await self._pool.run(job, urgent=True, listen=self._hear))
        try:
            async with asyncio.timeout(left + WAITING):
                return read_answer(await self._pool.run(job, urgent=True, listen=self._hear))
        except TimeoutError:
            return Answer("", seconds=left)

    async def _perfect_answer(self, question: Question, job: Job, left: float | None) -> Answer:
        """A perfect move; what cannot be solved is said, and the engine finds a move instead."""
        patience = PATIENCE if left is None else min(PATIENCE, left / 2)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(patience) as limit:

                def hear(told: dict[str, Any]) -> None:
                    self._hear(told)
                    if told.get("type") == "notice":  # it compiles, the first time only
                        limit.reschedule(loop.time() + COMPILING + patience)

                return read_answer(await self._pool.run(job, urgent=True, listen=hear))
        except TimeoutError:
            problem = f"the position was not solved in {patience:.0f} s"
        except PlygroundError as error:
            problem = str(error)
        self._room.complain(f"{problem}; the engine finds this move instead")
        instead = Question(question.node, question.player, ADVISER)
        job = await self._room.ask(lambda table: turn_job(table, instead))
        return read_answer(await self._pool.run(job, urgent=True, listen=self._hear))

    def _hear_notice(self, told: dict[str, Any]) -> None:
        """A search tells that it takes longer than usual, for once."""
        if told.get("type") == "notice":
            self._room.notify(told["text"])

    def _hear(self, told: dict[str, Any]) -> None:
        """A search tells how far it is: the pages hear of it now and then."""
        self._hear_notice(told)
        if "depth" not in told:
            return
        self._room.progress = told
        now = time.monotonic()
        if now - self._told_at >= TELL_PROGRESS:
            self._told_at = now
            self._room.spawn(self._room.tell())

    # Flags

    def _arrange_flag(self, table: Table) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        seconds = table.flag_in(time.monotonic())
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self._flag = loop.call_later(seconds, self._look_at_flag)

    def _look_at_flag(self) -> None:
        self._flag = None
        self._room.spawn(self._fall())

    async def _fall(self) -> None:
        if not await self._room.change(self._room.table.flag):
            self._arrange_flag(self._room.table)  # it was a moment too early

    # Live games

    def _arrange_live(self, table: Table) -> None:
        live = table.live
        beat = live.seconds if live is not None and live.running and table.awake else None
        if beat == self._beat:
            return
        if self._living is not None:
            self._living.cancel()
        self._beat, self._living, self._said = beat, None, ""
        if beat is not None:
            self._living = self._room.spawn(self._live(beat))

    async def _live(self, beat: float) -> None:
        """Play a ply at every beat. One that came late is not made up for."""
        room, loop = self._room, asyncio.get_running_loop()
        due = loop.time() + beat
        try:
            while True:
                question = await room.ask(question_of)
                asked = None if question is None else room.spawn(self._live_answer(question))
                try:
                    await asyncio.sleep(due - loop.time())
                finally:
                    if asked is not None and not asked.done():
                        asked.cancel()
                found = asked is not None and not asked.cancelled() and asked.done()
                answer = asked.result() if asked is not None and found else None
                await room.change(partial(self._play_beat, question, answer))
                due = max(due + beat, loop.time())
        except PlygroundError as error:
            room.complain(f"{error}; the game is paused")
            await room.change(room.table.pause)

    async def _live_answer(self, question: Question) -> Answer | None:
        """A search's ply; None if it has none, so that its boat stays idle."""
        try:
            job = await self._room.ask(lambda table: turn_job(table, question))
            found = await self._pool.run(job, urgent=True, listen=self._hear_notice)
            return read_answer(found)
        except PlygroundError as error:
            if str(error) != self._said:  # once is enough: the next beat is near
                self._said = str(error)
                self._room.complain(self._said)
            return None

    def _play_beat(self, question: Question | None, answer: Answer | None, now: float) -> None:
        table = self._room.table
        if table.live is not None and table.live.running and table.awake:
            fits = question is not None and question.node == table.tree.head
            table.beat(answer if fits else None, now)

    # Hints

    def hint(self, page: Mailbox, ref: int | str | None) -> None:
        """Find a move in the position on show, for one page."""
        self.forget(page)
        node = self._room.table.current
        self._hints[page] = node, self._room.spawn(self._give_hint(page, node, ref))

    async def _give_hint(self, page: Mailbox, node: int, ref: int | str | None) -> None:
        try:
            job = await self._room.ask(lambda table: search_job(table, node, ADVISER))
            found = await self._pool.run(job, urgent=True, listen=self._hear_notice)
            if found["move"] is None:
                raise PlygroundError("the game is over here: there is no move to find")
        except PlygroundError as error:
            page.put_error({"type": "error", "ref": ref, "message": str(error)})
            return
        told = {name: found[name] for name in ("move", "touches", "value_text")}
        page.put("hint", {"type": "hint", "node": node, **told})

    def forget(self, page: Mailbox) -> None:
        """Stop looking for a hint that nobody wants any more."""
        found = self._hints.pop(page, None)
        if found is not None:
            found[1].cancel()
            page.withdraw("hint")

    def stop(self) -> None:
        """Stop everything, for good."""
        for task in (self._thinking, self._living):
            if task is not None:
                task.cancel()
        if self._flag is not None:
            self._flag.cancel()
        for page in list(self._hints):
            self.forget(page)
