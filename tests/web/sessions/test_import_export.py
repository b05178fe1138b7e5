"""Import of records and positions of any game, what is refused, and export of records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.core.errors import FormatError, PlygroundError
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game, game_names
from plyground.web.catalogue import Catalogue
from plyground.web.protocol.models import ClockSpec, PlayerSpecModel
from plyground.web.sessions.import_export import export_record, import_session
from plyground.web.sessions.session import HUMAN, GameSession
from plyground.web.sessions.variation_tree import ROOT as ROOT_NODE
from tests.paths import ROOT
from tests.web.running_server import Running, running
from tests.web.session_builders import (
    CATALOGUE,
    ENGINE,
    NAME,
    interface_view,
    new_session,
    reloaded,
)

NIM = ROOT / "examples" / "nim.py"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("home"), [str(NIM)]) as server:
        yield server


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue([str(NIM)])


@pytest.mark.parametrize("name", [*game_names(), "nim"])
def test_a_position_of_any_game_is_known_by_its_looks(catalogue: Catalogue, name: str) -> None:
    start = catalogue.find(name).start()
    moved = start.play(start.legal_moves[0])
    for position in (start, moved):
        session = import_session(NAME, catalogue, "file.txt", f"\ufeff{position.text}\n")
        assert (session.game.name, session.position) == (name, position)
        assert session.tree.main == [0]


@pytest.mark.parametrize("name", [*game_names(), "nim"])
def test_a_record_of_any_game_is_opened_in_both_formats(catalogue: Catalogue, name: str) -> None:
    start = catalogue.find(name).start()
    record = GameRecord.from_moves(start, [start.legal_moves[-1]])
    for text in (record.text, f"{record.json}\n"):
        session = import_session(NAME, catalogue, "game", text)
        assert (session.game.name, session.tree.nodes[ROOT_NODE].position) == (name, start)
        assert export_record(session).plies == record.plies


def board_files() -> list[tuple[str, str]]:
    """The files that the pages of the games show, in whatever format each of them has."""
    found = []
    for name in ("slant", "blocker", "derby"):
        page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
        for block in re.findall(r"```(?:text|json|)\n(.*?)```", page, re.DOTALL):
            game = find_game(name)
            try:
                game.position(block)
            except PlygroundError:
                continue  # not every block is a file
            found.append((name, block))
    return found


@pytest.mark.parametrize(("name", "text"), board_files())
def test_a_board_or_scenario_as_its_page_shows_it_is_opened(
    catalogue: Catalogue, name: str, text: str
) -> None:
    assert import_session(NAME, catalogue, "board.txt", text).game.name == name


def test_a_file_becomes_a_session(web: Running) -> None:
    record = GameRecord.from_moves(find_game("tictactoe").start(), ["b2", "a1"])
    opened = web.ask("/api/open", {"name": "game.record", "text": record.text})
    assert opened.status == 200
    table = web.ask(f"/api/tables/{opened.document['id']}").document
    assert [node["move"] for node in table["nodes"]] == [None, "b2", "a1"]


def test_a_file_that_several_games_can_read_is_asked_about(tmp_path: Path) -> None:
    for name in ("mine", "yours"):
        (tmp_path / f"{name}.py").write_text(NIM.read_text(encoding="utf-8"), encoding="utf-8")
    own = [str(tmp_path / "mine.py"), str(tmp_path / "yours.py")]
    text = find_game(own[0]).start().text
    with running(tmp_path / "home", own) as web:
        answer = web.ask("/api/open", {"name": "heaps.txt", "text": text})
        assert (answer.status, answer.document) == (
            409,
            {
                "message": "heaps.txt can be a position of mine or yours: choose one",
                "games": ["mine", "yours"],
            },
        )
        request = {"name": "heaps.txt", "text": text, "game": "yours"}
        assert web.ask("/api/open", request).status == 200


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "my_game.py",
            "import os",
            (
                "my_game.py is a program, and no page can make plyground run one; to play it, start"
                " plyground serve my_game.py"
            ),
        ),
        ("C:\\games\\My.PY", "x", "My.PY is a program"),
        ("/games/x.py", "x", "x.py is a program"),
        ("empty.txt", " \n", "empty.txt is empty"),
        (
            "notes.txt",
            "hello",
            (
                "notes.txt is neither a record ('plyground record 1' is its first line) nor a"
                " position of any game here"
            ),
        ),
        ("slant.txt", "hello", "slant.txt"),
        ("a.record", "plyground record 9\n", "a.record, line 1: version 9 of the format"),
        ("a.jsonl", '{"format": 1}\n{"format": 1}', "a.jsonl: there are 2 games in it"),
        ("a.jsonl", '{"format": "plyground record"}', "a.jsonl, line 1: "),
        ("a\x1b[31m.txt", "hello", "a?[31m.txt is neither"),
        ("x" * 200, "hello", "x" * 80 + "... is neither"),
    ],
)
def test_a_file_that_cannot_be_opened_is_told_why(
    web: Running, name: str, text: str, message: str
) -> None:
    answer = web.ask("/api/open", {"name": name, "text": text})
    assert answer.status == 422
    assert answer.message.startswith(message)


def test_a_record_of_a_game_that_is_not_here_says_how_to_open_it(web: Running) -> None:
    start = find_game(str(NIM)).start()
    record = GameRecord.from_moves(start, [start.legal_moves[0]]).text
    other = record.replace(str(NIM), "/elsewhere/kalah.py")
    answer = web.ask("/api/open", {"name": "a.record", "text": other})
    assert answer.message == (
        "a.record is a record of kalah.py, a game of somebody's own; to open it, start plyground"
        " serve kalah.py"
    )
    missing = record.replace(str(NIM), "chess")
    answer = web.ask("/api/open", {"name": "a.record", "text": missing})
    assert answer.message == "a.record is a record of chess, and there is no such game here"
    wrong = {"name": "a.record", "text": record, "game": "slant"}
    assert web.ask("/api/open", wrong).message == "a.record is a record of nim, not of slant"


def test_a_record_with_an_illegal_move_says_where(web: Running) -> None:
    record = GameRecord.from_moves(find_game("tictactoe").start(), ["b2", "a1"]).text
    answer = web.ask("/api/open", {"name": "a.record", "text": record.replace("a1", "b2")})
    assert answer.status == 422
    assert answer.message.startswith("a.record, line 8: move 2: 'b2' is not a legal move here")


# Records

RECORD = """plyground record 1
game: tictactoe
start: 3/3/3 x
first: Ada
second: Bob
date: 2025-11-15
event: final
clock: five minutes
place: Paris
comment: how it began

