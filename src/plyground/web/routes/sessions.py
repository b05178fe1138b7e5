"""Routes of game sessions, which the interface calls tables: HTTP and the session socket."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response, WebSocket
from fastapi.responses import JSONResponse

from plyground.core.errors import PlygroundError, UnknownGame
from plyground.web.protocol import messages
from plyground.web.protocol.messages import SESSION_REQUEST, SessionRequest
from plyground.web.protocol.models import (
    NewTable,
    Opened,
    OpenFile,
    Problem,
    SeveralGames,
    Table,
    TableCard,
)
from plyground.web.protocol.socket import NO_SUCH_SESSION, Outbox, serve_socket
from plyground.web.sessions.active_session import ActiveSession
from plyground.web.sessions.import_export import AmbiguousFile, export_record
from plyground.web.sessions.manager import SessionManager
from plyground.web.sessions.replay_export import replay_page
from plyground.web.sessions.session import GameSession
from plyground.web.sessions.storage import NoSession

router = APIRouter(prefix="/api", tags=["Tables"])

PathId = Annotated[str, Path(max_length=40, description="A table's id.")]
MISSING: dict[int | str, dict[str, Any]] = {404: {"model": Problem}}


def _sessions(request: Request | WebSocket) -> SessionManager:
    manager: SessionManager = request.app.state.sessions
    return manager


# HTTP


@router.get("/tables", summary="The latest games, newest first")
async def list_tables(request: Request) -> list[TableCard]:
    return await _sessions(request).recent()


@router.post("/tables", summary="Set up a game", responses=MISSING)
async def create_table(new: NewTable, request: Request) -> Opened:
    return Opened(id=await _sessions(request).create(new))


@router.post(
    "/open",
    summary="Open a file: a record, or a position of some game",
    responses={200: {"model": Opened}, 409: {"model": SeveralGames}},
)
async def open_file(file: OpenFile, request: Request) -> Response:
    try:
        name = await _sessions(request).import_file(file.name, file.text, file.game)
    except AmbiguousFile as error:
        return JSONResponse({"message": str(error), "games": error.games}, status_code=409)
    return JSONResponse({"id": name})


@router.get(
    "/tables/{name}", summary="A game as it is now", response_model=Table, responses=MISSING
)
async def show_table(name: PathId, request: Request) -> Response:
    active = await _sessions(request).get(name)
    return Response(await active.read(active.state), media_type="application/json")


@router.delete("/tables/{name}", summary="Delete a game", status_code=204, responses=MISSING)
async def delete_table(name: PathId, request: Request) -> Response:
    await _sessions(request).delete(name)
    return Response(status_code=204)


@router.get("/tables/{name}/record", summary="The game as a record", responses=MISSING)
async def download_record(
    name: PathId,
    request: Request,
    kind: Annotated[Literal["text", "json"], Query(alias="format")] = "text",
) -> Response:
    active = await _sessions(request).get(name)
    record = await active.read(export_record)
    if kind == "json":
        return _download(active.session, record.json + "\n", "jsonl", "application/jsonl")
    return _download(active.session, record.text, "record", "text/plain; charset=utf-8")


@router.get("/tables/{name}/replay", summary="The game as one HTML file", responses=MISSING)
async def download_replay(name: PathId, request: Request) -> Response:
    active = await _sessions(request).get(name)
    page = await active.read(replay_page)
    return _download(active.session, page, "html", "text/html; charset=utf-8")


def _download(session: GameSession, text: str, ending: str, kind: str) -> Response:
    game = "".join(mark for mark in session.game.name if mark.isascii() and mark.isalnum())
    file = f"{game or 'game'}-{session.id}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(text.encode(), media_type=kind, headers=headers)


# WebSocket


@router.websocket("/tables/{name}/socket")
async def table_socket(websocket: WebSocket, name: str) -> None:
    """One page of a session."""
    await websocket.accept()
    try:
        active = await _sessions(websocket).get(name)
    except PlygroundError as error:
        is_missing = isinstance(error, NoSession | UnknownGame)
        await websocket.send_json({"type": "error", "message": str(error)})
        await websocket.close(NO_SUCH_SESSION if is_missing else 1011)
        return
    page = Outbox()
    active.join(page)
    try:
        await serve_socket(websocket, page, SESSION_REQUEST, partial(_handle, active, page))
    finally:
        active.leave(page)


ACTIONS: dict[str, Callable[..., object]] = {
    "play": GameSession.play,
    "try": GameSession.try_move,
    "goto": GameSession.go_to,
    "takeback": GameSession.takeback,
    "resign": GameSession.resign,
    "players": GameSession.set_players,
    "pause": GameSession.pause,
    "resume": GameSession.resume,
    "live": GameSession.run_live,
    "comment": GameSession.comment,
    "remove": GameSession.remove,
    "promote": GameSession.promote,
}
"""What the requests that change a session do. The fields of a request are the arguments."""


async def _handle(active: ActiveSession, page: Outbox, request: SessionRequest) -> None:
    if active.is_deleted:
        raise NoSession("this game has been deleted")
    if isinstance(request, messages.Hint):
        active.autoplay.request_hint(page, request.ref)
    elif isinstance(request, messages.Steer):
        active.session.steer(request.key)
    else:
        action = ACTIONS[request.type]
        given = {name: value for name, value in request if name not in ("type", "ref")}
        await active.change(lambda now: action(active.session, **given, now=now))
