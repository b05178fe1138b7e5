"""What waits to be sent to one page. It stays small however slowly the page reads.

Only the newest message of each kind waits: a page that was away wants to know how things are, not
how they came to be so. Each connection has a mailbox and one task that delivers from it, so whoever
has something to tell never waits for a page.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any

MAX_ERRORS = 20
"""Errors that wait. Each is said of a message of its own, so one does not replace another."""
MAX_KINDS = 5000
"""Kinds that wait, such as the plies of a long review; beyond it the oldest is given up."""

Message = str | Mapping[str, Any]
"""A text that is sent as it is, or what becomes one of JSON when its turn comes."""


class Mailbox:
    """Messages for one connection; of use on one event loop, and within no other thread."""

    def __init__(self) -> None:
        self._newest: dict[Hashable, Message] = {}
        self._errors: deque[Message] = deque(maxlen=MAX_ERRORS)
        self._arrived = asyncio.Event()
        self._closed = False

    def put(self, kind: Hashable, message: Message) -> None:
        """Leave a message. It takes the place of an older one of its kind, behind all others."""
        self._newest.pop(kind, None)
        self._newest[kind] = message
        if len(self._newest) > MAX_KINDS:
            del self._newest[next(iter(self._newest))]
        self._arrived.set()

    def put_error(self, message: Message) -> None:
        """Leave an error. If too many wait, the oldest is given up."""
        self._errors.append(message)
        self._arrived.set()

    def withdraw(self, kind: Hashable) -> None:
        """Take back what waits of a kind: it has become untrue."""
        self._newest.pop(kind, None)

    def close(self) -> None:
        """Let delivery end once all is sent."""
        self._closed = True
        self._arrived.set()

    def __len__(self) -> int:
        return len(self._newest) + len(self._errors)

    async def take(self) -> str | None:
        """The next message, errors first; waits until there is one. None once all is over."""
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
        """Send one message after another, until closed, cancelled or until sending fails."""
        while (message := await self.take()) is not None:
            await send(message)


def encode(message: Mapping[str, Any]) -> str:
    """A message as pages read it."""
    return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
