"""Access control: middleware that checks host, origin, token, size and rate of every request.

The server runs on its user's machine, where any web page in the browser can send requests to it. So
every request and every WebSocket must name this server as its Host (against DNS rebinding) and must
not come from another site (Origin, Sec-Fetch-Site). The interface, /api/, also needs the token
printed at the start. Pages need none: they and their files are the same for everybody, and their
scripts send the token. It is in no cookie, which browsers would send to every port of this machine.
Size and rate of accepted requests are limited. Every response, refusals included, has security
headers: the browser loads and runs nothing but this app's own files.

Refused requests do not count for the rate limit, so other programs cannot use up the user's rate.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 65_536
"""Bytes of a request, and of a WebSocket message."""
BODY_SECONDS = 10.0
"""Within which the body of a request arrives."""
MAX_SOCKETS = 256
HTTP_RATE, HTTP_BURST = 100.0, 300.0
PAGE_RATE, PAGE_BURST = 1000.0, 3000.0
SOCKET_RATE, SOCKET_BURST = 40.0, 80.0
"""Requests to the interface, pages and their files, and messages of one WebSocket: per second, and
in one burst. A browser that restores its pages requests hundreds of files at once."""
INTERFACE, DOCUMENT = "/api/", "/api/openapi.json"
"""What needs the token, and the description of it, which does not."""
MAX_REFUSED = 200
"""A WebSocket is closed when it has so many more messages refused than read. A count of refusals in
a row would start again with every message that a flood gets through."""
POLICY_VIOLATION, TOO_BIG = 1008, 1009

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Of every response, besides Cache-Control."""


class RequestRefused(Exception):
    """A request that is not accepted."""

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        self.status = status
        self.message = message
        self.headers = headers
        super().__init__(message)


class RateLimit:
    """A token bucket: `rate` per second, at most `burst` at once."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._filled = burst, clock()

    def take(self) -> float:
        """Use one. 0 if it was allowed, otherwise the seconds until the next is."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._filled) * self._rate)
        self._filled = now
        if self._left < 1:
            return (1 - self._left) / self._rate
        self._left -= 1
        return 0.0


class AccessControl:
    """ASGI middleware: passes on accepted requests only."""

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
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._clock = clock
        self._requests = RateLimit(HTTP_RATE, HTTP_BURST, clock)
        self._pages = RateLimit(PAGE_RATE, PAGE_BURST, clock)
        self._sockets = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        send = _with_headers(scope, send)
        try:
            if scope["type"] == "http":
                await self._http(Request(scope, receive), send)
            else:
                await self._websocket(HTTPConnection(scope), receive, send)
        except RequestRefused as refusal:
            await _refusal_response(refusal)(scope, receive, send)

    async def _http(self, request: Request, send: Send) -> None:
        self._check_sender(request, needs_origin=request.method not in ("GET", "HEAD"))
        self._check_token(request)
        self._check_rate(request)
        try:
            body = await _read_body(request)
        except ClientDisconnect:
            return
        await self._app(request.scope, _replay(body, request.receive), send)

    async def _websocket(self, request: HTTPConnection, receive: Receive, send: Send) -> None:
        self._check_sender(request, needs_origin=True)
        self._check_token(request)
        self._check_rate(request)
        if self._sockets >= MAX_SOCKETS:
            raise RequestRefused(503, f"{MAX_SOCKETS} WebSockets are open already; close some")
        self._sockets += 1
        try:
            limit = RateLimit(SOCKET_RATE, SOCKET_BURST, self._clock)
            limited = _LimitedSocket(request.scope, receive, send, limit)
            await self._app(request.scope, limited.receive, limited.send)
        finally:
            self._sockets -= 1

    # Checks

    def _check_sender(self, request: HTTPConnection, *, needs_origin: bool) -> None:
        hosts, origins = request.headers.getlist("host"), request.headers.getlist("origin")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            raise RequestRefused(
                403, "this server is not known by that name; use the address it printed"
            )
        if not origins and needs_origin:
            raise RequestRefused(403, f"an Origin header is needed here: http://{hosts[0]}")
        sites = request.headers.getlist("sec-fetch-site")
        if (
            len(origins) > 1
            or not self._origins.issuperset(origins)
            or not {"same-origin", "none"}.issuperset(sites)
        ):
            raise RequestRefused(403, "requests from other sites are refused")

    def _check_token(self, request: HTTPConnection) -> None:
        if not _needs_token(request.scope):
            return
        given = request.query_params.getlist("token")
        for value in request.headers.getlist("authorization"):
            scheme, _, credentials = value.partition(" ")
            if scheme.lower() == "bearer":
                given.append(credentials.strip())
        sent = [value.encode("utf-8", "replace") for value in given]
        if not any(hmac.compare_digest(value, self._token) for value in sent):
            raise RequestRefused(
                401,
                "the token is missing or wrong; open the address that plyground printed",
                {"www-authenticate": "Bearer"},
            )

    def _check_rate(self, request: HTTPConnection) -> None:
        wait = (self._requests if _needs_token(request.scope) else self._pages).take()
        if wait:
            raise RequestRefused(
                429,
                "too many requests; try again in a moment",
                {"retry-after": str(int(wait) + 1)},
            )


