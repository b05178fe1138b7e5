"""Fixtures: a server process, a chromium, and pages that fail the test on a console error.

Server and browser live as long as the tests of this folder run in a process (a worker of
pytest-xdist). Not longer: while Playwright runs, no other test of that process could use asyncio.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect, sync_playwright

from tests.browser.app_page import AppPage
from tests.browser.chromium import NoChromium, launch
from tests.browser.server import Server
from tests.paths import ROOT

TIMEOUT = 90_000
"""Milliseconds: the first search of a game compiles it, on a machine that may be busy."""
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


@pytest.fixture
def app(
    chromium: Browser, server: Server, logged_in: StorageState, settings: dict[str, Any]
) -> Iterator[AppPage]:
    """A page in a fresh, logged-in browser context. An error in its console fails the test."""
    context = chromium.new_context(storage_state=logged_in, **settings)
    context.set_default_timeout(TIMEOUT)
    opened = AppPage(server, context)
    yield opened
    problems = opened.problems
    context.close()
    assert problems == []


@pytest.fixture
def page(app: AppPage) -> Page:
    return app.page
