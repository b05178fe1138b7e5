"""The analyse page: lines that grow, variations, the review, the solver, positions in and out."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from plyground.core.registry import find_game, game_names
from tests.browser.app_page import AppPage
from tests.browser.play_page import PlayPage

HUMANS = [{"kind": "human"}, {"kind": "human"}]
CURRENT = "[data-node][aria-current=true]"
PROVEN = re.compile(r"^Depth .* proven")


@pytest.fixture
def board(app: AppPage) -> PlayPage:
    """An analysis of Tic-tac-toe with two moves played and the engine at rest."""
    app.set_preference("plyground-engine", "off")
    board = PlayPage(app, app.new_table("tictactoe", moves=["a1", "b1"], players=HUMANS))
    app.open(f"/analyse/{board.table_id}")
    expect(app.page.get_by_text("The engine is stopped.")).to_be_visible()
    return board


def depth(page: Page) -> int:
    """How deep the engine is; it must have begun."""
    status = page.get_by_text(re.compile(r"^Depth \d+"))
    expect(status).to_be_visible()
    found = re.match(r"Depth (\d+)", status.inner_text())
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize("game", game_names())
def test_lines_appear_deepen_and_change_with_the_position(app: AppPage, game: str) -> None:
    page = app.open(f"/analyse/{app.new_table(game, players=HUMANS)}")
    lines = page.get_by_role("list", name="Best lines").get_by_role("listitem")
    expect(lines).to_have_count(3)
    legal = {
        find_game(game).start().move_text(move) for move in find_game(game).start().legal_moves
    }
    first = lines.first.get_by_role("button").first
    assert first.inner_text() in legal
    before = lines.first.inner_text()
    first.click()
    expect(page.locator(CURRENT)).not_to_have_text("Start")
    expect(lines.first).not_to_have_text(before)
    assert depth(page) >= 1
    expect(page.get_by_role("meter", name="Evaluation")).to_be_visible()


def test_lines_grow_deeper_while_the_engine_thinks(app: AppPage) -> None:
    page = app.open(f"/analyse/{app.new_table('breakthrough', players=HUMANS)}")
    start = depth(page)
    status = page.get_by_text(re.compile(r"^Depth \d+"))
    deeper = "|".join(str(number) for number in range(start + 1, start + 60))
    expect(status).to_have_text(re.compile(rf"Depth ({deeper})\b.*nodes"))
    page.get_by_label("Lines", exact=True).select_option("5")
    expect(page.get_by_role("list", name="Best lines").get_by_role("listitem")).to_have_count(5)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("The engine is stopped.")).to_be_visible()


def test_a_variation_is_tried_promoted_and_removed(board: PlayPage) -> None:
    page = board.page
    page.get_by_role("button", name="Previous move").click()
    expect(page.locator(CURRENT)).to_contain_text("a1")
    board.cell("b2").click()
    expect(page.locator(CURRENT)).to_contain_text("b2")
    assert len(board.table()["main"]) == 3
    page.get_by_role("button", name="Make it the main line").click()
    expect(page.get_by_role("button", name="Make it the main line")).to_be_hidden()
    nodes = {node["id"]: node["move"] for node in board.table()["nodes"]}
    assert [nodes[node] for node in board.table()["main"]] == [None, "a1", "b2"]
    page.get_by_role("button", name="b1", exact=True).click()
    page.get_by_role("button", name="Remove the variation").click()
    expect(page.get_by_role("button", name="b1", exact=True)).to_have_count(0)


def test_moves_are_tried_by_typing_and_by_keys(board: PlayPage) -> None:
    field = board.page.get_by_label("Type a move")
    field.fill("b2")
    field.press("Enter")
    expect(board.page.locator(CURRENT)).to_contain_text("b2")
    field.fill("z9")
    field.press("Enter")
    expect(board.page.get_by_text("'z9' is not a legal move here")).to_be_visible()
    field.press("Escape")
    board.page.keyboard.press("Home")
    expect(board.page.locator(CURRENT)).to_contain_text("Start")


def test_a_position_is_solved_for_every_move(board: PlayPage) -> None:
    page = board.page
    page.get_by_role("button", name="Solve this position").click()
    solved = page.get_by_role("region", name="Solve")
    expect(solved.get_by_role("row").filter(has_text="best").first).to_be_visible()
    expect(solved.get_by_role("row")).to_have_count(8)
    expect(solved.get_by_text(re.compile("X wins in")).first).to_be_visible()


def test_a_game_is_reviewed_and_its_mistakes_are_marked(app: AppPage) -> None:
    app.set_preference("plyground-engine", "off")
    table = app.new_table("tictactoe", moves=["a1", "b1", "b2", "c1", "c3"], players=HUMANS)
    page = app.open(f"/analyse/{table}")
    page.get_by_role("button", name="Review", exact=True).click()
    mistakes = page.get_by_role("list", name="Mistakes").get_by_role("listitem")
    expect(mistakes.first).to_be_visible()
    expect(page.get_by_role("slider", name="Value over the game")).to_be_visible()
    page.get_by_role("button", name="Go to ply 2").click()
    expect(page.locator(CURRENT)).to_contain_text("b1")


def test_a_review_is_shown_where_it_is_seen(app: AppPage) -> None:
    app.page.set_viewport_size({"width": 1280, "height": 800})
    page = app.open(f"/analyse/{app.new_table('breakthrough', moves=['c2c3', 'd5d4'])}")
    expect(page.get_by_role("list", name="Best lines").get_by_role("listitem")).to_have_count(3)
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.get_by_role("slider", name="Value over the game")).to_be_in_viewport(ratio=1)


def test_a_candidate_of_one_cell_is_no_circle(app: AppPage) -> None:
    page = app.open(f"/analyse/{app.new_table('tictactoe', moves=['b2'], players=HUMANS)}")
    expect(page.locator("rect.mark-candidate")).to_have_count(3)
    expect(page.locator("circle.mark-candidate")).to_have_count(0)


def test_the_bar_has_the_colours_of_the_players(app: AppPage) -> None:
    page = app.open(f"/analyse/{app.new_table('connectfour', players=HUMANS)}")
    meter = page.get_by_role("meter")
    expect(meter).to_have_css("background-color", "rgb(246, 207, 69)")
    expect(meter.locator(".fill")).to_have_css("background-color", "rgb(216, 68, 60)")


def test_positions_are_copied_and_opened_as_text(board: PlayPage) -> None:
    page = board.page
    expect(page.get_by_label("This position")).to_have_value(board.table()["view"]["text"])
    wanted = find_game("tictactoe").start().play("b2").text
    board.app.allow_errors("422")
    page.get_by_label("Another position of this game").fill("nonsense")
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_label("Another position of this game")).to_have_attribute(
        "aria-invalid", "true"
    )
    page.get_by_label("Another position of this game").fill(wanted)
    page.get_by_role("button", name="Open it").click()
    page.wait_for_url(re.compile(f"/analyse/(?!{board.table_id})"))
    expect(page.get_by_label("This position")).to_have_value(wanted)


def test_the_evaluation_is_announced_on_request(app: AppPage) -> None:
    page = app.open(f"/analyse/{app.new_table('connectfour', players=HUMANS)}")
    assert depth(page) >= 1
    page.keyboard.press("e")
    app.expect_announced("Best: ")


def test_a_first_search_shows_that_its_game_is_compiled(app: AppPage) -> None:
    def answer(socket: WebSocketRoute) -> None:
        def notice(text: str | bytes) -> None:
            words = "compiling slant for this machine; later runs start at once"
            number = json.loads(text)["id"]
            socket.send(json.dumps({"type": "notice", "id": number, "text": words}))

        socket.on_message(notice)

    app.context.route_web_socket(re.compile("/api/think"), answer)
    page = app.open(f"/analyse/{app.new_table('slant', players=HUMANS)}")
    expect(page.get_by_text("Compiling slant for this machine; later runs")).to_be_visible()
    page.get_by_role("button", name="Solve this position").click()
    expect(page.get_by_text("Compiling slant for this machine; later runs")).to_have_count(2)


def searched_places(app: AppPage) -> list[list[str]]:
    """The moves to each position that the page asks the engine to search, from now on."""
    searched: list[list[str]] = []

    def listen(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def ask(message: str | bytes) -> None:
            request = json.loads(message)
            if request["type"] == "search":
                searched.append(request["place"]["moves"])
            server.send(message)

        socket.on_message(ask)

    app.context.route_web_socket(re.compile("/api/think"), listen)
    return searched


def test_the_engine_searches_a_move_while_the_server_plays_it(app: AppPage) -> None:
    """What the server says of the game is held back here, and let through by the test."""
    held: list[str | bytes] = []
    is_held = False
    searched = searched_places(app)

    def hold(socket: WebSocketRoute) -> None:
        def receive(message: str | bytes) -> None:
            if is_held:
                held.append(message)
            else:
                socket.send(message)

        sockets.append(socket)
        socket.connect_to_server().on_message(receive)

    sockets: list[WebSocketRoute] = []
    app.context.route_web_socket(re.compile("/api/tables/.*/socket"), hold)
    page = app.open(f"/analyse/{app.new_table('tictactoe', players=HUMANS)}")
    lines = page.get_by_role("list", name="Best lines")
    expect(page.get_by_text(PROVEN)).to_be_visible()
    is_held = True
    page.locator("[role=gridcell][data-cell=a1]").click()
    expect(lines).to_have_class(re.compile("stale"))
    while not held or searched[-1:] != [["a1"]]:
        page.wait_for_timeout(20)
    expect(lines).to_have_class(re.compile("stale"))
    expect(page.locator(CURRENT)).to_have_text("Start")
    for message in held:
        sockets[0].send(message)
    expect(page.locator(CURRENT)).to_contain_text("a1")
    expect(lines).not_to_have_class(re.compile("stale"))
    expect(page.get_by_text(PROVEN)).to_be_visible()
    assert searched == [[], ["a1"]]


def test_a_move_that_is_refused_leaves_the_engine_where_it_was(app: AppPage) -> None:
    searched = searched_places(app)
    page = app.open(f"/analyse/{app.new_table('tictactoe', moves=['a1'], players=HUMANS)}")
    lines = page.get_by_role("list", name="Best lines")
    expect(page.get_by_text(PROVEN)).to_be_visible()
    field = page.get_by_label("Type a move")
    field.fill("a1")
    field.press("Enter")
    expect(page.get_by_text("'a1' is not a legal move here")).to_be_visible()
    expect(lines).not_to_have_class(re.compile("stale"))
    expect(page.get_by_text(PROVEN)).to_be_visible()
    expect(lines.get_by_role("button", name="b2", exact=True).first).to_be_visible()
    assert searched == [["a1"], ["a1", "a1"], ["a1"]]


def test_a_move_that_is_lost_with_the_connection_leaves_the_engine_where_it_was(
    app: AppPage,
) -> None:
    searched = searched_places(app)
    sockets: list[WebSocketRoute] = []

    def lose_the_move(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        sockets.append(socket)

        def pass_on(message: str | bytes) -> None:
            if json.loads(message)["type"] == "try":
                socket.close(code=3000)
                server.close()
            else:
                server.send(message)

        socket.on_message(pass_on)

    app.context.route_web_socket(re.compile("/api/tables/.*/socket"), lose_the_move)
    page = app.open(f"/analyse/{app.new_table('tictactoe', players=HUMANS)}")
    lines = page.get_by_role("list", name="Best lines")
    expect(page.get_by_text(PROVEN)).to_be_visible()
    page.locator("[role=gridcell][data-cell=a1]").click()
    expect(page.get_by_text("The connection is lost")).to_be_visible()
    expect(page.get_by_text("The connection is lost")).to_have_count(0)
    expect(page.locator(CURRENT)).to_have_text("Start")
    expect(lines).not_to_have_class(re.compile("stale"))
    expect(page.get_by_text(PROVEN)).to_be_visible()
    assert len(sockets) == 2
    assert searched == [[], ["a1"], []]
