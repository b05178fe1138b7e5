"""Connections on which a request trickles in, or never comes, are closed."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator

import pytest

from plyground.web import access, server
from tests.web.running_server import Running, running

SECONDS = 0.3


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "HEADER_SECONDS", SECONDS)
        patch.setattr(access, "BODY_SECONDS", SECONDS)
        with running(tmp_path_factory.mktemp("home")) as found:
            yield found


def request(web: Running, *lines: str) -> bytes:
    headers = [f"{name}: {value}" for name, value in web.headers.items()]
    return "\r\n".join([*lines, *headers]).encode()


def received(line: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    line.settimeout(60)
    found = b""
    while piece := line.recv(1 << 16):
        found += piece
    return found


def opened(web: Running) -> socket.socket:
    return socket.create_connection(("127.0.0.1", web.server.port), timeout=60)


def test_a_connection_without_a_request_is_closed(web: Running) -> None:
    with opened(web) as line:
        assert received(line) == b""


def test_headers_that_trickle_in_are_not_waited_for(web: Running) -> None:
    def send_slowly() -> None:
        for mark in request(web, "GET /api/games HTTP/1.1") + b"\r\nX: " + b"x" * 6000:
            line.sendall(bytes([mark]))
            time.sleep(SECONDS / 50)

    with opened(web) as line, pytest.raises((BrokenPipeError, ConnectionResetError)):
        send_slowly()


def test_a_second_request_is_not_waited_for_either(web: Running) -> None:
    with opened(web) as line:
        whole = request(web, "GET /api/games HTTP/1.1") + b"\r\n\r\n"
        line.sendall(whole + whole[:30])
        assert received(line).startswith(b"HTTP/1.1 200 OK")


def test_a_body_that_does_not_come_is_told_so(web: Running) -> None:
    head = request(web, "POST /api/positions HTTP/1.1", "Content-Length: 100")
    with opened(web) as line:
        line.sendall(head + b"\r\n\r\n{")
        answer = received(line)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"the request did not arrive within 0.3 seconds" in answer


def test_a_websocket_stays_open_without_a_message(web: Running) -> None:
    with web.connect("/api/think") as line:
        time.sleep(3 * SECONDS)
        line.send(json.dumps({"type": "stop", "id": 1}))
        assert json.loads(line.recv(timeout=60)) == {"type": "stopped", "id": 1}
