"""Routes of the arena: lists, games, starting and stopping, and the socket that tells changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from websockets.sync.client import ClientConnection

from plyground.arena.pair import GameUnderWay
from plyground.arena.store import Store
from plyground.web.protocol.arena import ArenaReply
from tests.web.arena.stores import MOVES, add, begin, filled, game_of, plan_of, record_of
from tests.web.running_server import Running, running

PLAN = plan_of(("random", "greedy"))
OTHER = plan_of(("greedy", "perfect"), command=("match", "--trust", "tictactoe", "a.py", "b.py"))
EVENT = {"kind": "match", "game": "tictactoe", "players": ["random", "greedy"]}
REPLY: TypeAdapter[Any] = TypeAdapter(ArenaReply)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "arena.db"
    filled(path, OTHER, "stopped")
    filled(path, PLAN)
    return path


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory, store: Path) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("home"), store=store) as server:
        yield server


def receive(socket: ClientConnection, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The next message that fits. All messages are as the interface describes them."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=60))
        REPLY.validate_python(message)
        if fits(message):
            return message


def of_type(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda message: message["type"] == name


def test_the_events_of_the_store_are_listed_and_one_is_watched(web: Running) -> None:
    with web.connect("/api/arena/socket") as socket:
        arena = receive(socket, of_type("arena"))
        assert (arena["problem"], arena["engines"], arena["runs"]) == (None, False, [])
        assert [(card["id"], card["status"]) for card in arena["events"]] == [
            (PLAN.id, "finished"),
            (OTHER.id, "stopped"),
        ]
        socket.send(json.dumps({"type": "watch", "event": PLAN.id}))
        event = receive(socket, of_type("event"))
        assert (event["card"]["games"], event["match"]["score"]) == (6, 0.5)
        assert receive(socket, of_type("boards"))["slots"] == 1
        assert receive(socket, of_type("board"))["result"]["score"] == "1-0"
        # Once more: a page that comes back gets everything again.
        socket.send(json.dumps({"type": "watch", "event": PLAN.id}))
        receive(socket, of_type("event"))
        socket.send(json.dumps({"type": "unwatch"}))
        socket.send(json.dumps({"type": "watch", "event": "no id"}))
        assert "event" in receive(socket, of_type("error"))["message"]


def test_changes_that_another_program_makes_are_sent(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with (
        running(tmp_path / "home", store=path) as web,
        web.connect("/api/arena/socket") as socket,
    ):
        assert receive(socket, of_type("arena"))["events"] == []
        with begin(path, PLAN) as playing:
            (card,) = receive(socket, lambda one: bool(one.get("events")))["events"]
            assert (card["status"], card["own"]) == ("running", False)
            socket.send(json.dumps({"type": "watch", "event": PLAN.id}))
            record = record_of(PLAN, (0, 1), MOVES[:2]).json
            playing.show_game(PLAN.id, PLAN.contestants, GameUnderWay(0, 1, 0, record))
            assert receive(socket, of_type("board"))["ply"] == 2
            add(playing, PLAN, game_of(PLAN, (0, 1), 0))
            receive(socket, lambda one: one["type"] == "event" and one["card"]["games"] == 1)
            assert receive(socket, lambda one: one["type"] == "board" and one["result"])
            stopped = web.ask(f"/api/arena/events/{PLAN.id}/stop", {})
            assert (stopped.status, "press Ctrl-C" in stopped.message) == (422, True)
            resumed = web.ask(f"/api/arena/events/{PLAN.id}/resume", {})
            assert (resumed.status, resumed.message) == (422, "this event is running already")
            playing.end_event(PLAN.id, "stopped")
        receive(socket, lambda one: one["type"] == "event" and one["card"]["status"] == "stopped")


def test_a_command_that_fails_is_told(tmp_path: Path) -> None:
    store = tmp_path / "no folder" / "arena.db"
    with running(tmp_path / "home", store=store) as web, web.connect("/api/arena/socket") as socket:
        assert web.ask("/api/arena/events", EVENT).document == {"run": 1}
        arena = receive(socket, lambda one: any(run["message"] for run in one["runs"]))
        (run,) = arena["runs"]
        assert (run["state"], run["event"]) == ("failed", None)
        assert "there is no such folder" in run["message"]


def test_games_are_filtered_and_opened(web: Running) -> None:
    path = f"/api/arena/events/{PLAN.id}/games"
    page = web.ask(f"{path}?player=random&result=win&limit=2").document
    assert (page["total"], len(page["games"])) == (3, 2)
    assert {game["first"] for game in page["games"]} == {"random"}
    assert web.ask(f"{path}?ending=illegal").document == {"total": 0, "games": []}
    assert len(web.ask(f"{path}?offset=4").document["games"]) == 2
    opened = web.ask(f"/api/arena/games/{page['games'][0]['id']}/open", {})
    table = web.ask(f"/api/tables/{opened.document['id']}").document
    assert [table["nodes"][node]["move"] for node in table["main"][1:]] == list(MOVES)
    assert (table["names"], table["result"]["score"]) == (["random", "greedy"], "1-0")


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        (f"/api/arena/events/{'0' * 20}/games", None, 404, "there is no such event in the store"),
        (f"/api/arena/events/{'0' * 20}/resume", {}, 404, "there is no such event in the store"),
        ("/api/arena/events/no/games", None, 422, "event"),
        (f"/api/arena/events/{PLAN.id}/games?limit=201", None, 422, "limit"),
        (f"/api/arena/events/{PLAN.id}/games?result=won", None, 422, "result"),
        (f"/api/arena/events/{PLAN.id}/stop", {}, 422, "this event is not run by this server"),
        (f"/api/arena/events/{OTHER.id}/resume", {}, 422, "started with --trust, which no page"),
        ("/api/arena/games/99/open", {}, 404, "there is no such game in the store"),
        ("/api/arena/events", {**EVENT, "players": ["rando", "greedy"]}, 422, "no player 'rando'"),
        ("/api/arena/events", {**EVENT, "players": ["random", "ugi:ls"]}, 422, "--allow-engines"),
        ("/api/arena/events", {**EVENT, "games": 100_001}, 422, "games: must be at most 100000"),
        ("/api/arena/events", {**EVENT, "players": ["random"] * 21}, 422, "players: must have at"),
        ("/api/arena/events", {**EVENT, "game": "../nim.py"}, 422, "there is no game '../nim.py'"),
        (
            "/api/arena/events",
            {**EVENT, "seconds": 1, "clock": {"seconds": 1}},
            422,
            "seconds are for each move and clock for a whole game: give one",
        ),
    ],
    ids=str,
)
def test_what_is_wrong_is_told_in_a_sentence(
    web: Running, path: str, body: Any, status: int, message: str
) -> None:
    answer = web.ask(path, body)
    assert answer.status == status
    assert message in answer.message


def test_an_event_is_checked_before_it_is_started(web: Running) -> None:
    checked = web.ask("/api/arena/check", EVENT).document
    assert checked == {
        "problems": [],
        "command": "plyground match --games 100 -- tictactoe random greedy",
    }
    wrong = web.ask("/api/arena/check", {**EVENT, "players": ["a b.py", "x"]}).document
    assert [found["field"] for found in wrong["problems"]] == ["players.0", "players.1"]
    assert wrong["command"].endswith("-- tictactoe 'a b.py' x")
    assert web.ask("/api/arena/check", {**EVENT, "game": "chess"}).document["command"] == ""


def test_a_match_is_started_stopped_and_gone_on_with(tmp_path: Path) -> None:
    """The whole way, with a process that plays until it is stopped."""
    with (
        running(tmp_path / "home", store=tmp_path / "arena.db") as web,
        web.connect("/api/arena/socket") as socket,
    ):
        asked = {**EVENT, "games": 100_000}
        assert web.ask("/api/arena/events", asked).document == {"run": 1}
        again = web.ask("/api/arena/events", asked)
        assert (again.status, "stop it first, or wait" in again.message) == (422, True)
        arena = receive(
            socket, lambda one: one["type"] == "arena" and any(run["event"] for run in one["runs"])
        )
        name = arena["runs"][0]["event"]

        def plays(message: dict[str, Any]) -> bool:
            return bool(message["type"] == "event" and message["card"]["status"] == "running")

        socket.send(json.dumps({"type": "watch", "event": name}))
        first = receive(socket, lambda one: plays(one) and one["card"]["games"] > 0)
        assert first["card"]["own"] is True
        assert web.ask(f"/api/arena/events/{name}/stop", {}).status == 204
        card = receive(
            socket, lambda one: one["type"] == "event" and one["card"]["status"] == "stopped"
        )["card"]
        assert web.ask(f"/api/arena/events/{name}/resume", {}).document == {"run": 2}
        receive(socket, lambda one: plays(one) and one["card"]["games"] > card["games"])
    # The end of the server is the end of the match.
    with Store(tmp_path / "arena.db") as store:
        (event,) = store.events()
        assert (event.status, event.total) == ("stopped", 100_000)
        assert store.count_event_games(event) > card["games"]
