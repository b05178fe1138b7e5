"""Rules where one plays: the dialog with the rules, explained options, moves as buttons."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from plyground.core.registry import find_game, game_names
from tests.browser.app_page import AppPage
from tests.browser.play_page import PlayPage

HUMAN = {"kind": "human"}
ON_FOOD = "(*A)*./..B A 0-0"
"""Agent A of Blocker stands on food, and can step right or down."""


def beginning(text: str) -> str:
    """The first words of a text without marks: what a reader sees of it first."""
    return " ".join(re.sub(r"^- |[`*]", "", text).split()[:5])


def open_rules(page: Page, title: str) -> Locator:
    page.get_by_role("banner").get_by_role("button", name="Rules").click()
    return page.get_by_role("dialog", name=f"Rules of {title}")


@pytest.mark.parametrize("name", game_names())
def test_the_rules_of_every_game_are_where_it_is_played(app: AppPage, name: str) -> None:
    game = find_game(name)
    page = app.open(f"/play/{app.new_table(name)}")
    dialog = open_rules(page, game.title)
    expect(dialog).to_contain_text(beginning(game.rules_text))
    expect(dialog).to_contain_text("On this board:")
    expect(dialog.locator("svg")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("section", ["analyse", "tree", "replay"])
def test_every_page_of_a_game_has_its_rules(app: AppPage, section: str) -> None:
    page = app.open(f"/{section}/{app.new_table('slant')}")
    expect(open_rules(page, "Slant")).to_contain_text(beginning(find_game("slant").rules_text))


def test_rules_open_with_a_key(app: AppPage) -> None:
    page = app.open(f"/play/{app.new_table('blocker')}")
    expect(page.get_by_role("banner").get_by_role("button", name="Rules")).to_be_visible()
    page.keyboard.press("i")
    expect(page.get_by_role("dialog", name="Rules of Blocker")).to_be_visible()


def test_a_card_and_the_dialog_of_a_new_game_have_the_rules(app: AppPage) -> None:
    page = app.open("/")
    page.get_by_role("button", name="Rules of Blocker").click()
    rules = page.get_by_role("dialog", name="Rules of Blocker")
    expect(rules).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Play Blocker").click()
    setup = page.get_by_role("dialog", name="New game of Blocker")
    setup.get_by_role("button", name="Rules").click()
    expect(rules).to_be_visible()
    page.keyboard.press("Escape")
    expect(setup).to_be_visible()


@pytest.mark.parametrize("name", [name for name in game_names() if find_game(name).options])
def test_every_option_is_explained_where_it_is_chosen(app: AppPage, name: str) -> None:
    game = find_game(name)
    page = app.open("/")
    page.get_by_role("button", name=f"Play {game.title}").click()
    board = page.get_by_role("dialog").get_by_role("group", name="Board")
    for option, text in game.option_texts.items():
        label = option.replace("_", " ").capitalize()
        explained = board.get_by_label(label, exact=True)
        sentence = text[0].upper() + text[1:]
        expect(explained).to_have_accessible_description(sentence.replace("`", ""))
    assert game.option_texts.keys() == game.options.keys()


def test_a_move_that_is_a_word_is_a_button(app: AppPage) -> None:
    table = app.new_table("blocker", text=ON_FOOD, players=[HUMAN, HUMAN])
    board = PlayPage(app, table)
    board.open()
    steer = app.page.get_by_role("group", name="Steer")
    expect(steer.get_by_role("button", name="Up")).to_be_disabled()
    steer.get_by_role("button", name="Eat").click()
    board.wait_for_turn(2)
    assert board.table()["nodes"][1]["move"] == "eat"
    expect(steer.get_by_role("button", name="Block")).to_be_enabled()


def test_a_move_is_tried_with_a_button(app: AppPage) -> None:
    table = app.new_table("blocker", text=ON_FOOD, players=[HUMAN, HUMAN])
    page = app.open(f"/analyse/{table}")
    page.get_by_role("group", name="Steer").get_by_role("button", name="Eat").click()
    expect(page.locator("[data-node][aria-current=true]")).to_contain_text("eat")


def test_a_game_without_words_has_no_such_buttons(app: AppPage) -> None:
    PlayPage(app, app.new_table("breakthrough")).open()
    expect(app.page.get_by_role("group", name="Steer")).to_be_hidden()
