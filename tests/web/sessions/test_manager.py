"""Sessions are created, saved, listed, deleted and imported, and nothing is lost."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.paths import SAMPLE_GAMES
from tests.web.fake_pool import Page, Site, eventually, open_site

HUMAN = {"kind": "human"}
ENGINE = {"kind": "engine", "seconds": 0.5}
AGAINST_ENGINE = [HUMAN, ENGINE]


# Nothing is lost


def test_a_reload_finds_the_game_where_it_was(site: Site) -> None:
    name = site.create()
    with site.page(name) as page:
        page.play("b2")
        page.send("try", node=0, move="a1")
        before = page.until(lambda page: page.table["current"] == 2)
    with site.page(name) as page:
        assert page.table == before


def test_a_restart_of_the_server_loses_nothing(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:
        name = site.create(clock={"seconds": 1000, "increment": 1})
        with site.page(name) as page:
            page.play("b2")
            page.send("comment", node=1, text="the middle")
            before = page.until(lambda page: bool(page.table["nodes"][1]["comment"]))
    with open_site(tmp_path) as site, site.page(name) as page:
        for part in ("nodes", "main", "current", "players", "names", "options", "view"):
            assert page.table[part] == before[part], part
        page.play("a1")


def test_what_a_page_shows_is_on_disk(site: Site) -> None:
    name = site.create()
    file = site.folder / f"{name}.json"
    with site.page(name) as page:
        for move in ("b2", "a1", "c3"):
            page.play(move)
            assert f'"{move}"' in file.read_text()
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_opening_and_reading_a_game_does_not_write_its_file(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:
        name = site.create(moves=["b2"])
        with site.page(name) as page:
            page.play("a1")
        file = site.folder / f"{name}.json"
        before = file.stat()
    with open_site(tmp_path) as site:
        with site.page(name), site.page(name):
            assert site.table(name)["head"] == 2
        assert site.ask(f"/api/tables/{name}/record").status == 200
        assert site.ask(f"/api/tables/{name}/replay").status == 200
        assert site.ask("/api/tables").status == 200
    after = file.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_game_that_cannot_be_saved_goes_on_and_says_so(site: Site) -> None:
    name = site.create()
    with site.page(name) as page:
        away = site.folder.with_name("away")
        site.folder.rename(away)
        site.folder.write_text("in the way")
        page.play("b2")
        page.until(lambda page: bool(page.errors))
        assert page.errors[0]["message"].startswith("the game could not be saved:")
        site.folder.unlink()
        away.rename(site.folder)
        page.play("a1")
        eventually(lambda: "a1" in (site.folder / f"{name}.json").read_text())


# Lists, files, deletion


def test_tables_are_listed_newest_first(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.web.sessions.storage.MAX_LISTED", 2)
    names = [site.create() for _ in range(3)]
    with site.page(names[0]) as page:
        page.play("b2")
        page.send("resign")
        page.until(lambda page: page.table["result"] is not None)
        listed = site.ask("/api/tables").document
    assert [card["id"] for card in listed] == [names[0], names[2]]
    assert listed[0]["plies"] == 1
    assert listed[0]["players"] == ["human", "human"]
    assert listed[0]["result"]["reason"] == "O resigned"
    assert listed[0]["title"] == "Tic-tac-toe"


def test_a_list_names_computer_players_by_their_levels(site: Site) -> None:
    site.create(players=[{"kind": "monte-carlo", "nodes": 20}, {"kind": "engine", "depth": 7}])
    assert site.ask("/api/tables").document[0]["players"] == ["Beginner", "engine"]


def test_there_may_be_no_table_yet(site: Site) -> None:
    assert site.ask("/api/tables").document == []


def test_damaged_and_hostile_files_are_skipped_and_said(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    name = site.create()
    folder = site.folder
    good = json.loads((folder / f"{name}.json").read_text())
    (folder / "damagedfile0.json").write_text('{"format": "plyground table"')
    (folder / "renamedfile0.json").write_text(json.dumps(good))
    (folder / "deeplynested.json").write_text("[" * 100_000)
    (folder / "notinunicode.json").write_bytes(b"\xff\xfe\x00")
    (folder / "aquitelonger.json").write_text("{}")
    os.truncate(folder / "aquitelonger.json", 1 << 25)
    (folder / "linkedfile00.json").symlink_to(folder / f"{name}.json")
    (folder / "afolder00000.json").mkdir()
    os.mkfifo(folder / "apipe0000000.json")
    (folder / "..json").write_text("{}")
    (folder / "notes.txt").write_text("mine")
    with caplog.at_level(logging.WARNING):
        assert [card["id"] for card in site.ask("/api/tables").document] == [name]
        assert len(site.ask("/api/tables").document) == 1
    said = [record.message for record in caplog.records if record.name == "plyground.web"]
    assert len(said) == 5
    assert all("skipped: " in message for message in said)
    for damaged in ("damagedfile0", "renamedfile0", "linkedfile00", "apipe0000000"):
        assert site.refusal(422, f"/api/tables/{damaged}")
    assert (folder / "damagedfile0.json").exists()


@pytest.mark.parametrize(
    "name", ["nosuchtable0", "..%2f..%2fetc", "%2e%2e", "UPPERCASE000", "a" * 13, "a" * 41]
)
def test_a_table_that_is_not_there_is_said_to_be_missing(site: Site, name: str) -> None:
    answer = site.ask(f"/api/tables/{name}")
    assert answer.status in (404, 422)
    assert answer.message


def test_a_socket_to_a_table_that_is_not_there_is_told_and_closed(site: Site) -> None:
    with site.connect("/api/tables/nosuchtable0/socket") as socket:
        assert "there is no game nosuchtable0" in json.loads(socket.recv(60))["message"]
        with pytest.raises(ConnectionClosed) as caught:
            socket.recv(60)
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 4404


def test_a_deleted_table_is_gone_and_its_pages_are_told(site: Site) -> None:
    name = site.create(players=[ENGINE, HUMAN])
    site.pool.holds = True
    with site.page(name) as page:
        assert site.ask(f"/api/tables/{name}", method="DELETE").status == 204
        page.until(lambda page: bool(page.errors))
        assert page.errors[0]["message"] == "this game has been deleted"
        with pytest.raises(ConnectionClosed) as caught:
            page.until(lambda _page: False)
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 4404
    eventually(lambda: len(site.pool.stopped) == len(site.pool.jobs))
    assert not (site.folder / f"{name}.json").exists()
    assert "or no longer" in site.refusal(404, f"/api/tables/{name}", method="DELETE")


def test_a_game_of_a_file_that_has_gone_is_told_so(tmp_path: Path) -> None:
    source = SAMPLE_GAMES / "corridor.py"
    own = tmp_path / "mine.py"
    own.write_text(source.read_text())
    with open_site(tmp_path, games=(str(own),)) as site:
        name = site.create("mine")
        with site.page(name) as page:
            page.play(page.table["view"]["moves"][0]["text"])
    with open_site(tmp_path) as site:
        assert [card["id"] for card in site.ask("/api/tables").document] == [name]
        said = site.refusal(404, f"/api/tables/{name}")
        assert "start: plyground serve" in said
        with site.connect(f"/api/tables/{name}/socket") as socket:
            assert json.loads(socket.recv(60))["message"] == said


# Setting up


def test_a_table_like_another_has_its_settings_and_may_swap_sides(site: Site) -> None:
    settings: dict[str, Any] = {
        "options": {"rows": 5},
        "players": AGAINST_ENGINE,
        "clock": {"seconds": 300, "increment": 2},
    }
    name = site.create("breakthrough", **settings)
    with site.page(name) as page:
        page.play(page.table["view"]["moves"][0]["text"])
    site.pool.holds = True
    again = site.create(None, like=name, swap=True)
    table = site.table(again)
    assert table["players"] == [ENGINE, HUMAN]
    assert (table["options"], table["main"]) == ({"rows": 5}, [0])
    assert (table["clock"]["seconds"], table["clock"]["left"]) == (300, [300, 300])
    other = site.create(None, like=name, options={"rows": 6}, clock=None)
    table = site.table(other)
    assert (table["options"], table["clock"]) == ({"rows": 6}, None)


def test_a_table_can_begin_anywhere(site: Site) -> None:
    name = site.create(text="3/1x1/3 o", moves=["a1"])
    table = site.table(name)
    assert (table["start"], table["view"]["text"]) == ("3/1x1/3 o", "3/1x1/o2 x")


@pytest.mark.parametrize(
    ("settings", "status", "said"),
    [
        ({"game": "chess"}, 404, "there is no game 'chess'"),
        ({}, 422, "a table needs a game"),
        ({"game": "tictactoe", "live": {"seconds": 1}}, 422, "cannot be played live"),
        ({"game": "tictactoe", "text": "nonsense"}, 422, ""),
        ({"game": "tictactoe", "moves": ["z9"]}, 422, "'z9' is not a legal move"),
        ({"game": "tictactoe", "options": {"rows": 3}}, 422, "has no option 'rows'"),
        ({"like": "nosuchtable0"}, 404, "there is no game nosuchtable0"),
        (
            {"game": "derby", "live": {"seconds": 1}, "clock": {"seconds": 9}},
            422,
            "cannot have a clock as well",
        ),
    ],
)
def test_a_table_that_cannot_be_set_up_is_refused(
    site: Site, settings: dict[str, Any], status: int, said: str
) -> None:
    assert said in site.refusal(status, "/api/tables", settings)


# Records


def test_a_game_goes_out_as_a_record_and_comes_back(site: Site) -> None:
    name = site.create(moves=["b2", "a1"])
    for kind, ending in (("text", "record"), ("json", "jsonl")):
        answer = site.ask(f"/api/tables/{name}/record?format={kind}")
        disposition = answer.headers["content-disposition"]
        assert disposition == f'attachment; filename="tictactoe-{name}.{ending}"'
        file = {"name": f"game.{ending}", "text": answer.body.decode()}
        opened = site.ask("/api/open", file).document["id"]
        table = site.table(opened)
        assert [node["move"] for node in table["nodes"]] == [None, "b2", "a1"]
    assert site.refusal(422, f"/api/tables/{name}/record?format=xml")


def test_a_file_that_is_no_game_is_refused(site: Site) -> None:
    said = site.refusal(422, "/api/open", {"name": "a.txt", "text": "hello"})
    assert "a.txt is neither a record" in said


def test_a_game_goes_out_as_a_page(site: Site) -> None:
    name = site.create(moves=["b2", "a1"])
    answer = site.ask(f"/api/tables/{name}/replay")
    assert answer.headers["content-disposition"].endswith('.html"')
    assert answer.body.startswith(b"<!doctype html>")


def test_a_page_is_at_one_table_only(site: Site) -> None:
    first, second = site.create(), site.create()
    with site.page(first) as page, site.page(second) as other:
        page.play("b2")
        other.play("a1")
        assert (page.moves, other.moves) == (["b2"], ["a1"])
        assert isinstance(page, Page)
