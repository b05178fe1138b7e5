"""Pages on a phone: whatever can be touched is large enough for a finger."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.app_page import AppPage

FINGER = 44
"""Pixels."""
PLAYERS = [{"kind": "human"}, {"kind": "random"}]


@pytest.fixture
def settings() -> dict[str, Any]:
    return {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}


@pytest.mark.parametrize(
    ("section", "game", "live"),
    [
        ("play", "derby", None),
        ("play", "derby", {"seconds": 0.5}),
        ("play", "blocker", None),
        ("analyse", "connectfour", None),
        ("tree", "tictactoe", None),
        ("replay", "slant", None),
    ],
)
def test_whatever_can_be_touched_is_large_enough(
    app: AppPage, section: str, game: str, live: dict[str, float] | None
) -> None:
    app.set_preference("plyground-engine", "off")
    page = app.open(f"/{section}/{app.new_table(game, players=PLAYERS, live=live)}")
    expect(page.get_by_role("banner").get_by_role("button", name="Rules")).to_be_visible()
    # The name of the app is a way home beside a larger one.
    touchable = page.locator(
        "button:visible, select:visible, header a:not(.brand):visible, summary:visible"
    )
    # All at once: what the page shows changes while its first messages arrive.
    sizes = touchable.evaluate_all(
        """elements => elements.map(element => {
            const box = element.getBoundingClientRect();
            return [element.innerText || element.ariaLabel, Math.min(box.width, box.height)];
        })"""
    )
    assert sizes
    assert [(name, size) for name, size in sizes if size < FINGER - 0.5] == []


@pytest.mark.parametrize("live", [None, {"seconds": 0.5}], ids=["in turns", "live"])
def test_board_and_pad_are_in_view_together(app: AppPage, live: dict[str, float] | None) -> None:
    page = app.open(f"/play/{app.new_table('derby', players=PLAYERS, live=live)}")
    pad = page.get_by_role("group", name="Steer").get_by_role("button")
    expect(pad).to_have_count(5)
    for button in pad.all():
        expect(button).to_be_in_viewport(ratio=1)
    expect(page.locator(".board-drawing svg")).to_be_in_viewport(ratio=1)
