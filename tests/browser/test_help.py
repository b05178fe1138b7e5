"""Help: the documentation inside the app, from the header of every page."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.app_page import AppPage


def test_help_leads_from_any_page_to_a_page_of_the_documentation(app: AppPage) -> None:
    page = app.open(f"/play/{app.new_table('tictactoe')}")
    page.get_by_role("link", name="Help").click()
    page.wait_for_url("**/help")
    page.get_by_role("link", name="How the engine works").click()
    page.wait_for_url("**/help/search")
    expect(page.get_by_role("heading", level=1, name="How the engine works")).to_be_visible()
    expect(page).to_have_title(re.compile("How the engine works"))


def test_a_picture_of_the_documentation_is_shown(app: AppPage) -> None:
    page = app.open("/help/games/slant")
    picture = page.locator("article img").first
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")


def test_a_link_to_a_chapter_shows_the_chapter(app: AppPage) -> None:
    page = app.open("/help/board#tree")
    expect(page.get_by_role("heading", name="Tree", exact=True)).to_be_in_viewport()


def test_a_link_of_the_interface_shows_a_model_that_the_search_hides(app: AppPage) -> None:
    page = app.open("/interface")
    search = page.get_by_label("Find")
    search.fill("/api/arena/check")
    request = page.locator("details", has_text="/api/arena/check")
    expect(request).to_have_count(1)
    request.locator("summary").click()
    request.get_by_role("link", name="NewEvent").click()
    expect(page.locator("details", has_text="gauntlet")).to_be_visible()
    search.fill("no such thing")
    expect(page.get_by_text("No request, message or model has this text.")).to_be_visible()
