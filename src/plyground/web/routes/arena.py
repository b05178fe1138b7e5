"""Routes of the arena: events are set up, watched, stopped and gone on with."""

from __future__ import annotations

import asyncio
import shlex
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response, WebSocket

from plyground.arena.store import GameFilter
from plyground.web.arena.event_commands import command_of, problems
from plyground.web.arena.watcher import ArenaWatcher, ConnectedPage
from plyground.web.protocol.arena import (
    ARENA_REQUEST,
    GAMES_PAGE,
    ArenaRequest,
    CheckedEvent,
    EventId,
    GamesPage,
    NewEvent,
    StartedEvent,
    Watch,
)
from plyground.web.protocol.models import Opened, Problem
from plyground.web.protocol.socket import serve_socket
from plyground.web.sessions.manager import SessionManager

router = APIRouter(prefix="/api/arena", tags=["Arena"])

PathEvent = Annotated[EventId, Path(description="An event's id.")]
MISSING: dict[int | str, dict[str, Any]] = {404: {"model": Problem}}


def _arena(request: Request | WebSocket) -> ArenaWatcher:
    arena: ArenaWatcher = request.app.state.arena
    return arena


@router.post("/check", summary="Whether an event could be started, and its command line")
async def check_event(new: NewEvent, request: Request) -> CheckedEvent:
    rules = _arena(request).rules
    found = await asyncio.to_thread(problems, new, rules)
    is_known = new.game in rules.catalogue.names
    words = ["plyground", *command_of(new, rules)] if is_known else []
    return CheckedEvent(problems=found, command=shlex.join(words))


@router.post("/events", summary="Start a match, a tournament or a sequential test")
async def start_event(new: NewEvent, request: Request) -> StartedEvent:
    return StartedEvent(run=(await _arena(request).start(new)).number)


@router.post("/events/{event}/resume", summary="Go on with an event", responses=MISSING)
async def resume_event(event: PathEvent, request: Request) -> StartedEvent:
    return StartedEvent(run=(await _arena(request).resume(event)).number)


@router.post("/events/{event}/stop", summary="Stop an event", status_code=204, responses=MISSING)
async def stop_event(event: PathEvent, request: Request) -> Response:
    await _arena(request).stop(event)
    return Response(status_code=204)


@router.get("/events/{event}/games", summary="Games of an event", responses=MISSING)
async def list_games(
    event: PathEvent,
    request: Request,
    player: Annotated[str | None, Query(max_length=1000, description="A notation.")] = None,
    result: Annotated[
        Literal["win", "draw", "loss"] | None,
        Query(description="Of the player; without one, of the player who moved first."),
    ] = None,
    ending: Annotated[str | None, Query(max_length=30)] = None,
    limit: Annotated[int, Query(ge=1, le=GAMES_PAGE)] = 50,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> GamesPage:
    arena = _arena(request)
    wanted = GameFilter(player, result, ending)
    return await arena.in_thread(arena.reader.games, event, wanted, limit, offset)


@router.post("/games/{game}/open", summary="Open a finished game", responses=MISSING)
async def open_game(game: Annotated[int, Path(ge=1, lt=1 << 53)], request: Request) -> Opened:
    arena = _arena(request)
    record = await arena.in_thread(arena.reader.record, game)
    sessions: SessionManager = request.app.state.sessions
    return Opened(id=await sessions.import_file(f"game {game}", record, None))


@router.websocket("/socket")
async def arena_socket(websocket: WebSocket) -> None:
    await websocket.accept()
    arena, page = _arena(websocket), ConnectedPage()
    arena.join(page)
    try:
        await serve_socket(websocket, page.outbox, ARENA_REQUEST, partial(_handle, arena, page))
    finally:
        arena.leave(page)


async def _handle(arena: ArenaWatcher, page: ConnectedPage, request: ArenaRequest) -> None:
    arena.watch(page, request.event if isinstance(request, Watch) else None)
