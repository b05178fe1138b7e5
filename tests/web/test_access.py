"""Access control over real sockets: hosts, origins, tokens, sizes and paths that are refused."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from plyground.web import access
from plyground.web.access import MAX_BODY
from plyground.web.routes.pages import FOLDER
from tests.web.running_server import Answer, Running, running

SECURITY = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
PLACE = {"game": "tictactoe"}
SOCKET = "/api/think"

FOREIGN_HOSTS = [
    "evil.com",
    "evil.com:{port}",
    "127.0.0.1",
    "127.0.0.1:80",
    "127.0.0.1:{other}",
    "localhost",
    "localhost:{other}",
    "127.0.0.1.evil.com:{port}",
    "localhost.evil.com:{port}",
    "evil127.0.0.1:{port}",
    "evillocalhost:{port}",
    "127.0.0.1:{port}.evil.com",
    "127.0.0.1:{port}@evil.com",
    "evil.com@127.0.0.1:{port}",
    "127.0.0.1:{port}0",
    "127.0.0.2:{port}",
    "127.1:{port}",
    "0.0.0.0:{port}",
    "2130706433:{port}",
    "localhost.:{port}",
    "127.0.0.1:{port}, evil.com",
    "127.0.0.1:{port}/",
]
FOREIGN_ORIGINS = [
    "null",
    "http://evil.com",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1",
    "http://127.0.0.1:{other}",
    "http://localhost:{other}",
    "http://127.0.0.1.evil.com:{port}",
    "http://evil127.0.0.1:{port}",
    "http://127.0.0.1:{port}.evil.com",
    "http://127.0.0.1:{port}@evil.com",
    "http://127.0.0.1:{port}/",
    "127.0.0.1:{port}",
    "file://",
    "ws://127.0.0.1:{port}",
    "http://127.0.0.1:{port} http://evil.com",
]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that takes any number of requests: rates are tested by themselves."""
    patch = pytest.MonkeyPatch()
    patch.setattr(access, "HTTP_BURST", 1e9)
    with running(tmp_path_factory.mktemp("home")) as server:
        patch.undo()
        yield server


def filled(pattern: str, web: Running) -> str:
    return pattern.format(port=web.server.port, other=web.server.port % 65535 + 1)


def socket_refusal(web: Running, path: str = SOCKET, **settings: Any) -> tuple[int, str]:
    """The status and the sentence that a WebSocket was refused with, before it was opened."""
    with pytest.raises(InvalidStatus) as refused:
        web.connect(path, **settings).close()
    response = refused.value.response
    for name, value in SECURITY.items():
        assert response.headers[name] == value
    return response.status_code, json.loads(response.body or b"")["message"]


def opens(web: Running, path: str = SOCKET, **settings: Any) -> bool:
    with web.connect(path, **settings) as line:
        return line.close_code is None


# Host: what this server is called, so that no other name can be pointed at it


@pytest.mark.parametrize("pattern", FOREIGN_HOSTS)
def test_a_request_for_another_host_is_refused(web: Running, pattern: str) -> None:
    answer = web.ask("/api/games", headers={"Host": filled(pattern, web)})
    assert (answer.status, answer.message) == (
        403,
        "this server is not known by that name; use the address it printed",
    )


def test_a_rebound_name_is_refused_although_everything_agrees_with_it(web: Running) -> None:
    """DNS rebinding: the page, its Host and its Origin are all of the attacker's own name."""
    name = f"rebound.example:{web.server.port}"
    sent = {"Host": name, "Origin": f"http://{name}", "Sec-Fetch-Site": "same-origin"}
    assert web.ask("/api/positions", PLACE, headers=sent).status == 403
    assert web.ask(f"/?token={web.server.token}", headers=sent).status == 403


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_the_server_goes_by_its_own_names(web: Running, name: str) -> None:
    host = f"{name}:{web.server.port}"
    sent = {"Host": host, "Origin": f"http://{host}"}
    assert web.ask("/api/games", headers=sent).status == 200


def test_no_host_or_two_of_them_are_refused(web: Running) -> None:
    token = f"Authorization: Bearer {web.server.token}\r\nConnection: close\r\n\r\n"
    old = f"GET /api/games HTTP/1.0\r\n{token}".encode()
    assert web.send(old).status == 403
    twice = f"GET /api/games HTTP/1.1\r\nHost: {web.host}\r\nHost: evil.com\r\n{token}".encode()
    assert web.send(twice).status in (400, 403)


