"""A real server, a real chromium, and a page that tolerates no error.

Server and browser live as long as the tests of this folder run in a process (a worker of
pytest-xdist). Not longer: while Playwright runs, no other test of that process could use asyncio.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect, sync_playwright

from tests.browser.chromium import NoChromium, launch
from tests.browser.serving import Server
from tests.browser.visit import Visit
from tests.paths import ROOT

PATIENCE = 90_000
"""Milliseconds: the first search of a game compiles it, on a machine that may be busy."""
GAMES = ("examples/dots.py", "examples/nim.py")
"""Games of a user's own: one with a picture in characters, one with nothing but rules."""

expect.set_options(timeout=PATIENCE)


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
    with Server(home, games=[ROOT / game for game in GAMES]) as running:
        yield running


@pytest.fixture(scope="package")
def known(chromium: Browser, server: Server) -> StorageState:
    """What a browser remembers that has been let in once: the cookie."""
    context = chromium.new_context()
    context.new_page().goto(server.entrance)
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def settings() -> dict[str, Any]:
    """How the browser of a test differs from a common one; modules override it."""
    return {}


@pytest.fixture
def visit(
    chromium: Browser, server: Server, known: StorageState, settings: dict[str, Any]
) -> Iterator[Visit]:
    """A fresh browser at the server's door. An error in its console fails the test."""
    context = chromium.new_context(storage_state=known, **settings)
    context.set_default_timeout(PATIENCE)
    guest = Visit(server, context)
    yield guest
    problems = guest.problems
    context.close()
    assert problems == []


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit.page
