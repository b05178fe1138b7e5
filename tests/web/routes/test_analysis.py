"""The analysis socket /api/think of a running server, as pages and other programs use it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from plyground.core.registry import find_game
from plyground.search.textbook.algorithms import alpha_beta
from plyground.web.protocol.messages import Reviewed, SearchReply, Solved, TreeReply
from tests.paths import SAMPLE_GAMES
from tests.web.running_server import Running, running
from tests.web.workers.job_runner import Message, place

PATIENCE = 120.0
"""Seconds until a test fails that waits for something."""

ENDLESS: Message = {"type": "search", "place": place("breakthrough")}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("home")) as server:
        yield server


class Socket:
    """A connection that sends and reads JSON."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, message: Any) -> None:
        self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def read(self) -> Message:
        message: Message = json.loads(self.connection.recv(PATIENCE))
        return message

    def read_until(self, wanted: Callable[[Message], bool]) -> list[Message]:
        """All messages up to the first one that is wanted."""
        messages = [self.read()]
        while not wanted(messages[-1]):
            messages.append(self.read())
        return messages

    def ask(self, question: Message, number: int = 1) -> list[Message]:
        """Ask, and read all replies; the last one is the answer, or an error."""
        self.send({**question, "id": number})
        return self.read_until(
            lambda reply: (
                reply.get("id") == number and reply["type"] in ("done", "solved", "tree", "error")
            )
        )


@contextlib.contextmanager
def thinking(server: Running) -> Iterator[Socket]:
    with server.connect("/api/think") as connection:
        yield Socket(connection)


@pytest.fixture
def socket(server: Running) -> Iterator[Socket]:
    with thinking(server) as socket:
        yield socket


def of_type(*types: str) -> Callable[[Message], bool]:
    return lambda reply: reply["type"] in types


def eventually(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.01)


def pool_of(server: Running) -> Any:
    return server.server.app.state.pool


# Answers


def test_a_search_sends_progress_and_ends_with_done(socket: Socket) -> None:
    *progress, done = socket.ask({**ENDLESS, "depth": 6, "lines": 3}, 17)
    assert done["type"] == "done"
    assert done["depth"] == 6
    assert len(done["lines"]) == 3
    position = find_game("breakthrough").start()
    for line in done["lines"]:
        assert line["touches"] == list(position.touches(position.parse_move(line["moves"][0])))
    for reply in (*progress, done):
        assert reply["id"] == 17
        if reply["type"] != "notice":
            SearchReply.model_validate(reply)
            assert set(reply) == set(SearchReply.model_fields)


def test_a_solve_tells_what_every_move_is_worth(socket: Socket) -> None:
    *_, solved = socket.ask({"type": "solve", "place": place("tictactoe", "b2", "b1")})
    Solved.model_validate(solved)
    assert solved["value_text"] == "X wins in 5 plies"
    assert len(solved["moves"]) == 7


def test_a_review_tells_of_every_ply_and_ends_with_the_marks(socket: Socket) -> None:
    game = place("tictactoe", "b2", "b1", "a1")
    *replies, done = socket.ask({"type": "review", "place": game, "seconds": 10})
    reviewed = [message for message in replies if message["type"] == "reviewed"]
    assert {Reviewed.model_validate(message).ply for message in reviewed} == {0, 1, 2, 3}
    assert [(mark["ply"], mark["kind"]) for mark in done["marks"]] == [(2, "blunder")]


def test_a_tree_is_the_textbooks(socket: Socket) -> None:
    *_, tree = socket.ask({"type": "tree", "place": place("tictactoe", "b2"), "depth": 4})
    answer = alpha_beta(find_game("tictactoe").start().play("b2"), 4)
    TreeReply.model_validate(tree)
    assert (tree["value"], tree["visited"]) == (answer.value, answer.nodes)


def test_a_large_tree_arrives_whole(socket: Socket) -> None:
    question = {"type": "tree", "place": place("tictactoe"), "depth": 9, "budget": 5000}
    *_, tree = socket.ask(question)
    assert len(tree["nodes"]) == 5000
    assert tree["truncated"]


# Stopping


def test_a_new_search_replaces_the_last_one(socket: Socket) -> None:
    for number in range(1, 8):
        socket.send({**ENDLESS, "id": number})
        socket.read_until(lambda reply, number=number: reply.get("id") == number)  # type: ignore[misc]
    *between, done = socket.ask({**ENDLESS, "depth": 2}, 100)
    assert done["type"] == "done"
    assert {reply["id"] for reply in between} <= {7, 100}


def test_kinds_of_requests_do_not_disturb_each_other(socket: Socket) -> None:
    socket.send({**ENDLESS, "id": 1})
    socket.read_until(of_type("progress"))
    *_, tree = socket.ask({"type": "tree", "place": place("tictactoe"), "depth": 2}, 2)
    assert tree["type"] == "tree"
    later = socket.read_until(of_type("progress"))
    assert later[-1]["id"] == 1


def test_after_a_stop_nothing_more_comes(server: Running, socket: Socket) -> None:
    socket.send({**ENDLESS, "id": 5})
    socket.read_until(of_type("progress"))
    socket.send({"type": "stop", "id": 5})
    assert socket.read_until(of_type("stopped"))[-1] == {"type": "stopped", "id": 5}
    eventually(lambda: not pool_of(server).working)
    *before, tree = socket.ask({"type": "tree", "place": place("tictactoe"), "depth": 1}, 6)
    assert (before, tree["type"]) == ([], "tree")


