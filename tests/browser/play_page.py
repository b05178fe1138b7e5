"""Page object of the Play page: makes moves by mouse, keyboard or text, and waits for replies."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.app_page import AppPage

TIMEOUT = 90.0
"""Seconds after which a game that does not continue fails the test."""
MOST_TABS = 80

Move = dict[str, Any]
"""A legal move as the server sends it: text, touches, key."""

CELLS = """
() => Object.fromEntries(
  [...document.querySelectorAll('[role=grid] [role=row]')].flatMap((row, down) =>
    [...row.querySelectorAll('[role=gridcell]')].map((cell, across) => [
      cell.dataset.cell, [down, across, cell === document.activeElement],
    ])
  )
)
"""
"""Row and column of each cell of the grid, by its name, and whether it has the focus."""


class PlayPage:
    """The page of one table. `play_to_the_end` chooses legal moves by `seed`."""

    def __init__(self, app: AppPage, table_id: str, *, seed: int = 0) -> None:
        self.app = app
        self.page: Page = app.page
        self.table_id = table_id
        self.random = random.Random(seed)

    def open(self) -> None:
        """Go to the Play page, and wait for the board."""
        self.app.open(f"/play/{self.table_id}")
        self.wait_until_shown()

    def table(self) -> dict[str, Any]:
        """The table as the server has it now."""
        return self.app.table(self.table_id)

    # Playing

    def play_to_the_end(self, play: Callable[[Move, list[Move]], None]) -> dict[str, Any]:
        """Play until the game is over; returns the table then."""
        table = self.table()
        while table["result"] is None:
            moves = table["view"]["moves"]
            play(self.random.choice(moves), moves)
            table = self.wait_for_turn(len(table["main"]) + 1)
        return table

    def play_by_mouse(self, move: Move, moves: list[Move]) -> None:
        """Click the cells of a move, as many as distinguish it from the others."""
        first, *others = move["touches"]
        if not others or any(other["touches"][0] != first for other in moves):
            self.cell(first).click()
        for touched in others:
            self.cell(touched).click()
        self._choose(move, moves)

    def play_by_keyboard(self, move: Move, moves: list[Move]) -> None:
        """Press the key of a move, or go to its cells with the arrow keys."""
        self.focus_grid()
        if move["key"]:
            self.page.keyboard.press(move["key"])
            return
        first, *others = move["touches"]
        if not others or any(other["touches"][0] != first for other in moves):
            self.focus_cell(first)
            self.page.keyboard.press("Enter")
        for touched in others:
            self.focus_cell(touched)
            self.page.keyboard.press("Enter")
        self._choose(move, moves, by_keyboard=True)

    def play_by_typing(self, move: Move, moves: list[Move]) -> None:
        """Type a move into the field."""
        field = self.page.get_by_label("Type a move")
        field.fill(move["text"])
        field.press("Enter")

    def _choose(self, move: Move, moves: list[Move], *, by_keyboard: bool = False) -> None:
        """Where several moves touch the same cells, choose one in the menu."""
        if sum(other["touches"] == move["touches"] for other in moves) < 2:
            return
        choice = self.page.get_by_role("button", name=move["text"], exact=True)
        if by_keyboard:
            choice.focus()
            self.page.keyboard.press("Enter")
        else:
            choice.click()

    # The grid

    def cell(self, name: str) -> Locator:
        """A cell of the board, by its name; its accessible label may say more."""
        return self.page.get_by_role("gridcell").and_(self.page.locator(f"[data-cell='{name}']"))

    def focus_grid(self) -> None:
        """Press Tab until the board has the focus."""
        for _ in range(MOST_TABS):
            if any(focused for _, _, focused in self.page.evaluate(CELLS).values()):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the board has no focus after {MOST_TABS} tabs")

    def focus_cell(self, name: str) -> None:
        """Go to a cell with the arrow keys."""
        cells = self.page.evaluate(CELLS)
        (start,) = [(row, column) for row, column, focused in cells.values() if focused]
        target = cells[name]
        down, across = target[0] - start[0], target[1] - start[1]
        for key, count in (
            ("ArrowDown" if down > 0 else "ArrowUp", abs(down)),
            ("ArrowRight" if across > 0 else "ArrowLeft", abs(across)),
        ):
            for _ in range(count):
                self.page.keyboard.press(key)
        expect(self.cell(name)).to_be_focused()

    # Waiting

    def wait_for_turn(self, length: int) -> dict[str, Any]:
        """Wait until the game has `length` positions and a human is to move, or it is over."""
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            table = self.table()
            player = table["players"][table["view"]["turn"]]
            is_ours = table["thinking"] is None and player["kind"] == "human"
            if table["result"] is not None or (is_ours and len(table["main"]) >= length):
                self.wait_until_shown(table)
                return table
            self.page.wait_for_timeout(30)
        raise AssertionError(f"the game does not continue: {table['nodes']}")

    def wait_until_shown(self, table: dict[str, Any] | None = None) -> None:
        """Wait until the page shows the current node of the table."""
        table = self.table() if table is None else table
        current = next(node for node in table["nodes"] if node["id"] == table["current"])
        shown = self.page.locator("[data-node][aria-current=true]")
        expect(shown).to_contain_text(current["move"] or "Start")
