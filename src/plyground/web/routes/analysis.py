"""The socket /api/think: searches, solutions, reviews and trees for a page or another program.

A page may ask for one thing of each kind at a time. A new question of a kind takes the place of
the last one, which is stopped; closing the socket stops all. What is wrong with a message is said
in a reply, and the socket stays open.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from plyground.core.errors import PlygroundError
from plyground.web.protocol.messages import THINK_MESSAGE, Review, Search, Solve, Stop, Tree
from plyground.web.protocol.validation import BadMessage, read_message
from plyground.web.sessions.outbox import Mailbox, encode
from plyground.web.workers.pool import Pool

router = APIRouter()

Question = Search | Solve | Review | Tree

ENDS = {"search": "done", "solve": "solved", "review": "done", "tree": "tree"}
"""The type of the last message of each kind of job."""
SEARCH_FIELDS = ("depth", "selective_depth", "nodes", "seconds", "proven", "lines")


@router.websocket("/api/think")
async def think(websocket: WebSocket) -> None:
    """Answer what comes, until the socket is closed."""
    await websocket.accept()
    mailbox = Mailbox()
    conversation = Conversation(websocket.app.state.pool, mailbox)
    tasks = [
        asyncio.create_task(mailbox.deliver(websocket.send_text)),
        asyncio.create_task(_listen(websocket, conversation)),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        conversation.close()
        for task in tasks:
            task.cancel()
        for problem in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(problem, Exception) and not isinstance(problem, WebSocketDisconnect):
                raise problem


async def _listen(websocket: WebSocket, conversation: Conversation) -> None:
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        raw = message.get("text")
        conversation.hear(message.get("bytes") or b"" if raw is None else raw)


class Conversation:
    """What one socket has asked for, and the mailbox for the answers."""

    def __init__(self, pool: Pool, mailbox: Mailbox) -> None:
        self._pool = pool
        self._mailbox = mailbox
        self._jobs: dict[str, tuple[int, asyncio.Task[None]]] = {}

    def hear(self, raw: str | bytes) -> None:
        """Take a message; whatever it asks for happens elsewhere."""
        try:
            message = read_message(THINK_MESSAGE, raw)
        except BadMessage as error:
            names = {"ref": error.ref, "id": error.id}
            given = {name: value for name, value in names.items() if value is not None}
            self._mailbox.put_error({"type": "error", **given, "message": str(error)})
            return
        if isinstance(message, Stop):
            self._stop_number(message.id)
        else:
            self._stop(message.type)
            task = asyncio.create_task(self._answer(message))
            self._jobs[message.type] = message.id, task

    def close(self) -> None:
        """Nobody wants to know any more."""
        for kind in list(self._jobs):
            self._stop(kind)

    def _stop_number(self, number: int) -> None:
        for kind, (other, _) in list(self._jobs.items()):
            if other == number:
                self._stop(kind)
        self._mailbox.put(("stopped", number), {"type": "stopped", "id": number})

    def _stop(self, kind: str) -> None:
        """Stop the job of a kind, and take back what it had to say and nobody has read yet."""
        if kind in self._jobs:
            self._jobs.pop(kind)[1].cancel()
            for type_ in ("progress", "advance", "notice"):
                self._mailbox.withdraw((kind, type_))

    async def _answer(self, question: Question) -> None:
        """Do what is asked for, and say how it ended."""
        kind, number = question.type, question.id
        job = question.model_dump(exclude={"id"}, exclude_none=True)

        def listen(message: dict[str, Any]) -> None:
            key = (kind, message["type"], message.get("ply"))
            self._mailbox.put(key[:2] if key[2] is None else key, _shown(message, number))

        try:
            result = await self._pool.run(job, listen=listen)
        except PlygroundError as error:
            self._mailbox.put_error({"type": "error", "id": number, "message": str(error)})
        else:
            last = _shown({"type": ENDS[kind], **result}, number)
            # A tree is long: it is written down where nobody waits for it.
            text = await asyncio.to_thread(encode, last) if kind == "tree" else encode(last)
            self._mailbox.withdraw((kind, "progress"))
            self._mailbox.withdraw((kind, "advance"))
            self._mailbox.put((kind, "end"), text)
        with contextlib.suppress(KeyError):
            if self._jobs[kind][0] == number:
                del self._jobs[kind]


def _shown(message: dict[str, Any], number: int) -> dict[str, Any]:
    """A message of a job as the socket sends it."""
    kind = message["type"]
    if "lines" in message:
        message = {name: message[name] for name in SEARCH_FIELDS}
    return {**message, "type": kind, "id": number}
