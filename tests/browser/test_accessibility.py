"""What every page has in common: readable by all, in light and dark, on a phone, without errors."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from plyground.core.registry import game_names
from tests.browser.visit import Visit

PHONE = {"width": 360, "height": 740}
MOVES = ["c2c3", "d5d4", "c3xd4", "e5xd4"]


def home(visit: Visit) -> Page:
    page = visit.open("/")
    expect(page.get_by_role("button", name="Play Breakthrough")).to_be_visible()
    return page


def new_game(visit: Visit) -> Page:
    page = home(visit)
    page.get_by_role("button", name="Play Fishing Derby").click()
    expect(page.get_by_role("dialog").locator("svg")).to_be_visible()
    return page


def keys(visit: Visit) -> Page:
    page = play(visit)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    return page


def table_page(name: str) -> Callable[[Visit], Page]:
    """How a page is opened that shows a game in its middle, as two people play it."""

    def opened(visit: Visit) -> Page:
        page = visit.open(f"/{name}/{visit.new_table('breakthrough', moves=MOVES)}")
        expect(page.locator("main svg").first).to_be_visible()
        return page

    return opened


def finished(visit: Visit) -> Page:
    table = visit.new_table("tictactoe", moves=["a1", "a2", "b1", "b2", "c1"])
    page = visit.open(f"/play/{table}")
    expect(page.get_by_text("1-0").first).to_be_visible()
    return page


def interface(visit: Visit) -> Page:
    page = visit.open("/interface")
    expect(page.get_by_text("/api/positions").first).to_be_visible()
    return page


def live(visit: Visit) -> Page:
    page = visit.open(f"/play/{visit.new_table('derby', live={'seconds': 0.5})}")
    expect(page.get_by_role("region", name="Live game")).to_be_visible()
    return page


def analysing(visit: Visit) -> Page:
    """Lines, a review and a solution are on the page."""
    table = visit.new_table("tictactoe", moves=["a1", "b1", "b2", "c1"])
    page = visit.open(f"/analyse/{table}")
    page.get_by_role("button", name="Review", exact=True).click()
    page.get_by_role("button", name="Solve this position").click()
    expect(page.get_by_role("list", name="Mistakes").get_by_role("listitem").first).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="best").first).to_be_visible()
    expect(page.get_by_role("list", name="Best lines").get_by_role("button").first).to_be_visible()
    return page


def quiz(visit: Visit) -> Page:
    """A question of the quiz has been answered."""
    page = visit.open(f"/tree/{visit.new_table('tictactoe', moves=['a1', 'b2', 'c3', 'b1'])}")
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
    "finished": finished,
    "live": live,
    "analyse": table_page("analyse"),
    "analysing": analysing,
    "tree": table_page("tree"),
    "quiz": quiz,
    "replay": table_page("replay"),
    "interface": interface,
}

violations = Axe()


def assert_accessible(page: Page) -> None:
    found = violations.run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_page_is_accessible(visit: Visit, name: str, colours: str) -> None:
    visit.page.emulate_media(color_scheme=colours, reduced_motion="reduce")  # type: ignore[arg-type]
    assert_accessible(PAGES[name](visit))


@pytest.mark.parametrize("game", [*game_names(), "dots", "nim"])
def test_the_board_of_every_game_is_accessible(visit: Visit, game: str) -> None:
    page = visit.open(f"/play/{visit.new_table(game)}")
    expect(page.locator("main svg").first).to_be_visible()
    assert_accessible(page)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone(visit: Visit, name: str) -> None:
    visit.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page = PAGES[name](visit)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"], f"{name} is {width} pixels wide"


def test_colours_follow_the_system_or_the_choice(visit: Visit) -> None:
    page = visit.page
    background = "getComputedStyle(document.documentElement).backgroundColor"
    page.emulate_media(color_scheme="light")
    home(visit)
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


@pytest.mark.parametrize("name", ["home", "play", "analyse", "tree", "replay"])
def test_the_keys_of_a_page_are_listed(visit: Visit, name: str) -> None:
    page = PAGES[name](visit)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog.get_by_text("Show the keys")).to_be_visible()
    assert dialog.get_by_role("term").count() > 2
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
