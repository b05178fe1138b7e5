"""Tables over HTTP and WebSocket: how pages and other programs play."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response, WebSocket
from fastapi.responses import JSONResponse
from starlette.websockets import WebSocketDisconnect

from plyground.core.errors import PlygroundError, UnknownGame
from plyground.web.protocol import messages
from plyground.web.protocol.messages import TABLE_MESSAGE, TableMessage
from plyground.web.protocol.models import (
    NewTable,
    Opened,
    OpenFile,
    Problem,
    SeveralGames,
    Table,
    TableCard,
)
from plyground.web.protocol.validation import BadMessage, read_message
from plyground.web.sessions.active_session import Room
from plyground.web.sessions.file_import import SeveralGamesRead
from plyground.web.sessions.manager import Tables
from plyground.web.sessions.outbox import Mailbox
from plyground.web.sessions.replay_export import replay_page
from plyground.web.sessions.session_record import record_of
from plyground.web.sessions.storage import NoTable

router = APIRouter(prefix="/api", tags=["Tables"])

NO_SUCH_TABLE = 4404
"""The code with which a socket is closed whose table is not there, or not any more."""

Name = Annotated[str, Path(max_length=40, description="A table's id.")]
MISSING: dict[int | str, dict[str, Any]] = {404: {"model": Problem}}


def _tables(request: Request | WebSocket) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


# HTTP


@router.get("/tables", summary="The latest games, newest first")
async def list_tables(request: Request) -> list[TableCard]:
    return await _tables(request).recent()


@router.post("/tables", summary="Set up a game", responses=MISSING)
async def create_table(new: NewTable, request: Request) -> Opened:
    return Opened(id=await _tables(request).create(new))


@router.post(
    "/open",
    summary="Open a file: a record, or a position of some game",
    responses={200: {"model": Opened}, 409: {"model": SeveralGames}},
)
async def open_file(file: OpenFile, request: Request) -> Response:
    try:
        name = await _tables(request).open(file.name, file.text, file.game)
    except SeveralGamesRead as error:
        return JSONResponse({"message": str(error), "games": error.games}, status_code=409)
    return JSONResponse({"id": name})


@router.get(
    "/tables/{name}", summary="A game as it is now", response_model=Table, responses=MISSING
)
async def show_table(name: Name, request: Request) -> Response:
    room = await _tables(request).room(name)
    return Response(await room.message(), media_type="application/json")


@router.delete("/tables/{name}", summary="Delete a game", status_code=204, responses=MISSING)
async def delete_table(name: Name, request: Request) -> Response:
    await _tables(request).delete(name)
    return Response(status_code=204)


@router.get("/tables/{name}/record", summary="The game as a record", responses=MISSING)
async def download_record(
    name: Name,
    request: Request,
    kind: Annotated[Literal["text", "json"], Query(alias="format")] = "text",
) -> Response:
    room = await _tables(request).room(name)
    record = await room.ask(record_of)
    if kind == "json":
        return _download(room, record.json + "\n", "jsonl", "application/jsonl")
    return _download(room, record.text, "record", "text/plain; charset=utf-8")


@router.get("/tables/{name}/replay", summary="The game as one HTML file", responses=MISSING)
async def download_replay(name: Name, request: Request) -> Response:
    room = await _tables(request).room(name)
    return _download(room, await room.ask(replay_page), "html", "text/html; charset=utf-8")


def _download(room: Room, text: str, ending: str, kind: str) -> Response:
    game = "".join(mark for mark in room.table.game.name if mark.isascii() and mark.isalnum())
    file = f"{game or 'game'}-{room.table.id}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(text.encode(), media_type=kind, headers=headers)


# WebSocket


@router.websocket("/tables/{name}/socket")
async def table_socket(websocket: WebSocket, name: str) -> None:
    """One page at a table. Whatever it sends, the game goes on."""
    await websocket.accept()
    try:
        room = await _tables(websocket).room(name)
    except PlygroundError as error:
        gone = isinstance(error, NoTable | UnknownGame)
        await websocket.send_json({"type": "error", "message": str(error)})
        await websocket.close(NO_SUCH_TABLE if gone else 1011)
        return
    page = Mailbox()
    room.join(page)
    delivery = asyncio.create_task(_deliver(page, websocket))
    try:
        while True:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                return  # the page has gone
            raw = message.get("text")
            await _receive(room, page, message.get("bytes") or b"" if raw is None else raw)
    finally:
        room.leave(page)
        delivery.cancel()


async def _deliver(page: Mailbox, websocket: WebSocket) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await page.deliver(websocket.send_text)
        await websocket.close(NO_SUCH_TABLE)


async def _receive(room: Room, page: Mailbox, raw: str | bytes) -> None:
    """Do what a message asks for. What is wrong with it is told to the page that sent it."""
    ref: int | str | None = None
    try:
        message = read_message(TABLE_MESSAGE, raw)
        ref = message.ref
        if room.is_deleted:
            raise NoTable("this game has been deleted")
        if isinstance(message, messages.Hint):
            room.turns.hint(page, ref)
        elif isinstance(message, messages.Steer):
            room.table.steer(message.key)
        else:
            await room.change(_action(room, message))
    except BadMessage as error:
        page.put_error({"type": "error", "ref": error.ref, "message": str(error)})
    except PlygroundError as error:
        page.put_error({"type": "error", "ref": ref, "message": str(error)})


def _action(room: Room, message: TableMessage) -> Callable[[float], None]:
    """What a message does to the table, given the time."""
    table = room.table
    match message:
        case messages.Play():
            return lambda now: table.play(message.node, message.move, now)
        case messages.Try():
            return lambda now: table.try_move(message.node, message.move, now)
        case messages.GoTo():
            return lambda now: table.go_to(message.node, now)
        case messages.Takeback():
            return table.takeback
        case messages.Resign():
            return lambda now: table.resign(message.player, now)
        case messages.Players():
            return lambda now: table.set_players(message.players, now)
        case messages.Pause():
            return table.pause
        case messages.Resume():
            return table.resume
        case messages.RunLive():
            return lambda now: table.run_live(
                message.running, message.seconds, message.restart, now
            )
        case messages.SetComment():
            return lambda now: table.comment(message.node, message.text, now)
        case messages.Remove():
            return lambda now: table.remove(message.node, now)
        case messages.Promote():
            return lambda now: table.promote(message.node, now)
        case messages.Hint() | messages.Steer():
            raise AssertionError("these change nothing that must be saved")