@pytest.mark.parametrize("pattern", FOREIGN_HOSTS[:12])
def test_a_websocket_for_another_host_is_refused(web: Running, pattern: str) -> None:
    request = (
        f"GET {SOCKET} HTTP/1.1\r\nHost: {filled(pattern, web)}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n"
        f"Origin: {web.server.origin}\r\nAuthorization: Bearer {web.server.token}\r\n\r\n"
    )
    assert web.send(request.encode()).status == 403


# Origin: which page sends it


@pytest.mark.parametrize("pattern", FOREIGN_ORIGINS)
def test_a_request_from_another_origin_is_refused(web: Running, pattern: str) -> None:
    sent = {"Origin": filled(pattern, web)}
    for answer in (
        web.ask("/api/positions", PLACE, headers=sent),
        web.ask("/api/games", headers=sent),
        web.ask("/", headers=sent),
    ):
        assert (answer.status, answer.message) == (403, "requests from other sites are refused")


@pytest.mark.parametrize("pattern", FOREIGN_ORIGINS)
def test_a_websocket_from_another_origin_is_refused(web: Running, pattern: str) -> None:
    refusal = socket_refusal(web, origin=filled(pattern, web))
    assert refusal == (403, "requests from other sites are refused")


def test_a_change_without_an_origin_is_refused(web: Running) -> None:
    for method in ("POST", "DELETE", "PUT", "OPTIONS", "PATCH"):
        answer = web.ask("/api/positions", PLACE, method=method, headers={"Origin": ""})
        assert answer.status == 403
        assert answer.message == f"an Origin header is needed here: {web.server.origin}"
    assert socket_refusal(web, origin=None) == (
        403,
        f"an Origin header is needed here: {web.server.origin}",
    )


def test_reading_needs_no_origin(web: Running) -> None:
    """Browsers send none with a page that is opened, nor with a picture."""
    assert web.ask("/api/games", headers={"Origin": ""}).status == 200


def test_two_origins_are_refused(web: Running) -> None:
    request = (
        f"GET /api/games HTTP/1.1\r\nHost: {web.host}\r\nOrigin: {web.server.origin}\r\n"
        f"Origin: http://evil.com\r\nAuthorization: Bearer {web.server.token}\r\n"
        "Connection: close\r\n\r\n"
    )
    assert web.send(request.encode()).status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "Same-Origin", "nonsense"])
def test_what_a_browser_calls_foreign_is_refused(web: Running, site: str) -> None:
    sent = {"Sec-Fetch-Site": site}
    assert web.ask("/api/games", headers=sent).status == 403
    assert web.ask(f"/?token={web.server.token}", headers=sent).status == 403
    authorization = {"Authorization": f"Bearer {web.server.token}"}
    assert socket_refusal(web, additional_headers={**authorization, **sent})[0] == 403


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_what_a_browser_calls_its_own_passes(web: Running, site: str) -> None:
    assert web.ask("/api/games", headers={"Sec-Fetch-Site": site}).status == 200


# The token


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer ", "Bearer x", "Basic {token}", "{token}"])
def test_without_the_token_nothing_is_told(web: Running, given: str) -> None:
    sent = {"Authorization": given.format(token=web.server.token)}
    for path in ("/api/games", "/api/tables", "/api/tables/abc/record", "/api/nowhere", "/api/"):
        answer = web.ask(path, headers=sent)
        assert answer.status == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert (
            answer.message
            == "the token is missing or wrong; open the address that plyground printed"
        )
    assert web.ask("/api/positions", PLACE, headers=sent).status == 401
    assert socket_refusal(web, additional_headers={})[0] == 401


def test_pages_and_the_document_need_no_token_and_are_the_same_for_everybody(web: Running) -> None:
    for path in ("/", "/play/abc", "/static/shared/style.css", "/api/openapi.json"):
        stranger = web.ask(path, headers={"Authorization": ""})
        assert stranger.status == 200
        assert stranger.body == web.ask(path).body
        assert web.server.token.encode() not in stranger.body


@pytest.mark.parametrize("change", ["{}x", "x{}", " ", "{}é", "%00{}"])
def test_a_token_that_is_nearly_right_is_wrong(web: Running, change: str) -> None:
    token = change.format(web.server.token)
    query = token.replace("é", "%C3%A9").replace(" ", "%20")
    answer = web.ask(f"/api/games?token={query}", headers={"Authorization": ""})
    assert answer.status == 401


