"""The token of the server: where a page keeps it, and what a browser without it is told."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.app_page import AppPage
from tests.browser.server import Server


def test_the_token_leaves_the_address_and_is_in_no_cookie(
    chromium: Browser, server: Server
) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{server.address}/?token={server.token}&x=1")
    expect(page.get_by_role("heading", name="Breakthrough")).to_be_visible()
    assert page.url == f"{server.address}/?x=1"
    assert page.evaluate("history.length") == 2, "about:blank and this page"
    assert context.cookies() == []
    assert page.evaluate("document.cookie") == ""
    context.close()


def test_a_reload_a_link_and_a_new_tab_go_on_working(app: AppPage) -> None:
    table = app.new_table("tictactoe")
    page = app.open(f"/play/{table}")
    expect(page.get_by_role("gridcell", name="b2")).to_be_visible()
    page.reload()
    expect(page.get_by_role("gridcell", name="b2")).to_be_visible()
    link = page.get_by_role("link", name="Analyse")
    with app.context.expect_page() as opened:
        link.click(modifiers=["Control"])
    expect(opened.value.get_by_role("gridcell", name="b2")).to_be_visible()
    link.click()
    expect(page.get_by_role("gridcell", name="b2")).to_be_visible()


def test_a_browser_without_the_token_is_told_what_to_open(
    chromium: Browser, server: Server
) -> None:
    context = chromium.new_context()
    page = context.new_page()
    table = server.ask("/api/tables", {"game": "tictactoe"})["id"]
    for path in ("/", f"/play/{table}", f"/analyse/{table}", f"/tree/{table}", f"/replay/{table}"):
        page.goto(server.address + path)
        expect(page.locator("body")).to_contain_text("open the address that plyground printed")
    context.close()
