"""What every page has in common: readable by all, in light and dark, on a phone, without errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page, expect

from plyground.arena.event import EventPlan
from plyground.core.registry import game_names
from tests.browser.app_page import AppPage
from tests.web.arena.stores import plan_of, store_event

PHONE = {"width": 360, "height": 740}
MOVES = ["c2c3", "d5d4", "c3xd4", "e5xd4"]
MATCH = plan_of(("random", "greedy"), 20, seed=100)
TOURNAMENT = plan_of(("random", "greedy", "perfect", "engine:depth=1"), 2, "tournament", seed=101)


def home(app: AppPage) -> Page:
    page = app.open("/")
    expect(page.get_by_role("button", name="Play Breakthrough")).to_be_visible()
    return page


def new_game(app: AppPage) -> Page:
    page = home(app)
    page.get_by_role("button", name="Play Fishing Derby").click()
    expect(page.get_by_role("dialog").locator("svg")).to_be_visible()
    who = page.get_by_role("dialog").get_by_role("group", name="Red").get_by_label("Who")
    who.select_option("engine")
    expect(page.get_by_text("Nothing was learned for this board yet").last).to_be_visible()
    return page


def keys(app: AppPage) -> Page:
    page = play(app)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    return page


def table_page(name: str) -> Callable[[AppPage], Page]:
    """How a page is opened that shows a game in its middle, as two people play it."""

    def opened(app: AppPage) -> Page:
        page = app.open(f"/{name}/{app.new_table('breakthrough', moves=MOVES)}")
        expect(page.locator("main svg").first).to_be_visible()
        return page

    return opened


def finished(app: AppPage) -> Page:
    table = app.new_table("tictactoe", moves=["a1", "a2", "b1", "b2", "c1"])
    page = app.open(f"/play/{table}")
    expect(page.get_by_text("1-0").first).to_be_visible()
    return page


def interface(app: AppPage) -> Page:
    page = app.open("/interface")
    expect(page.get_by_text("/api/positions").first).to_be_visible()
    return page


def rules(app: AppPage) -> Page:
    page = app.open(f"/play/{app.new_table('slant')}")
    page.get_by_role("banner").get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog").locator("svg")).to_be_visible()
    return page


def arena(app: AppPage) -> Page:
    """The results of a match and of a tournament are in the store."""
    return open_event(app, MATCH)


def tournament(app: AppPage) -> Page:
    return open_event(app, TOURNAMENT)


def open_event(app: AppPage, plan: EventPlan) -> Page:
    store_event(app.server.store, plan)
    page = app.open(f"/arena?event={plan.id}")
    expect(
        page.get_by_role("table", name="Finished games").get_by_role("row").nth(1)
    ).to_be_visible()
    expect(page.locator("main svg").first).to_be_visible()
    return page


def new_event(app: AppPage) -> Page:
    page = arena(app)
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="New event")
    dialog.get_by_label("Kind", exact=True).select_option("tournament")
    dialog.get_by_label("Player 2", exact=True).fill("rando")
    expect(dialog.get_by_role("alert").filter(has_text="did you mean 'random'?")).to_be_visible()
    return page


def documentation(app: AppPage) -> Page:
    page = app.open("/help/command-line")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def live(app: AppPage) -> Page:
    page = app.open(f"/play/{app.new_table('derby', live={'seconds': 0.5})}")
    expect(page.get_by_role("region", name="Live game")).to_be_visible()
    return page


def analysing(app: AppPage) -> Page:
    """Lines, a review and a solution are on the page."""
    table = app.new_table("tictactoe", moves=["a1", "b1", "b2", "c1"])
    page = app.open(f"/analyse/{table}")
    page.get_by_role("button", name="Review", exact=True).click()
    # By the keyboard: the review and the first lines move the button under a mouse.
    page.get_by_role("button", name="Solve this position").press("Enter")
    expect(page.get_by_role("list", name="Mistakes").get_by_role("listitem").first).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="best").first).to_be_visible()
    expect(page.get_by_role("list", name="Best lines").get_by_role("button").first).to_be_visible()
    return page


def quiz(app: AppPage) -> Page:
    """A question of the quiz has been answered."""
    page = app.open(f"/tree/{app.new_table('tictactoe', moves=['a1', 'b2', 'c3', 'b1'])}")
    page.get_by_role("button", name="Start the quiz").click()
    asked = page.get_by_role("region", name="Quiz")
    asked.get_by_role("group").get_by_role("button").first.click()
    expect(asked.get_by_role("button", name=re.compile("Next|Show"))).to_be_visible()
    return page


play = table_page("play")
PAGES = {
    "home": home,
    "new game": new_game,
    "play": play,
    "keys": keys,
    "rules": rules,
    "finished": finished,
    "live": live,
    "analyse": table_page("analyse"),
    "analysing": analysing,
    "tree": table_page("tree"),
    "quiz": quiz,
    "replay": table_page("replay"),
    "arena": arena,
    "tournament": tournament,
    "new event": new_event,
    "interface": interface,
    "help": documentation,
}

FADING = "document.getAnimations().some((one) => one instanceof CSSTransition)"
"""Whether colours are changing, which takes a frame even where motion is reduced."""

RUN_AXE = """async (options) => {
  const { violations } = await axe.run({ resultTypes: ["violations"], ...options });
  return { violations };
}"""
"""Without what axe found in order, which is long."""
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules of axe that look at colours."""


def assert_accessible(page: Page, **options: Any) -> None:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = AxeResults(page.evaluate(RUN_AXE, options))
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible(app: AppPage, name: str) -> None:
    app.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page = PAGES[name](app)
    assert_accessible(page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    while page.evaluate(FADING):
        page.wait_for_timeout(50)
    assert_accessible(page, **COLOURS)


@pytest.mark.parametrize("game", [*game_names(), "dots", "nim"])
def test_the_board_of_every_game_is_accessible_and_dark_in_the_dark(
    app: AppPage, game: str
) -> None:
    page = app.open(f"/play/{app.new_table(game)}")
    expect(page.locator("main svg").first).to_be_visible()
    assert_accessible(page)
    page.emulate_media(color_scheme="dark")
    ground = page.locator(".board-drawing svg > rect").first
    if game != "nim":  # its board is its text
        parts = ground.evaluate("rect => getComputedStyle(rect).fill.match(/\\d+/g).map(Number)")
        assert max(parts) < 80


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone(app: AppPage, name: str) -> None:
    app.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page = PAGES[name](app)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], f"{name} is {width} pixels wide"


def test_colours_follow_the_system_or_the_choice(app: AppPage) -> None:
    page = app.page
    background = "getComputedStyle(document.documentElement).backgroundColor"
    page.emulate_media(color_scheme="light")
    home(app)
    light = page.evaluate(background)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(background)
    assert light != dark
    page.get_by_role("button", name="Colours: system").click()
    expect(page.get_by_role("button", name="Colours: light")).to_be_visible()
    assert page.evaluate(background) == light
    page.reload()
    expect(page.get_by_role("button", name="Colours: light")).to_be_visible()
    assert page.evaluate(background) == light


@pytest.mark.parametrize("name", ["home", "play", "analyse", "tree", "replay", "arena"])
def test_the_keys_of_a_page_are_listed(app: AppPage, name: str) -> None:
    page = PAGES[name](app)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog.get_by_text("Show the keys")).to_be_visible()
    assert dialog.get_by_role("term").count() > 2
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