1. b2 | time=0.4 eval=+4 depth=3
2. a1 | | the only good reply is a corner

result: 0-1 utility=-1 resigned | X resigned
"""


def imported(text: str, name: str = "game.record") -> GameSession:
    session = import_session(NAME, CATALOGUE, name, text)
    session.watch(0.0)
    return session


def test_a_record_goes_through_a_session_unchanged() -> None:
    record = GameRecord.from_text(RECORD)
    assert export_record(imported(RECORD)) == record
    assert export_record(imported(record.json)) == record
    assert export_record(reloaded(imported(RECORD))) == record


def test_a_record_becomes_a_session_with_all_that_it_says() -> None:
    message = interface_view(imported(RECORD))
    assert message["names"] == ["Ada", "Bob"]
    assert [node["comment"] for node in message["nodes"]] == [
        "how it began",
        "",
        "the only good reply is a corner",
    ]
    assert (message["nodes"][1]["value_text"], message["nodes"][1]["depth"]) == ("X +4", 3)
    assert message["result"]["reason"] == "X resigned"
    assert message["current"] == ROOT_NODE


def test_a_position_becomes_a_session_without_moves() -> None:
    session = import_session(NAME, CATALOGUE, "position.txt", "3/1x1/3 o", "tictactoe")
    assert interface_view(session)["view"]["text"] == "3/1x1/3 o"
    assert export_record(session).start == "3/1x1/3 o"


def test_the_record_of_a_game_against_the_computer_names_it_and_its_time() -> None:
    session = new_session(players=(HUMAN, ENGINE), moves=("b2",))
    session.headers.date = "2025-11-15"
    record = export_record(session)
    assert (record.players, record.clock) == (("human", "engine"), "engine 0.1 s a move")
    timed = new_session(clock=ClockSpec(seconds=300, increment=2))
    assert export_record(timed).clock == "300 s for the game, 2 s more after each move"
    perfect = new_session(players=(HUMAN, PlayerSpecModel(kind="perfect")))
    assert export_record(perfect).clock == ""


def test_other_players_have_other_names() -> None:
    session = imported(RECORD)
    session.takeback(0.0)
    session.set_players((HUMAN, ENGINE), 0.0)
    assert interface_view(session)["names"] == ["human", "engine"]


def test_a_record_that_is_too_long_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plyground.web.sessions.import_export.MAX_NODES", 2)
    with pytest.raises(FormatError, match="2 moves: a game holds at most 1"):
        imported(RECORD)
