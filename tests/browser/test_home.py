"""The home page: every game on a card, new games, recent games."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from plyground.core.registry import find_game, game_names
from plyground.web.levels import LEVELS, level_models
from tests.browser.app_page import AppPage


def test_every_game_has_a_card(app: AppPage) -> None:
    page = app.open("/")
    for name in game_names():
        title = find_game(name).title
        card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=title))
        expect(card.get_by_role("button", name=f"Play {title}")).to_be_visible()
        expect(card.locator("svg").first).to_be_visible()


def test_games_of_ones_own_files_are_beside_the_others(app: AppPage) -> None:
    page = app.open("/")
    for title in ("Dots and Boxes", "nim"):
        heading = page.get_by_role("heading", name=title, exact=True)
        card = page.get_by_role("listitem").filter(has=heading)
        expect(card).to_contain_text("your file")


def test_a_new_game_is_set_up_and_begins(app: AppPage) -> None:
    page = app.open("/")
    page.get_by_role("button", name="Play Breakthrough").click()
    dialog = page.get_by_role("dialog", name="New game of Breakthrough")
    dialog.get_by_label("Rows").fill("5")
    white = dialog.get_by_role("group", name="White")
    black = dialog.get_by_role("group", name="Black")
    expect(white.get_by_label("Who")).to_have_value("human")
    black.get_by_label("Who").select_option("Minimax")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("/play/[a-z0-9]{12}$"))
    table = app.table(page.url.rsplit("/", 1)[1])
    assert table["options"] == {"rows": 5}
    assert [player["kind"] for player in table["players"]] == ["human", "minimax"]
    expect(page.get_by_role("gridcell")).to_have_count(30)


def test_a_dialog_that_cannot_be_loaded_says_that_the_server_does_not_answer(app: AppPage) -> None:
    app.allow_errors("Failed to load resource")
    app.context.route("**/static/dialogs/*.js", lambda route: route.abort())
    page = app.open("/")
    for button in ("Play Breakthrough", "Rules of Breakthrough"):
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("alert")).to_contain_text("does not answer: is it still running?")
        page.get_by_role("alert").get_by_role("button").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_new_game_is_against_a_beginner_unless_another_level_is_chosen(app: AppPage) -> None:
    page = app.open("/")
    page.get_by_role("button", name="Play Connect Four").click()
    dialog = page.get_by_role("dialog", name="New game of Connect Four")
    yellow = dialog.get_by_role("group", name="Yellow")
    who = yellow.get_by_label("Who")
    expect(who).to_have_value("level:Beginner")
    expect(yellow).to_contain_text("Plays 20 games at random in its head")
    levels = who.locator("optgroup").first.locator("option")
    names = [text.split(",")[0] for text in levels.all_inner_texts()]
    assert names == [level.name for level in LEVELS]
    who.select_option("level:Skilled")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("/play/[a-z0-9]{12}$"))
    expect(page.get_by_text("Skilled", exact=True)).to_be_visible()
    player = app.table(page.url.rsplit("/", 1)[1])["players"][1]
    assert (player["kind"], player["depth"]) == ("engine", 2)


def test_the_ratings_that_were_measured_are_shown(app: AppPage) -> None:
    page = app.open("/")
    page.get_by_role("button", name="Play Tic-tac-toe").click()
    who = page.get_by_role("dialog").get_by_role("group", name="O").get_by_label("Who")
    for level in level_models("tictactoe"):
        rated = f"{level.name}, rated {level.rating}"
        expect(who.locator("option", has_text=rated)).to_have_count(1)


def test_an_option_that_cannot_be_is_explained_at_once(app: AppPage) -> None:
    page = app.open("/")
    page.get_by_role("button", name="Play Breakthrough").click()
    dialog = page.get_by_role("dialog", name="New game of Breakthrough")
    app.allow_errors("422")
    dialog.get_by_label("Rows").fill("2")
    expect(dialog.get_by_role("alert")).to_contain_text("at least 3 rows")


def test_a_game_is_remembered_opened_again_and_deleted(app: AppPage) -> None:
    table = app.new_table("tictactoe", moves=["b2"])
    page = app.open("/")
    row = page.get_by_role("listitem").filter(has=page.locator(f"a[href='/play/{table}']"))
    expect(row).to_contain_text("1 ply")
    row.get_by_role("link", name="Tic-tac-toe", exact=True).click()
    page.wait_for_url(f"**/play/{table}")
    page.go_back()
    row.get_by_role("button", name="Delete Tic-tac-toe").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(row).to_have_count(0)
