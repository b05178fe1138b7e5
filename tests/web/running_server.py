"""A running web server for tests: its own thread, a free port, and requests of any kind."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from plyground.web.server import WebServer, listen


@dataclass(frozen=True)
class Answer:
    """An HTTP response; names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        return json.loads(self.body)

    @property
    def message(self) -> str:
        """The sentence of an error, its only field."""
        document = self.document
        assert list(document) == ["message"], document
        return str(document["message"])


@dataclass(frozen=True)
class Running:
    """A server, and requests of a program that has its token."""

    server: WebServer

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server.port}"

    @property
    def headers(self) -> dict[str, str]:
        """The headers that access control accepts."""
        return {
            "Host": self.host,
            "Origin": self.server.origin,
            "Authorization": f"Bearer {self.server.token}",
        }

    def ask(
        self,
        path: str,
        document: Any = None,
        *,
        method: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """A request as it should be; a document makes it a POST. `headers` replace some of it, and
        an empty one is left out."""
        body = b"" if document is None else json.dumps(document).encode()
        sent = {**self.headers, "Connection": "close"}
        if document is not None:
            sent |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        sent |= headers or {}
        lines = [f"{method or ('GET' if document is None else 'POST')} {path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in sent.items() if value]
        return self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def send(self, data: bytes) -> Answer:
        """Bytes as they are, whether or not they are HTTP."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=60) as line:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                line.sendall(data)
            response = http.client.HTTPResponse(line, method=data.split(b" ")[0].decode("latin-1"))
            response.begin()
            headers = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, headers, response.read())

    def connect(self, path: str, **settings: Any) -> ClientConnection:
        """A WebSocket as it should be."""
        given: dict[str, Any] = {
            "origin": self.server.origin,
            "additional_headers": {"Authorization": f"Bearer {self.server.token}"},
            "proxy": None,
            "max_size": None,
        }
        connection: ClientConnection = connect(f"ws://{self.host}{path}", **(given | settings))
        return connection


@contextlib.contextmanager
def running(
    home: Path, games: Sequence[str] = (), *, store: Path | None = None, engines: bool = False
) -> Iterator[Running]:
    """A server that runs for as long as the block lasts."""
    ready = threading.Event()
    server = WebServer(
        listen(0),
        home=home,
        games=games,
        store=store or home / "arena.db",
        engines=engines,
        started=ready.set,
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        assert ready.wait(60)
        yield Running(server)
    finally:
        server.stop()
        thread.join(60)
        assert not thread.is_alive()
