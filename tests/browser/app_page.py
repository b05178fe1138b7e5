"""A visit with a browser: opening pages, sitting down at tables, noticing what goes wrong."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

from tests.browser.serving import Server

OWN = ("data:", "blob:", "about:")
"""Addresses that lead nowhere."""

LISTEN = """
window.heard = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    if (target.nodeType === Node.ELEMENT_NODE && target.closest('[aria-live=polite]')) {
      window.heard.push(...[...addedNodes].map((node) => node.textContent));
    }
  }
}).observe(document, { subtree: true, childList: true });
"""
"""Remembers what a screen reader would have said: announcements do not stay on a page."""


class Visit:
    """One browser with one page in it, at one server."""

    def __init__(self, server: Server, context: BrowserContext) -> None:
        self.server = server
        self.context = context
        self._problems: list[str] = []
        self._forgiven: list[str] = []
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._problems.append(str(error.error)))
        context.on("request", self._see)
        context.add_init_script(LISTEN)
        self.page = context.new_page()

    @property
    def problems(self) -> list[str]:
        """Errors that a page's console has shown, and what was asked of other servers."""
        return [
            problem
            for problem in self._problems
            if not any(re.search(pattern, problem) for pattern in self._forgiven)
        ]

    def forgive(self, pattern: str) -> None:
        """Expect errors of this kind: the test itself causes them."""
        self._forgiven.append(pattern)

    def expect_said(self, words: str) -> None:
        """Wait until a screen reader has heard these words on the page."""
        said = "(words) => window.heard.some((text) => text.includes(words))"
        self.page.wait_for_function(said, arg=words)

    def open(self, path: str) -> Page:
        """Go to a page of the server."""
        self.page.goto(self.server.address + path)
        return self.page

    def new_table(self, game: str, **settings: Any) -> str:
        """The id of a new game, set up by the interface for programs."""
        return str(self.server.ask("/api/tables", {"game": game, **settings})["id"])

    def table(self, table_id: str) -> dict[str, Any]:
        """A table as the server has it."""
        return dict(self.server.ask(f"/api/tables/{table_id}"))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._problems.append(f"{message.text} ({message.location.get('url', '')})")

    def _see(self, request: Request) -> None:
        if not request.url.startswith((self.server.address, *OWN)):
            self._problems.append(f"something was asked of another server: {request.url}")
