"""The web server: one loopback port, one token, one app."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, cast

import uvicorn
from platformdirs import user_data_path
from uvicorn.protocols.http.h11_impl import H11Protocol

from plyground.arena.store import DEFAULT_PATH
from plyground.core.errors import PlygroundError
from plyground.web.access import MAX_BODY, AccessControl
from plyground.web.app import create_app

LOOPBACK = "127.0.0.1"
PORT = 8631
"""The first port that is tried."""
PORTS_TRIED = 20
GRACE = 0.3
"""Seconds that clients have at shutdown to read their last messages. uvicorn declares an int and
accepts fractions."""


HEADER_SECONDS = 10.0
"""Within which the headers of a request arrive; a browser sends them at once."""


class PortTaken(PlygroundError):
    """A port that cannot be bound."""


def listen(port: int | None) -> socket.socket:
    """A listening socket on this loopback port; without one, on the first free port."""
    if port is not None:
        return _bind(port)
    for candidate in range(PORT, PORT + PORTS_TRIED):
        try:
            return _bind(candidate)
        except PortTaken:
            continue
    return _bind(0)


def _bind(port: int) -> socket.socket:
    # asyncio sets TCP_NODELAY only on sockets whose protocol is TCP. Without it every response is
    # delayed by 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere two programs could share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise PortTaken(
            f"port {port} cannot be used: {os.strerror(error.errno or 0).lower()};"
            " give another one, or none to have one found"
        ) from None
    return listener


def home_folder() -> Path:
    """The folder of saved games: $PLYGROUND_HOME, or the user's folder for data."""
    given = os.environ.get("PLYGROUND_HOME")
    if given:
        return Path(given)
    return user_data_path("plyground", appauthor=False)


class WebServer:
    """The application on a listening socket."""

    def __init__(
        self,
        listener: socket.socket,
        *,
        home: Path,
        games: Sequence[str] = (),
        compiles_ahead: bool = False,
        store: Path = DEFAULT_PATH,
        engines: bool = False,
        started: Callable[[], None] | None = None,
    ) -> None:
        self._listener = listener
        self.port: int = listener.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        self.app = create_app(
            home=home, games=games, compiles_ahead=compiles_ahead, store=store, engines=engines
        )
        guarded = AccessControl(self.app, token=self.token, port=self.port)
        self._server = _Server(_settings(guarded), started)

    @property
    def origin(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def address(self) -> str:
        """The address of the home page, with the token."""
        return f"{self.origin}/?token={self.token}"

    def run(self) -> None:
        """Serve until `stop` or an interrupt."""
        self._server.run(sockets=[self._listener])

    def stop(self) -> None:
        """Shut down; may be called from any thread."""
        self._server.should_exit = True


class _Server(uvicorn.Server):
    """Calls `started` once it listens. Repeated interrupts do not force an early exit."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._started_callback = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._started_callback is not None:
            self._started_callback()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        # A forced exit would leave worker processes and unsaved moves.
        self.force_exit = False


class _TimedProtocol(H11Protocol):
    """Closes a connection on which a request does not begin in time, or trickles in. uvicorn itself
    would wait for ever."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif not self.transport.is_closing() and self.transport.get_protocol() is self:
            self._wait_for_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def _wait_for_headers(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _settings(app: AccessControl) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").addFilter(_is_defect)
    return uvicorn.Config(
        app,
        http=_TimedProtocol,
        ws_max_size=MAX_BODY,
        ws_per_message_deflate=False,
        # A client that reads slowly answers pings slowly.
        ws_ping_timeout=60,
        access_log=False,
        server_header=False,
        log_level="error",
        timeout_graceful_shutdown=cast(int, GRACE),
    )


def _is_defect(record: logging.LogRecord) -> bool:
    """Whether a record of uvicorn's log is an error of the application: not a client's bad request,
    and not a connection that was cancelled at shutdown."""
    kind = record.exc_info[0] if record.exc_info else None
    return record.getMessage().startswith("Exception in ASGI application") and not (
        kind is None or issubclass(kind, asyncio.CancelledError)
    )
