"""Serves a WebSocket: validates what it receives, and delivers what waits in its outbox.

The outbox keeps only the newest message of each kind, so a slow client gets the latest state and
memory stays bounded. A task per connection delivers; senders never wait for a client.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from plyground.core.errors import FormatError, PlygroundError
from plyground.core.validation import problem_in
from plyground.web.protocol.messages import MAX_REFERENCE

Request = TypeVar("Request")

NO_SUCH_SESSION = 4404
"""The code that closes the socket of a session that does not exist, or has been deleted."""
MAX_ERRORS = 20
"""Errors that wait. Each answers its own request, so none replaces another."""
MAX_KINDS = 5000
"""Kinds that wait, such as the plies of a long review. Beyond it the oldest is dropped."""

OutboxMessage = str | Mapping[str, Any]
"""A text that is sent as it is, or a document that is encoded when it is sent."""


class Outbox:
    """The messages for one connection. Belongs to one event loop."""

    def __init__(self) -> None:
        self._newest: dict[Hashable, OutboxMessage] = {}
        self._errors: deque[OutboxMessage] = deque(maxlen=MAX_ERRORS)
        self._arrived = asyncio.Event()
        self._closed = False

    def put(self, kind: Hashable, message: OutboxMessage) -> None:
        """Add a message at the end. It replaces an older one of its kind."""
        self._newest.pop(kind, None)
        self._newest[kind] = message
        if len(self._newest) > MAX_KINDS:
            del self._newest[next(iter(self._newest))]
        self._arrived.set()

    def put_error(self, text: str, **identifiers: int | str | None) -> None:
        """Add an error, with the `ref` or `id` of its request. Errors are sent first."""
        self._errors.append({"type": "error", **identifiers, "message": text})
        self._arrived.set()

    def withdraw(self, kind: Hashable) -> None:
        """Remove the waiting message of a kind."""
        self._newest.pop(kind, None)

    def close(self) -> None:
        """End delivery once all messages are sent."""
        self._closed = True
        self._arrived.set()

    def __len__(self) -> int:
        return len(self._newest) + len(self._errors)

    async def take(self) -> str | None:
        """The next message, as soon as there is one. None if closed and empty."""
        while not len(self):
            if self._closed:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        if self._errors:
            message = self._errors.popleft()
        else:
            message = self._newest.pop(next(iter(self._newest)))
        return message if isinstance(message, str) else encode(message)

    async def deliver(self, send: Callable[[str], Awaitable[None]]) -> None:
        """Send message after message until closed and empty, or until sending fails."""
        while (message := await self.take()) is not None:
            await send(message)


def encode(message: Mapping[str, Any]) -> str:
    """A message as JSON text."""
    return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


async def serve_socket(
    websocket: WebSocket,
    outbox: Outbox,
    requests: TypeAdapter[Request],
    handle: Callable[[Request], Awaitable[None]],
) -> None:
    """Handle every received message and deliver the outbox, until the client disconnects.

    A message that is invalid, or whose handling fails, is answered with an error.
    """
    delivery = asyncio.create_task(_deliver(websocket, outbox))
    try:
        while (message := await websocket.receive())["type"] != "websocket.disconnect":
            text = message.get("text")
            raw = message.get("bytes") or b"" if text is None else text
            try:
                await handle(read_message(requests, raw))
            except PlygroundError as error:
                outbox.put_error(str(error), **identifiers(raw))
    finally:
        delivery.cancel()


async def _deliver(websocket: WebSocket, outbox: Outbox) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await outbox.deliver(websocket.send_text)
        await websocket.close(NO_SUCH_SESSION)


def read_message(requests: TypeAdapter[Request], raw: str | bytes) -> Request:
    """The validated message in a text. Raises FormatError."""
    try:
        return requests.validate_json(raw)
    except ValidationError as error:
        raise FormatError(problem_in(error.errors(include_url=False))) from None


def identifiers(raw: str | bytes) -> dict[str, int | str]:
    """The `ref` and the `id` of a message, which may be invalid, as far as they can be read."""
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    found: dict[str, int | str] = {}
    if isinstance(document, dict):
        ref, number = document.get("ref"), document.get("id")
        if isinstance(ref, int | str) and len(str(ref)) <= MAX_REFERENCE:
            found["ref"] = ref
        if isinstance(number, int) and 0 <= number < 1 << 53:
            found["id"] = number
    return found
