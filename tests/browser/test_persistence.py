"""Games survive a reload, a second page, a lost connection and a stopped server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.app_page import AppPage
from tests.browser.play_page import PlayPage
from tests.browser.server import Server
from tests.paths import EXAMPLES

QUICK = {"kind": "engine", "depth": 1}
HUMANS = [{"kind": "human"}, {"kind": "human"}]
CURRENT = "[data-node][aria-current=true]"


def test_a_reload_in_the_middle_of_a_game_loses_nothing(app: AppPage) -> None:
    board = PlayPage(app, app.new_table("breakthrough", players=[{"kind": "human"}, QUICK]))
    board.open()
    before = None
    for count in (3, 5):
        moves = board.table()["view"]["moves"]
        board.play_by_mouse(moves[0], moves)
        before = board.wait_for_turn(count)
        board.page.reload()
        board.wait_until_shown()
    after = board.table()
    assert before is not None
    assert (after["nodes"], after["view"]) == (before["nodes"], before["view"])


def test_two_pages_at_one_table_see_the_same(app: AppPage) -> None:
    table = app.new_table("tictactoe", players=HUMANS)
    board = PlayPage(app, table)
    board.open()
    other = app.context.new_page()
    other.goto(f"{app.server.address}/play/{table}")
    expect(other.locator(CURRENT)).to_have_text("Start")
    board.cell("b2").click()
    expect(other.locator(CURRENT)).to_contain_text("b2")
    other.get_by_role("gridcell", name="a1").click()
    expect(board.page.locator(CURRENT)).to_contain_text("a1")


def test_a_lost_connection_comes_back(app: AppPage) -> None:
    table = app.new_table("tictactoe", players=HUMANS)
    board = PlayPage(app, table)
    routed: list[tuple[WebSocketRoute, WebSocketRoute]] = []

    def relay(socket: WebSocketRoute) -> None:
        routed.append((socket, socket.connect_to_server()))

    app.context.route_web_socket("**/api/tables/**", relay)
    board.open()
    board.cell("b2").click()
    board.wait_for_turn(2)
    near, far = routed[0]
    near.close(code=3000)
    far.close()
    expect(app.page.get_by_text("The connection is lost")).to_be_visible()
    board.cell("a1").click()
    board.wait_for_turn(3)
    assert len(routed) == 2


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server that this test alone uses, so that it may end it."""
    with Server(tmp_path / "home") as server:
        yield server


def test_a_page_says_that_the_file_of_its_game_was_edited(
    chromium: Browser, tmp_path: Path
) -> None:
    file, source = tmp_path / "mine.py", (EXAMPLES / "nim.py").read_text()
    file.write_text(source)
    with Server(tmp_path / "home", games=[file]) as server:
        context = chromium.new_context()
        app = AppPage(server, context)
        app.page.goto(server.login_url)
        board = PlayPage(app, app.new_table("mine", players=HUMANS))
        board.open()
        moves = board.table()["view"]["moves"]
        file.write_text(source.replace("(3, 5, 7)", "(3, 5, 9)"))
        board.play_by_typing(moves[0], moves)
        expect(app.page.get_by_text("mine.py has changed").first).to_be_visible()
        for study in ("analyse", "tree"):
            app.page.goto(f"{server.address}/{study}/{board.table_id}")
            notice = app.page.get_by_role("status").filter(has_text="mine.py has changed")
            expect(notice).to_be_visible()
            notice.get_by_role("button", name="Close the message").click()
            expect(notice).to_be_hidden()
        newer = PlayPage(app, app.new_table("mine", players=HUMANS))
        newer.open()
        assert "heaps=3,5,9" in newer.table()["view"]["text"]
        context.close()
        assert app.problems == []


@pytest.mark.parametrize("way", ["interrupted", "killed"])
def test_a_game_is_there_again_after_the_server_was(
    chromium: Browser, own: Server, way: str
) -> None:
    context = chromium.new_context()
    app = AppPage(own, context)
    app.allow_errors("ERR_CONNECTION|WebSocket|40[13]")
    app.page.goto(own.login_url)
    board = PlayPage(app, app.new_table("tictactoe", players=HUMANS))
    board.open()
    for count, cell in enumerate(("b2", "a1", "c3"), 2):
        board.cell(cell).click()
        board.wait_for_turn(count)
    before = board.table()
    if way == "killed":
        own.kill()
    else:
        own.stop()
    expect(app.page.get_by_text("The connection is lost")).to_be_visible()
    own.start()
    app.page.goto(own.login_url)
    app.page.get_by_role("link", name="Tic-tac-toe", exact=True).click()
    board.wait_until_shown(before)
    assert board.table()["nodes"] == before["nodes"]
    board.cell("b1").click()
    board.wait_for_turn(5)
    context.close()
    assert app.problems == []
