"""Reports of standings: CSV, JSON and HTML say the same, and names are text alone."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from plyground.arena.report import (
    check_report,
    rating_chart,
    report_page,
    standings_csv,
    standings_document,
    write_report,
)
from plyground.arena.standings import Standings
from plyground.core.errors import PlygroundError
from tests.arena.stored_games import standings_of, stored_game
from tests.arena.test_standings import GAMES, NAMES

HOSTILE = "\"><img src=x onerror='alert(1)'>&amp;</title>"
FACTS = {"Game": "breakthrough", "Time": "<1 s>"}


@pytest.fixture
def found() -> Standings:
    return standings_of(NAMES, GAMES, anchor=0, anchor_rating=1000)


def table_with(page: str, title: str) -> ElementTree.Element:
    """The table below a heading."""
    part = page.partition(f"<h2>{title}</h2>")[2]
    match = re.search("<table.*?</table>", part, re.DOTALL)
    assert match is not None
    return ElementTree.fromstring(match[0])


def texts(parent: ElementTree.Element) -> list[list[str]]:
    rows = (row for row in parent.iter("tr"))
    return [["".join(cell.itertext()) for cell in row] for row in rows]


def test_csv_has_a_row_for_each_player(found: Standings) -> None:
    rows = list(csv.DictReader(io.StringIO(standings_csv(found))))
    ann = next(row for row in rows if row["player"] == "ann")
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    del ann["rank"]
    assert ann == {
        "player": "ann",
        "rating": "1000.0",
        "error": "0.0",
        "games": "3",
        "points": "1.5",
        "score": "0.5",
        "wins": "1",
        "draws": "1",
        "losses": "1",
        "faults": "1",
        "seconds_per_game": "2.333",
        "depth": "9.0",
    }
    assert next(row for row in rows if row["player"] == "bob")["depth"] == ""


def test_a_spreadsheet_finds_no_formula_in_csv() -> None:
    assert "'=1+1" in standings_csv(standings_of(["=1+1", "b"], []))


def test_json_has_everything_and_only_what_json_knows(found: Standings) -> None:
    document = standings_document(found, FACTS)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["facts"] == FACTS
    assert document["anchor"] == "ann"
    assert [row["player"] for row in document["players"]] == [row.name for row in found.rows]
    pairing = document["pairings"][0]
    assert (pairing["players"], pairing["pairs"], pairing["singles"]) == (
        ["ann", "bob"],
        [0, 0, 0, 1, 0],
        [1, 0, 0],
    )
    assert pairing["elo"] == 0
    assert pairing["elo_interval"][0] < 0 < pairing["elo_interval"][1]
    assert document["first_move"]["score"] == 0.7


def test_in_json_what_is_not_bounded_is_null() -> None:
    won = standings_of(["a", "b"], [stored_game("a", "b", 1), stored_game("b", "a", 0)])
    pairing = standings_document(won)["pairings"][0]
    assert pairing["elo_interval"] == [-113.4, None]
    json.dumps(standings_document(standings_of([], [])), allow_nan=False)


def test_the_page_has_table_cross_table_and_endings(found: Standings) -> None:
    page = report_page(found, title="Three players", facts=FACTS)
    assert texts(table_with(page, "Table"))[0][:4] == ["Rank", "Player", "Rating", "Games"]
    ann = next(row for row in texts(table_with(page, "Table")) if row[1] == "ann")
    assert ann[2:] == ["1000", "3", "1.5", "50.0%", "1", "1", "1", "1", "2.33", "9.0"]
    cross = {row[1]: row[2:] for row in texts(table_with(page, "Cross table"))[1:]}
    assert sorted(cross["ann"]) == ["", "", "1.5 of 31-1-1"]
    assert "1 of 21-0-1" in cross["cyd"]
    assert texts(table_with(page, "How the games ended"))[1:3] == [
        ["finished", "2", "40.0%"],
        ["crashed, a fault", "1", "20.0%"],
    ]
    assert "3 players, 5 games of 30 moves on average; the player who moves first scored" in page
    assert "&lt;1 s&gt;" in page
    assert "The match" not in page


def test_the_heat_map_is_stronger_where_a_pairing_is_more_decided() -> None:
    games = [
        stored_game("ann", "bob", 1),
        stored_game("ann", "cyd", 0.5),
        stored_game("bob", "cyd", 1),
    ]
    table = table_with(report_page(standings_of(NAMES, games), title="x"), "Cross table")
    shades = {"".join(cell.itertext()): cell.get("class") for cell in table.iter("td")}
    assert shades["1 of 11-0-0"] == "heat-10"
    assert shades["0 of 10-0-1"] == "heat-0"
    assert shades["0.5 of 10-1-0"] == "heat-5"


def test_a_match_of_two_players_shows_the_statistics_of_its_pairs() -> None:
    games = [
        stored_game("new", "old", 1, 1),
        stored_game("old", "new", 0.5, 1),
        stored_game("new", "old", 0, 2),
    ]
    page = report_page(standings_of(["new", "old"], games), title="new against old")
    facts = dict(texts(table_with(page, "The match")))
    assert facts["Score"] == "1.5 of 3 (1 won, 1 drawn, 1 lost)"
    assert facts["Elo difference"].startswith("+0.0 ± ")
    assert facts["Likelihood of superiority"] == "50.0%"
    assert facts["Pairs with 0, ½, 1, 1½, 2 points"] == "0, 0, 0, 1, 0"
    assert facts["Games without a pair"] == "1"


def test_a_page_without_games_says_so_and_no_more() -> None:
    page = report_page(standings_of(NAMES, []), title="Nothing yet")
    assert "3 players, 0 games." in page
    assert "<h2>" not in page


def test_names_are_text_alone() -> None:
    games = [stored_game(HOSTILE, "b", 1), stored_game("b", HOSTILE, 0.5)]
    hostile = standings_of([HOSTILE, "b"], games)
    page = report_page(hostile, title=HOSTILE, facts={HOSTILE: HOSTILE})
    assert "<img" not in page
    assert "<script" not in page
    assert "style=" not in page, "the policy would refuse it"
    assert HOSTILE not in page
    assert HOSTILE in unescape(page)
    assert "default-src 'none'; style-src 'sha256-" in page


def test_what_a_reader_has_to_know_is_on_the_page() -> None:
    page = report_page(standings_of([*NAMES, "dan"], GAMES), title="x")
    assert "<li>No games connect these groups of players" in page


def test_the_chart_has_bars_from_the_anchor_and_an_error_bar_for_all_others(
    found: Standings,
) -> None:
    picture = ElementTree.fromstring(rating_chart(found))
    parts = {
        kind: [part for part in picture.iter() if part.get("class") == kind]
        for kind in ("bar", "error", "origin", "name", "value")
    }
    assert [name.text for name in parts["name"]] == [row.name for row in found.rows]
    assert "1000" in [value.text for value in parts["value"]]
    assert len(parts["error"]) == 3 * 2
    origin = float(parts["origin"][0].get("x1", ""))
    for row, shape in zip(found.rows, parts["bar"], strict=True):
        left, width = float(shape.get("x", "")), float(shape.get("width", ""))
        if row.rating.value >= 1000:
            assert left == pytest.approx(origin, abs=0.01)
        else:
            assert left + width == pytest.approx(origin, abs=0.01)
    ends = [float(part.get(side, "")) for part in parts["error"] for side in ("x1", "x2")]
    width = float(picture.get("viewBox", "").split()[2])
    assert 0 < min(ends) < max(ends) < width


@pytest.mark.parametrize("kind", ["csv", "json", "html"])
def test_a_file_is_of_the_kind_that_its_name_says(
    kind: str, found: Standings, tmp_path: Path
) -> None:
    path = tmp_path / f"report.{kind.upper()}"
    write_report(path, found, title="Report")
    start = {"csv": "rank,player", "json": "{", "html": "<!doctype html>"}[kind]
    assert path.read_text(encoding="utf-8").startswith(start)


def test_another_kind_of_file_is_refused(found: Standings, tmp_path: Path) -> None:
    with pytest.raises(PlygroundError, match=r"the name must end in \.csv, \.json or \.html"):
        check_report(tmp_path / "report.pdf")
    with pytest.raises(PlygroundError, match=r"cannot write a report to .*report\.pdf"):
        write_report(tmp_path / "report.pdf", found, title="x")
