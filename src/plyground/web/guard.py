"""The door of the web app: who may come in, with how much, and how often.

The app runs on its user's own machine, where any web page that the user visits can make the browser
send requests to it. So every request and every WebSocket must name this very server as its Host
(a name that was pointed here by somebody else is refused), come from this app's own pages or from a
program that says so (Origin, Sec-Fetch-Site), and know the token that was printed at the start.
What passes has a bounded size and a bounded rate. Every answer, refusals included, carries the
headers that keep a browser from loading or running anything else.

Refusals cost nothing but themselves: strangers cannot use up what the user is allowed.
"""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Callable, Iterable
from html import escape
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 65_536
"""Bytes of a request, and of a WebSocket message."""
MAX_SOCKETS = 256
HTTP_RATE, HTTP_BURST = 100.0, 300.0
FILE_RATE, FILE_BURST = 1000.0, 3000.0
SOCKET_RATE, SOCKET_BURST = 40.0, 80.0
"""Requests in all, files that pages load, and messages of each WebSocket: so many a second, so many
at once. Files are counted by themselves, since a browser that is opened again with all its pages
asks for hundreds of them in a moment."""
MAX_REFUSED = 200
"""A WebSocket is closed that has so many more messages refused than read: in a flood a few still
get through, which must not start the count again."""
POLICY_VIOLATION, TOO_BIG = 1008, 1009

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""On every answer; Cache-Control is added to them where the answer has none of its own."""


class Refused(Exception):
    """A request that does not pass the door."""

    def __init__(self, status: int, message: str, headers: Iterable[tuple[bytes, bytes]] = ()):
        self.status = status
        self.message = message
        self.headers = tuple(headers)
        super().__init__(message)


class Bucket:
    """A rate: so many a second, and after a rest so many at once."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._filled = burst, clock()

    def take(self) -> float:
        """Take one; 0 if there was one, otherwise the seconds until there will be."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._filled) * self._rate)
        self._filled = now
        if self._left < 1:
            return (1 - self._left) / self._rate
        self._left -= 1
        return 0.0


class Guard:
    """An ASGI application in front of another one. Nothing reaches that one unchecked."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str,
        port: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._token = token.encode()
        self._cookie = f"plyground_{port}"
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._clock = clock
        self._requests = Bucket(HTTP_RATE, HTTP_BURST, clock)
        self._files = Bucket(FILE_RATE, FILE_BURST, clock)
        self._sockets = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, _with_headers(scope, send))
        else:
            await self._websocket(scope, receive, _with_headers(scope, send))

    # HTTP

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check_sender(scope, needs_origin=scope["method"] not in ("GET", "HEAD"))
            if self._brings_token(scope):
                await self._hand_over_cookie(scope, send)
                return
            self._check_token(scope)
            self._check_rate(scope)
            body = await _read_body(scope, receive)
        except Refused as refusal:
            await _answer(scope, send, refusal)
            return
        if body is not None:
            await self._app(scope, _replay(body, receive), send)

    def _check_rate(self, scope: Scope) -> None:
        wait = (self._files if _is_file(scope) else self._requests).take()
        if wait:
            raise Refused(
                429,
                "too many requests; try again in a moment",
                [(b"retry-after", str(int(wait) + 1).encode())],
            )

    # Who sends it

    def _check_sender(self, scope: Scope, *, needs_origin: bool) -> None:
        hosts, origins = _values(scope, b"host"), _values(scope, b"origin")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            raise Refused(403, "this server is not known by that name; use the address it printed")
        if not origins and needs_origin:
            raise Refused(403, f"an Origin header is needed here: http://{hosts[0]}")
        if len(origins) > 1 or not self._origins.issuperset(origins):
            raise Refused(403, "requests from other sites are refused")
        if not {"same-origin", "none"}.issuperset(_values(scope, b"sec-fetch-site")):
            raise Refused(403, "requests from other sites are refused")

    def _check_token(self, scope: Scope) -> None:
        given = [value for name, value in _query(scope) if name == "token"]
        for value in _values(scope, b"authorization"):
            scheme, _, credentials = value.partition(" ")
            if scheme.lower() == "bearer":
                given.append(credentials.strip())
        for header in _values(scope, b"cookie"):
            for part in header.split(";"):
                name, _, value = part.strip().partition("=")
                if name == self._cookie:
                    given.append(value)
        if not any(self._is_token(value) for value in given):
            raise Refused(
                401,
                "the token is missing or wrong; open the address that plyground printed",
                [(b"www-authenticate", b"Bearer")],
            )

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._token)

    def _brings_token(self, scope: Scope) -> bool:
        """Whether a page is asked for with the right token in its address."""
        return (
            scope["method"] in ("GET", "HEAD")
            and not scope["path"].startswith(("/api/", "/static/"))
            and any(name == "token" and self._is_token(value) for name, value in _query(scope))
        )

    async def _hand_over_cookie(self, scope: Scope, send: Send) -> None:
        """Keep the token in a cookie, and take it out of the address and so of the history."""
        kept = urlencode([(name, value) for name, value in _query(scope) if name != "token"])
        # One slash before the path: two would name another server.
        path = "/" + quote(scope["path"].lstrip("/"))
        cookie = f"{self._cookie}={self._token.decode()}; Path=/; HttpOnly; SameSite=Strict"
        headers = [
            (b"location", (f"{path}?{kept}" if kept else path).encode()),
            (b"set-cookie", cookie.encode()),
            (b"content-length", b"0"),
        ]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    # WebSockets

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check_sender(scope, needs_origin=True)
            self._check_token(scope)
            self._check_rate(scope)
            if self._sockets >= MAX_SOCKETS:
                raise Refused(503, f"{MAX_SOCKETS} WebSockets are open already; close some")
        except Refused as refusal:
            await _answer(scope, send, refusal)
            return
        self._sockets += 1
        try:
            line = _Line(scope, receive, send, Bucket(SOCKET_RATE, SOCKET_BURST, self._clock))
            await self._app(scope, line.receive, line.send)
        finally:
            self._sockets -= 1