def test_closing_a_socket_stops_what_it_asked_for(server: Running) -> None:
    with thinking(server) as socket:
        for number, kind in enumerate(("search", "solve"), 1):
            board = place("breakthrough", rows=8, columns=8)
            socket.send({"type": kind, "place": board, "id": number})
        socket.read_until(of_type("progress", "advance"))
        eventually(lambda: bool(pool_of(server).working))
    eventually(lambda: not pool_of(server).working)


def test_a_socket_that_is_torn_off_stops_what_it_asked_for(server: Running) -> None:
    with contextlib.suppress(OSError), thinking(server) as socket:
        socket.send({**ENDLESS, "id": 1})
        socket.read_until(of_type("progress"))
        socket.connection.socket.close()
    eventually(lambda: not pool_of(server).working)


# Many at once


def test_ten_pages_all_get_their_lines(server: Running) -> None:
    with contextlib.ExitStack() as opened:
        sockets = [opened.enter_context(thinking(server)) for _ in range(10)]
        for number, socket in enumerate(sockets):
            socket.send({**ENDLESS, "lines": 1 + number % 3, "id": number})
        for socket in sockets:
            socket.read_until(of_type("progress"))
        with thinking(server) as another:
            *_, done = another.ask({**ENDLESS, "depth": 2})
            assert done["type"] == "done"


def test_clients_that_never_read_do_not_delay_others(server: Running) -> None:
    with contextlib.ExitStack() as opened:
        for number in range(4):
            silent = opened.enter_context(
                server.connect("/api/think", max_queue=1, compression=None, close_timeout=0)
            )
            for more in range(8):
                question = {"type": "tree", "place": place("tictactoe"), "depth": 4, "budget": 2000}
                silent.send(json.dumps({**question, "id": 10 * number + more}))
            silent.send(json.dumps({**ENDLESS, "id": 1}))
        with thinking(server) as socket:
            *_, done = socket.ask({**ENDLESS, "depth": 3})
            assert done["type"] == "done"


# Errors


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("", "this is not JSON"),
        ("{", "this is not JSON"),
        (b"\xff\x00", "this is not JSON"),
        ("[]", "must be an object"),
        ('"search"', "must be an object"),
        ('{"id": 4}', "type"),
        ('{"type": "dance", "id": 4}', "dance"),
        ({**ENDLESS}, "id: is missing"),
        ({**ENDLESS, "id": -1}, "must be at least 0"),
        ({**ENDLESS, "id": 4, "colour": "red"}, "colour: there is no such field"),
        ({**ENDLESS, "id": 4, "lines": 6}, "must be at most 5"),
        ({**ENDLESS, "id": 4, "seconds": "1e400"}, "seconds"),
        ({"type": "search", "id": 4}, "place: is missing"),
        ({"type": "tree", "id": 4, "place": place("tictactoe"), "depth": 0}, "depth"),
        ({"type": "search", "id": 4, "place": place("chess")}, "there is no game 'chess'"),
        ({"type": "search", "id": 4, "place": place("../secret.py")}, "there is no game"),
        ({"type": "search", "id": 4, "place": {"game": "slant", "text": "?"}}, ""),
        ({"type": "search", "id": 4, "place": place("tictactoe", "z9")}, "move 1: 'z9' is not"),
        ({**ENDLESS, "id": 4, "algorithm": "minimax"}, "minimax needs a limit"),
        ({**ENDLESS, "id": 4, "algorithm": "minimax", "seconds": 1}, "time means nothing to"),
    ],
)
def test_an_invalid_request_gets_an_error_and_the_socket_stays_open(
    message: Any, problem: str, socket: Socket
) -> None:
    socket.send(message)
    reply = socket.read()
    assert reply["type"] == "error"
    assert problem.lower() in reply["message"].lower()
    assert "\n" not in reply["message"]
    if isinstance(message, dict) and message.get("id") == 4:
        assert reply["id"] == 4
    *_, done = socket.ask({"type": "search", "place": place("tictactoe"), "depth": 1}, 9)
    assert done["type"] == "done"


def test_a_search_goes_on_while_other_messages_are_wrong(socket: Socket) -> None:
    socket.send({**ENDLESS, "id": 1})
    socket.read_until(of_type("progress"))
    socket.send("nonsense")
    socket.read_until(of_type("error"))
    assert socket.read_until(of_type("progress"))[-1]["id"] == 1


def test_a_worker_that_dies_is_reported_and_the_next_request_succeeds(
    server: Running, socket: Socket
) -> None:
    socket.send({**ENDLESS, "id": 1})
    socket.read_until(of_type("progress"))
    for pid in pool_of(server).working:
        os.kill(pid, signal.SIGKILL)
    error = socket.read_until(of_type("error"))[-1]
    assert error["id"] == 1
    assert "was ended by SIGKILL" in error["message"]
    *_, done = socket.ask({**ENDLESS, "depth": 2}, 2)
    assert done["type"] == "done"


def test_a_game_of_ones_own_is_searched_and_its_errors_told(tmp_path: Path) -> None:
    file = tmp_path / "counting.py"
    source = (SAMPLE_GAMES / "figure_tree.py").read_text(encoding="utf-8")
    file.write_text(source, encoding="utf-8")
    question: Message = {"type": "tree", "place": {"game": "counting"}, "depth": 2}
    with running(tmp_path, [str(file)]) as server, thinking(server) as socket:
        *_, tree = socket.ask(question)
        assert tree["value"] == 3
        assert tree["cut"] == 2
        file.write_text(source.replace("return 3", "return 1 // 0"), encoding="utf-8")
        *_, error = socket.ask(question)
        assert error["type"] == "error"
        assert "counting.py" in error["message"]
        assert "moves() raised ZeroDivisionError" in error["message"]
