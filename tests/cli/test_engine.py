"""`plyground engine` as a process: how it begins and how it ends."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator

import pytest

from tests.cli.runner import plyground, process, refusal


@pytest.fixture
def engine() -> Iterator[subprocess.Popen[str]]:
    program = process("engine", "tictactoe")
    yield program
    program.kill()
    program.communicate()


def introduce(engine: subprocess.Popen[str]) -> None:
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdin.write("ugi\n")
    engine.stdin.flush()
    while engine.stdout.readline() != "ugiok\n":
        pass


def test_the_end_of_the_input_ends_it(engine: subprocess.Popen[str]) -> None:
    introduce(engine)
    assert engine.communicate() == ("", "")
    assert engine.returncode == 0


def test_ctrl_c_ends_it(engine: subprocess.Popen[str]) -> None:
    introduce(engine)
    engine.send_signal(signal.SIGINT)
    assert engine.wait(60) == 130


def test_a_client_that_has_gone_ends_it(engine: subprocess.Popen[str]) -> None:
    introduce(engine)
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdout.close()
    engine.stdin.write("query p1turn\n")
    engine.stdin.flush()
    assert engine.wait(60) == 141


def test_bytes_that_are_no_text_are_answered_like_any_other_line() -> None:
    ran = plyground("engine", "tictactoe", typed=b"\xff\xfe\x00\nquery p1turn\n")
    lines = ran.output.splitlines()
    assert lines[0].startswith("info string there is no command ")
    assert lines[0].isprintable()
    assert lines[1:] == ["response true"]


def test_a_wrong_game_or_option_is_refused() -> None:
    assert refusal("engine", "chess").startswith("there is no game 'chess'; games: ")
    assert refusal("engine", "breakthrough", "-o", "rows=2").startswith("a board of 2 rows")
    assert refusal("engine", "breakthrough", "-o", "rows").startswith("option 'rows': an option is")
