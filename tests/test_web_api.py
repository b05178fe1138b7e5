"""The interface of the web app: games, positions, files, its own description, and its page."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

import plyground.web
from plyground.core.errors import PlygroundError
from plyground.core.record import GameRecord
from plyground.core.registry import find_game, game_names
from plyground.web.app import create_app
from plyground.web.catalogue import Catalogue
from plyground.web.messages import TABLE_MESSAGE, THINK_MESSAGE, TableReply, ThinkReply
from plyground.web.models import MAX_MOVES, GameCard, View
from plyground.web.opening import read_opening
from plyground.web.pages import FOLDER
from plyground.web.reading import BadMessage, read_message
from tests.cli import matches
from tests.web import Running, running

ROOT = Path(__file__).parent.parent
NIM = ROOT / "examples" / "nim.py"
PAGE = (ROOT / "docs" / "web-interface.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("home"), [str(NIM)]) as server:
        yield server


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    app = create_app(token="secret", port=1, home=tmp_path_factory.mktemp("home"))
    return app.openapi()


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
    }
    assert options["first_stay"]["kind"] == "flag"
    assert options["first_stay"]["with_text"] is True
    assert cards["derby"]["live"] is True
    assert cards["tictactoe"]["live"] is False


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
        ({}, 422, "game: field required"),
        ({"game": ""}, 422, "game: string should have at least 1 character"),
        ({"game": 3}, 422, "game: input should be a valid string"),
        ({"game": "x" * 101}, 422, "game: string should have at most 100 characters"),
        ({"game": "nim", "colour": 1}, 422, "colour: there is no such field"),
        ({"game": "nim", "x" * 500: 1}, 422, "x" * 60 + "...: there is no such field"),
        ({"game": "nim", "text": "x" * 60_001}, 422, "text: string should have at most 60000"),
        ({"game": "nim", "moves": ["a"] * (MAX_MOVES + 1)}, 422, "moves: list should have at most"),
        ({"game": "nim", "moves": "a1"}, 422, "moves: input should be a valid list"),
        ({"game": "nim", "options": {"a": 1.5}}, 422, "options.a"),
        ({"game": "nim", "options": {"a": [1]}}, 422, "options.a"),
        ({"game": "nim", "options": {str(n): n for n in range(41)}}, 422, "options: dictionary"),
        ([], 422, "input should be a valid dictionary or object"),
        ("text", 422, "input should be a valid dictionary or object"),
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
    answer = web.ask("/static/style.css")
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert answer.body == (FOLDER / "style.css").read_bytes()
    tag = answer.headers["etag"]
    again = web.ask("/static/style.css", headers={"If-None-Match": tag})
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert web.ask("/static/style.css", headers={"If-None-Match": '"old"'}).status == 200


@pytest.mark.parametrize(
    "path", ["/", "/play/abc", "/analyse/abc", "/tree/abc", "/replay/abc", "/interface"]
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


# Opening files


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue([str(NIM)])


@pytest.mark.parametrize("name", [*game_names(), "nim"])
def test_a_position_of_any_game_is_known_by_its_looks(catalogue: Catalogue, name: str) -> None:
    start = catalogue.find(name).start()
    moved = start.play(start.legal_moves[0])
    for position in (start, moved):
        opening = read_opening(catalogue, "file.txt", f"\ufeff{position.text}\n")
        assert (opening.game.name, opening.start, opening.record) == (name, position, None)


@pytest.mark.parametrize("name", [*game_names(), "nim"])
def test_a_record_of_any_game_is_opened_in_both_formats(catalogue: Catalogue, name: str) -> None:
    start = catalogue.find(name).start()
    record = GameRecord.from_moves(start, [start.legal_moves[-1]])
    for text in (record.text, f"{record.json}\n"):
        opening = read_opening(catalogue, "game", text)
        assert (opening.game.name, opening.start, opening.record) == (name, start, record)


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
    assert read_opening(catalogue, "board.txt", text).game.name == name


def test_a_file_becomes_a_table(web: Running) -> None:
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
        told = {"name": "heaps.txt", "text": text, "game": "yours"}
        assert web.ask("/api/open", told).status == 200


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


# Messages


@pytest.mark.parametrize(
    ("raw", "problem", "names"),
    [
        ("", "this is not JSON", (None, None)),
        ("{", "this is not JSON", (None, None)),
        ("[1]", "input should be", (None, None)),
        ("{}", "unable to extract tag", (None, None)),
        ('{"type": "fly", "ref": 7}', "input tag 'fly'", (7, None)),
        ('{"type": "play", "ref": "a"}', "play.node: field required", ("a", None)),
        ('{"type": "goto", "node": "1"}', "goto.node: input should be a valid int", (None, None)),
        ('{"type": "goto", "node": true}', "goto.node: input should be a valid int", (None, None)),
        ('{"type": "goto", "node": -1}', "goto.node: input should be greater", (None, None)),
        ('{"type": "pause", "x": 1, "id": 3}', "pause.x: there is no such field", (None, 3)),
        ('{"type": "pause", "ref": {"a": 1}}', "pause.ref", (None, None)),
        ("[" * 50_000, "this is not JSON", (None, None)),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_message_that_is_wrong_is_told_with_what_its_sender_calls_it(
    raw: str, problem: str, names: tuple[Any, Any]
) -> None:
    with pytest.raises(BadMessage) as refused:
        read_message(TABLE_MESSAGE, raw)
    assert problem in str(refused.value)
    assert (refused.value.ref, refused.value.id) == names


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"algorithm": "minimax", "seconds": 1}, "time means nothing to minimax"),
        ({"algorithm": "minimax"}, "minimax needs a limit"),
        ({"algorithm": "alpha-beta"}, "alpha-beta needs a limit"),
        ({"algorithm": "minimax", "depth": 2, "threads": 2}, "threads mean nothing to minimax"),
        ({"algorithm": "minimax", "depth": 2, "lines": 2}, "minimax gives one line"),
        ({"lines": 6}, "lines: input should be less than or equal to 5"),
        ({"depth": 0}, "depth: input should be greater than or equal to 1"),
        ({"seconds": -1}, "seconds: input should be greater than 0"),
        ({"seconds": 1e300}, "seconds: input should be less than or equal to 86400"),
    ],
    ids=str,
)
def test_a_search_that_makes_no_sense_is_refused(more: dict[str, Any], problem: str) -> None:
    message = {"type": "search", "id": 1, "place": {"game": "nim"}, **more}
    with pytest.raises(BadMessage, match=re.escape(problem)):
        read_message(THINK_MESSAGE, json.dumps(message))


@pytest.mark.parametrize(
    ("player", "problem"),
    [
        ({"kind": "human", "depth": 3}, "a human has no seconds, depth, nodes or threads"),
        ({"kind": "minimax"}, "minimax needs a depth"),
        ({"kind": "minimax", "depth": 3, "seconds": 1}, "time means nothing to minimax"),
        ({"kind": "monte-carlo", "depth": 3}, "depth means nothing to monte-carlo"),
        ({"kind": "random", "seconds": 1}, "time means nothing to random"),
        ({"kind": "random", "threads": 2}, "threads mean nothing to random"),
        ({"kind": "engine", "threads": 65}, "threads: input should be less than or equal to 64"),
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


# Both sockets: whatever is sent, they answer, and go on


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


def test_the_socket_of_a_table_answers_junk_with_errors_and_the_game_goes_on(web: Running) -> None:
    table = web.ask("/api/tables", {"game": "tictactoe"}).document["id"]
    with web.connect(f"/api/tables/{table}/socket") as line:
        assert json.loads(line.recv(timeout=60))["type"] == "table"
        for junk in JUNK:
            line.send(junk)
            answer = json.loads(line.recv(timeout=60))
            assert answer["type"] == "error", (junk, answer)
            assert answer["message"]
        line.send(json.dumps({"type": "play", "node": 0, "move": "b2"}))
        state = json.loads(line.recv(timeout=60))
        assert [node["move"] for node in state["nodes"]] == [None, "b2"]


def test_the_socket_that_thinks_answers_junk_with_errors_and_goes_on(web: Running) -> None:
    with web.connect("/api/think") as line:
        for junk in JUNK:
            line.send(junk)
            answer = json.loads(line.recv(timeout=60))
            assert answer["type"] == "error", (junk, answer)
        line.send(json.dumps({"type": "stop", "id": 1}))
        assert json.loads(line.recv(timeout=60)) == {"type": "stopped", "id": 1}


# The description of it all


def test_the_document_is_served_as_it_is_made(web: Running, document: dict[str, Any]) -> None:
    served = web.ask("/api/openapi.json").document
    assert served == document


def routes() -> Iterator[Any]:
    """Every route of every part of the app."""
    for module in pkgutil.iter_modules(plyground.web.__path__, "plyground.web."):
        router = getattr(importlib.import_module(module.name), "router", None)
        yield from [] if router is None else router.routes


def test_the_document_describes_every_route(document: dict[str, Any]) -> None:
    described = {
        (path, method.upper()) for path, methods in document["paths"].items() for method in methods
    }
    assert described == {
        (route.path, method) for route in routes() for method in getattr(route, "methods", ())
    }
    assert set(document["x-websockets"]) == {
        route.path for route in routes() if not hasattr(route, "methods")
    }


def test_every_route_has_a_summary_and_tells_its_errors(document: dict[str, Any]) -> None:
    names = []
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            assert "4XX" in operation["responses"]
            names.append(operation["operationId"])
    assert len(set(names)) == len(names)
    assert "HTTPValidationError" not in document["components"]["schemas"]


def test_every_reference_of_the_document_leads_somewhere(document: dict[str, Any]) -> None:
    references = set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(document)))
    schemas = document["components"]["schemas"]
    assert references
    for reference in references:
        assert reference.removeprefix("#/components/schemas/") in schemas


@pytest.mark.parametrize(
    ("path", "way", "adapter"),
    [
        ("/api/tables/{name}/socket", "receives", TABLE_MESSAGE),
        ("/api/tables/{name}/socket", "sends", TypeAdapter(TableReply)),
        ("/api/think", "receives", THINK_MESSAGE),
        ("/api/think", "sends", TypeAdapter(ThinkReply)),
    ],
)
def test_the_messages_of_a_socket_are_those_of_its_models(
    document: dict[str, Any], path: str, way: str, adapter: TypeAdapter[Any]
) -> None:
    described = document["x-websockets"][path][way]
    mode = "validation" if way == "receives" else "serialization"
    template = "#/components/schemas/{model}"
    made = adapter.json_schema(
        mode=mode,  # type: ignore[arg-type]
        ref_template=template,
    )
    definitions = made.pop("$defs")
    assert described == made
    for name, schema in definitions.items():
        assert document["components"]["schemas"][name] == schema


# The page of the documentation


def test_the_programs_of_the_page_do_as_shown(web: Running) -> None:
    blocks = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL)
    assert len(blocks) >= 7
    names: dict[str, Any] = {}
    for program, expected in blocks:
        program = program.replace("http://127.0.0.1:8631", web.server.origin)
        program = program.replace("what the address says after token=", web.server.token)
        output = StringIO()
        with redirect_stdout(output):
            exec(compile(program, "docs/web-interface.md", "exec"), names)
        assert matches(expected, output.getvalue()), output.getvalue()


def test_the_page_tells_the_limits_as_they_are() -> None:
    from plyground.web import guard

    words = " ".join(PAGE.split())
    for number in (
        f"at most {guard.MAX_BODY} bytes",
        f"{guard.HTTP_RATE:.0f} requests a second ({guard.HTTP_BURST:.0f} at once",
        f"{guard.SOCKET_RATE:.0f} messages a second ({guard.SOCKET_BURST:.0f} at once)",
        f"{guard.MAX_REFUSED} more of them",
        f"at most {guard.MAX_SOCKETS} WebSockets",
    ):
        assert number in words, number
