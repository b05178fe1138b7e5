"""Fishing Derby live: the day runs by itself, and keys steer the green boat."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.browser.app_page import AppPage

TIMEOUT = 90.0
PLAYERS = [{"kind": "human"}, {"kind": "engine", "depth": 1}]
SHORT_DAY, LONG_DAY = 30, 300
"""In plies, a tenth of a second each. The long one is not over while a test still steers, even if
the machine is busy."""


@pytest.fixture
def plies() -> int:
    """How long the day of a test is; tests may say otherwise."""
    return LONG_DAY


@pytest.fixture
def table(app: AppPage, plies: int) -> str:
    options = {"board": "random", "plies": plies}
    return app.new_table("derby", options=options, players=PLAYERS, live={"seconds": 0.1})


@pytest.fixture
def sea(app: AppPage, table: str) -> Page:
    page = app.open(f"/play/{table}")
    expect(page.get_by_role("heading", name="Ready to start")).to_be_visible()
    return page


def controls(sea: Page) -> Locator:
    return sea.get_by_role("region", name="Live game")


def wait_until(app: AppPage, table: str, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    deadline = time.monotonic() + TIMEOUT
    while not fits(found := app.table(table)):
        assert time.monotonic() < deadline, found
        app.page.wait_for_timeout(30)
    return found


def green_moves(table: dict[str, Any]) -> list[str]:
    turns = {node["id"]: node["turn"] for node in table["nodes"]}
    return [node["move"] for node in table["nodes"][1:] if turns[node["parent"]] == 0]


@pytest.mark.parametrize("plies", [SHORT_DAY])
def test_a_live_day_runs_to_its_end_by_itself(app: AppPage, table: str, sea: Page) -> None:
    controls(sea).get_by_role("button", name="Start", exact=True).click()
    ended = wait_until(app, table, lambda found: found["result"] is not None)
    assert len(ended["main"]) == SHORT_DAY + 1
    expect(sea.get_by_role("button", name="Rematch", exact=True)).to_be_visible()


def test_keys_steer_the_green_boat(app: AppPage, table: str, sea: Page) -> None:
    sea.locator("main").click(position={"x": 2, "y": 2})
    sea.keyboard.down("ArrowLeft")
    steered = wait_until(app, table, lambda found: "left" in " ".join(green_moves(found)))
    sea.keyboard.up("ArrowLeft")
    assert steered["live"]["running"]


def test_a_live_day_pauses_changes_its_speed_and_starts_again(
    app: AppPage, table: str, sea: Page
) -> None:
    controls(sea).get_by_role("button", name="Start", exact=True).click()
    wait_until(app, table, lambda found: len(found["main"]) > 3)
    controls(sea).get_by_role("button", name="Pause").click()
    expect(controls(sea).get_by_role("button", name="Go on")).to_be_visible()
    paused = wait_until(app, table, lambda found: found["thinking"] is None)
    assert not paused["live"]["running"]
    sea.get_by_label("Speed").select_option("Fast: 0.25 s")
    wait_until(app, table, lambda found: found["live"]["seconds"] == 0.25)
    sea.get_by_role("button", name="Restart").click()
    wait_until(app, table, lambda found: len(found["main"]) <= 2)


def test_a_live_day_says_that_its_engine_is_prepared(app: AppPage, table: str) -> None:
    page = app.open(f"/play/{table}")

    def answer(socket: WebSocketRoute) -> None:
        shown = app.table(table)
        live = {"seconds": 0.1, "running": True, "preparing": True}
        socket.send(json.dumps({**shown, "live": live}))

    app.context.route_web_socket(re.compile(f"/api/tables/{table}/socket"), answer)
    page.reload()
    expect(page.get_by_role("heading", name="Preparing the engine")).to_be_visible()
    expect(page.locator(".player-bar", has_text="Red")).to_contain_text("preparing")
