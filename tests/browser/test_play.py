"""What a person can do at the board besides moving: take back, ask, resign, turn, change sides."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.seat import Seat
from tests.browser.visit import Visit

HUMAN = {"kind": "human"}
QUICK = {"kind": "engine", "depth": 1}


@pytest.fixture
def seat(visit: Visit) -> Seat:
    """White of Breakthrough against a quick engine, one move of each played."""
    seat = Seat(visit, visit.new_table("breakthrough", players=[HUMAN, QUICK]))
    seat.sit_down()
    play(seat, "c2c3")
    return seat


def play(seat: Seat, text: str) -> None:
    """A move by mouse, and the engine's answer."""
    table = seat.look()
    moves = table["view"]["moves"]
    seat.by_mouse(next(move for move in moves if move["text"] == text), moves)
    seat.until_our_turn(len(table["main"]) + 2)


def test_a_move_is_taken_back_together_with_the_answer(seat: Seat) -> None:
    expect(seat.cell("c3")).to_have_accessible_name(re.compile("white pawn"))
    seat.page.get_by_role("button", name="Take back").click()
    expect(seat.page.locator("[data-node][aria-current=true]")).to_have_text("Start")
    expect(seat.cell("c3")).not_to_have_accessible_name(re.compile("pawn"))
    table = seat.look()
    assert (len(table["main"]), table["view"]["turn"]) == (1, 0)
    play(seat, "b2b3")


def test_pieces_can_be_dragged(seat: Seat) -> None:
    seat.cell("c3").drag_to(seat.cell("c4"))
    seat.until_our_turn(5)
    assert [node["move"] for node in seat.look()["nodes"]][3] == "c3c4"


def test_legal_targets_are_shown_and_a_choice_can_be_undone(seat: Seat) -> None:
    seat.cell("a2").click()
    targets = seat.page.get_by_role("gridcell", name=re.compile("possible"))
    expect(targets).to_have_count(2)
    seat.page.keyboard.press("Escape")
    expect(targets).to_have_count(0)


def test_a_hint_is_shown_and_said(seat: Seat) -> None:
    seat.page.get_by_role("button", name="Hint").click()
    expect(seat.page.get_by_text(re.compile("^Hint: [a-f][1-6]")).first).to_be_visible()
    seat.visit.expect_said("Hint: ")


def test_resigning_asks_first_and_ends_the_game(seat: Seat) -> None:
    seat.page.get_by_role("button", name="Resign").click()
    seat.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert seat.look()["result"] is None
    seat.page.get_by_role("button", name="Resign").click()
    seat.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(seat.page.get_by_role("heading", name="Black wins")).to_be_visible()
    assert seat.look()["result"]["ending"] == "resigned"
    seat.page.get_by_role("button", name="Rematch", exact=True).click()
    seat.page.wait_for_url(re.compile(f"/play/(?!{seat.table_id})"))
    expect(seat.page.get_by_role("heading", name="Your move, White")).to_be_visible()


def test_the_board_is_turned_round(seat: Seat) -> None:
    def is_below(one: str, other: str) -> bool:
        top = "cell => cell.getBoundingClientRect().y"
        return bool(seat.cell(one).evaluate(top) > seat.cell(other).evaluate(top))

    assert is_below("a1", "a6")
    seat.page.get_by_role("button", name="Flip").click()
    assert is_below("a6", "a1")
    play(seat, "c3c4")


def test_sides_are_swapped(seat: Seat) -> None:
    seat.page.get_by_role("button", name="Swap sides").click()
    expect(seat.page.get_by_role("heading", name="Your move, Black")).to_be_visible()
    assert [player["kind"] for player in seat.look()["players"]] == ["engine", "human"]


def test_players_are_changed_in_the_middle_of_a_game(seat: Seat) -> None:
    seat.page.get_by_role("button", name="Players").click()
    dialog = seat.page.get_by_role("dialog", name="Who plays?")
    dialog.get_by_role("group", name="Black").get_by_label("Who").select_option("Random")
    dialog.get_by_role("button", name="Play on like this").click()
    expect(seat.page.get_by_text("Random", exact=True)).to_be_visible()
    play(seat, "c3c4")


def test_earlier_positions_are_looked_at_without_changing_the_game(seat: Seat) -> None:
    seat.page.get_by_role("button", name="First position").click()
    expect(seat.page.get_by_text("This is another position than the game")).to_be_visible()
    seat.page.get_by_role("button", name="Back to the game").click()
    expect(seat.page.get_by_text("This is another position than the game")).to_be_hidden()
    assert len(seat.look()["main"]) == 3


def test_a_typed_move_that_is_not_legal_is_explained_beside_the_field(seat: Seat) -> None:
    field = seat.page.get_by_label("Type a move")
    field.fill("c3c5")
    field.press("Enter")
    expect(seat.page.get_by_text("'c3c5' is not a legal move here")).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    assert len(seat.look()["main"]) == 3
    play(seat, "c3c4")


def test_clocks_run_for_the_side_that_is_to_move(visit: Visit) -> None:
    clock = {"seconds": 600, "increment": 0}
    table = visit.new_table("tictactoe", players=[HUMAN, HUMAN], clock=clock)
    seat = Seat(visit, table)
    seat.sit_down()
    seat.cell("b2").click()
    seat.until_our_turn(2)
    expect(seat.page.get_by_role("timer", name="Time of O")).not_to_have_text("10:00")
    seat.cell("a1").click()
    seat.until_our_turn(3)
    left = seat.look()["clock"]["left"]
    assert left[1] < 600


def test_engine_plays_engine_and_waits_when_told(visit: Visit) -> None:
    slow = {"kind": "engine", "seconds": 0.3}
    page = visit.open(f"/play/{visit.new_table('connectfour', players=[slow, slow])}")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("heading", name="Paused")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Players").click()
    dialog = page.get_by_role("dialog", name="Who plays?")
    for side in ("Red", "Yellow"):
        dialog.get_by_role("group", name=side).get_by_label("Who").select_option("Random")
    dialog.get_by_role("button", name="Play on like this").click()
    expect(page.get_by_role("button", name="Rematch", exact=True)).to_be_visible()


def test_a_game_that_is_not_there_is_said(visit: Visit) -> None:
    visit.forgive("404|403|WebSocket")
    page = visit.open("/play/aaaaaaaaaaaa")
    expect(page.get_by_role("heading", name="There is no such game")).to_be_visible()


def test_the_progress_of_the_opponents_search_is_shown(visit: Visit) -> None:
    players = [{"kind": "engine", "seconds": 10}, HUMAN]
    Seat(visit, visit.new_table("breakthrough", players=players)).sit_down()
    expect(visit.page.get_by_text(re.compile(r"^thinking, depth \d"))).to_be_visible()
