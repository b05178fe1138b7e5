"""HTTP routes: games, positions, files of pages, and requests that are refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.core.registry import find_game, game_names
from plyground.web.levels import LEVELS
from plyground.web.protocol.models import MAX_MOVES, GameCard, View
from plyground.web.routes.pages import FOLDER
from tests.paths import ROOT
from tests.web.running_server import Running, running

NIM = ROOT / "examples" / "nim.py"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("home"), [str(NIM)]) as server:
        yield server


# Games


def test_every_game_has_a_card_and_the_users_own_come_first(web: Running) -> None:
    cards = web.ask("/api/games").document
    assert [card["name"] for card in cards] == ["nim", *game_names()]
    assert [card["file"] for card in cards] == [True] + [False] * len(game_names())
    for card in cards:
        GameCard.model_validate(card)


def test_a_card_tells_the_options(web: Running) -> None:
    cards = {card["name"]: card for card in web.ask("/api/games").document}
    options = {option["name"]: option for option in cards["derby"]["options"]}
    assert options["board"]["kind"] == "word"
    assert "cove" in options["board"]["choices"]
    assert options["fish"] == {
        "name": "fish",
        "kind": "number",
        "default": 5,
        "choices": None,
        "with_text": False,
        "text": find_game("derby").option_texts["fish"],
    }
    assert options["first_stay"]["kind"] == "flag"
    assert options["first_stay"]["with_text"] is True
    assert cards["derby"]["live"] is True
    assert cards["tictactoe"]["live"] is False


def test_a_card_tells_the_rules_the_colours_and_the_levels(web: Running) -> None:
    cards = {card["name"]: card for card in web.ask("/api/games").document}
    for name in game_names():
        game, card = find_game(name), cards[name]
        assert (card["rules"], tuple(card["colours"])) == (game.rules_text, game.colours)
        levels = card["levels"]
        assert [level["name"] for level in levels] == [level.name for level in LEVELS]
        assert [level["default"] for level in levels].count(True) == 1
        ratings = [level["rating"] for level in levels if level["rating"] is not None]
        assert ratings == [] or ratings[0] == 1000


# Positions


@pytest.mark.parametrize("name", [*game_names(), "nim"])
def test_the_start_of_every_game_can_be_seen(web: Running, name: str) -> None:
    view = web.ask("/api/positions", {"game": name}).document
    View.model_validate(view)
    game = find_game(str(NIM) if name == "nim" else name)
    start = game.start()
    assert view["text"] == start.text
    assert view["svg"] == start.svg()
    assert [move["text"] for move in view["moves"]] == [
        start.move_text(move) for move in start.legal_moves
    ]
    again = web.ask("/api/positions", {"game": name, "text": view["text"]}).document
    assert again == view


def test_moves_are_played_and_the_last_one_is_marked(web: Running) -> None:
    place = {"game": "tictactoe", "moves": ["b2", "a1"]}
    view = web.ask("/api/positions", place).document
    assert (view["turn"], view["player"], view["last"]) == (0, "X", ["a1"])
    assert view["moves"][0] == {"text": "b1", "touches": ["b1"], "key": ""}
    assert view["score"] is None


def test_a_finished_game_has_a_result_and_no_moves(web: Running) -> None:
    place = {"game": "tictactoe", "moves": ["a1", "a2", "b1", "b2", "c1"]}
    view = web.ask("/api/positions", place).document
    assert view["over"] is True
    assert view["moves"] == []
    assert view["result"] == {
        "winner": 0,
        "score": "1-0",
        "reason": "X has three in a line",
        "ending": "finished",
    }


def test_options_make_the_board(web: Running) -> None:
    place = {"game": "breakthrough", "options": {"rows": 4, "columns": 3}}
    assert web.ask("/api/positions", place).document["text"] == "bbb/bbb/www/www w"


@pytest.mark.parametrize(
    ("place", "status", "message"),
    [
        ({"game": "chess"}, 404, "there is no game 'chess'; games: nim, blocker,"),
        ({"game": "../nim"}, 404, "there is no game '../nim'"),
        ({"game": str(NIM)}, 404, "there is no game"),
        ({"game": "tictactoe", "text": "nonsense"}, 422, "like 'o2/1x1/3 x'"),
        ({"game": "tictactoe", "moves": ["b2", "b2"]}, 422, "move 2: 'b2' is not a legal move"),
        ({"game": "tictactoe", "options": {"size": 4}}, 422, "tictactoe has no option 'size'"),
        ({"game": "breakthrough", "options": {"rows": "x"}}, 422, "option rows must be a whole"),
        ({}, 422, "game: is missing"),
        ({"game": ""}, 422, "game: must have at least 1 character"),
        ({"game": 3}, 422, "game: must be a text"),
        ({"game": "x" * 101}, 422, "game: must have at most 100 characters"),
        ({"game": "nim", "colour": 1}, 422, "colour: there is no such field"),
        ({"game": "nim", "x" * 500: 1}, 422, "x" * 60 + "...: there is no such field"),
        ({"game": "nim", "text": "x" * 60_001}, 422, "text: must have at most 60000"),
        ({"game": "nim", "moves": ["a"] * (MAX_MOVES + 1)}, 422, "moves: must have at most"),
        ({"game": "nim", "moves": "a1"}, 422, "moves: must be a list"),
        (
            {"game": "nim", "options": {"a": 1.5}},
            422,
            "options.a: must be true or false, a whole number or a text, not 1.5",
        ),
        ({"game": "nim", "options": {"a": [1]}}, 422, "options.a: must be true or false, a whole"),
        (
            {"game": "nim", "options": {str(n): n for n in range(41)}},
            422,
            "options: must have at most 40 entries",
        ),
        ([], 422, "must be an object"),
        ("text", 422, "must be an object"),
    ],
    ids=str,
)
def test_a_place_that_is_wrong_is_told_in_a_sentence(
    web: Running, place: Any, status: int, message: str
) -> None:
    answer = web.ask("/api/positions", place)
    assert answer.status == status
    assert message in answer.message
    assert "\n" not in answer.message


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"{'game': 'nim'}",
        b'{"game": "nim"} {}',
        b"[" * 60_000,
        b'{"game": "nim", "options": {"a": ' + b"9" * 5000 + b"}}",
        b"\xff\xfe\x00",
        b'{"game": "\\ud800"}',
        b'{"game": "nim", "moves": ["\\ud800"]}',
        b'{"game": "nim", "text": "\\u0000"}',
        b'{"game": NaN}',
        b"null",
    ],
    ids=lambda body: repr(body[:30]),
)
def test_a_body_that_is_no_message_is_told_so(web: Running, body: bytes) -> None:
    head = "".join(f"{name}: {value}\r\n" for name, value in web.headers.items())
    answer = web.send(
        f"POST /api/positions HTTP/1.1\r\n{head}Content-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
        + body
    )
    assert answer.status in (400, 422)
    assert answer.message


def test_what_is_not_there_is_told_in_json(web: Running) -> None:
    assert (web.ask("/nowhere").status, web.ask("/nowhere").message) == (404, "Not Found")
    wrong = web.ask("/api/games", {}, method="PUT")
    assert (wrong.status, wrong.message) == (405, "Method Not Allowed")
    assert wrong.headers["allow"] == "GET"


def test_a_game_that_fails_says_where_in_its_own_file(tmp_path: Path) -> None:
    source = NIM.read_text(encoding="utf-8")
    own = tmp_path / "mine.py"
    own.write_text(source, encoding="utf-8")
    with running(tmp_path / "home", [str(own)]) as web:
        assert web.ask("/api/positions", {"game": "mine"}).status == 200
        own.write_text(f"{source}\n\ndef picture(board, state):\n    return 1 // 0\n")
        answer = web.ask("/api/positions", {"game": "mine"})
        assert answer.status == 422
        assert "picture() raised ZeroDivisionError" in answer.message


# Files


def test_a_file_is_served_with_its_type_and_sent_again_only_if_it_changed(web: Running) -> None:
    answer = web.ask("/static/shared/style.css")
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert answer.body == (FOLDER / "shared/style.css").read_bytes()
    tag = answer.headers["etag"]
    again = web.ask("/static/shared/style.css", headers={"If-None-Match": tag})
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert web.ask("/static/shared/style.css", headers={"If-None-Match": '"old"'}).status == 200


@pytest.mark.parametrize(
    "path", ["/", "/play/abc", "/analyse/abc", "/tree/abc", "/replay/abc", "/arena", "/interface"]
)
def test_every_page_is_there(web: Running, path: str) -> None:
    answer = web.ask(path)
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    loaded = re.findall(rb'(?:src|href)="(/static/[^"]+)"', answer.body)
    assert loaded
    for file in loaded:
        assert web.ask(file.decode()).status == 200


def test_a_browser_finds_a_sign(web: Running) -> None:
    assert web.ask("/favicon.ico").headers["content-type"] == "image/svg+xml"


# Sessions


@pytest.mark.parametrize(
    ("player", "problem"),
    [
        ({"kind": "human", "depth": 3}, "a human has no seconds, depth, nodes, threads or eval"),
        ({"kind": "minimax"}, "minimax needs a depth"),
        ({"kind": "minimax", "depth": 3, "seconds": 1}, "time means nothing to minimax"),
        ({"kind": "monte-carlo", "depth": 3}, "depth means nothing to monte-carlo"),
        ({"kind": "random", "seconds": 1}, "time means nothing to random"),
        ({"kind": "random", "threads": 2}, "threads means nothing to random"),
        ({"kind": "perfect", "evaluation": "own"}, "evaluation means nothing to perfect"),
        ({"kind": "engine", "evaluation": "net.npz"}, "evaluation: must be"),
        ({"kind": "engine", "threads": 65}, "threads: must be at most 64"),
        ({"kind": "oracle"}, "kind"),
    ],
    ids=str,
)
def test_a_player_that_makes_no_sense_is_refused(
    web: Running, player: dict[str, Any], problem: str
) -> None:
    asked = {"game": "nim", "players": [player, {"kind": "human"}]}
    answer = web.ask("/api/tables", asked)
    assert answer.status == 422
    assert problem in answer.message


def test_a_table_needs_a_game_or_another_table(web: Running) -> None:
    assert web.ask("/api/tables", {}).message == (
        "a table needs a game, or another table to be like"
    )
    swapped = web.ask("/api/tables", {"game": "nim", "swap": True})
    assert swapped.message == "swap goes with like: it turns the sides of another table"
