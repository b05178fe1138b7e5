"""Validation of socket messages: errors name the message, and the sockets stay open."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from plyground.core.errors import FormatError
from plyground.web.protocol.messages import ANALYSIS_REQUEST, SESSION_REQUEST
from plyground.web.protocol.socket import identifiers, read_message
from tests.web.running_server import Running, running


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("home")) as server:
        yield server


@pytest.mark.parametrize(
    ("raw", "problem", "names"),
    [
        ("", "this is not JSON", (None, None)),
        ("{", "this is not JSON", (None, None)),
        ("[1]", "must be an object", (None, None)),
        ("{}", "has no 'type'", (None, None)),
        ('{"type": "fly", "ref": 7}', "has the unknown 'type' 'fly'", (7, None)),
        ('{"type": "play", "ref": "a"}', "play.node: is missing", ("a", None)),
        ('{"type": "goto", "node": "1"}', "goto.node: must be a whole number", (None, None)),
        ('{"type": "goto", "node": true}', "goto.node: must be a whole number", (None, None)),
        ('{"type": "goto", "node": -1}', "goto.node: must be at least", (None, None)),
        ('{"type": "pause", "x": 1, "id": 3}', "pause.x: there is no such field", (None, 3)),
        ('{"type": "pause", "ref": {"a": 1}}', "pause.ref", (None, None)),
        ("[" * 50_000, "this is not JSON", (None, None)),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_message_that_is_wrong_is_told_with_what_its_sender_calls_it(
    raw: str, problem: str, names: tuple[Any, Any]
) -> None:
    with pytest.raises(FormatError) as refused:
        read_message(SESSION_REQUEST, raw)
    assert problem in str(refused.value)
    found = identifiers(raw)
    assert (found.get("ref"), found.get("id")) == names


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"algorithm": "minimax", "seconds": 1}, "time means nothing to minimax"),
        ({"algorithm": "minimax"}, "minimax needs a limit"),
        ({"algorithm": "alpha-beta"}, "alpha-beta needs a limit"),
        ({"algorithm": "minimax", "depth": 2, "threads": 2}, "threads means nothing to minimax"),
        ({"algorithm": "random", "evaluation": "none"}, "evaluation means nothing to random"),
        ({"evaluation": "folder/net.npz"}, "evaluation: must be"),
        ({"algorithm": "minimax", "depth": 2, "lines": 2}, "minimax gives one line"),
        ({"lines": 6}, "lines: must be at most 5"),
        ({"depth": 0}, "depth: must be at least 1"),
        ({"seconds": -1}, "seconds: must be more than 0"),
        ({"seconds": 1e300}, "seconds: must be at most 86400"),
    ],
    ids=str,
)
def test_a_search_that_makes_no_sense_is_refused(more: dict[str, Any], problem: str) -> None:
    message = {"type": "search", "id": 1, "place": {"game": "nim"}, **more}
    with pytest.raises(FormatError, match=re.escape(problem)):
        read_message(ANALYSIS_REQUEST, json.dumps(message))


JUNK: list[str | bytes] = [
    "",
    "x",
    "{",
    "null",
    "[]",
    "[" * 60_000,
    '{"type": "fly"}',
    '{"type": []}',
    '{"type": "play", "node": 1e400, "move": "x"}',
    '{"type": "search", "id": -1}',
    '{"type": "search", "id": 1, "place": {"game": "nim", "moves": [1]}}',
    '{"type": "goto", "node": 999999}',
    '{"type": "play", "node": 0, "move": "\\ud800"}',
    "\0" * 100,
    "x" * 65_536,
    b"",
    b"\xff\xfe",
    b'{"type": "fly"}',
]


REFUSED: list[tuple[str | bytes, str]] = [
    ('{"type": "play", "node": 0}', "move: is missing"),
    ('{"type": "goto", "node": 0, "by": "me"}', "by: there is no such field"),
    ('{"type": "comment", "node": 0, "text": "' + "x" * 10_001 + '"}', "at most 10000"),
    ('{"type": "players", "players": [{"kind": "minimax"}, {"kind": "human"}]}', "depth"),
    ('{"type": "live", "running": true}', "this game is not live"),
    ('{"type": "steer", "key": "ArrowUp"}', "this game is not live"),
    ('{"type": "play", "node": 0, "move": "z9"}', "'z9' is not a legal move here"),
    ('{"type": "comment", "node": 0, "text": "\\ud800"}', ""),
    (b"\xff\x00", "not JSON"),
]


def test_the_socket_of_a_table_answers_junk_with_errors_and_the_game_goes_on(web: Running) -> None:
    table = web.ask("/api/tables", {"game": "tictactoe"}).document["id"]
    with web.connect(f"/api/tables/{table}/socket") as line:
        assert json.loads(line.recv(timeout=60))["type"] == "table"
        for raw, problem in [*REFUSED, *((junk, "") for junk in JUNK)]:
            line.send(raw)
            answer = json.loads(line.recv(timeout=60))
            assert answer["type"] == "error", (raw, answer)
            assert answer["message"]
            assert problem in answer["message"]
            assert "\n" not in answer["message"]
        line.send(json.dumps({"type": "play", "node": 0, "move": "b2"}))
        state = json.loads(line.recv(timeout=60))
        assert [node["move"] for node in state["nodes"]] == [None, "b2"]
        for ref, node in (("here", 99), (5, "x"), ("r" * 100, 99)):
            line.send(json.dumps({"type": "goto", "node": node, "ref": ref}))
            assert json.loads(line.recv(timeout=60))["ref"] == ref


def test_the_socket_that_thinks_answers_junk_with_errors_and_goes_on(web: Running) -> None:
    with web.connect("/api/think") as line:
        for junk in JUNK:
            line.send(junk)
            answer = json.loads(line.recv(timeout=60))
            assert answer["type"] == "error", (junk, answer)
        line.send(json.dumps({"type": "stop", "id": 1}))
        assert json.loads(line.recv(timeout=60)) == {"type": "stopped", "id": 1}
