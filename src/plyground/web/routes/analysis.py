"""Routes for games and positions without a session, and the analysis socket /api/think.

A socket runs one analysis of each kind at a time: search, solve, review, tree. A new request
replaces the running one of its kind; closing the socket stops all.
"""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, WebSocket

from plyground.core.errors import PlygroundError
from plyground.web.catalogue import Catalogue
from plyground.web.compile_ahead import CompileAhead
from plyground.web.descriptions import game_card, position_view
from plyground.web.protocol.messages import ANALYSIS_REQUEST, AnalysisRequest, Stop
from plyground.web.protocol.models import Evaluations, GameCard, Place, View
from plyground.web.protocol.socket import Outbox, serve_socket
from plyground.web.workers.pool import WorkerPool

router = APIRouter(prefix="/api", tags=["Games and positions"])

FINAL_TYPES = {"search": "done", "solve": "solved", "review": "done", "tree": "tree"}
"""The type of the last reply to each kind of request."""
SEARCH_FIELDS = (
    *("depth", "selective_depth", "nodes", "seconds", "proven", "evaluation", "lines"),
)


@router.get("/games", summary="Every game")
def games(request: Request) -> list[GameCard]:
    catalogue: Catalogue = request.app.state.catalogue
    ahead: CompileAhead = request.app.state.compile_ahead
    return [game_card(game, ready=ahead.is_ready(game.name)) for game in catalogue.games]


@router.post("/positions", summary="A position as people see it, with its legal moves")
def positions(place: Place, request: Request) -> View:
    catalogue: Catalogue = request.app.state.catalogue
    line = catalogue.positions(place)
    return position_view(line[-1], *((line[-2], place.moves[-1]) if place.moves else ()))


@router.post("/evaluations", summary="How the engine can value positions of a board")
async def evaluations(place: Place, request: Request) -> Evaluations:
    pool: WorkerPool = request.app.state.pool
    job = {"type": "evaluations", "place": place.model_dump(exclude_none=True)}
    return Evaluations.model_validate(await pool.run(job, urgent=True))


@router.websocket("/think")
async def think(websocket: WebSocket) -> None:
    await websocket.accept()
    analyses = Analyses(websocket.app.state.pool)
    try:
        await serve_socket(websocket, analyses.outbox, ANALYSIS_REQUEST, analyses.handle)
    finally:
        analyses.stop_all()


class Analyses:
    """The running analyses of one socket, at most one of each kind."""

    def __init__(self, pool: WorkerPool) -> None:
        self.outbox = Outbox()
        self._pool = pool
        self._running: dict[str, tuple[int, asyncio.Task[None]]] = {}

    async def handle(self, request: AnalysisRequest) -> None:
        """Start or stop an analysis."""
        if isinstance(request, Stop):
            self._stop_number(request.id)
        else:
            self._stop(request.type)
            task = asyncio.create_task(self._run(request))
            self._running[request.type] = request.id, task

    def stop_all(self) -> None:
        for kind in list(self._running):
            self._stop(kind)

    def _stop_number(self, number: int) -> None:
        for kind, (running, _) in list(self._running.items()):
            if running == number:
                self._stop(kind)
        self.outbox.put(("stopped", number), {"type": "stopped", "id": number})

    def _stop(self, kind: str) -> None:
        """Stop the analysis of a kind, and withdraw its replies that were not sent yet."""
        if kind in self._running:
            self._running.pop(kind)[1].cancel()
            for reply in ("progress", "advance", "notice"):
                self.outbox.withdraw((kind, reply))

    async def _run(self, request: AnalysisRequest) -> None:
        kind, number = request.type, request.id
        job = request.model_dump(exclude={"id"}, exclude_none=True)

        def listen(message: dict[str, Any]) -> None:
            key = (kind, message["type"], message.get("ply"))
            self.outbox.put(key[:2] if key[2] is None else key, _reply(message, number))

        try:
            result = await self._pool.run(job, listen=listen)
        except PlygroundError as error:
            self.outbox.put_error(str(error), id=number)
        else:
            self.outbox.withdraw((kind, "progress"))
            self.outbox.withdraw((kind, "advance"))
            self.outbox.put((kind, "end"), _reply({"type": FINAL_TYPES[kind], **result}, number))
        if self._running.get(kind, (None, None))[0] == number:
            del self._running[kind]


def _reply(message: dict[str, Any], number: int) -> dict[str, Any]:
    """A message of a job as the socket sends it."""
    kind = message["type"]
    if "lines" in message:
        message = {name: message[name] for name in SEARCH_FIELDS}
    return {**message, "type": kind, "id": number}
