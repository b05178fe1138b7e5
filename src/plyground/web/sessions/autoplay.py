"""Autoplay: what happens in a session without a request from a page.

Searches for the moves of computer players, fallen flags, plies of live games, and hints. `update`
is called after every change of the session: it stops tasks that are out of date and starts new
ones, so no search outlives its position. A session has one activity at a time: a live game has no
clock, and no flag can fall while a search has to move.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from plyground.core.errors import PlygroundError
from plyground.search.searcher import LIMITS, Algorithm
from plyground.search.time_management import move_seconds
from plyground.web.protocol.models import PlayerSpecModel
from plyground.web.protocol.socket import Outbox
from plyground.web.sessions.session import ChosenMove, GameSession
from plyground.web.sessions.view import progress_message
from plyground.web.user_games.remote_game import RemoteGame
from plyground.web.workers.pool import WorkerPool

T = TypeVar("T")

ENGINE = PlayerSpecModel(kind="engine", seconds=1.0)
"""Finds hints, and moves that a perfect player cannot find."""
SHORTEST = {
    "engine": PlayerSpecModel(kind="engine", depth=1),
    "monte-carlo": PlayerSpecModel(kind="monte-carlo", nodes=1),
}
"""The shortest searches of the players that are compiled."""
VARIED = ("engine", "monte-carlo")
"""Choose between equal moves at random, so that not every game is the same. A solver would have to
solve all moves for that; random players do so anyway."""
MOVE_INTERVAL = 0.25
"""Least seconds between two moves of computer players, so that people can follow."""
SOLVE_SECONDS = 30.0
"""Limit of a perfect player for one position; then the engine finds the move."""
COMPILE_SECONDS = 120.0
"""Added to it if a solver has to be compiled first."""
QUEUE_SECONDS = 5.0
"""Added to the clock of a search without a time limit, for its wait in the queue."""
LIVE_SEARCH_SECONDS = 0.075
"""Limit of a search in a live game: with all overhead it fits a ply of the default length."""
PROGRESS_INTERVAL = 0.25
"""Seconds between two progress messages."""


class SessionHost(Protocol):
    """What autoplay needs from its active session."""

    session: GameSession

    async def change(self, action: Callable[[float], T]) -> T:
        """Change the session, then update pages, file and autoplay."""

    async def read(self, query: Callable[[GameSession], T]) -> T:
        """Read the session while it does not change."""

    def start_task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run in the background."""

    def broadcast(self, kind: str, message: Mapping[str, Any]) -> None:
        """Send a message to all pages."""

    def report_error(self, text: str) -> None:
        """Send an error to all pages."""


@dataclass(frozen=True)
class MoveRequest:
    """A move that a search should find."""

    node: int
    player: int
    spec: PlayerSpecModel


Activity = tuple[Callable[[Any], Coroutine[Any, Any, None]], Any]
"""What a session does without a request: a method of `Autoplay`, and its argument."""


