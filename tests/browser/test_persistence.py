"""Nothing is lost: by a reload, a second page, a connection that drops, a server that ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.seat import Seat
from tests.browser.serving import Server
from tests.browser.visit import Visit

QUICK = {"kind": "engine", "depth": 1}
HUMANS = [{"kind": "human"}, {"kind": "human"}]
CURRENT = "[data-node][aria-current=true]"


def test_a_reload_in_the_middle_of_a_game_loses_nothing(visit: Visit) -> None:
    seat = Seat(visit, visit.new_table("breakthrough", players=[{"kind": "human"}, QUICK]))
    seat.sit_down()
    before = None
    for count in (3, 5):
        moves = seat.look()["view"]["moves"]
        seat.by_mouse(moves[0], moves)
        before = seat.until_our_turn(count)
        seat.page.reload()
        seat.until_shown()
    after = seat.look()
    assert before is not None
    assert (after["nodes"], after["view"]) == (before["nodes"], before["view"])


def test_two_pages_at_one_table_see_the_same(visit: Visit) -> None:
    table = visit.new_table("tictactoe", players=HUMANS)
    seat = Seat(visit, table)
    seat.sit_down()
    other = visit.context.new_page()
    other.goto(f"{visit.server.address}/play/{table}")
    expect(other.locator(CURRENT)).to_have_text("Start")
    seat.cell("b2").click()
    expect(other.locator(CURRENT)).to_contain_text("b2")
    other.get_by_role("gridcell", name="a1").click()
    expect(seat.page.locator(CURRENT)).to_contain_text("a1")


def test_a_connection_that_drops_comes_back(visit: Visit) -> None:
    table = visit.new_table("tictactoe", players=HUMANS)
    seat = Seat(visit, table)
    routed: list[tuple[WebSocketRoute, WebSocketRoute]] = []

    def relay(socket: WebSocketRoute) -> None:
        routed.append((socket, socket.connect_to_server()))

    visit.page.route_web_socket("**/api/tables/**", relay)
    seat.sit_down()
    seat.cell("b2").click()
    seat.until_our_turn(2)
    near, far = routed[0]
    near.close(code=3000)
    far.close()
    expect(visit.page.get_by_text("The connection is lost")).to_be_visible()
    seat.cell("a1").click()
    seat.until_our_turn(3)
    assert len(routed) == 2


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server that this test alone uses, so that it may end it."""
    with Server(tmp_path / "home") as server:
        yield server


@pytest.mark.parametrize("way", ["interrupted", "killed"])
def test_a_game_is_there_again_after_the_server_was(
    chromium: Browser, own: Server, way: str
) -> None:
    context = chromium.new_context()
    visit = Visit(own, context)
    visit.forgive("ERR_CONNECTION|WebSocket|40[13]")
    visit.page.goto(own.entrance)
    seat = Seat(visit, visit.new_table("tictactoe", players=HUMANS))
    seat.sit_down()
    for count, cell in enumerate(("b2", "a1", "c3"), 2):
        seat.cell(cell).click()
        seat.until_our_turn(count)
    before = seat.look()
    if way == "killed":
        visit.page.wait_for_timeout(1500)  # games are written a moment after each move
        own.kill()
    else:
        own.stop()
    expect(visit.page.get_by_text("The connection is lost")).to_be_visible()
    own.start()
    visit.page.goto(own.entrance)
    visit.page.get_by_role("link", name="Tic-tac-toe", exact=True).click()
    seat.until_shown(before)
    assert seat.look()["nodes"] == before["nodes"]
    seat.cell("b1").click()
    seat.until_our_turn(5)
    context.close()
    assert visit.problems == []
