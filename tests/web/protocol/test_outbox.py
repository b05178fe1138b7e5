"""The outbox: what waits for a page that reads slowly, or never."""

from __future__ import annotations

import asyncio
import json

import pytest

from plyground.web.protocol.socket import MAX_ERRORS, MAX_KINDS, Outbox


def taken(outbox: Outbox) -> list[str | None]:
    """All that waits, in the order in which it is sent."""

    async def take_all() -> list[str | None]:
        return [await outbox.take() for _ in range(len(outbox))]

    return asyncio.run(take_all())


def test_only_the_newest_message_of_a_kind_waits() -> None:
    outbox = Outbox()
    for version in range(1000):
        outbox.put("table", f"version {version}")
    assert taken(outbox) == ["version 999"]


def test_a_newer_message_stands_behind_what_came_before_it() -> None:
    outbox = Outbox()
    outbox.put("table", "before the hint")
    outbox.put("hint", "a hint")
    outbox.put("table", "after the hint")
    assert taken(outbox) == ["a hint", "after the hint"]


def test_every_error_waits_since_each_answers_a_message_of_its_own() -> None:
    outbox = Outbox()
    outbox.put("table", "the table")
    outbox.put_error("first", ref=1)
    outbox.put_error("second", ref=None)
    *errors, last = taken(outbox)
    assert [json.loads(error or "") for error in errors] == [
        {"type": "error", "ref": 1, "message": "first"},
        {"type": "error", "ref": None, "message": "second"},
    ]
    assert last == "the table"


def test_nothing_grows_without_end_for_a_page_that_never_reads() -> None:
    outbox = Outbox()
    for number in range(3 * MAX_KINDS):
        outbox.put(("reviewed", number), f"{number}")
        outbox.put_error(f"error {number}")
    assert len(outbox) == MAX_KINDS + MAX_ERRORS
    assert taken(outbox)[-1] == f"{3 * MAX_KINDS - 1}"


def test_a_message_can_be_withdrawn() -> None:
    outbox = Outbox()
    outbox.put("hint", "a hint")
    outbox.withdraw("hint")
    outbox.withdraw("hint")
    assert len(outbox) == 0


def test_a_document_is_encoded_when_it_is_sent() -> None:
    outbox = Outbox()
    outbox.put("hint", {"message": "größer"})
    assert json.loads(taken(outbox)[0] or "") == {"message": "größer"}


def test_delivery_ends_once_a_closed_mailbox_is_empty() -> None:
    sent: list[str] = []

    async def send(text: str) -> None:
        sent.append(text)

    async def run() -> None:
        outbox = Outbox()
        outbox.put_error("this game has been deleted")
        outbox.close()
        await outbox.deliver(send)

    asyncio.run(run())
    assert [json.loads(text)["message"] for text in sent] == ["this game has been deleted"]


def test_messages_are_delivered_as_they_come_until_sending_fails() -> None:
    sent: list[str] = []

    async def send(text: str) -> None:
        if text == "broken":
            raise ConnectionError
        sent.append(text)

    async def run() -> None:
        outbox = Outbox()
        delivery = asyncio.create_task(outbox.deliver(send))
        for text in ("first", "second", "broken"):
            outbox.put("kind", text)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        with pytest.raises(ConnectionError):
            await delivery

    asyncio.run(run())
    assert sent == ["first", "second"]
