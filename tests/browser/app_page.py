"""Page object of the web app: opens pages, creates tables, collects errors of the console."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError

from tests.browser.server import Server

LOCAL_SCHEMES = ("data:", "blob:", "about:")
"""Addresses that send nothing over the network."""

RECORD_ANNOUNCEMENTS = """
window.announced = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    if (target.nodeType === Node.ELEMENT_NODE && target.closest('[aria-live=polite]')) {
      window.announced.push(...[...addedNodes].map((node) => node.textContent));
    }
  }
}).observe(document, { subtree: true, childList: true });
"""
"""Keeps what a screen reader would say: announcements do not stay on a page."""


class AppPage:
    """One page at one server: in a browser context of its own, or the page of earlier tests."""

    def __init__(self, server: Server, context: BrowserContext, page: Page | None = None) -> None:
        self.server = server
        self.context_is_changed = False
        """Whether the test may have changed its browser context."""
        self._context = context
        self._problems: list[str] = []
        self._allowed: list[str] = []
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("request", self._on_request)
        if page is None:
            context.add_init_script(RECORD_ANNOUNCEMENTS)
            page = context.new_page()
        self.page = page

    @property
    def context(self) -> BrowserContext:
        """Its browser context, for tests that change it: no later test gets it then."""
        self.context_is_changed = True
        return self._context

    def detach(self) -> None:
        """Listen no longer: the page goes to another test."""
        self._context.remove_listener("console", self._on_console)
        self._context.remove_listener("weberror", self._on_error)
        self._context.remove_listener("request", self._on_request)

    @property
    def problems(self) -> list[str]:
        """Errors in the console, and requests to other servers, that no test allowed."""
        return [
            problem
            for problem in self._problems
            if not any(re.search(pattern, problem) for pattern in self._allowed)
        ]

    def allow_errors(self, pattern: str) -> None:
        """Ignore errors that match: the test itself causes them."""
        self._allowed.append(pattern)

    def set_preference(self, name: str, value: str) -> None:
        """Let the browser remember a choice of an earlier visit."""
        self.page.evaluate("([name, value]) => localStorage.setItem(name, value)", [name, value])

    def expect_announced(self, words: str) -> None:
        """Wait until the page has announced these words to screen readers."""
        found = "(words) => window.announced.some((text) => text.includes(words))"
        self.page.wait_for_function(found, arg=words)

    def open(self, path: str) -> Page:
        """Go to a page of the server."""
        self.page.goto(self.server.address + path)
        return self.page

    def new_table(self, game: str, **settings: Any) -> str:
        """Create a table over the API; returns its id."""
        return str(self.server.ask("/api/tables", {"game": game, **settings})["id"])

    def table(self, table_id: str) -> dict[str, Any]:
        """A table as the server has it."""
        return dict(self.server.ask(f"/api/tables/{table_id}"))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._problems.append(f"{message.text} ({message.location.get('url', '')})")

    def _on_error(self, error: WebError) -> None:
        self._problems.append(str(error.error))

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((self.server.address, *LOCAL_SCHEMES)):
            self._problems.append(f"a request to another server: {request.url}")
