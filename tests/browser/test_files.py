"""Files in and out: records, boards, scenarios, positions; and games of one's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game, game_names
from tests.browser.app_page import AppPage
from tests.browser.play_page import PlayPage

MOVES = ["a1", "a2", "b1", "b2", "c1"]
DROP = """(text) => {
  const dropped = new DataTransfer();
  dropped.items.add(new File([text], 'game.txt', { type: 'text/plain' }));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true }));
}"""


def open_file(app: AppPage, name: str, text: str) -> Page:
    """Choose a file on the home page."""
    page = app.open("/")
    expect(page.get_by_role("button", name="Play Breakthrough")).to_be_visible()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a file").click()
    file: FilePayload = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    chooser.value.set_files(files=[file])
    return page


@pytest.mark.parametrize(
    ("link", "ending"), [("Save the record", ".record"), ("Record as JSON", ".jsonl")]
)
def test_a_record_is_saved_and_opened_again(
    app: AppPage, tmp_path: Path, link: str, ending: str
) -> None:
    page = app.open(f"/play/{app.new_table('tictactoe', moves=MOVES)}")
    with page.expect_download() as download:
        page.get_by_role("link", name=link).click()
    name = download.value.suggested_filename
    assert name.endswith(ending)
    download.value.save_as(tmp_path / name)
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert [ply.move for ply in GameRecord.load(tmp_path / name).plies] == MOVES
    page = open_file(app, name, text)
    page.wait_for_url(re.compile("/play/[a-z0-9]{12}$"))
    expect(page.get_by_role("heading", name="X wins")).to_be_visible()


@pytest.mark.parametrize("game", game_names())
def test_a_position_of_every_game_can_be_opened(app: AppPage, game: str) -> None:
    position = find_game(game).start()
    position = position.after(position.legal_moves[-1])
    page = open_file(app, "position.txt", position.text + "\n")
    which = page.get_by_role("dialog").get_by_role("button", name=find_game(game).title)
    opened = page.locator("#moves [data-node]")
    expect(which.or_(opened).first).to_be_visible()
    if which.count():
        app.allow_errors("409")
        which.click()
    page.wait_for_url(re.compile("/play/[a-z0-9]{12}$"))
    table = app.table(page.url.rsplit("/", 1)[1])
    assert (table["game"]["name"], table["view"]["text"]) == (game, position.text)


def test_a_file_that_no_game_can_read_is_explained(app: AppPage) -> None:
    app.allow_errors("422|409|404")
    page = open_file(app, "letter.txt", "Dear Sir or Madam,\n")
    expect(page.get_by_role("alert")).to_contain_text("letter.txt")


def test_a_file_is_opened_by_dropping_it(app: AppPage) -> None:
    page = app.open("/")
    expect(page.get_by_role("button", name="Play Breakthrough")).to_be_visible()
    text = app.server.ask_text(f"/api/tables/{app.new_table('tictactoe', moves=MOVES)}/record")
    page.evaluate(DROP, text)
    page.wait_for_url(re.compile("/play/[a-z0-9]{12}$"))
    expect(page.get_by_role("heading", name="X wins")).to_be_visible()


@pytest.mark.parametrize(("game", "title"), [("dots", "Dots and Boxes"), ("nim", "nim")])
def test_a_game_of_ones_own_is_played_to_its_end(app: AppPage, game: str, title: str) -> None:
    page = app.open("/")
    page.get_by_role("button", name=f"Play {title}").click()
    dialog = page.get_by_role("dialog")
    if game == "dots":
        dialog.get_by_label("Rows").fill("1")
    dialog.get_by_role("group", name="Second").get_by_label("Who").select_option("level:Novice")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("/play/[a-z0-9]{12}$"))
    board = PlayPage(app, page.url.rsplit("/", 1)[1])
    table = board.play_to_the_end(board.play_by_typing)
    expect(page.get_by_text(table["result"]["reason"]).first).to_be_visible()


def test_a_position_can_be_typed_to_begin_with(app: AppPage) -> None:
    text = find_game("tictactoe").start().play("b2").text
    page = app.open("/")
    page.get_by_role("button", name="Play Tic-tac-toe").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Begin with a position").click()
    dialog.get_by_label("Position, as the game writes it").fill(text)
    dialog.get_by_role("group", name="O").get_by_label("Who").select_option("Human")
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("/play/[a-z0-9]{12}$"))
    assert app.table(page.url.rsplit("/", 1)[1])["start"] == text
