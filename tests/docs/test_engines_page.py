"""The page `docs/engines.md`, and another that talks with an engine: it answers as shown."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path
from subprocess import Popen

import pytest

from tests.cli.runner import matches, plyground, process
from tests.docs.sessions import blocks, check_output, sessions
from tests.paths import DOCS

PAGE = (DOCS / "engines.md").read_text(encoding="utf-8")
SESSIONS = [
    block
    for page in ("engines.md", "command-line.md")
    for block in blocks((DOCS / page).read_text(encoding="utf-8"), "text")
    if block.startswith("$ plyground engine ")
]
WRONG_QUERY = "query nothing"
"""Its answer comes after those of all commands before it."""
LAST = "info string a query is one of: p1turn, gameover, result"


@pytest.mark.parametrize("session", SESSIONS, ids=range(len(SESSIONS)))
def test_an_engine_answers_as_the_page_shows(session: str) -> None:
    command, *exchanges = re.split(r"^[$>] ", session, flags=re.MULTILINE)[1:]
    program = process(*shlex.split(command)[1:])
    try:
        for exchange in exchanges:
            typed, _, shown = exchange.partition("\n")
            answer = ask(program, typed)
            assert matches(shown, answer), f"> {typed}\n{answer}"
    finally:
        program.kill()
        program.communicate()


def ask(program: Popen[str], typed: str) -> str:
    """Send a line: all lines that answer it."""
    assert program.stdin is not None
    assert program.stdout is not None
    if typed == "quit":
        output, errors = program.communicate("quit\n")
        assert errors.startswith("compiling") or not errors
        return output
    searches = typed.startswith("go")
    program.stdin.write(f"{typed}\n" if searches else f"{typed}\n{WRONG_QUERY}\n")
    program.stdin.flush()
    lines = []
    for line in program.stdout:
        if line.strip() == LAST:
            break
        lines.append(line)
        if searches and line.startswith("bestmove "):
            break
    return "".join(lines)


def test_there_are_sessions() -> None:
    assert len(SESSIONS) >= 5


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the command `plyground` is this one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable), prepend=os.pathsep)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("session", sessions(PAGE), ids=lambda session: session.splitlines()[0])
def test_a_command_of_the_page_prints_what_is_shown(session: str) -> None:
    command, _, shown = session.partition("\n")
    ran = plyground(*shlex.split(command.removeprefix("$ plyground ")))
    assert ran.status == (2 if "plyground: " in shown else 0), ran
    check_output(session, ran.errors + ran.output)


@pytest.mark.usefixtures("folder")
def test_the_python_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks(PAGE, "python")
    exec(code, {})
    assert capsys.readouterr().out == "1-0 Red has four in a line\n"
