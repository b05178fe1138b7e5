"""The Play page besides moves: takeback, hint, resignation, flipping, sides, clocks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.app_page import AppPage
from tests.browser.play_page import PlayPage

HUMAN = {"kind": "human"}
QUICK = {"kind": "minimax", "depth": 1}
"""Always answers the same way."""


@pytest.fixture
def board(app: AppPage) -> PlayPage:
    """White of Breakthrough against a quick player, one move of each played."""
    board = PlayPage(app, app.new_table("breakthrough", players=[HUMAN, QUICK]))
    board.open()
    play(board, "c2c3")
    return board


def play(board: PlayPage, text: str) -> None:
    """A move by mouse, and the engine's answer."""
    table = board.table()
    moves = table["view"]["moves"]
    board.play_by_mouse(next(move for move in moves if move["text"] == text), moves)
    board.wait_for_turn(len(table["main"]) + 2)


def test_a_move_is_taken_back_together_with_the_answer(board: PlayPage) -> None:
    expect(board.cell("c3")).to_have_accessible_name(re.compile("white pawn"))
    board.page.get_by_role("button", name="Take back").click()
    expect(board.page.locator("[data-node][aria-current=true]")).to_have_text("Start")
    expect(board.cell("c3")).not_to_have_accessible_name(re.compile("pawn"))
    table = board.table()
    assert (len(table["main"]), table["view"]["turn"]) == (1, 0)
    play(board, "b2b3")


def test_pieces_can_be_dragged(board: PlayPage) -> None:
    board.cell("c3").drag_to(board.cell("c4"))
    board.wait_for_turn(5)
    assert [node["move"] for node in board.table()["nodes"]][3] == "c3c4"


def test_legal_targets_are_shown_and_a_choice_can_be_undone(board: PlayPage) -> None:
    board.cell("a2").click()
    targets = board.page.get_by_role("gridcell", name=re.compile("possible"))
    expect(targets).to_have_count(2)
    board.page.keyboard.press("Escape")
    expect(targets).to_have_count(0)


def test_a_hint_is_shown_and_announced(board: PlayPage) -> None:
    board.page.get_by_role("button", name="Hint").click()
    expect(board.page.get_by_text(re.compile("^Hint: [a-f][1-6]")).first).to_be_visible()
    board.app.expect_announced("Hint: ")


def test_resigning_asks_first_and_ends_the_game(board: PlayPage) -> None:
    board.page.get_by_role("button", name="Resign").click()
    board.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert board.table()["result"] is None
    board.page.get_by_role("button", name="Resign").click()
    board.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(board.page.get_by_role("heading", name="You lost")).to_be_visible()
    board.app.expect_announced("You lost: White resigned.")
    assert board.table()["result"]["ending"] == "resigned"
    board.page.get_by_role("button", name="Rematch", exact=True).click()
    board.page.wait_for_url(re.compile(f"/play/(?!{board.table_id})"))
    expect(board.page.get_by_role("heading", name="Your move, White")).to_be_visible()


def test_the_board_is_turned_round(board: PlayPage) -> None:
    def is_below(one: str, other: str) -> bool:
        top = "cell => cell.getBoundingClientRect().y"
        return bool(board.cell(one).evaluate(top) > board.cell(other).evaluate(top))

    assert is_below("a1", "a6")
    board.page.get_by_role("button", name="Flip").click()
    assert is_below("a6", "a1")
    play(board, "c3c4")


def test_sides_are_swapped(board: PlayPage) -> None:
    board.page.get_by_role("button", name="Swap sides").click()
    expect(board.page.get_by_role("heading", name="Your move, Black")).to_be_visible()
    assert [player["kind"] for player in board.table()["players"]] == ["minimax", "human"]


def test_players_are_changed_in_the_middle_of_a_game(board: PlayPage) -> None:
    board.page.get_by_role("button", name="Players").click()
    dialog = board.page.get_by_role("dialog", name="Who plays?")
    dialog.get_by_role("group", name="Black").get_by_label("Who").select_option("level:Novice")
    dialog.get_by_role("button", name="Play on like this").click()
    expect(board.page.get_by_text("Novice", exact=True)).to_be_visible()
    play(board, "c3c4")


def test_earlier_positions_are_looked_at_without_changing_the_game(board: PlayPage) -> None:
    board.page.get_by_role("button", name="First position").click()
    expect(board.page.get_by_text("This is another position than the game")).to_be_visible()
    board.page.get_by_role("button", name="Back to the game").click()
    expect(board.page.get_by_text("This is another position than the game")).to_be_hidden()
    assert len(board.table()["main"]) == 3


def test_a_typed_move_that_is_not_legal_is_explained_beside_the_field(board: PlayPage) -> None:
    field = board.page.get_by_label("Type a move")
    field.fill("c3c5")
    field.press("Enter")
    expect(board.page.get_by_text("'c3c5' is not a legal move here")).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    assert len(board.table()["main"]) == 3
    play(board, "c3c4")


def test_clocks_run_for_the_side_that_is_to_move(app: AppPage) -> None:
    clock = {"seconds": 600, "increment": 0}
    table = app.new_table("tictactoe", players=[HUMAN, HUMAN], clock=clock)
    board = PlayPage(app, table)
    board.open()
    board.cell("b2").click()
    board.wait_for_turn(2)
    expect(board.page.get_by_role("timer", name="Time of O")).not_to_have_text("10:00")
    board.cell("a1").click()
    board.wait_for_turn(3)
    left = board.table()["clock"]["left"]
    assert left[1] < 600


def test_engine_plays_engine_and_can_be_paused(app: AppPage) -> None:
    slow = {"kind": "engine", "seconds": 0.3}
    page = app.open(f"/play/{app.new_table('connectfour', players=[slow, slow])}")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("heading", name="Paused")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Players").click()
    dialog = page.get_by_role("dialog", name="Who plays?")
    for side in ("Red", "Yellow"):
        dialog.get_by_role("group", name=side).get_by_label("Who").select_option("level:Novice")
    dialog.get_by_role("button", name="Play on like this").click()
    expect(page.get_by_role("button", name="Rematch", exact=True)).to_be_visible()


def test_a_game_that_does_not_exist_has_a_message(app: AppPage) -> None:
    app.allow_errors("404|403|WebSocket")
    page = app.open("/play/aaaaaaaaaaaa")
    expect(page.get_by_role("heading", name="There is no such game")).to_be_visible()


def test_the_progress_of_the_opponents_search_is_shown(app: AppPage) -> None:
    players = [{"kind": "engine", "seconds": 10}, HUMAN]
    PlayPage(app, app.new_table("breakthrough", players=players)).open()
    expect(app.page.get_by_text(re.compile(r"^thinking, depth \d"))).to_be_visible()