def test_the_token_may_come_in_a_header_or_a_query(web: Running) -> None:
    token = web.server.token
    none = {"Authorization": ""}
    assert web.ask("/api/games").status == 200
    assert web.ask("/api/games", headers={"Authorization": f"bearer {token}"}).status == 200
    assert web.ask(f"/api/games?token={token}", headers=none).status == 200
    assert opens(web, f"{SOCKET}?token={token}", additional_headers={})


def test_no_cookie_is_set_or_read(web: Running) -> None:
    """Browsers send the cookies of a machine to all its ports."""
    token, port = web.server.token, web.server.port
    for path in ("/", f"/?token={token}", f"/play/abc?token={token}", f"/api/games?token={token}"):
        answer = web.ask(path)
        assert answer.status == 200
        assert "set-cookie" not in answer.headers
    cookie = {"Cookie": f"plyground_{port}={token}; token={token}; plyground-token={token}"}
    assert web.ask("/api/games", headers={"Authorization": "", **cookie}).status == 401
    assert socket_refusal(web, additional_headers=cookie)[0] == 401


def test_a_refusal_repeats_nothing_that_was_sent(web: Running) -> None:
    sent = {"Accept": "text/html", "Authorization": "", "Origin": "http://<script>"}
    for path in ("/<script>", "/api/<script>"):
        assert b"<script>" not in web.ask(path, headers=sent).body


def test_a_websocket_that_is_not_there_is_told_so(web: Running) -> None:
    assert socket_refusal(web, "/api/nowhere") == (404, "there is no such WebSocket")


# RecordHeaders


def assert_secured(answer: Answer, caching: str) -> None:
    for name, value in SECURITY.items():
        assert answer.headers[name] == value
    assert answer.headers["cache-control"] == caching
    assert "server" not in answer.headers
    assert not any(name.startswith("access-control-") for name in answer.headers)


