"""The replay page: a finished game again, step by step or by itself, and never changed by it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from tests.browser.app_page import AppPage

MOVES = ["b2", "a1", "c3", "c1", "b1", "b3", "a2", "c2", "a3"]
"""A draw."""


@pytest.fixture
def table(app: AppPage) -> str:
    return app.new_table("tictactoe", moves=MOVES)


@pytest.fixture
def replay(app: AppPage, table: str) -> Page:
    page = app.open(f"/replay/{table}")
    expect(page.get_by_role("heading", name="Tic-tac-toe")).to_be_visible()
    return page


def assert_at(page: Page, place: int) -> None:
    """After so many moves: in words, in the list, on the slider and on the board."""
    words = f"Move {place} of {len(MOVES)}" if place else f"Start of {len(MOVES)} moves"
    expect(page.locator("#now")).to_contain_text(words)
    expect(page.get_by_role("slider", name="Place in the game")).to_have_value(str(place))
    current = page.locator("[data-node][aria-current=true]")
    expect(current).to_contain_text(MOVES[place - 1] if place else "Start")
    marks = page.get_by_role("gridcell", name=re.compile(r", [xo]\b", re.IGNORECASE))
    expect(marks).to_have_count(place)


def test_a_game_is_replayed_by_buttons(replay: Page) -> None:
    assert_at(replay, 0)
    replay.get_by_role("button", name="Next move").click()
    assert_at(replay, 1)
    replay.get_by_role("button", name="Last position").click()
    assert_at(replay, 9)
    replay.get_by_role("button", name="Previous move").click()
    assert_at(replay, 8)
    replay.get_by_role("button", name="First position").click()
    assert_at(replay, 0)


def test_a_game_is_replayed_by_keys_slider_and_list(replay: Page) -> None:
    for key, place in (("ArrowRight", 1), ("End", 9), ("ArrowLeft", 8), ("Home", 0)):
        replay.keyboard.press(key)
        assert_at(replay, place)
    replay.get_by_role("slider", name="Place in the game").fill("4")
    assert_at(replay, 4)
    replay.get_by_role("button", name=MOVES[6]).click()
    assert_at(replay, 7)


def test_the_players_of_an_opened_record_have_their_names(app: AppPage) -> None:
    record = GameRecord.begin(find_game("tictactoe").start(), players=("Ann", "perfect"))
    opened = app.server.ask("/api/open", {"name": "game.record", "text": record.text})
    page = app.open(f"/replay/{opened['id']}")
    expect(page.get_by_text("X: Ann · O: perfect")).to_be_visible()


def test_a_game_replays_itself_at_the_chosen_speed_and_pauses(replay: Page) -> None:
    replay.get_by_label("Speed").select_option("8 moves a second")
    replay.keyboard.press("p")
    expect(replay.get_by_role("button", name="Pause")).to_be_visible()
    assert_at(replay, 9)
    expect(replay.get_by_role("button", name="Play", exact=True)).to_be_visible()
    replay.get_by_label("Speed").select_option("0.5 moves a second")
    replay.get_by_role("button", name="Play", exact=True).click()
    assert_at(replay, 0)
    replay.get_by_role("button", name="Pause").click()
    replay.keyboard.press("+")
    expect(replay.get_by_label("Speed")).to_have_value("1")


def test_moves_and_the_result_are_announced(app: AppPage, replay: Page) -> None:
    replay.keyboard.press("ArrowRight")
    app.expect_announced("Move 1 of 9: X b2")
    replay.keyboard.press("End")
    app.expect_announced("Move 9 of 9: X a3; 1/2-1/2")


def test_a_replay_leaves_the_table_as_it_was(app: AppPage, table: str, replay: Page) -> None:
    before = app.table(table)
    replay.keyboard.press("End")
    assert_at(replay, 9)
    assert app.table(table) == before


def test_a_table_that_does_not_exist_has_a_message(app: AppPage) -> None:
    app.allow_errors("404")
    page = app.open("/replay/aaaaaaaaaaaa")
    expect(page.get_by_role("heading", name="There is no such game")).to_be_visible()


def test_a_game_saved_as_a_page_needs_no_server(
    chromium: Browser, replay: Page, tmp_path: Path
) -> None:
    with replay.expect_download() as download:
        replay.get_by_role("link", name="Replay as a page").click()
    file = tmp_path / "replay.html"
    download.value.save_as(file)
    context = chromium.new_context(offline=True)
    problems: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: problems.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(file.as_uri())
    expect(page.get_by_text("Tic-tac-toe").first).to_be_visible()
    expect(page.locator("svg").first).to_be_visible()
    context.close()
    assert problems == []
