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
from typing import cast

import uvicorn
from fastapi import FastAPI
from platformdirs import user_data_path

from plyground.core.errors import PlygroundError
from plyground.web.app import create_app
from plyground.web.guard import MAX_BODY

LOOPBACK = "127.0.0.1"
PORT = 8631
"""The first one that is tried."""
PORTS_TRIED = 20
GRACE = 0.3
"""Seconds at the end for whoever has not read yet. It is passed on to where fractions will do."""


class PortTaken(PlygroundError):
    """Another program listens there."""


def listen(port: int | None) -> socket.socket:
    """A socket on this port of the loopback; without one, on the first that is free."""
    if port is not None:
        return _bind(port)
    for candidate in range(PORT, PORT + PORTS_TRIED):
        try:
            return _bind(candidate)
        except PortTaken:
            continue
    return _bind(0)


def _bind(port: int) -> socket.socket:
    # Only a socket that says it speaks TCP is told by asyncio not to wait for more to send: that
    # wait would be 40 ms with every answer.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let two programs share the port
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
    """Where games are kept: $PLYGROUND_HOME, or the user's folder for data."""
    given = os.environ.get("PLYGROUND_HOME")
    if given:
        return Path(given)
    return user_data_path("plyground", appauthor=False)


class WebServer:
    """The app on a socket, ready to run."""

    def __init__(
        self,
        listener: socket.socket,
        *,
        home: Path,
        games: Sequence[str] = (),
        token: str | None = None,
        started: Callable[[], None] | None = None,
    ) -> None:
        self._listener = listener
        self.port: int = listener.getsockname()[1]
        self.token = secrets.token_urlsafe(24) if token is None else token
        self.app = create_app(token=self.token, port=self.port, home=home, games=games)
        self._server = _Server(_settings(self.app), started)

    @property
    def origin(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def address(self) -> str:
        """What opens the home page."""
        return f"{self.origin}/?token={self.token}"

    def run(self) -> None:
        """Serve until `stop` or an interrupt."""
        self._server.run(sockets=[self._listener])

    def stop(self) -> None:
        """End soon; may be called from any thread."""
        self._server.should_exit = True


class _Server(uvicorn.Server):
    """Tells when it is there, and ends in order however often it is interrupted."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._tell_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._tell_started is not None:
            self._tell_started()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        # The end is near in any case, and without it workers and unsaved moves would be left.
        self.force_exit = False


def _settings(app: FastAPI) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").addFilter(_is_defect)
    return uvicorn.Config(
        app,
        ws_max_size=MAX_BODY,
        ws_per_message_deflate=False,
        # Somebody who never reads does not answer a ping either, and may take his time.
        ws_ping_timeout=60,
        access_log=False,
        server_header=False,
        log_level="error",
        timeout_graceful_shutdown=cast(int, GRACE),
    )


def _is_defect(record: logging.LogRecord) -> bool:
    """Whether a line of the server's log is worth telling: a defect of ours is. What clients send
    is not, nor what was cut off at the end."""
    kind = record.exc_info[0] if record.exc_info else None
    return record.getMessage().startswith("Exception in ASGI application") and not (
        kind is None or issubclass(kind, asyncio.CancelledError)
    )
