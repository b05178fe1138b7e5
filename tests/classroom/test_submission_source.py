"""What a student's file defines is found out without harm, whatever is in the file."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.classroom.interfaces import source
from plyground.classroom.interfaces.source import defined_names, top_level_names

MEASURED = """
import re, resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
names = runpy.run_path(sys.argv[1])["top_level_names"]
print(sorted(names("import a" + ".a" * 60_000 + "\\ndef choose(position, clock): pass")))
print(int(re.search("VmHWM: *[\\t ]*([0-9]+)", open("/proc/self/status").read())[1]) >> 10)
"""
"""Linux alone counts the most memory of this program, and not of the one that started it."""


@pytest.fixture(autouse=True)
def nothing_is_known_yet() -> Iterator[None]:
    top_level_names.cache_clear()
    yield
    top_level_names.cache_clear()


def test_a_file_that_takes_all_memory_to_parse_takes_none_of_the_graders() -> None:
    """The names are then those that the text seems to define."""
    ran = subprocess.run(
        [sys.executable, "-c", MEASURED, source.__file__],
        capture_output=True,
        text=True,
        check=True,
    )
    names, mebibytes = ran.stdout.split("\n")[:2]
    assert names == "['choose']"
    assert int(mebibytes) < 100


def test_a_file_that_takes_a_minute_to_parse_is_given_up_before() -> None:
    hostile = "def choose(position, clock): pass\nx = f'" + "{a}" * 150_000 + "'"
    before = os.times()
    assert top_level_names(hostile) == {"choose"}
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    assert used < 2 * source.MOST_SECONDS, "CPU time of the parser"


def test_a_long_table_is_parsed_to_its_end() -> None:
    table = "x = [1, 2, 3, 4, 5, 6, 7]\n" * 20_000
    assert top_level_names(f"{table}choose = print") == {"x", "choose"}


def test_a_file_is_parsed_once_however_often_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert top_level_names("choose = print") == {"choose"}
    monkeypatch.setattr(subprocess, "run", None)
    assert top_level_names("choose = print") == {"choose"}


@pytest.mark.parametrize("program", ["", "/nowhere/python", "false", "true", "cat"])
def test_where_no_parser_can_be_run_the_text_itself_is_judged(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    assert top_level_names("choose = print\nclass Agent: pass") == {"Agent"}


def test_a_parser_that_does_not_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = tmp_path / "endless.py"
    endless.write_text("import time\ntime.sleep(600)\n")
    monkeypatch.setattr(source, "__file__", str(endless))
    monkeypatch.setattr(source, "PATIENCE", 0.3)
    assert top_level_names("class Agent: pass") == {"Agent"}


def test_a_file_is_parsed_where_limits_cannot_be_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = Path(source.__file__).read_text("utf-8")
    elsewhere = tmp_path / "source.py"
    for here, there in (
        ('sys.platform != "linux"', 'sys.platform != "another system"'),
        ("import resource", "import a_module_that_is_not_there"),
    ):
        assert here in text
        text = text.replace(here, there)
    elsewhere.write_text(text)
    monkeypatch.setattr(source, "__file__", str(elsewhere))
    assert top_level_names("choose = print") == {"choose"}


@pytest.mark.parametrize(
    "text", ["# coding: latin-1\nchoosé = 1", "choosé = 1\r\n", "if 1:\r\n  choosé = 1"]
)
def test_letters_and_the_ends_of_lines_reach_the_parser_as_they_are(text: str) -> None:
    assert top_level_names(text) == {"choosé"}


def test_half_a_character_is_no_harm() -> None:
    assert top_level_names("class Agent: pass\nx = '\ud800'") == {"Agent"}


@pytest.mark.parametrize(
    "text",
    [
        *("async" + " " * 500_000, "def" + "\t" * 500_000 + "(", "def \n" * 100_000),
        *("async " * 80_000, "def a" * 100_000, "\n" * 500_000, "class " + "a" * 500_000),
    ],
    ids=range(7),
)
def test_no_text_takes_long_to_look_through(text: str) -> None:
    start = time.process_time()
    assert len(defined_names(text)) <= 1
    assert time.process_time() - start < 1
