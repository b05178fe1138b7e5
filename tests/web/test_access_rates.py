"""Rate limits of access control, with a clock that the tests set."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from plyground.web import access
from plyground.web.access import HEADERS, AccessControl, RateLimit


class Still:
    """A clock that tests set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that accepts every request and repeats every message."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "text": message.get("text")})


def scope_of(kind: str, **more: Any) -> Scope:
    headers = [
        (b"host", b"127.0.0.1:99"),
        (b"origin", b"http://127.0.0.1:99"),
        (b"authorization", b"Bearer secret"),
    ]
    return {
        "type": kind,
        "method": "GET",
        "path": "/api/games",
        "query_string": b"",
        "headers": headers,
        **more,
    }


async def ask_through(control: AccessControl, scope: Scope, *received: Message) -> list[Message]:
    """What the middleware and its application send in answer to these messages."""
    waiting, sent = list(received), list[Message]()

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    await control(scope, receive, send)
    return sent


def test_too_many_requests_get_a_time_to_retry() -> None:
    clock = Still()
    control = AccessControl(echo, token="secret", port=99, clock=clock)

    def status(**more: Any) -> tuple[int, dict[bytes, bytes]]:
        request = {"type": "http.request", "body": b""}
        sent = asyncio.run(ask_through(control, scope_of("http", **more), request))
        return sent[0]["status"], dict(sent[0]["headers"])

    strangers = [status(headers=[(b"host", b"127.0.0.1:99")])[0] for _ in range(500)]
    assert strangers == [401] * 500
    assert [status()[0] for _ in range(301)] == [200] * 300 + [429]
    refused = status()[1]
    assert refused[b"retry-after"] == b"1"
    for name, value in HEADERS.items():
        assert refused[name.encode()] == value.encode()
    clock.now += 0.05
    assert [status()[0] for _ in range(6)] == [200] * 5 + [429]
    clock.now += 3600
    assert [status()[0] for _ in range(301)] == [200] * 300 + [429]


def test_pages_and_files_are_counted_by_themselves_since_pages_load_many() -> None:
    control = AccessControl(echo, token="secret", port=99, clock=Still())

    def status(path: str) -> int:
        request = {"type": "http.request", "body": b""}
        sent = asyncio.run(ask_through(control, scope_of("http", path=path), request))
        return int(sent[0]["status"])

    assert {status("/static/a.js") for _ in range(2999)} == {200}
    assert (status("/"), status("/play/abc"), status("/static/a.js")) == (200, 429, 429)
    assert status("/api/games") == 200


def messages(count: int) -> list[Message]:
    return [{"type": "websocket.receive", "text": str(number)} for number in range(count)]


def test_too_many_messages_get_an_error_each_and_the_last_straw_closes() -> None:
    control = AccessControl(echo, token="secret", port=99, clock=Still())
    coming = [{"type": "websocket.connect"}, *messages(400)]
    sent = asyncio.run(ask_through(control, scope_of("websocket"), *coming))
    assert [message["text"] for message in sent[1:81]] == [str(number) for number in range(80)]
    errors = [json.loads(message["text"]) for message in sent[81:-1]]
    assert errors == [{"type": "error", "message": "too many messages; this one was not read"}] * (
        access.MAX_REFUSED - 1
    )
    assert sent[-1] == {
        "type": "websocket.close",
        "code": 1008,
        "reason": "too many messages",
    }


def test_a_websocket_that_slows_down_is_read_again() -> None:
    clock = Still()
    control = AccessControl(echo, token="secret", port=99, clock=clock)
    hasty = access.MAX_REFUSED - 1
    coming: list[Message] = [{"type": "websocket.connect"}, *messages(80 + hasty)]
    pause = len(coming)
    coming += [*messages(80), *messages(80), {"type": "websocket.disconnect"}]

    async def talk() -> list[str]:
        heard: list[str] = []
        waiting = iter(enumerate(coming))

        async def receive() -> Message:
            number, message = next(waiting)
            clock.now = 60.0 if number >= pause else 0.0
            return message

        async def send(message: Message) -> None:
            heard.append(message.get("text", message["type"]))

        await control(scope_of("websocket"), receive, send)
        return heard

    heard = asyncio.run(talk())
    assert [text for text in heard[1 + 80 + hasty :] if text.isdecimal()] == [
        str(number) for number in range(80)
    ]
    assert "websocket.close" not in heard


def test_the_number_of_open_websockets_is_limited() -> None:
    control = AccessControl(echo, token="secret", port=99, clock=Still())

    async def crowd() -> list[int]:
        over = asyncio.Event()

        async def receive() -> Message:
            if not over.is_set():
                await asyncio.sleep(0)
            await over.wait()
            return {"type": "websocket.disconnect"}

        async def send(message: Message) -> None:
            pass

        inside = [
            asyncio.create_task(control(scope_of("websocket"), receive, send))
            for _ in range(access.MAX_SOCKETS)
        ]
        await asyncio.sleep(0)
        refused = await ask_through(control, scope_of("websocket"))
        over.set()
        await asyncio.gather(*inside)
        coming: list[Message] = [{"type": "websocket.connect"}, {"type": "websocket.disconnect"}]
        again = await ask_through(control, scope_of("websocket"), *coming)
        return [refused[0]["status"], *(message["type"] == "websocket.accept" for message in again)]

    assert asyncio.run(crowd()) == [503, True]


def test_a_rate_limit_never_allows_more_than_its_burst() -> None:
    clock = Still()
    limit = RateLimit(10.0, 2.0, clock)
    assert [limit.take() for _ in range(3)] == [0.0, 0.0, 0.1]
    clock.now += 100
    assert [limit.take() == 0 for _ in range(3)] == [True, True, False]


def test_a_request_that_ends_in_the_middle_gets_no_response() -> None:
    control = AccessControl(echo, token="secret", port=99, clock=Still())
    coming: list[Message] = [
        {"type": "http.request", "body": b"a", "more_body": True},
        {"type": "http.disconnect"},
    ]
    assert asyncio.run(ask_through(control, scope_of("http", method="POST"), *coming)) == []
