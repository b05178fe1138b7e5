"""Serves a WebSocket: validates what it receives, and delivers what waits in its outbox."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from plyground.core.errors import FormatError, PlygroundError
from plyground.core.validation import problem_in
from plyground.web.protocol.messages import MAX_REFERENCE
from plyground.web.protocol.outbox import Outbox

Request = TypeVar("Request")

NO_SUCH_TABLE = 4404
"""The code that closes the socket of a session that does not exist, or has been deleted."""


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
        await websocket.close(NO_SUCH_TABLE)


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
