"""The Tree page: a search shown step by step, compared, and asked about."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app_page import AppPage


@pytest.fixture
def tree(app: AppPage) -> Page:
    """The tree page of a position with a small tree. By itself the page searches what its form
    says: alpha-beta to depth 3. (To ask for the same again would put a new tree in the place of
    the one that a test already walks through.)"""
    table = app.new_table("tictactoe", moves=["a1", "b2", "c3", "b1"])
    page = app.open(f"/tree/{table}")
    expect(page.get_by_text(re.compile(r"Step \d+ of \d+"))).to_be_visible()
    return page


def steps(page: Page) -> tuple[int, int]:
    """Which step is shown, and of how many."""
    text = page.get_by_text(re.compile(r"Step \d+ of \d+")).inner_text()
    found = re.search(r"Step (\d+) of (\d+)", text)
    assert found is not None
    return int(found[1]), int(found[2])


def expect_step(page: Page, step: int, last: int) -> None:
    """This step comes to be shown; the page draws it in its own time."""
    expect(page.get_by_text(re.compile(rf"Step {step} of {last}\b"))).to_be_visible()


def test_a_search_is_as_the_form_says(tree: Page) -> None:
    tree.get_by_label("Algorithm").select_option("Minimax")
    tree.get_by_label("Depth in plies").fill("2")
    tree.get_by_role("button", name="Search", exact=True).click()
    expect(tree.get_by_role("heading", name="Minimax, depth 2")).to_be_visible()


def test_steps_are_shown_by_buttons_slider_and_keys(tree: Page) -> None:
    _, last = steps(tree)
    assert last > 20
    tree.get_by_role("button", name="First step").click()
    expect_step(tree, 0, last)
    tree.get_by_role("button", name="Step forward").click()
    expect_step(tree, 1, last)
    tree.get_by_role("slider", name="Step of the search").press("ArrowRight")
    expect_step(tree, 2, last)
    tree.get_by_role("heading", level=1).click()
    tree.keyboard.press("ArrowLeft")
    expect_step(tree, 1, last)
    tree.keyboard.press("End")
    expect_step(tree, last, last)


def test_a_search_is_shown_from_its_first_step(tree: Page) -> None:
    assert steps(tree)[0] == 1
    expect(tree.get_by_text("Begin at the root")).to_be_visible()


def test_the_controls_of_the_steps_are_in_view(app: AppPage) -> None:
    app.page.set_viewport_size({"width": 1280, "height": 800})
    page = app.open(f"/tree/{app.new_table('breakthrough')}")
    expect(page.locator(".tree-node")).to_have_count(1)
    for control in ("First step", "Step forward", "Last step"):
        expect(page.get_by_role("button", name=control)).to_be_in_viewport(ratio=1)
    drawing = page.get_by_role("group", name=re.compile("Drawing of the tree")).bounding_box()
    assert drawing is not None
    assert 350 < drawing["height"] < 800 - drawing["y"]


def test_a_folded_node_says_how_many_are_hidden(app: AppPage) -> None:
    page = app.open(f"/tree/{app.new_table('breakthrough')}")
    expect(page.locator(".tree-node")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.get_by_text(re.compile(r"^\d+ hidden$")).first).to_be_visible()


def test_a_search_plays_by_itself_and_pauses(tree: Page) -> None:
    """From its first step until it is paused, and by itself no further than the last."""
    _, last = steps(tree)
    tree.get_by_label("Speed").select_option("15 a second")
    tree.get_by_role("button", name="First step").click()
    tree.get_by_role("button", name="Play", exact=True).click()
    expect(tree.get_by_text(re.compile(r"Step \d\d+ of"))).to_be_visible()
    tree.get_by_role("button", name="Pause", exact=True).click()
    expect(tree.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert 10 <= steps(tree)[0] < last
    tree.get_by_role("button", name="Last step").click()
    for _ in range(3):
        tree.get_by_role("button", name="Step back").click()
    expect_step(tree, last - 3, last)
    tree.get_by_role("button", name="Play", exact=True).click()
    expect_step(tree, last, last)
    expect(tree.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_cuts_are_shown_with_their_reason(tree: Page) -> None:
    tree.keyboard.press("End")
    expect(
        tree.get_by_text(re.compile(r"(alpha|beta) .+ [≤≥] (alpha|beta) ")).first
    ).to_be_attached()


def test_what_alpha_beta_saves_is_counted_beside_minimax(tree: Page) -> None:
    runs = tree.get_by_role("region", name="Searches compared")
    tree.get_by_role("button", name="Compare all").click()
    expect(runs.get_by_role("button", name=re.compile("Minimax, depth 3"))).to_have_count(1)
    expect(runs.get_by_role("button", name=re.compile("Alpha-beta.*, depth 3"))).to_have_count(4)


def test_a_tree_beyond_its_budget_says_so(tree: Page) -> None:
    tree.get_by_label("At most nodes").fill("10")
    tree.get_by_role("button", name="Search", exact=True).click()
    expect(tree.get_by_role("status").filter(has_text="10")).to_be_visible()


def test_the_selected_node_has_a_board_and_a_window(tree: Page) -> None:
    tree.get_by_role("button", name="First step").click()
    for _ in range(3):
        tree.keyboard.press("ArrowRight")
    node = tree.get_by_role("region", name="The selected node")
    expect(node.locator("svg").first).to_be_visible()
    expect(node).to_contain_text(re.compile("alpha", re.IGNORECASE))


def test_a_quiz_asks_explains_and_counts(tree: Page) -> None:
    quiz = tree.get_by_role("region", name="Quiz")
    quiz.get_by_role("button", name="Start the quiz").click()
    for _ in range(30):
        expect(quiz.get_by_role("heading", name=re.compile(r"Question \d+ of \d+"))).to_be_visible()
        quiz.get_by_role("group").get_by_role("button").first.click()
        expect(quiz.get_by_text(re.compile(r"^(Right\.|Not so\.)"))).to_be_visible()
        advance = quiz.get_by_role("button", name=re.compile("Next question|Show the score"))
        ended = advance.inner_text() == "Show the score"
        advance.click()
        if ended:
            break
    expect(quiz.get_by_text(re.compile(r"\d+ of \d+ right"))).to_be_visible()
    quiz.get_by_role("button", name="Another quiz").click()
    quiz.get_by_role("button", name="Leave the quiz").click()
    expect(quiz.get_by_role("button", name="Start the quiz")).to_be_visible()
