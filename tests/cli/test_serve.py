"""`plyground serve`: one line with the address, a browser if there can be one, a polite end."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from urllib.request import Request, urlopen

import pytest

from plyground.cli import serve
from plyground.web import server
from plyground.web.server import PortTaken, home_folder, listen
from tests.cli.runner import process, refusal
from tests.paths import EXAMPLES, ROOT

NIM = ROOT / "examples" / "nim.py"
LINE = re.compile(
    r"plyground is at (http://127\.0\.0\.1:(\d+)/)\?token=([\w-]{32}) \(Ctrl-C .*\)\n"
)


@contextlib.contextmanager
def serving(*arguments: str | Path, home: Path, **more: str) -> Iterator[subprocess.Popen[str]]:
    """The command as a process that is surely ended, with no window to open."""
    environment = {"PLYGROUND_HOME": str(home), "DISPLAY": "", "WAYLAND_DISPLAY": "", **more}
    program = process(*arguments, environment=environment)
    try:
        yield program
    finally:
        program.kill()
        program.communicate()


def first_line(program: subprocess.Popen[str]) -> re.Match[str]:
    assert program.stdout is not None
    line = program.stdout.readline()
    found = LINE.fullmatch(line)
    assert found is not None, line + (program.stderr.read() if program.stderr else "")
    return found


def games_at(line: re.Match[str]) -> list[str]:
    address, _, token = line.groups()
    request = Request(f"{address}api/games", headers={"Authorization": f"Bearer {token}"})
    with urlopen(request, timeout=60) as answer:
        return [game["name"] for game in json.load(answer)]


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def all_end(processes: list[int]) -> bool:
    """Whether all of them end soon. One of Python's own ends only after the server has."""
    deadline = time.monotonic() + 10
    while any(map(is_alive, processes)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not any(map(is_alive, processes))


def interrupt(program: subprocess.Popen[str]) -> tuple[int, str, str]:
    program.send_signal(signal.SIGINT)
    output, errors = program.communicate(timeout=60)
    return program.returncode, output, errors


@pytest.mark.parametrize("example", serve.EXAMPLES)
def test_an_example_of_the_help_serves_until_it_is_interrupted(
    example: str, tmp_path: Path
) -> None:
    words = shlex.split(example.removeprefix("plyground ").replace("my_game.py", str(NIM)))
    words = ["0" if word == "8080" else word for word in words]
    with serving(*words, home=tmp_path) as program:
        names = games_at(first_line(program))
        assert "tictactoe" in names
        assert ("nim" in names) == ("my_game.py" in example)
        assert interrupt(program) == (0, "goodbye\n", "")


def test_plyground_alone_serves(tmp_path: Path) -> None:
    with serving(home=tmp_path) as program:
        assert "tictactoe" in games_at(first_line(program))
        assert interrupt(program) == (0, "goodbye\n", "")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in /proc")
def test_impatient_interrupts_leave_no_child_behind(tmp_path: Path) -> None:
    with serving("serve", "--no-prepare", "--port", "0", home=tmp_path) as program:
        line = first_line(program)
        games_at(line)
        children = children_of(program.pid)
        assert children
        for _ in range(3):
            program.send_signal(signal.SIGINT)
        assert interrupt(program) == (0, "goodbye\n", "")
        assert all_end(children)


def test_an_open_websocket_does_not_delay_the_end(tmp_path: Path) -> None:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    with serving("serve", "--no-prepare", "--port", "0", home=tmp_path) as program:
        address, port, token = first_line(program).groups()
        with connect(
            f"ws://127.0.0.1:{port}/api/think?token={token}",
            origin=address.rstrip("/"),  # type: ignore[arg-type]
            proxy=None,
        ) as line:
            assert interrupt(program) == (0, "goodbye\n", "")
            with pytest.raises(ConnectionClosed):
                line.recv(timeout=60)


HANGS = {
    "svg": "\n\ndef svg(board, state):\n    while state.heaps[0] == 2: pass\n    return '<svg/>'\n",
    "over": "\n\ndef over(board, state):\n    while state.heaps[0] == 2: pass\n    return False\n",
    "exit": "\n\ndef svg(board, state):\n    import os; os._exit(3)\n",
}


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in /proc")
@pytest.mark.parametrize("kind", HANGS)
def test_an_interrupt_ends_the_server_whatever_a_game_does(tmp_path: Path, kind: str) -> None:
    from websockets.sync.client import connect

    own = tmp_path / "mine.py"
    own.write_text((EXAMPLES / "nim.py").read_text() + HANGS[kind])
    with serving("serve", "--no-prepare", own, "--port", "0", home=tmp_path) as program:
        line = first_line(program)
        address, port, token = line.groups()
        request = Request(
            f"{address}api/tables?token={token}",
            b'{"game": "mine"}',
            {"Origin": address.rstrip("/"), "Content-Type": "application/json"},
        )
        with urlopen(request, timeout=60) as answer:
            table = json.load(answer)["id"]
        with connect(
            f"ws://127.0.0.1:{port}/api/tables/{table}/socket?token={token}",
            origin=address.rstrip("/"),  # type: ignore[arg-type]
            proxy=None,
        ) as socket:
            socket.recv(timeout=60)
            socket.send(json.dumps({"type": "play", "node": 0, "move": "a1"}))
            assert "mine" in games_at(line)
            children = children_of(program.pid)
            assert interrupt(program) == (0, "goodbye\n", "")
            assert all_end(children)


def test_the_address_has_a_token_of_its_own_each_time(tmp_path: Path) -> None:
    tokens = set()
    for _ in range(2):
        with serving("serve", "--no-prepare", "--port", "0", home=tmp_path) as program:
            tokens.add(first_line(program)[3])
    assert len(tokens) == 2


# Ports


def test_a_port_that_was_asked_for_and_is_taken_is_told() -> None:
    with listen(0) as other:
        port = other.getsockname()[1]
        assert refusal("serve", "--port", str(port)) == (
            f"port {port} cannot be used: address already in use; give another one, or none to"
            " have one found"
        )


def test_without_a_port_the_next_free_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen(0) as other:
        taken = other.getsockname()[1]
        monkeypatch.setattr(server, "PORT", taken)
        with listen(None) as found:
            assert found.getsockname()[0] == "127.0.0.1"
            assert found.getsockname()[1] != taken


def test_if_all_are_taken_any_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen(0) as other:
        monkeypatch.setattr(server, "PORT", other.getsockname()[1])
        monkeypatch.setattr(server, "PORTS_TRIED", 1)
        with listen(None) as found:
            assert found.getsockname()[1] > 0


def test_answers_are_sent_at_once() -> None:
    """asyncio turns off waiting for more to send on sockets that say they speak TCP, and only on
    those; otherwise every answer would be 40 ms late."""
    with listen(0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_a_port_is_a_number_that_ports_have() -> None:
    assert "--port" in refusal("serve", "--port", "65536")
    assert "--port" in refusal("serve", "--port", "web")


def test_a_port_that_needs_more_rights_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(PortTaken, match="port 80 cannot be used: permission denied"):
        listen(80)


# Games of one's own


def test_a_game_that_is_not_there_is_told_at_once() -> None:
    assert refusal("serve", "nowhere.py") == (
        "cannot read " + str(Path("nowhere.py").absolute()) + ": No such file or directory"
    )


def test_a_file_that_is_no_game_is_told_at_once(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def play(:\n")
    assert refusal("serve", broken).startswith(f"{broken}:1: syntax error")


def test_only_programs_are_games(tmp_path: Path) -> None:
    (tmp_path / "game.record").write_text("plyground record 1\n")
    assert refusal("serve", tmp_path / "game.record").endswith(
        "game.record: a game of your own is a file that ends in .py"
    )


def test_two_games_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "slant.py").write_text(NIM.read_text(encoding="utf-8"), encoding="utf-8")
    assert refusal("serve", tmp_path / "slant.py") == (
        f"{tmp_path / 'slant.py'}: there is a game called 'slant' already; rename the file"
    )


# The browser


def test_a_browser_is_opened_where_there_is_a_screen(tmp_path: Path) -> None:
    found = tmp_path / "opened"
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {found}.part && mv {found}.part {found}\n')
    script.chmod(0o755)
    screen = {"DISPLAY": ":0", "BROWSER": f"{script} %s"}
    with serving("serve", "--no-prepare", "--port", "0", home=tmp_path, **screen) as program:
        address, _, token = first_line(program).groups()
        while not found.exists():
            assert program.poll() is None
        assert found.read_text() == f"{address}?token={token}"
        assert interrupt(program)[0] == 0


class StartedServer:
    """Stands in for a server that starts, and ends at once. Its address is the port."""

    def __init__(self, port: str, *, started: Callable[[], None], **_: object) -> None:
        self.address = port
        self._started = started

    def run(self) -> None:
        self._started()


def test_no_browser_is_opened_when_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: Queue[str] = Queue()
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("plyground.web.server.WebServer", StartedServer)
    monkeypatch.setattr("plyground.web.server.listen", lambda port: f"port {port}")
    monkeypatch.setattr(serve, "open_browser", opened.put)
    serve.serve(port=1, no_open=True)
    serve.serve(port=2)
    assert opened.get(timeout=60) == "port 2"
    assert opened.empty()


@pytest.mark.parametrize(
    ("platform", "screen", "answer"),
    [("linux", "", False), ("linux", ":0", True), ("darwin", "", True), ("win32", "", True)],
)
def test_a_browser_needs_a_screen(
    platform: str, screen: str, answer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setenv("DISPLAY", screen)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert serve.can_open_browser() is answer


# Where games are kept


def test_games_are_kept_where_the_user_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYGROUND_HOME", "/somewhere")
    assert home_folder() == Path("/somewhere")
    monkeypatch.delenv("PLYGROUND_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert home_folder() == Path("/data/plyground")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/people/ada")
    assert home_folder() == Path("/people/ada/.local/share/plyground")
