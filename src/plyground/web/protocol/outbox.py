"""Messages that wait to be sent to one WebSocket.

The outbox keeps only the newest message of each kind, so a slow client gets the latest state and
memory stays bounded. A task per connection delivers; senders never wait for a client.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any

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
