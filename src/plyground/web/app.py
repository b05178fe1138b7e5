"""The web application: routes, error responses and lifespan, behind access control."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from plyground import __version__
from plyground.core.errors import PlygroundError, UnknownGame
from plyground.core.validation import problem_in
from plyground.web.access import AccessControl
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.models import ProblemModel
from plyground.web.protocol.openapi import DESCRIPTION, with_sockets
from plyground.web.routes import analysis, pages
from plyground.web.routes import sessions as session_routes
from plyground.web.sessions.manager import SessionManager
from plyground.web.sessions.storage import NoSession
from plyground.web.workers.pool import Pool


class App(FastAPI):
    """FastAPI with access control in front of all middleware, error pages included."""

    def __init__(self, *, token: str, port: int, **settings: Any) -> None:
        self._token, self._port = token, port
        super().__init__(**settings)

    def build_middleware_stack(self) -> ASGIApp:
        return AccessControl(super().build_middleware_stack(), token=self._token, port=self._port)

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            self.openapi_schema = with_sockets(super().openapi())
        return self.openapi_schema


def create_app(*, token: str, port: int, home: Path, games: Sequence[str] = ()) -> FastAPI:
    """The application for one port and one token; sessions are saved below `home`.

    `games` are paths of users' own files. `app.state` has the `catalogue` of games and, while the
    application runs, the worker `pool` and the `sessions`.
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
        responses={"4XX": {"model": ProblemModel, "description": "What is wrong, in a sentence"}},
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.catalogue = Catalogue(games)
    app.state.home = home
    for routes in (analysis, session_routes, pages):
        app.include_router(routes.router)
    app.add_exception_handler(PlygroundError, _user_error)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _internal_error)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Sessions are closed before the pool that they use."""
    pool = Pool(app.state.catalogue)
    sessions = SessionManager(app.state.home / "games", app.state.catalogue, pool)
    app.state.pool, app.state.sessions = pool, sessions
    async with AsyncExitStack() as stack:
        stack.push_async_callback(pool.close)
        await pool.start()
        stack.push_async_callback(sessions.close)
        yield


# Error responses: one sentence each


def _error_response(status: int, message: str) -> JSONResponse:
    # A message may repeat a lone surrogate of the request, which UTF-8 cannot encode.
    encodable = message.encode("utf-8", "replace").decode()
    return JSONResponse({"message": encodable}, status_code=status)


async def _user_error(request: Request, error: Exception) -> JSONResponse:
    return _error_response(404 if isinstance(error, UnknownGame | NoSession) else 422, str(error))


async def _invalid_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return _error_response(422, problem_in(error.errors()))


async def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    response = _error_response(error.status_code, error.detail)
    response.headers.update(error.headers or {})
    return response


async def _internal_error(request: Request, error: Exception) -> JSONResponse:
    return _error_response(
        500, "something went wrong inside plyground; its terminal has the details"
    )
