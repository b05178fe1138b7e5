"""Page object of the web app: opens pages, creates tables, collects errors of the console."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

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
    """One page in a browser context of its own, at one server."""

    def __init__(self, server: Server, context: BrowserContext) -> None:
        self.server = server
        self.context = context
        self._problems: list[str] = []
        self._allowed: list[str] = []
        context.on("console", self._on_console)
        context.on("weberror", lambda error: self._problems.append(str(error.error)))
        context.on("request", self._on_request)
        context.add_init_script(RECORD_ANNOUNCEMENTS)
        self.page = context.new_page()

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

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((self.server.address, *LOCAL_SCHEMES)):
            self._problems.append(f"a request to another server: {request.url}")
