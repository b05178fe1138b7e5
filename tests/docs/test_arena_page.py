"""The page `docs/arena.md`: commands print what is shown, and the tables are those of a store."""

from __future__ import annotations

import re
import shlex
import sqlite3
from pathlib import Path

import pytest

from plyground.arena.store import VERSION, Store
from tests.cli.runner import plyground
from tests.docs.sessions import blocks, check_output, sessions
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")


def test_the_commands_of_the_page_print_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after the other: later ones find the games of earlier ones."""
    monkeypatch.chdir(tmp_path)
    for session in sessions(PAGE):
        command, _, shown = session.partition("\n")
        ran = plyground(*shlex.split(command.removeprefix("$ plyground ")))
        assert ran.status == (2 if "plyground: " in shown else 0), ran
        check_output(session, ran.errors + ran.output)


def test_the_python_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = blocks(PAGE, "python")
    exec(code, {})
    assert re.fullmatch(r"\+\d+\.\d ± \d+\.\d\n", capsys.readouterr().out)


def test_the_page_names_every_table_and_column(tmp_path: Path) -> None:
    Store(tmp_path / "a.db").close()
    assert f"`PRAGMA user_version` is {VERSION}" in PAGE
    with sqlite3.connect(tmp_path / "a.db") as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE sql > ''")]
        rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE.partition("| table |")[2], re.M))
        assert list(rows) == tables
        columns = [row[1] for row in file.execute("PRAGMA table_info(games)")]
        for column in columns[1:]:
            assert f"`{column}`" in rows["games"], column