class _Line:
    """One WebSocket: messages that are too long or too many do not reach the application."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, bucket: Bucket) -> None:
        self._scope, self._receive, self._send, self._bucket = scope, receive, send, bucket
        self._refused = 0
        self._open = self._closed = False

    async def send(self, message: Message) -> None:
        if message["type"] == "websocket.close" and not self._open:
            # Closed before it was opened: there is nothing at this address.
            reason = message.get("reason") or "there is no such WebSocket"
            await _answer(self._scope, self._send, Refused(404, reason))
            self._closed = True
        elif not self._closed:
            self._open = True
            await self._send(message)

    async def receive(self) -> Message:
        while True:
            message = await self._receive()
            if message["type"] != "websocket.receive":
                return message
            if _size(message) > MAX_BODY:
                return await self._close(TOO_BIG, f"a message has at most {MAX_BODY} bytes")
            if not self._bucket.take():
                self._refused = max(0, self._refused - 1)
                return message
            self._refused += 1
            if self._refused >= MAX_REFUSED:
                return await self._close(POLICY_VIOLATION, "too many messages")
            problem = {"type": "error", "message": "too many messages; this one was not read"}
            await self.send({"type": "websocket.send", "text": json.dumps(problem)})

    async def _close(self, code: int, reason: str) -> Message:
        """Close the connection; what the application hears is that its peer has gone."""
        await self.send({"type": "websocket.close", "code": code, "reason": reason})
        self._closed = True
        return {"type": "websocket.disconnect", "code": code, "reason": reason}


def _size(message: Message) -> int:
    text = message.get("text")
    return len(message.get("bytes") or b"") if text is None else len(text.encode())


# Reading a request


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for header, value in scope["headers"] if header == name]


def _is_file(scope: Scope) -> bool:
    return str(scope["path"]).startswith("/static/")


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)


async def _read_body(scope: Scope, receive: Receive) -> bytes | None:
    """The whole body; None if the sender went away in the middle of it."""
    lengths = _values(scope, b"content-length")
    if any(length.isdecimal() and int(length) > MAX_BODY for length in lengths):
        raise _too_big()
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            raise _too_big()
        if not message.get("more_body", False):
            return bytes(body)


def _too_big() -> Refused:
    message = f"a request has at most {MAX_BODY} bytes"
    # The rest of the body is not read, so that nothing else can come on this connection.
    return Refused(413, message, [(b"connection", b"close")])


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body that was read already, then whatever comes."""
    waiting = [body]

    async def replay() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return replay


# Answering


def _with_headers(scope: Scope, send: Send) -> Send:
    """A `send` that puts our headers on every answer."""
    cached = b"no-cache" if _is_file(scope) else b"no-store"

    async def send_with_headers(message: Message) -> None:
        if message["type"] in (
            "http.response.start",
            "websocket.http.response.start",
            "websocket.accept",
        ):
            own = list(message.get("headers", []))
            ours = (*HEADERS, (b"cache-control", cached))
            names = {name.lower() for name, _ in ours}
            kept = [(name, value) for name, value in own if name.lower() not in names]
            message = {**message, "headers": [*kept, *ours]}
        await send(message)

    return send_with_headers


async def _answer(scope: Scope, send: Send, refusal: Refused) -> None:
    """Refuse: to a browser that asks for a page in a page, to all others in JSON."""
    kind = "http.response" if scope["type"] == "http" else "websocket.http.response"
    wants_page = any("text/html" in value for value in _values(scope, b"accept"))
    body = _page(refusal) if wants_page else json.dumps({"message": refusal.message}).encode()
    media = b"text/html; charset=utf-8" if wants_page else b"application/json"
    headers: list[tuple[bytes, Any]] = [
        (b"content-type", media),
        (b"content-length", str(len(body)).encode()),
        *refusal.headers,
    ]
    await send({"type": f"{kind}.start", "status": refusal.status, "headers": headers})
    head = scope["type"] == "http" and scope["method"] == "HEAD"
    await send({"type": f"{kind}.body", "body": b"" if head else body})


def _page(refusal: Refused) -> bytes:
    sentence = escape(refusal.message[:1].upper() + refusal.message[1:])
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>plyground</title>'
        f"</head><body><main><h1>Not here</h1><p>{sentence}.</p>"
        "</main></body></html>\n"
    ).encode()
