"""The page `docs/command-line.md` and the examples of the help: each command does as shown."""

from __future__ import annotations

import os
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from plyground.cli.main import VERBS
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from tests.classroom.small_suite import write_suite
from tests.cli.runner import plyground
from tests.docs.sessions import check_output, sessions
from tests.paths import ROOT

NIM = ROOT / "examples" / "nim.py"
PAGE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
TYPED = "b2\nhelp\nresign\n"
"""What is typed where the page plays a game."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all the files that the examples name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "position.txt").write_text("heaps=1,2,3 turn=0\n")
    (tmp_path / "games").mkdir()
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("session", sessions(PAGE), ids=lambda session: session.splitlines()[0])
def test_a_command_of_the_page_prints_what_is_shown(session: str) -> None:
    command, _, shown = session.partition("\n")
    words = shlex.split(command.removeprefix("$ plyground "))
    if words[:2] == ["show", "game.record"]:
        play("play tictactoe --algorithm minimax --depth 2 --record game.record")
    if words[:2] == ["grade", "derby"]:
        write_suite(Path("my_suite"))
        play("init derby")
    ran = plyground(*words, typed=TYPED)
    assert ran.status == (2 if "plyground: " in shown else 0)
    if shown:
        check_output(session, ran.errors + ran.output)


def play(command: str) -> None:
    assert plyground(*shlex.split(command), typed=TYPED).status == 0


def test_the_page_has_a_section_for_every_verb() -> None:
    assert re.findall(r"^## (\w+)$", PAGE, re.MULTILINE) == list(VERBS)
    for verb, summary in VERBS.items():
        words = summary[0].lower() + summary[1:].rstrip(".")
        assert f"| [`{verb}`](#{verb}) | {words} |" in PAGE


def test_the_page_explains_every_promise_that_is_checked() -> None:
    from plyground.search.conformance import compiled, names, rules

    explained = re.findall(r"^\| ([a-z, ]+) \| .* \|$", PAGE.partition("| the promise |")[2], re.M)
    listed = [name for row in explained for name in row.split(", ")]
    assert listed == ["contract", *rules.CHECKS, *names.CHECKS, *compiled.CHECKS]


def test_the_page_explains_every_field_of_a_result() -> None:
    document = plyground("search", "tictactoe", "--depth", "2", "--lines", "2", "--json").document
    fields = set(document) - {"game", "position"}
    rows = PAGE.partition("| field | meaning |")[2].partition("\n## ")[0]
    assert set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]*)\|", rows, re.M)))) == fields


ELSEWHERE = {
    "learn": "its examples learn for minutes: tests/learning/test_learning.py learns for seconds",
    "serve": "it goes on until it is interrupted: test_cli_serve.py does that",
    "grade": "its examples need players, a suite and a sandbox: test_cli_grade.py has them",
}
EXAMPLES = [
    example for verb in VERBS for example in import_module(f"plyground.cli.{verb}").EXAMPLES
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "example", [e for e in EXAMPLES if "--clear-cache" not in e and e.split()[1] not in ELSEWHERE]
)
def test_an_example_of_the_help_works(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Except clearing the cache, which has a test with its own cache, and the verbs whose examples
    are run elsewhere. As on a machine with one core, where no workers have to be started."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    if "show game.record" in example:
        start = find_game("tictactoe").start()
        GameRecord.from_moves(start, ["b2", "a1", "c1"]).save("game.record")
    words = shlex.split(example.removeprefix("plyground "))
    if words[0] == "results":
        play("match tictactoe perfect random --games 2 --workers 1")
    if words[0] != "new":
        words = [word.replace("my_game.py", str(NIM)) for word in words]
    ran = plyground(*words, typed="quit\n")
    out_of_time = words[0] == "solve" and "--time" in words
    assert ran.status == (1 if out_of_time else 0), ran
    assert "Traceback" not in ran.errors