class _LimitedSocket:
    """One WebSocket: messages that are too long or too many do not reach the application."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, limit: RateLimit) -> None:
        self._scope, self._receive, self._send, self._limit = scope, receive, send, limit
        self._refused = 0
        self._open = self._closed = False

    async def send(self, message: Message) -> None:
        if message["type"] == "websocket.close" and not self._open:
            # Closed before it was opened: no route has this address.
            reason = message.get("reason") or "there is no such WebSocket"
            refusal = _refusal_response(RequestRefused(404, reason))
            await refusal(self._scope, self._receive, self._send)
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
            if not self._limit.take():
                self._refused = max(0, self._refused - 1)
                return message
            self._refused += 1
            if self._refused >= MAX_REFUSED:
                return await self._close(POLICY_VIOLATION, "too many messages")
            problem = {"type": "error", "message": "too many messages; this one was not read"}
            await self.send({"type": "websocket.send", "text": json.dumps(problem)})

    async def _close(self, code: int, reason: str) -> Message:
        """Close the connection. The application receives a disconnect."""
        await self.send({"type": "websocket.close", "code": code, "reason": reason})
        self._closed = True
        return {"type": "websocket.disconnect", "code": code, "reason": reason}


def _size(message: Message) -> int:
    text = message.get("text")
    return len(message.get("bytes") or b"") if text is None else len(text.encode())


def _needs_token(scope: Scope) -> bool:
    return str(scope["path"]).startswith(INTERFACE) and scope["path"] != DOCUMENT


async def _read_body(request: Request) -> bytes:
    # The rest of a body that is too long is not read, so the connection cannot be used again.
    too_long = RequestRefused(
        413, f"a request has at most {MAX_BODY} bytes", {"connection": "close"}
    )
    for length in request.headers.getlist("content-length"):
        if length.isdecimal() and int(length) > MAX_BODY:
            raise too_long
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BODY:
                    raise too_long
    except TimeoutError:
        slow = f"the request did not arrive within {BODY_SECONDS:g} seconds"
        raise RequestRefused(408, slow, {"connection": "close"}) from None
    return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body already read, then the messages that follow."""
    unread = [body]

    async def replay() -> Message:
        if unread:
            return {"type": "http.request", "body": unread.pop(), "more_body": False}
        return await receive()

    return replay


def _with_headers(scope: Scope, send: Send) -> Send:
    """A `send` that adds the security headers to every response."""
    caching = "no-cache" if str(scope["path"]).startswith("/static/") else "no-store"
    starts = ("http.response.start", "websocket.http.response.start", "websocket.accept")

    async def send_with_headers(message: Message) -> None:
        if message["type"] in starts:
            message = {"headers": [], **message}
            MutableHeaders(scope=message).update({**HEADERS, "cache-control": caching})
        await send(message)

    return send_with_headers


def _refusal_response(refusal: RequestRefused) -> Response:
    return JSONResponse({"message": refusal.message}, refusal.status, refusal.headers)
