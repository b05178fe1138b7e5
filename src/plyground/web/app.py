"""The web app: its parts put together behind the guard."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from plyground import __version__
from plyground.core.errors import PlygroundError, UnknownGame
from plyground.web.catalogue import Catalogue
from plyground.web.guard import Guard
from plyground.web.protocol.models import Problem
from plyground.web.protocol.openapi import DESCRIPTION, with_sockets
from plyground.web.protocol.validation import problem_in
from plyground.web.routes import analysis, pages, positions, sessions
from plyground.web.sessions.manager import Tables
from plyground.web.sessions.storage import NoTable
from plyground.web.workers.pool import Pool


class App(FastAPI):
    """FastAPI with the guard in front of everything, its own error pages included."""

    def __init__(self, *, token: str, port: int, **settings: Any) -> None:
        self._token, self._port = token, port
        super().__init__(**settings)

    def build_middleware_stack(self) -> ASGIApp:
        return Guard(super().build_middleware_stack(), token=self._token, port=self._port)

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            self.openapi_schema = with_sockets(super().openapi())
        return self.openapi_schema


def create_app(*, token: str, port: int, home: Path, games: Sequence[str] = ()) -> FastAPI:
    """The app for one port and one token; it keeps its tables below `home`.

    `games` are paths of users' own files. While the app runs, `app.state` has the `catalogue` of
    games, the `pool` of workers that search and the `tables`.
    """
    app = App(
        token=token,
        port=port,
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
    app.include_router(positions.router)
    app.include_router(sessions.router)
    app.include_router(analysis.router)
    app.include_router(pages.router)
    app.add_exception_handler(PlygroundError, _tell_mistake)
    app.add_exception_handler(RequestValidationError, _tell_unreadable)
    app.add_exception_handler(HTTPException, _tell_status)
    app.add_exception_handler(Exception, _tell_defect)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Workers before tables, and after them: tables may be thinking until the end."""
    app.state.pool = pool = Pool(app.state.catalogue)
    try:
        await pool.start()
        async with Tables(app.state.home / "games", app.state.catalogue, pool) as tables:
            app.state.tables = tables
            yield
    finally:
        await pool.close()


# Errors: one sentence each


def _refusal(status: int, message: str) -> JSONResponse:
    # Half a character, which no file can hold, may have been sent and be repeated here.
    whole = message.encode("utf-8", "replace").decode()
    return JSONResponse({"message": whole}, status_code=status)


async def _tell_mistake(request: Request, error: Exception) -> JSONResponse:
    return _refusal(404 if isinstance(error, UnknownGame | NoTable) else 422, str(error))


async def _tell_unreadable(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return _refusal(422, problem_in(error.errors()))


async def _tell_status(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    answer = _refusal(error.status_code, error.detail)
    answer.headers.update(error.headers or {})
    return answer


async def _tell_defect(request: Request, error: Exception) -> JSONResponse:
    return _refusal(500, "something went wrong inside plyground; its terminal has the details")
