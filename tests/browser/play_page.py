"""A person at the board: plays moves as people do, and waits for the answer."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.visit import Visit

PATIENCE = 90.0
"""Seconds until a game that does not go on is given up."""
MOST_TABS = 80

Move = dict[str, Any]
"""A legal move as the server tells it: text, touches, key."""

PLACES = """
() => Object.fromEntries(
  [...document.querySelectorAll('[role=grid] [role=row]')].flatMap((row, down) =>
    [...row.querySelectorAll('[role=gridcell]')].map((cell, across) => [
      cell.dataset.cell, [down, across, cell === document.activeElement],
    ])
  )
)
"""
"""Where each cell of the grid is, by its name, and whether it has the focus."""


class Seat:
    """A person at one table. Moves are any legal ones, the same in every run."""

    def __init__(self, visit: Visit, table_id: str, *, seed: int = 0) -> None:
        self.visit = visit
        self.page: Page = visit.page
        self.table_id = table_id
        self.chance = random.Random(seed)

    def sit_down(self) -> None:
        """Go to the play page, and wait for the board."""
        self.visit.open(f"/play/{self.table_id}")
        self.until_shown()

    def look(self) -> dict[str, Any]:
        """The table as the server has it now."""
        return self.visit.table(self.table_id)

    # Playing

    def play_to_the_end(self, make: Callable[[Move, list[Move]], None]) -> dict[str, Any]:
        """Play until the game is over; the table then."""
        table = self.look()
        while table["result"] is None:
            moves = table["view"]["moves"]
            make(self.chance.choice(moves), moves)
            table = self.until_our_turn(len(table["main"]) + 1)
        return table

    def by_mouse(self, move: Move, moves: list[Move]) -> None:
        """Click on the cells of a move, as many as are needed to tell it from the others."""
        first, *others = move["touches"]
        if not others or any(other["touches"][0] != first for other in moves):
            self.cell(first).click()
        for touched in others:
            self.cell(touched).click()
        self._choose(move, moves)

    def by_keyboard(self, move: Move, moves: list[Move]) -> None:
        """Press the key of a move, or walk the grid to its cells."""
        self.focus_grid()
        if move["key"]:
            self.page.keyboard.press(move["key"])
            return
        first, *others = move["touches"]
        if not others or any(other["touches"][0] != first for other in moves):
            self.walk_to(first)
            self.page.keyboard.press("Enter")
        for touched in others:
            self.walk_to(touched)
            self.page.keyboard.press("Enter")
        self._choose(move, moves, by_keyboard=True)

    def by_typing(self, move: Move, moves: list[Move]) -> None:
        field = self.page.get_by_label("Type a move")
        field.fill(move["text"])
        field.press("Enter")

    def _choose(self, move: Move, moves: list[Move], *, by_keyboard: bool = False) -> None:
        """Where several moves touch the same cells, say which."""
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
        """A cell of the board. Screen readers hear its label, in which some games say more."""
        return self.page.get_by_role("gridcell").and_(self.page.locator(f"[data-cell='{name}']"))

    def focus_grid(self) -> None:
        """Press Tab until the board has the focus."""
        for _ in range(MOST_TABS):
            if any(focused for _, _, focused in self.page.evaluate(PLACES).values()):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the board has no focus after {MOST_TABS} tabs")

    def walk_to(self, name: str) -> None:
        """Arrow keys to a cell."""
        places = self.page.evaluate(PLACES)
        (here,) = [(row, column) for row, column, focused in places.values() if focused]
        there = places[name]
        down, across = there[0] - here[0], there[1] - here[1]
        for key, count in (
            ("ArrowDown" if down > 0 else "ArrowUp", abs(down)),
            ("ArrowRight" if across > 0 else "ArrowLeft", abs(across)),
        ):
            for _ in range(count):
                self.page.keyboard.press(key)
        expect(self.cell(name)).to_be_focused()

    # Waiting

    def until_our_turn(self, length: int) -> dict[str, Any]:
        """Wait until the game has so many positions and a person is to move, or it is over."""
        patient_until = time.monotonic() + PATIENCE
        while time.monotonic() < patient_until:
            table = self.look()
            turn = table["players"][table["view"]["turn"]]
            ours = table["thinking"] is None and turn["kind"] == "human"
            if table["result"] is not None or (ours and len(table["main"]) >= length):
                self.until_shown(table)
                return table
            self.page.wait_for_timeout(30)
        raise AssertionError(f"the game does not go on: {table}")

    def until_shown(self, table: dict[str, Any] | None = None) -> None:
        """Wait until the page shows where the table is."""
        table = self.look() if table is None else table
        current = next(node for node in table["nodes"] if node["id"] == table["current"])
        shown = self.page.locator("[data-node][aria-current=true]")
        expect(shown).to_contain_text(current["move"] or "Start")
