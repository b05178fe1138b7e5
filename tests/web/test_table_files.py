"""Tables come back from their files as they were, and go through records unchanged."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyground.core.errors import FormatError, PlygroundError, UnknownGame
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game, game_names
from plyground.search.random_games import random_game
from plyground.web.protocol.models import ClockSpec, LiveSpec, PlayerSpec
from plyground.web.sessions.document import parse_document, restore, write_document
from plyground.web.sessions.file_import import read_opening
from plyground.web.sessions.session import Table
from plyground.web.sessions.session_record import record_of, table_of
from plyground.web.sessions.setup import HUMAN, Answer
from plyground.web.sessions.variations import ROOT
from tests.web.table_builders import CATALOGUE, ENGINE, NAME, new_table, play, reloaded, told

# Files


def test_a_table_comes_back_from_its_file_as_it_was() -> None:
    table = new_table(players=(HUMAN, ENGINE), clock=ClockSpec(seconds=60, increment=2))
    play(table, "b2", now=10.0)
    table.answer(table.tree.head, Answer("a1", 3.0, -4, 7), 13.0)
    table.try_move(ROOT, "c3", 14.0)
    table.comment(table.current, 'a "corner" <b>\n', 15.0)
    table.pause(20.0)
    back = reloaded(table, 20.0)
    back.awake = True
    assert told(back, 900.0) == told(table, 20.0)
    assert back.time_left(900.0) == (45.0, 59.0)


def test_a_resignation_and_a_live_game_come_back_too() -> None:
    table = new_table(moves=("b2",))
    table.resign(None, 0.0)
    assert reloaded(table).result == table.result
    live = new_table("derby", live=LiveSpec(seconds=0.25))
    live.run_live(True, 0.75, False, 0.0)
    back = reloaded(live)
    assert back.live is not None
    assert (back.live.seconds, back.live.running) == (0.75, False)


@pytest.mark.parametrize("game", game_names())
def test_a_random_game_of_every_game_comes_back(game: str) -> None:
    played = random_game(find_game(game).start(), 5)
    texts = [
        position.move_text(move)
        for position, move in zip(played.positions, played.moves, strict=False)
    ]
    table = new_table(game, moves=tuple(texts))
    assert table.position == played.positions[-1]
    back = reloaded(table)
    back.awake = True
    assert told(back) == told(table)
    assert record_of(back) == record_of(table)


DAMAGE: dict[str, tuple[dict[str, Any], str]] = {
    "another format": ({"format": "something"}, "format: input should be 'plyground table'"),
    "an unknown field": ({"extra": 1}, "extra: there is no such field"),
    "no nodes": ({"nodes": []}, "nodes: list should have at least 1 item"),
    "an illegal move": (
        {"nodes": [{"id": 0}, {"id": 1, "parent": 0, "move": "z9"}]},
        "position 1: 'z9' is not a legal move here",
    ),
    "no root": ({"nodes": [{"id": 1}]}, "the first position must be number 0"),
    "a node without a parent": (
        {"nodes": [{"id": 0}, {"id": 1, "move": "b2"}]},
        "position 1 is out of order, or no move leads to it",
    ),
    "a parent that is not there": (
        {"nodes": [{"id": 0}, {"id": 1, "parent": 5, "move": "b2"}]},
        "position 1: there is no position 5",
    ),
    "a node twice": (
        {
            "nodes": [
                {"id": 0},
                {"id": 1, "parent": 0, "move": "b2"},
                {"id": 2, "parent": 0, "move": "b2"},
            ]
        },
        "position 2 is the same as position 1",
    ),
    "a main line from nowhere": ({"main": [1]}, "the game must begin with position 0"),
    "a main line with a gap": ({"main": [0, 2]}, "only a move in the last position of the game"),
    "a current node that is not there": ({"current": 9}, "there is no position 9"),
    "a player of no kind": (
        {"players": [{"kind": "ghost"}, {"kind": "human"}]},
        r"players.0.kind",
    ),
    "a time before zero": ({"left": [-1, 5]}, "left.0: input should be greater than or equal to 0"),
    "half a character": ({"text": "\ud800"}, "."),
    "a game that has gone": ({"game": "chess"}, "a game of chess, and there is no such game here"),
    "a file that has gone": (
        {"game": "mine", "file": "games/mine.py"},
        "start: plyground serve games/mine.py",
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_refused_in_one_sentence(damage: str) -> None:
    changes, message = DAMAGE[damage]
    document = json.loads(write_document(new_table(moves=("b2", "a1")), 0.0, ""))
    text = json.dumps({**document, **changes})
    with pytest.raises(PlygroundError, match=message) as caught:
        restore(parse_document(text), CATALOGUE)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[", "null", "[" * 100_000, '{"id": NaN}', "9" * 10_000])
def test_what_is_no_document_at_all_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        parse_document(text)


def test_a_game_of_a_file_that_has_gone_is_a_game_that_is_unknown() -> None:
    document = json.loads(write_document(new_table(), 0.0, ""))
    with pytest.raises(UnknownGame, match="played by the file mine"):
        restore(
            parse_document(json.dumps({**document, "game": "mine", "file": "mine.py"})), CATALOGUE
        )


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


def opened(text: str, name: str = "game.record") -> Table:
    table = table_of(NAME, read_opening(CATALOGUE, name, text))
    table.wake(0.0)
    return table


def test_a_record_goes_through_a_table_unchanged() -> None:
    record = GameRecord.from_text(RECORD)
    assert record_of(opened(RECORD)) == record
    assert record_of(opened(record.json)) == record
    assert record_of(reloaded(opened(RECORD))) == record


def test_a_record_becomes_a_table_with_all_that_it_says() -> None:
    message = told(opened(RECORD))
    assert message["names"] == ["Ada", "Bob"]
    assert [node["comment"] for node in message["nodes"]] == [
        "how it began",
        "",
        "the only good reply is a corner",
    ]
    assert (message["nodes"][1]["value_text"], message["nodes"][1]["depth"]) == ("+4", 3)
    assert message["result"]["reason"] == "X resigned"
    assert message["current"] == ROOT


def test_a_position_becomes_a_table_without_moves() -> None:
    table = table_of(NAME, read_opening(CATALOGUE, "position.txt", "3/1x1/3 o", "tictactoe"))
    assert told(table)["view"]["text"] == "3/1x1/3 o"
    assert record_of(table).start == "3/1x1/3 o"


def test_the_record_of_a_game_against_the_computer_names_it_and_its_time() -> None:
    table = new_table(players=(HUMAN, ENGINE), moves=("b2",))
    table.headers.date = "2025-11-15"
    record = record_of(table)
    assert (record.players, record.clock) == (("human", "engine"), "engine 0.1 s a move")
    timed = new_table(clock=ClockSpec(seconds=300, increment=2))
    assert record_of(timed).clock == "300 s for the game, 2 s more after each move"
    perfect = new_table(players=(HUMAN, PlayerSpec(kind="perfect")))
    assert record_of(perfect).clock == ""


def test_other_players_have_other_names() -> None:
    table = opened(RECORD)
    table.takeback(0.0)
    table.set_players((HUMAN, ENGINE), 0.0)
    assert told(table)["names"] == ["human", "engine"]


def test_a_record_that_is_too_long_for_a_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.web.sessions.session_record.MAX_NODES", 2)
    with pytest.raises(FormatError, match="2 moves: a table holds at most 1"):
        opened(RECORD)
