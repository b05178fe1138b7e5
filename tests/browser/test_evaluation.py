"""The choice of the engine's evaluation: in a new game, among the players, on the analyse page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from plyground.core.registry import find_game
from plyground.search.net.evaluation import net_name
from plyground.search.net.files import write_net
from plyground.search.preparation import Purpose, prepare
from tests.browser.app_page import AppPage
from tests.search.net.random_nets import random_net

HUMANS = [{"kind": "human"}, {"kind": "human"}]
BOARD = {"rows": 5, "columns": 5}
"""For which there is a net. No other test uses it."""
OWN = "he game\u2019s own"
MISSING = "Nothing was learned for this board yet; plyground learn connectfour does so."


@pytest.fixture
def learned(app: AppPage) -> AppPage:
    start = find_game("connectfour").start(BOARD)
    prepare(start.game, Purpose.PLAY)  # until then moves come from an uncompiled search
    app.server.nets.mkdir(exist_ok=True)
    write_net(app.server.nets / net_name(start.game, start.board), random_net(start, 1))
    return app


def texts(choice: Locator) -> list[str]:
    return choice.locator("option").all_inner_texts()


def table_of(app: AppPage) -> dict[str, Any]:
    return app.table(app.page.url.rsplit("/", 1)[1])


def test_a_new_game_offers_the_evaluations_of_its_board(learned: AppPage) -> None:
    page = learned.open("/")
    page.get_by_role("button", name="Play Connect Four").click()
    dialog = page.get_by_role("dialog", name="New game of Connect Four")
    yellow = dialog.get_by_role("group", name="Yellow")
    choice = yellow.get_by_label("Evaluation")
    expect(choice).to_be_hidden()
    dialog.get_by_label("Rows").fill("5")
    dialog.get_by_label("Columns").fill("4")
    yellow.get_by_label("Who").select_option("engine")
    expect(yellow.get_by_text(MISSING)).to_be_visible()
    expect(choice).to_have_accessible_description(MISSING)
    assert texts(choice) == [f"Automatic: t{OWN}", f"T{OWN}", "Learned", "None"]
    expect(choice.locator("option[value=learned]")).to_be_disabled()
    dialog.get_by_label("Columns").fill("5")
    expect(choice.locator("option").first).to_have_text("Automatic: learned")
    expect(yellow.get_by_text(MISSING)).to_have_count(0)
    yellow.get_by_label("Seconds").fill("0.1")
    choice.select_option("Learned")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("/play/[a-z0-9]{12}$"))
    assert table_of(learned)["players"][1]["evaluation"] == "learned"
    expect(page.get_by_text("Engine, 0.1 s, learned evaluation", exact=True)).to_be_visible()
    page.get_by_label("Type a move").fill("c")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^depth \d+: .*, learned evaluation$"))).to_be_visible()
    assert table_of(learned)["nodes"][2]["evaluation"] == "learned"


def test_what_was_chosen_is_forgotten_where_there_is_none(learned: AppPage) -> None:
    page = learned.open(f"/play/{learned.new_table('connectfour', options=BOARD)}")
    page.get_by_role("button", name="Players").click()
    dialog = page.get_by_role("dialog", name="Who plays?")
    red = dialog.get_by_role("group", name="Red")
    red.get_by_label("Who").select_option("engine")
    expect(red.get_by_label("Evaluation").locator("option").first).to_have_text(
        "Automatic: learned"
    )
    red.get_by_label("Evaluation").select_option("None")
    dialog.get_by_role("button", name="Play on like this").click()
    expect(page.get_by_text("Engine, 1 s, no evaluation", exact=True)).to_be_visible()
    assert table_of(learned)["players"][0]["evaluation"] == "none"


def test_an_analysis_says_which_evaluation_it_used(learned: AppPage) -> None:
    table = learned.new_table("connectfour", options=BOARD, players=HUMANS)
    page = learned.open(f"/analyse/{table}")
    expect(page.get_by_text(re.compile(r"^Depth .* · learned evaluation"))).to_be_visible()
    choice = page.get_by_label("Evaluation", exact=True).and_(page.locator("select"))
    choice.focus()
    page.keyboard.press("ArrowDown")  # by the keyboard: from automatic to the game's own
    expect(choice).to_have_value("own")
    expect(page.get_by_text(re.compile(r"^Depth .* · own evaluation"))).to_be_visible()
    choice.select_option("learned")
    expect(page.get_by_text(re.compile(r"^Depth .* · learned evaluation"))).to_be_visible()
    page.reload()
    expect(choice).to_have_value("learned")
    expect(page.get_by_text(re.compile(r"^Depth .* · learned evaluation"))).to_be_visible()
    # Another board has none: the engine chooses, and what was chosen is kept for boards that do.
    other = learned.new_table("connectfour", options={"rows": 4}, players=HUMANS)
    page = learned.open(f"/analyse/{other}")
    expect(page.get_by_text(MISSING)).to_be_visible()
    expect(choice).to_have_value("")
    expect(page.get_by_text(re.compile(r"^Depth .* · own evaluation"))).to_be_visible()


def test_a_game_without_an_evaluation_has_none_of_its_own(app: AppPage) -> None:
    page = app.open(f"/analyse/{app.new_table('nim', players=HUMANS)}")
    choice = page.get_by_label("Evaluation", exact=True).and_(page.locator("select"))
    expect(choice.locator("option").first).to_have_text("Automatic: none")
    assert texts(choice) == ["Automatic: none", "Learned", "None"]
    expect(page.get_by_text("plyground learn nim.py does so.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^Depth .* · no evaluation"))).to_be_visible()
