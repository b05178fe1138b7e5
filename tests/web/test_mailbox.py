"""A mailbox: what waits for a page that reads slowly, or never."""

from __future__ import annotations

import asyncio
import json

import pytest

from plyground.web.sessions.outbox import MAX_ERRORS, MAX_KINDS, Mailbox


def taken(mailbox: Mailbox) -> list[str | None]:
    """All that waits, in the order in which it is sent."""

    async def take_all() -> list[str | None]:
        return [await mailbox.take() for _ in range(len(mailbox))]

    return asyncio.run(take_all())


def test_only_the_newest_message_of_a_kind_waits() -> None:
    mailbox = Mailbox()
    for version in range(1000):
        mailbox.put("table", f"version {version}")
    assert taken(mailbox) == ["version 999"]


def test_a_newer_message_stands_behind_what_came_before_it() -> None:
    mailbox = Mailbox()
    mailbox.put("table", "before the hint")
    mailbox.put("hint", "a hint")
    mailbox.put("table", "after the hint")
    assert taken(mailbox) == ["a hint", "after the hint"]


def test_every_error_waits_since_each_answers_a_message_of_its_own() -> None:
    mailbox = Mailbox()
    mailbox.put("table", "the table")
    mailbox.put_error("first")
    mailbox.put_error("second")
    assert taken(mailbox) == ["first", "second", "the table"]


def test_nothing_grows_without_end_for_a_page_that_never_reads() -> None:
    mailbox = Mailbox()
    for number in range(3 * MAX_KINDS):
        mailbox.put(("reviewed", number), f"{number}")
        mailbox.put_error(f"error {number}")
    assert len(mailbox) == MAX_KINDS + MAX_ERRORS
    assert taken(mailbox)[-1] == f"{3 * MAX_KINDS - 1}"


def test_what_has_become_untrue_is_taken_back() -> None:
    mailbox = Mailbox()
    mailbox.put("hint", "a hint")
    mailbox.withdraw("hint")
    mailbox.withdraw("hint")
    assert len(mailbox) == 0


def test_a_message_becomes_json_when_its_turn_comes() -> None:
    mailbox = Mailbox()
    mailbox.put("error", {"message": "größer"})
    assert json.loads(taken(mailbox)[0] or "") == {"message": "größer"}


def test_delivery_ends_once_a_closed_mailbox_is_empty() -> None:
    sent: list[str] = []

    async def send(text: str) -> None:
        sent.append(text)

    async def run() -> None:
        mailbox = Mailbox()
        mailbox.put_error("this game has been deleted")
        mailbox.close()
        await mailbox.deliver(send)

    asyncio.run(run())
    assert sent == ["this game has been deleted"]


def test_messages_are_delivered_as_they_come_until_sending_fails() -> None:
    sent: list[str] = []

    async def send(text: str) -> None:
        if text == "broken":
            raise ConnectionError
        sent.append(text)

    async def run() -> None:
        mailbox = Mailbox()
        delivery = asyncio.create_task(mailbox.deliver(send))
        for text in ("first", "second", "broken"):
            mailbox.put("kind", text)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        with pytest.raises(ConnectionError):
            await delivery

    asyncio.run(run())
    assert sent == ["first", "second"]