def test_every_kind_of_answer_has_the_headers(
    web: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    statuses = []
    for answer in (
        web.ask("/api/games"),
        web.ask("/"),
        web.ask("/api/games", headers={"Authorization": ""}),
        web.ask("/api/games", headers={"Host": "evil.com"}),
        web.ask("/nowhere"),
        web.ask("/api/games", method="DELETE"),
        web.ask("/api/positions", {"game": "tictactoe", "x": 1}),
        web.ask("/api/positions", {"text": "x" * MAX_BODY}),
        web.ask("/api/positions", PLACE, method="OPTIONS"),
        web.ask("/api/games", method="HEAD"),
    ):
        assert_secured(answer, "no-store")
        statuses.append(answer.status)
    assert statuses == [200, 200, 401, 403, 404, 405, 422, 413, 405, 405]
    assert_secured(web.ask("/static/shared/style.css"), "no-cache")
    monkeypatch.setattr("plyground.web.routes.analysis.game_card", lambda _: 1 // 0)
    defect = web.ask("/api/games")
    assert_secured(defect, "no-store")
    assert defect.status == 500
    assert "Zero" not in defect.message


def test_a_websocket_has_the_headers_too(web: Running) -> None:
    with web.connect(SOCKET) as line:
        assert line.response is not None
        for name, value in SECURITY.items():
            assert line.response.headers[name] == value
        assert "Sec-WebSocket-Extensions" not in line.response.headers


# Size


def test_a_body_that_says_it_is_too_long_is_refused(web: Running) -> None:
    answer = web.ask("/api/positions", {"game": "tictactoe", "text": "x" * MAX_BODY})
    assert (answer.status, answer.message) == (413, f"a request has at most {MAX_BODY} bytes")


def test_a_body_that_only_announces_its_length_is_refused_before_it_comes(web: Running) -> None:
    answer = web.ask("/api/positions", method="POST", headers={"Content-Length": "9" * 30})
    assert answer.status in (400, 413)
    answer = web.ask("/api/positions", method="POST", headers={"Content-Length": "65537"})
    assert answer.status == 413


def chunked(web: Running, length: int) -> Answer:
    place = json.dumps({"game": "tictactoe", "text": "x" * length}).encode()
    pieces = [place[at : at + 5000] for at in range(0, len(place), 5000)]
    body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in [*pieces, b""])
    sent = "".join(f"{name}: {value}\r\n" for name, value in web.headers.items())
    head = (
        f"POST /api/positions HTTP/1.1\r\n{sent}Content-Type: application/json\r\n"
        "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    return web.send(head.encode() + body)


def test_a_body_without_a_length_is_counted(web: Running) -> None:
    assert chunked(web, MAX_BODY + 1).status == 413
    assert chunked(web, 50 * MAX_BODY).status == 413
    assert chunked(web, 100).status == 422


def test_a_body_of_the_greatest_length_is_read(web: Running) -> None:
    padding = MAX_BODY - len(json.dumps({"x": ""}))
    answer = web.ask("/api/positions", {"x": "y" * padding})
    assert answer.status == 422
    assert web.ask("/api/positions", {"x": "y" * (padding + 1)}).status == 413


def test_a_get_with_a_body_is_counted_too(web: Running) -> None:
    assert web.ask("/api/games", {"x": "y" * MAX_BODY}, method="GET").status == 413


def test_a_long_message_closes_its_websocket_and_no_other(web: Running) -> None:
    with web.connect(SOCKET) as other, web.connect(SOCKET) as line:
        line.send("x" * (MAX_BODY + 1))
        with pytest.raises(ConnectionClosed):
            line.recv(timeout=60)
        assert line.close_code == 1009
        other.send("{}")
        assert json.loads(other.recv(timeout=60))["type"] == "error"


def test_a_long_message_in_pieces_is_as_long(web: Running) -> None:
    with web.connect(SOCKET) as line:
        with contextlib.suppress(ConnectionClosed):
            line.send(["x" * 40_000, "y" * 40_000])
        with pytest.raises(ConnectionClosed):
            line.recv(timeout=60)
        assert line.close_code == 1009


# Floods


def test_a_flood_over_a_real_websocket_is_closed(web: Running) -> None:
    with web.connect(SOCKET) as line:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(20_000):
                line.send("{}")
        with contextlib.suppress(ConnectionClosed):
            while True:
                line.recv(timeout=60)
        assert line.close_code == 1008
    assert web.ask("/api/games").status == 200


# Paths


ESCAPES = [
    "/static/../app.py",
    "/static/%2e%2e/app.py",
    "/static/..%2fapp.py",
    "/static/%2e%2e%2fapp.py",
    "/static/..\\app.py",
    "/static/..%5capp.py",
    "/static/%2e%2e%5capp.py",
    "/static/....//app.py",
    "/static//etc/passwd",
    "/static/%2fetc%2fpasswd",
    "/static/shared/style.css%00.js",
    "/static/%00",
    "/static/",
    "/static",
    "/static/.",
    "/static/..",
    "/static/shared/style.css/../../app.py",
    "/static/%c0%ae%c0%ae/app.py",
    "/static/shared",
    "/static/shared/",
    "/static/shared/../shared/style.css",
    "/static/shared/./style.css",
    "/static/shared//style.css",
    "/static/shared%5cstyle.css",
    "/static/shared/protocol.d.ts",
    "/static/board/../../app.py",
    "/static/board/%2e%2e/%2e%2e/app.py",
    "/static/board/..%2f..%2fapp.py",
    "/static/C:%5cWindows%5cwin.ini",
    "/static/shared/style.css::$DATA",
    "/app.py",
    "/../app.py",
    "/play/../../app.py",
    "/play/%2e%2e%2f%2e%2e%2fapp.py",
    "/api/tables/..%2f..%2fsecret",
    "/static/" + "a" * 5000,
]


@pytest.mark.parametrize("path", ESCAPES, ids=lambda path: path[:40])
def test_no_path_leads_out_of_the_folder(web: Running, path: str) -> None:
    answer = web.ask(path)
    assert answer.status in (400, 404, 422)
    assert b"import" not in answer.body
    assert b"root:" not in answer.body


def test_a_link_out_of_the_folder_is_no_file_of_it(tmp_path: Path) -> None:
    """The folder is ours, and has none."""
    assert not any(file.is_symlink() for file in FOLDER.rglob("*"))


# What the pages may hold, as the policy would refuse the rest


@pytest.mark.parametrize("page", sorted(FOLDER.rglob("*.html")), ids=lambda page: page.name)
def test_a_page_has_no_inline_script_style_or_handler_and_loads_nothing_from_elsewhere(
    page: Path,
) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"<script(?![^>]*\bsrc=\"/static/)", text)
    assert not re.findall(r"<style|\sstyle=|\son[a-z]+=", text)
    assert not re.findall(r"(?:src|href)=\"(?!/|#)", text)
