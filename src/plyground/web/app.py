"""The web application: routes, error responses and lifespan."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from plyground import __version__
from plyground.arena.store import DEFAULT_PATH
from plyground.core.errors import PlygroundError, UnknownGame
from plyground.core.validation import problem_in
from plyground.web.arena.reader import NoEvent
from plyground.web.arena.watcher import ArenaWatcher
from plyground.web.catalogue import Catalogue
from plyground.web.compile_ahead import CompileAhead
from plyground.web.protocol.models import Problem
from plyground.web.protocol.openapi import DESCRIPTION, with_sockets
from plyground.web.routes import analysis, arena, documentation, pages
from plyground.web.routes import sessions as session_routes
from plyground.web.sessions.manager import SessionManager
from plyground.web.sessions.storage import NoSession
from plyground.web.workers.pool import WorkerPool

THREADS = 64
"""Threads for sessions. One that waits for a user's game holds one, for seconds if the game hangs,
and the other sessions need theirs meanwhile."""


class App(FastAPI):
    """FastAPI with a document that describes the WebSockets too."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            self.openapi_schema = with_sockets(super().openapi())
        return self.openapi_schema


def create_app(
    *,
    home: Path,
    games: Sequence[str] = (),
    compiles_ahead: bool = False,
    store: Path = DEFAULT_PATH,
    engines: bool = False,
) -> FastAPI:
    """The application; sessions are saved below `home`.

    `games` are paths of users' own files. With `compiles_ahead` all games are compiled in the
    background, otherwise when they are first needed. `store` is the file of the arena, and with
    `engines` its page may start programs. `app.state` has the `catalogue` of games and, while the
    application runs, the worker `pool`, the `sessions`, the `arena` and `compile_ahead`.
    """
    app = App(
        title="plyground",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        responses={"4XX": {"model": Problem, "description": "What is wrong, in a sentence"}},
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.catalogue = Catalogue(games)
    app.state.home = home
    app.state.compiles_ahead = compiles_ahead
    app.state.store, app.state.engines = store, engines
    for routes in (pages, analysis, session_routes, arena, documentation):
        app.include_router(routes.router)
    for error in (PlygroundError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(error, _error_response)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Users' games are stopped first, so that nothing waits for them. Sessions are closed before
    the pool that they use."""
    executor = ThreadPoolExecutor(THREADS)
    asyncio.get_running_loop().set_default_executor(executor)
    pool = WorkerPool(app.state.catalogue)
    sessions = SessionManager(app.state.home / "games", app.state.catalogue, pool)
    ahead = CompileAhead(app.state.catalogue)
    app.state.pool, app.state.sessions, app.state.compile_ahead = pool, sessions, ahead
    async with AsyncExitStack() as stack:
        stack.push_async_callback(pool.close)
        await pool.start()
        stack.push_async_callback(sessions.close)
        app.state.arena = ArenaWatcher(
            app.state.store, app.state.catalogue, engines=app.state.engines
        )
        stack.push_async_callback(app.state.arena.close)
        stack.push_async_callback(ahead.close)
        if app.state.compiles_ahead:
            ahead.start([card.game for card in await sessions.recent()])
        stack.callback(app.state.catalogue.close)
        yield


async def _error_response(request: Request, error: Exception) -> JSONResponse:
    """The response to a request that failed: one sentence."""
    status, headers = 500, None
    message = "something went wrong inside plyground; its terminal has the details"
    match error:
        case PlygroundError():
            status, message = (
                404 if isinstance(error, UnknownGame | NoSession | NoEvent) else 422,
                str(error),
            )
        case RequestValidationError():
            status, message = 422, problem_in(error.errors())
        case HTTPException():
            status, message, headers = error.status_code, error.detail, error.headers
    # A message may repeat a lone surrogate of the request, which UTF-8 cannot encode.
    encodable = message.encode("utf-8", "replace").decode()
    return JSONResponse({"message": encodable}, status, headers)