class Autoplay:
    """The background tasks of one session."""

    def __init__(self, host: SessionHost, pool: WorkerPool) -> None:
        self.progress: dict[str, Any] | None = None
        """The last report of the search for a move."""
        self._host = host
        self._pool = pool
        self._activity: Activity | None = None
        self._task: asyncio.Task[None] | None = None
        self._live_error = ""
        self._hints: dict[Outbox, tuple[int, asyncio.Task[None]]] = {}
        self._progress_sent = 0.0

    def update(self) -> None:
        """Start and stop tasks after a change. The session must not be changing."""
        session = self._host.session
        activity = self._next_activity(session)
        if activity != self._activity:
            self._stop_activity()
            self._activity, self.progress, self._live_error = activity, None, ""
            if activity is not None:
                self._task = self._host.start_task(self._perform(*activity))
        for page, (node, _) in list(self._hints.items()):
            if node != session.current:
                self.cancel_hint(page)

    def stop(self) -> None:
        """Stop all tasks, for good."""
        self._stop_activity()
        for page in list(self._hints):
            self.cancel_hint(page)

    def _stop_activity(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _next_activity(self, session: GameSession) -> Activity | None:
        live = session.live
        if live is not None:
            runs = live.running and session.is_watched
            return (self._play_live_game, live.seconds) if runs else None
        if session.flag_time is not None:
            return self._wait_for_flag, session.flag_time
        request = _move_request(session)
        return None if request is None else (self._play_move, request)

    async def _perform(
        self, method: Callable[[Any], Coroutine[Any, Any, None]], argument: Any
    ) -> None:
        """Run an activity. An error is reported, and the game is paused.

        The last change of an activity cancels this task, which is no loss: a change is completed
        even if its caller is cancelled.
        """
        try:
            await method(argument)
        except PlygroundError as error:
            self._host.report_error(f"{error}; the game is paused")
            await self._host.change(self._host.session.pause)

    # Moves of computer players

    async def _play_move(self, request: MoveRequest) -> None:
        host, started = self._host, time.monotonic()
        chosen = await self._find_move(request)
        if not any(host.session.is_human(player) for player in (0, 1)):
            await asyncio.sleep(MOVE_INTERVAL - (time.monotonic() - started))
        await host.change(lambda now: host.session.play_search_move(request.node, chosen, now))

    async def _find_move(self, request: MoveRequest) -> ChosenMove:
        job = await self._host.read(lambda session: _move_job(session, request))
        clock = self._host.session.clock
        left = None if clock is None else clock.left[request.player]
        if request.spec.kind == "perfect":
            return await self._find_perfect_move(request, job, left)
        try:
            async with asyncio.timeout(
                None if left is None or "seconds" in job else left + QUEUE_SECONDS
            ):
                return await self._run(job, partial(self._on_progress, request))
        except TimeoutError:
            return ChosenMove("", seconds=left)

    async def _find_perfect_move(
        self, request: MoveRequest, job: dict[str, Any], left: float | None
    ) -> ChosenMove:
        """A solver's move. If the position is not solved, this is reported, and the engine finds
        the move."""
        seconds = SOLVE_SECONDS if left is None else min(SOLVE_SECONDS, left / 2)
        try:
            async with asyncio.timeout(seconds) as limit:

                def listen(report: dict[str, Any]) -> None:
                    self._on_progress(request, report)
                    if report.get("type") == "notice":  # it compiles, the first time only
                        now = asyncio.get_running_loop().time()
                        limit.reschedule(now + COMPILE_SECONDS + seconds)

                return await self._run(job, listen)
        except TimeoutError:
            problem = f"the position was not solved in {seconds:.0f} s"
        except PlygroundError as error:
            problem = str(error)
        self._host.report_error(f"{problem}; the engine finds this move instead")
        instead = MoveRequest(request.node, request.player, ENGINE)
        job = await self._host.read(lambda session: _move_job(session, instead))
        return await self._run(job, partial(self._on_progress, request))

    async def _run(
        self, job: dict[str, Any], listen: Callable[[dict[str, Any]], None]
    ) -> ChosenMove:
        result = await self._pool.run(job, urgent=True, listen=listen)
        searched = result["depth"] > 0
        return ChosenMove(
            move=result["move"],
            seconds=result["seconds"],
            value=result["value"] if searched else None,
            depth=result["depth"] if searched else None,
            evaluation=result["evaluation"] if searched else None,
        )

    def _on_notice(self, report: dict[str, Any]) -> None:
        if report.get("type") == "notice":
            self._host.broadcast("notice", {"type": "notice", "text": report["text"]})

    def _on_progress(self, request: MoveRequest, report: dict[str, Any]) -> None:
        """Keep the last report of the current search, and send one now and then."""
        self._on_notice(report)
        if "depth" not in report or self._activity != (self._play_move, request):
            return
        self.progress = report
        now = time.monotonic()
        if now - self._progress_sent >= PROGRESS_INTERVAL:
            self._progress_sent = now
            self._host.start_task(self._send_progress(report))

    async def _send_progress(self, report: dict[str, Any]) -> None:
        message = await self._host.read(
            lambda session: progress_message(session, time.monotonic(), report)
        )
        if self.progress is not None:
            self._host.broadcast("progress", message)

    # Flags

    async def _wait_for_flag(self, due: float) -> None:
        while True:  # until the flag has fallen: a timer may fire a moment too early
            await asyncio.sleep(due - time.monotonic())
            await self._host.change(self._host.session.check_flag)

    # Live games

    async def _play_live_game(self, seconds: float) -> None:
        """Play a ply every `seconds`. The delay of a late ply is not made up for."""
        host, loop = self._host, asyncio.get_running_loop()
        await self._prepare_live_game()
        due = loop.time() + seconds
        while True:
            request = await host.read(_move_request)
            chosen = None if request is None else await self._find_live_move(request, due)
            await asyncio.sleep(due - loop.time())
            await host.change(partial(self._play_ply, request, chosen))
            due = max(due + seconds, loop.time())

    async def _prepare_live_game(self) -> None:
        """Let a worker compile and load what the computer players of a live game need: without a
        time limit, before the first ply."""
        session = self._host.session
        if session.live is None or session.live.prepared:
            return
        for spec in session.players:
            shortest = SHORTEST.get(spec.kind)
            if shortest is not None:
                job = await self._host.read(partial(_search_job, node=0, spec=shortest))
                await self._pool.run(job, urgent=True, listen=self._on_notice)
        await self._host.change(session.live_prepared)

    async def _find_live_move(self, request: MoveRequest, due: float) -> ChosenMove | None:
        """A search's move; None if it fails or is late."""
        try:
            async with asyncio.timeout_at(due):
                job = await self._host.read(lambda session: _move_job(session, request))
                return await self._run(job, self._on_notice)
        except TimeoutError:
            return None
        except PlygroundError as error:
            if str(error) != self._live_error:  # not again at every ply
                self._live_error = str(error)
                self._host.report_error(self._live_error)
            return None

    def _play_ply(self, request: MoveRequest | None, chosen: ChosenMove | None, now: float) -> None:
        session = self._host.session
        if session.live is not None and session.live.running and session.is_watched:
            is_current = request is not None and request.node == session.tree.head
            session.play_live_ply(chosen if is_current else None, now)

    # Hints

    def request_hint(self, page: Outbox, ref: int | str | None) -> None:
        """Find a move in the position on show, for one page."""
        self.cancel_hint(page)
        node = self._host.session.current
        self._hints[page] = node, self._host.start_task(self._send_hint(page, node, ref))

    async def _send_hint(self, page: Outbox, node: int, ref: int | str | None) -> None:
        try:
            job = await self._host.read(lambda session: _search_job(session, node, ENGINE))
            found = await self._pool.run(job, urgent=True, listen=self._on_notice)
            if found["move"] is None:
                raise PlygroundError("the game is over here: there is no move to find")
        except PlygroundError as error:
            page.put_error(str(error), ref=ref)
            return
        hint = {name: found[name] for name in ("move", "touches", "value_text")}
        page.put("hint", {"type": "hint", "node": node, **hint})

    def cancel_hint(self, page: Outbox) -> None:
        """Cancel the hint of a page, if one is being searched or waits to be sent."""
        found = self._hints.pop(page, None)
        if found is not None:
            found[1].cancel()
            page.withdraw("hint")


# Jobs for the worker pool


def _move_request(session: GameSession) -> MoveRequest | None:
    """The move that a search should find now."""
    player = session.searching_player
    if player is None:
        return None
    return MoveRequest(session.tree.head, player, session.players[player])


def _move_job(session: GameSession, request: MoveRequest) -> dict[str, Any]:
    """The search for a move of the game, limited by the clock or by the ply of a live game."""
    spec = request.spec
    job = {**_search_job(session, request.node, spec), "at_once": True}
    if spec.kind in VARIED:
        job["seed"] = random.randrange(1 << 30)
    if "seconds" not in LIMITS[Algorithm(spec.kind)]:
        return job
    if session.live is not None:
        seconds = live_search_seconds(session.live.seconds)
        job["seconds"] = seconds if spec.seconds is None else min(seconds, spec.seconds)
    elif session.clock is not None:
        left = session.clock.left[request.player]
        wanted = spec.seconds
        if wanted is None and (spec.depth is not None or spec.nodes is not None):
            wanted = left
        job["seconds"] = move_seconds(left, session.clock.increment, wanted=wanted)
    return job


def live_search_seconds(ply_seconds: float) -> float:
    """Seconds for the search of a ply in a live game: at most half of the ply."""
    return min(LIVE_SEARCH_SECONDS, ply_seconds / 2)


def _search_job(session: GameSession, node: int, spec: PlayerSpecModel) -> dict[str, Any]:
    """The search of a node with a player's limits."""
    game = session.game
    if isinstance(game, RemoteGame) and game.is_edited:  # workers search by the new rules
        raise PlygroundError(
            f"the file {game.name}.py has changed: start a new game to play against it"
        )
    limits = {"depth": spec.depth, "nodes": spec.nodes, "seconds": spec.seconds}
    if spec.kind == "engine" and set(limits.values()) == {None}:
        limits["seconds"] = 1.0
    return {
        "type": "search",
        "place": _place(session, node),
        "algorithm": spec.kind,
        **{name: value for name, value in limits.items() if value is not None},
        "lines": 1,
        "threads": spec.threads or 1,
        **({} if spec.evaluation is None else {"evaluation": spec.evaluation}),
    }


def _place(session: GameSession, node: int) -> dict[str, Any]:
    """A node as a `Place`."""
    setup = session.setup
    place = {
        "game": setup.game.name,
        "options": dict(setup.options),
        "moves": session.tree.moves_to(node),
    }
    return place if setup.text is None else {**place, "text": setup.text}
