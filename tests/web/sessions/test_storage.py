"""Documents of sessions: they restore the session, and damaged ones are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyground.core.errors import FormatError, PlygroundError, UnknownGame
from plyground.core.registry import find_game, game_names
from plyground.search.random_games import random_game
from plyground.web.protocol.models import ClockSpec, LiveSpec, PlayerSpecModel
from plyground.web.sessions.import_export import export_record
from plyground.web.sessions.session import HUMAN, ChosenMove
from plyground.web.sessions.storage import read_document, restore_session, write_document
from plyground.web.sessions.variation_tree import ROOT
from tests.web.session_builders import (
    CATALOGUE,
    ENGINE,
    interface_view,
    new_session,
    play,
    reloaded,
)


def test_a_session_comes_back_from_its_file_as_it_was() -> None:
    session = new_session(players=(HUMAN, ENGINE), clock=ClockSpec(seconds=60, increment=2))
    play(session, "b2", now=10.0)
    session.play_search_move(session.tree.head, ChosenMove("a1", 3.0, -4, 7, "learned"), 13.0)
    session.try_move(ROOT, "c3", 14.0)
    session.comment(session.current, 'a "corner" <b>\n', 15.0)
    session.pause(20.0)
    back = reloaded(session, 20.0)
    back.is_watched = True
    assert interface_view(back, 900.0) == interface_view(session, 20.0)
    assert back.time_left(900.0) == (45.0, 59.0)


def test_the_evaluation_of_an_engine_comes_back_and_old_files_have_none() -> None:
    chosen = PlayerSpecModel(kind="engine", seconds=1.0, evaluation="none")
    session = new_session(players=(HUMAN, chosen))
    assert reloaded(session).players[1].evaluation == "none"
    old = write_document(new_session(players=(HUMAN, ENGINE)), 0.0, "")
    assert b"evaluation" not in old
    assert restore_session(read_document(old), CATALOGUE).players[1].evaluation is None
    damaged = write_document(session, 0.0, "").replace(b'"none"', b'"/etc/net.npz"')
    with pytest.raises(FormatError, match="evaluation: must be"):
        read_document(damaged)


def test_a_resignation_and_a_live_game_come_back_too() -> None:
    session = new_session(moves=("b2",))
    session.resign(None, 0.0)
    assert reloaded(session).result == session.result
    live = new_session("derby", live=LiveSpec(seconds=0.25))
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
    session = new_session(game, moves=tuple(texts))
    assert session.position == played.positions[-1]
    back = reloaded(session)
    back.is_watched = True
    assert interface_view(back) == interface_view(session)
    assert export_record(back) == export_record(session)


DAMAGE: dict[str, tuple[dict[str, Any], str]] = {
    "another format": ({"format": "something"}, "format: must be 'plyground table'"),
    "an unknown field": ({"extra": 1}, "extra: there is no such field"),
    "no nodes": ({"nodes": []}, "nodes: must have at least 1 entry"),
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
    "a time before zero": ({"left": [-1, 5]}, "left.0: must be at least 0"),
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
    document = json.loads(write_document(new_session(moves=("b2", "a1")), 0.0, ""))
    text = json.dumps({**document, **changes})
    with pytest.raises(PlygroundError, match=message) as caught:
        restore_session(read_document(text), CATALOGUE)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[", "null", "[" * 100_000, '{"id": NaN}', "9" * 10_000])
def test_what_is_no_document_at_all_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        read_document(text)


def test_a_game_of_a_file_that_has_gone_is_a_game_that_is_unknown() -> None:
    document = json.loads(write_document(new_session(), 0.0, ""))
    with pytest.raises(UnknownGame, match="played by the file mine"):
        restore_session(
            read_document(json.dumps({**document, "game": "mine", "file": "mine.py"})), CATALOGUE
        )
