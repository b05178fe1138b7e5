"""The command itself: help, verbs, exit status, and how mistakes of every kind are told."""

from __future__ import annotations

import inspect
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from plyground import __version__
from plyground.cli.main import VERBS, main, one_line, run
from plyground.core.errors import PlygroundError
from tests.cli.runner import plyground, process, refusal

SLOW_MODULES = (
    *("numba", "numpy", "rich", "fastapi", "pydantic", "uvicorn"),
    *("plyground.search", "plyground.games", "plyground.web"),
)


def test_help_lists_every_verb() -> None:
    ran = plyground("--help")
    assert ran.status == 0
    for verb, summary in VERBS.items():
        assert re.search(rf"^  {verb} +{re.escape(summary)}$", ran.output, re.MULTILINE)


def test_the_version_is_told() -> None:
    assert plyground("--version").output == f"plyground {__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_explains_itself_with_examples(verb: str) -> None:
    ran = plyground(verb, "--help")
    module = import_module(f"plyground.cli.{verb}")
    assert ran.status == 0
    assert VERBS[verb] in ran.output
    for example in module.EXAMPLES:
        assert example.startswith(f"plyground {verb}")
        assert example in ran.output


@pytest.mark.parametrize("verb", VERBS)
def test_the_list_of_verbs_repeats_what_each_says_of_itself(verb: str) -> None:
    function = getattr(import_module(f"plyground.cli.{verb}"), verb)
    first_line = (inspect.getdoc(function) or "").splitlines()[0]
    assert first_line == VERBS[verb]


def test_help_loads_nothing_slow() -> None:
    """What a start takes is what it imports; the time itself is measured by the benchmarks."""
    code = (
        "import sys; from plyground.cli.main import run; run(['--help']); "
        "print('LOADED', *sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = ran.stdout.partition("LOADED")[2].split()
    slow = [
        name
        for name in loaded
        if any(name == slow or name.startswith(f"{slow}.") for slow in SLOW_MODULES)
    ]
    assert slow == []


def test_the_module_is_the_same_command() -> None:
    program = process("--version")
    output, errors = program.communicate()
    assert (program.returncode, output, errors) == (0, f"plyground {__version__}\n", "")


# Mistakes


def test_an_unknown_verb_gets_a_suggestion() -> None:
    assert refusal("serach") == "there is no verb 'serach'; did you mean 'search'?"


def test_a_verb_like_no_other_gets_the_list() -> None:
    assert refusal("xyzzy").startswith("there is no verb 'xyzzy'; verbs: serve, games,")


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        (["search"], "'GAME'"),
        (["search", "tictactoe", "--depht", "3"], "--depht"),
        (["search", "tictactoe", "--depth", "deep"], "--depth"),
        (["search", "tictactoe", "--depth", "2.5"], "whole number"),
        (["search", "tictactoe", "--time", "long"], "a number"),
        (["search", "tictactoe", "--algorithm", "luck"], "'luck'"),
        (["games", "slant", "extra"], "extra"),
        (["play", "tictactoe", "--side", "third"], "'third'"),
        (["perft", "tictactoe"], "--depth"),
    ],
)
def test_a_wrong_option_is_told_in_one_line_with_where_to_read_more(
    arguments: list[str], culprit: str
) -> None:
    line = refusal(*arguments)
    assert culprit in line
    assert line.endswith(f"; see plyground {arguments[0]} --help")


def test_a_message_is_one_line_that_no_terminal_can_misread() -> None:
    assert one_line("two\nlines \x1b[31mred\x07") == "two lines \\x1b[31mred\\x07"
    assert one_line("half \udc80 a character") == "half \\udc80 a character"


def test_a_name_with_control_characters_is_shown_harmlessly() -> None:
    assert "\x1b" not in refusal("search", "\x1b[31mgame")


def test_a_defect_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.cli.games.game_names", lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        run(["games"])


# Leaving


def test_an_interrupt_ends_quietly_with_its_own_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("plyground.cli.games.game_names", interrupt)
    ran = plyground("games")
    assert (ran.status, ran.output, ran.errors) == (130, "", "")


def test_an_interrupt_reaches_a_search_in_compiled_code() -> None:
    program = process("search", "breakthrough", "--time", "600")
    assert program.stderr is not None
    while program.stderr.readline().split()[:1] != ["3"]:
        assert program.poll() is None
    program.send_signal(signal.SIGINT)
    output, errors = program.communicate(timeout=60)
    assert program.returncode == 130
    assert output == ""
    assert "Traceback" not in errors


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("words", [["games"], ["games", "--json"], ["--help"]], ids=" ".join)
def test_a_full_disk_under_the_output_is_said_in_a_line(words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        program = subprocess.run(
            [sys.executable, "-m", "plyground", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert program.returncode == 2
    assert program.stderr == "plyground: cannot write the answer: No space left on device\n"


def test_a_closed_pipe_is_quiet() -> None:
    program = process("show", "tictactoe")
    assert program.stdout is not None
    program.stdout.close()
    assert program.stderr is not None
    errors = program.stderr.read()
    program.wait(timeout=60)
    assert program.returncode == 141
    assert "Traceback" not in errors
    assert "BrokenPipe" not in errors


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_was_closed_is_as_good_as_empty(closed: str) -> None:
    command = f'exec "$0" -m plyground play tictactoe --algorithm random {closed}'
    ran = subprocess.run(
        ["sh", "-c", command, sys.executable],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    if closed in ("<&-", "2>&-"):
        assert ran.stdout.endswith("the game is not finished; goodbye\n")


def test_the_entry_point_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["plyground", "--version"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0


def test_every_error_of_the_package_is_a_users_error() -> None:
    from plyground.core import errors

    found = [value for value in vars(errors).values() if isinstance(value, type)]
    assert all(issubclass(error, PlygroundError) for error in found)
