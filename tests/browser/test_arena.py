"""The Arena page: events are set up, watched, stopped, gone on with; their games are opened."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys

from playwright.sync_api import Page, WebSocketRoute, expect

from plyground.arena.pair import GameUnderWay
from tests.browser.app_page import AppPage
from tests.paths import ROOT
from tests.web.arena.stores import (
    MOVES,
    add,
    begin,
    game_of,
    plan_of,
    record_of,
    store_event,
)

DASH = "\N{EN DASH}"
RATING = re.compile("[+\N{MINUS SIGN}]\\d+ ± \\d+")


def open_event(app: AppPage, event: str) -> Page:
    page = app.open(f"/arena?event={event}")
    expect(page.get_by_role("heading", name="Results")).to_be_visible()
    return page


def fill_form(page: Page, games: int, seed: int) -> None:
    page.get_by_role("button", name="New event…").click()
    dialog = page.get_by_role("dialog", name="New event")
    dialog.get_by_label("Game", exact=True).select_option("tictactoe")
    dialog.get_by_label("Player 1", exact=True).fill("greedy")
    dialog.get_by_label("Player 2", exact=True).fill("random")
    dialog.get_by_label("Games", exact=True).fill(str(games))
    dialog.get_by_label("Seed", exact=True).fill(str(seed))


def test_a_match_is_set_up_and_watched_to_its_end(app: AppPage) -> None:
    page = app.open("/")
    page.get_by_role("link", name="Arena").click()
    fill_form(page, games=20, seed=1)
    dialog = page.get_by_role("dialog", name="New event")
    command = "plyground match --games 20 --time 0.1 --seed 1 -- tictactoe greedy random"
    expect(dialog.get_by_text(command)).to_be_visible()
    dialog.get_by_role("button", name="Start").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("20 of 20 games").first).to_be_visible()
    head = page.get_by_role("region", name=f"greedy {DASH} random")
    expect(head.get_by_text("finished")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/arena\?event=[0-9a-f]{20}$"))
    results = page.get_by_role("region", name="Results", exact=True)
    expect(results).to_contain_text(re.compile(r"Elo(more than )?\+\d"))
    expect(
        results.get_by_role("img", name=re.compile("Elo difference after 20 games"))
    ).to_be_visible()
    boards = page.get_by_role("region", name="Boards")
    expect(boards.get_by_role("grid")).to_be_visible()
    expect(page.get_by_text("1 to 20 of 20 games")).to_be_visible()
    app.expect_announced("Finished. 20 games: greedy ")


def test_a_match_is_stopped_and_gone_on_with(app: AppPage) -> None:
    page = app.open("/arena")
    fill_form(page, games=100_000, seed=2)
    page.get_by_role("dialog").get_by_role("button", name="Start").click()
    stop = page.get_by_role("button", name="Stop")
    expect(stop).to_be_enabled()
    progress = page.locator("#progress")
    expect(progress).not_to_have_attribute("value", "0")
    stop.click()
    resume = page.get_by_role("button", name="Go on")
    expect(resume).to_be_visible()
    before = int(progress.get_attribute("value") or 0)
    page.get_by_role("heading", name="Arena").click()
    page.keyboard.press("s")
    expect(stop).to_be_enabled()
    page.wait_for_function("games => document.getElementById('progress').value > games", arg=before)
    stop.click()
    expect(resume).to_be_visible()
    app.expect_announced("Stopped. ")


def test_a_match_of_a_terminal_appears_and_its_games_are_opened(app: AppPage) -> None:
    page = app.open("/arena")
    expect(page.get_by_role("button", name="New event…")).to_be_visible()
    command = [sys.executable, "-m", "plyground", "match", "tictactoe", "random", "greedy"]
    options = ["--games", "2", "--seed", "3", "--store", str(app.server.store), "--quiet"]
    subprocess.run([*command, *options], cwd=ROOT, check=True, capture_output=True)
    page.get_by_role("link", name=f"random {DASH} greedy Match of Tic-tac-toe, 2 games").click()
    games = page.get_by_role("table", name="Finished games")
    expect(games.get_by_role("row")).to_have_count(3)
    games.get_by_role("button", name=re.compile("in Analyse")).first.click()
    page.wait_for_url(re.compile("/analyse/[a-z0-9]{12}$"))
    table = app.table(page.url.rsplit("/", 1)[1])
    assert sorted(table["names"]) == ["greedy", "random"]
    assert table["result"] is not None


def test_boards_follow_the_games_and_one_is_large(app: AppPage) -> None:
    plan = plan_of(("perfect", "greedy"), 4, seed=11)
    with begin(app.server.store, plan) as store:
        for opening in range(3):
            record = record_of(plan, (0, 1), MOVES[: opening + 1]).json
            store.show_game(plan.id, plan.contestants, GameUnderWay(0, 1, opening, record))
        page = open_event(app, plan.id)
        boards = page.get_by_role("region", name="Boards")
        expect(boards.get_by_text("3 games under way.")).to_be_visible()
        small = boards.get_by_role("group", name="Choose a board").get_by_role("button")
        expect(small).to_have_count(3)
        expect(small.first).to_have_attribute("aria-pressed", "true")
        small.nth(2).click()
        expect(boards).to_contain_text("Opening 3, move 3: b1, 100 ms a move")
        page.keyboard.press("ArrowLeft")
        expect(small.nth(1)).to_have_attribute("aria-pressed", "true")
        expect(boards).to_contain_text("Opening 2, move 2: a2")
        # The game goes on and ends; the board follows.
        record = record_of(plan, (0, 1), MOVES[:4]).json
        store.show_game(plan.id, plan.contestants, GameUnderWay(0, 1, 1, record))
        expect(boards).to_contain_text("Opening 2, move 4: b2")
        expect(boards.get_by_role("gridcell", name=re.compile("^b2, O"))).to_be_visible()
        add(store, plan, game_of(plan, (0, 1), 1))
        expect(boards).to_contain_text("Opening 2, 1-0: X has three in a line")
        # Another program plays it: there is no way to stop it here.
        expect(page.get_by_role("button", name="Stop")).to_be_disabled()
        store.end_event(plan.id, "stopped")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()


def test_what_is_wrong_is_told_beside_its_field(app: AppPage) -> None:
    page = app.open("/arena")
    expect(page.get_by_role("button", name="New event…")).to_be_enabled()
    page.keyboard.press("n")
    dialog = page.get_by_role("dialog", name="New event")
    second = dialog.get_by_label("Player 2", exact=True)
    second.fill("monte-carlo:nods=3")
    expect(second).to_have_attribute("aria-invalid", "true")
    expect(second).to_have_accessible_description(re.compile("monte-carlo has no option 'nods'"))
    second.fill("missing.py")
    expect(second).to_have_accessible_description(re.compile(r"^missing\.py: No such file"))
    second.fill("uci:some program")
    expect(second).to_have_accessible_description(re.compile("plyground serve --allow-engines"))
    dialog.get_by_role("button", name="Start").click()
    expect(second).to_be_focused()
    second.fill("random")
    expect(second).to_have_attribute("aria-invalid", "false")
    dialog.get_by_label("Kind", exact=True).select_option("sprt")
    dialog.get_by_label("H1: better by").fill("-5")
    expect(dialog.get_by_role("alert").filter(has_text="Elo0 must be less")).to_be_visible()
    games = dialog.get_by_label("Games at most")
    expect(games).to_have_value("40000")
    games.fill("-3")
    wrong = "Games at most: it must be a number from 2 to 100000."
    expect(dialog.get_by_role("alert").filter(has_text=wrong)).to_be_visible()
    dialog.get_by_role("button", name="Start").click()
    expect(games).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_level_among_the_suggestions_is_the_player_of_the_page_play(app: AppPage) -> None:
    page = app.open("/arena")
    page.get_by_role("button", name="New event…").click()
    skilled = page.locator("datalist option[label=Skilled]")
    expect(skilled).to_have_attribute("value", "engine:depth=2,evaluation=own")


def test_an_event_without_games_has_no_scores(app: AppPage) -> None:
    plan = plan_of(("random", "perfect"), 2, seed=15)
    with begin(app.server.store, plan) as store:
        page = open_event(app, plan.id)
        boards = page.get_by_role("region", name="Boards")
        expect(boards.get_by_text("No game has been played yet.")).to_be_visible()
        games = page.get_by_role("region", name="Games", exact=True)
        expect(games.get_by_text("No game is over yet.")).to_be_visible()
        results = page.get_by_role("region", name="Results", exact=True)
        expect(results).to_have_text(
            re.compile("^Results\\s*No game is over yet\\.$"), use_inner_text=True
        )
        add(store, plan, game_of(plan, (0, 1), 0))
        expect(results).to_contain_text("1 : 0", use_inner_text=True)
        expect(boards.get_by_text("this is how the last one ended")).to_be_visible()
        games.get_by_label("Result").select_option("Drawn")
        expect(games.get_by_text("No such game.")).to_be_visible()
        store.end_event(plan.id, "stopped")


def test_ratings_and_the_cross_table_of_a_tournament(app: AppPage) -> None:
    plan = plan_of(("random", "greedy", "perfect"), 2, "tournament", seed=12)
    store_event(app.server.store, plan)
    page = open_event(app, plan.id)
    players = page.get_by_role("table", name="Players, the best first")
    expect(players.get_by_role("rowheader")).to_have_count(3)
    expect(players.get_by_role("row", name="perfect")).to_contain_text(RATING)
    cross = page.get_by_role("table", name="Points against each other")
    expect(cross.get_by_role("row").nth(1).get_by_role("cell").nth(1)).to_have_text("2")
    games = page.get_by_role("region", name="Games", exact=True)
    games.get_by_label("Player").select_option("greedy")
    expect(games.get_by_text("1 to 8 of 8 games")).to_be_visible()
    games.get_by_label("Result").select_option("Lost")
    expect(games.get_by_text("1 to 4 of 4 games")).to_be_visible()
    expect(games.get_by_role("row").nth(1)).to_contain_text("1-0")


def test_ten_thousand_games_are_listed_page_by_page(app: AppPage) -> None:
    plan = plan_of(("random", "greedy"), 5000, seed=13)
    store = app.server.store
    with begin(store, plan) as opened:
        add(opened, plan, game_of(plan, (0, 1), 0), game_of(plan, (1, 0), 0))
        opened.end_event(plan.id, "finished")
    copied = (
        "INSERT INTO games SELECT NULL, conditions, first, second, number, winner, utility, ending,"
        " reason, plies, first_seconds, second_seconds, first_depth, second_depth, record, finished"
        " FROM games JOIN (WITH RECURSIVE count (number) AS (SELECT 1 UNION ALL SELECT number + 1"
        " FROM count WHERE number < 4999) SELECT number FROM count)"
        " WHERE conditions = ? AND opening = 0"
    )
    with sqlite3.connect(store) as file:
        file.execute(copied, (plan.conditions.id,))
    file.close()
    page = open_event(app, plan.id)
    games = page.get_by_role("region", name="Games", exact=True)
    expect(games.get_by_text("1 to 25 of 10,000 games")).to_be_visible()
    assert games.get_by_role("row").count() == 26
    games.get_by_role("button", name="Older").click()
    expect(games.get_by_text("26 to 50 of 10,000 games")).to_be_visible()
    expect(page.get_by_role("region", name="Results", exact=True)).to_contain_text("5,000 : 5,000")


def test_an_event_has_an_address(app: AppPage) -> None:
    first = plan_of(("random", "perfect"), 1, seed=14)
    second = plan_of(("greedy", "engine:depth=2"), 1, seed=14)
    for plan in (first, second):
        store_event(app.server.store, plan)
    page = open_event(app, first.id)
    title = page.get_by_role("heading", level=2).nth(1)
    expect(title).to_have_text(f"random {DASH} perfect")
    page.get_by_role("link", name=f"greedy {DASH} engine:depth=2").click()
    expect(title).to_have_text(f"greedy {DASH} engine:depth=2")
    page.go_back()
    expect(title).to_have_text(f"random {DASH} perfect")
    page.reload()
    expect(title).to_have_text(f"random {DASH} perfect")


def test_the_way_back_to_the_arena_shows_its_latest_event(app: AppPage) -> None:
    first = plan_of(("random", "perfect"), 1, seed=16)
    latest = plan_of(("greedy", "perfect"), 1, seed=16)
    for plan in (first, latest):
        store_event(app.server.store, plan)
    page = app.open("/arena")
    title = page.get_by_role("heading", level=2).nth(1)
    expect(title).to_have_text(f"greedy {DASH} perfect")
    page.locator(f"a[href='/arena?event={first.id}']").click()
    expect(title).to_have_text(f"random {DASH} perfect")
    page.go_back()
    expect(title).to_have_text(f"greedy {DASH} perfect")


def test_an_address_of_another_store_says_so(app: AppPage) -> None:
    plan = plan_of(("random", "perfect"), 1, seed=17)
    page = app.open(f"/arena?event={plan.id}")
    message = page.get_by_text("There is no such event in this store.")
    expect(message).to_be_visible()
    store_event(app.server.store, plan)
    expect(page.get_by_role("heading", name="Results")).to_be_visible()
    expect(message).to_be_hidden()


def test_the_arena_says_that_the_connection_is_lost(app: AppPage) -> None:
    routed: list[WebSocketRoute] = []
    is_refused = False

    def relay(socket: WebSocketRoute) -> None:
        if is_refused:
            socket.close(code=3000)
        else:
            routed.append(socket)
            socket.connect_to_server()

    app.context.route_web_socket("**/api/arena/socket*", relay)
    page = app.open("/arena")
    kept = page.get_by_text("Every game is kept in arena.db.")
    expect(kept).to_be_visible()
    is_refused = True
    routed[0].close(code=3000)
    expect(page.get_by_text("The connection is lost. Trying again…")).to_be_visible()
    is_refused = False
    expect(kept).to_be_visible()
