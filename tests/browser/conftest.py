"""Fixtures: a server process, a chromium, and pages that fail the test on a console error.

Server and browser live as long as the tests of this folder run in a process (a worker of
pytest-xdist). Not longer: while Playwright runs, no other test of that process could use asyncio.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, StorageState, ViewportSize, expect, sync_playwright

from tests.browser.app_page import AppPage
from tests.browser.chromium import NoChromium, launch
from tests.browser.server import Server
from tests.paths import ROOT

TIMEOUT = 90_000
"""Milliseconds: the first search of a game compiles it, on a machine that may be busy."""
VIEWPORT: ViewportSize = {"width": 1280, "height": 720}
"""Of a page whose settings have none: Playwright's."""
ICON = "/favicon.ico"
"""A page that does nothing."""
FORGET = """(stored) => {
  sessionStorage.clear();
  localStorage.clear();
  for (const { name, value } of stored) localStorage.setItem(name, value);
}"""
"""Makes a browser remember nothing but what is given."""
GAMES = ("examples/dots.py", "examples/nim.py")
"""Games of a user's own: one with a picture in characters, one with nothing but rules."""

expect.set_options(timeout=TIMEOUT)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        try:
            browser = launch(playwright)
        except NoChromium as reason:
            if os.environ.get("CI") == "true":
                pytest.fail(str(reason))
            pytest.skip(str(reason))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("home")
    nets = {"PLYGROUND_NETS": str(home / "nets")}
    with Server(home, games=[ROOT / game for game in GAMES], environment=nets) as running:
        yield running


@pytest.fixture(scope="package")
def logged_in(chromium: Browser, server: Server) -> StorageState:
    """The storage of a browser that has the token."""
    context = chromium.new_context()
    context.new_page().goto(server.login_url)
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def settings() -> dict[str, Any]:
    """Options of the browser context; test modules override this fixture."""
    return {}


class Tabs:
    """Keeps the page of the last test for the next one with the same settings: to open a browser
    context and to fill its cache takes longer than most tests."""

    def __init__(self, chromium: Browser, server: Server, logged_in: StorageState) -> None:
        self._chromium = chromium
        self._server = server
        self._logged_in = logged_in
        self._kept: tuple[Page, dict[str, Any]] | None = None

    def open(self, settings: dict[str, Any]) -> AppPage:
        """A page at the server's icon, as in a browser that has the token and nothing else."""
        if self._kept is not None and self._kept[1] == settings:
            page = self._kept[0]
            return AppPage(self._server, page.context, page)
        self.close()
        context = self._chromium.new_context(storage_state=self._logged_in, **settings)
        context.set_default_timeout(TIMEOUT)
        opened = AppPage(self._server, context)
        opened.page.goto(self._server.address + ICON)
        self._kept = opened.page, settings
        return opened

    def keep(self, opened: AppPage, settings: dict[str, Any]) -> None:
        """Take a page back, and undo what its test has done. A page that leaves the server, even
        for about:blank, would get another process."""
        page = opened.page
        if opened.context_is_changed or opened.problems or page.is_closed():
            self.close()
            return
        page.goto(self._server.address + ICON)
        page.evaluate(FORGET, self._logged_in["origins"][0]["localStorage"])
        page.set_viewport_size(settings.get("viewport", VIEWPORT))
        page.emulate_media(color_scheme="light", reduced_motion="no-preference")
        page.mouse.move(0, 0)
        opened.detach()

    def close(self) -> None:
        if self._kept is not None:
            self._kept[0].context.close()
            self._kept = None


@pytest.fixture(scope="package")
def tabs(chromium: Browser, server: Server, logged_in: StorageState) -> Iterator[Tabs]:
    tabs = Tabs(chromium, server, logged_in)
    yield tabs
    tabs.close()


@pytest.fixture
def app(tabs: Tabs, settings: dict[str, Any]) -> Iterator[AppPage]:
    """A page of a browser that is logged in and remembers nothing else. An error in its console
    fails the test."""
    opened = tabs.open(settings)
    yield opened
    problems = opened.problems
    tabs.keep(opened, settings)
    assert problems == []


@pytest.fixture
def page(app: AppPage) -> Page:
    return app.page
