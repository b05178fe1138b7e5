"""Bad input of every kind: one clear line, exit status 2, and nothing on standard output."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from plyground.core.registry import game_names
from plyground.search.memory_limit import UNKNOWN, machine_memory
from tests.cli.runner import plyground, process, refusal
from tests.search.conformance.race_game import RACE


def game_file(folder: Path, old: str = "", new: str = "") -> Path:
    """The race with some of its text replaced."""
    assert old in RACE
    path = folder / "race.py"
    path.write_text(RACE.replace(old, new) if old else RACE, encoding="utf-8")
    return path


# Games


@pytest.mark.parametrize("verb", ["show", "play", "search", "check"])
def test_an_unknown_game_gets_a_suggestion(verb: str) -> None:
    assert refusal(verb, "breaktrough") == (
        "there is no game 'breaktrough'; did you mean 'breakthrough'?"
        " (a file of your own ends in .py)"
    )


def test_the_ending_of_a_file_that_is_there_is_suggested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "race.py").write_text(RACE, encoding="utf-8")
    assert "there is no game 'race'; did you mean 'race.py'?" in refusal("search", "race")


def test_a_game_like_no_other_gets_the_list() -> None:
    assert f"games: {', '.join(game_names())}" in refusal("search", "xyzzy")


def test_a_game_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "nothing.py"
    assert refusal("search", path) == f"cannot read {path}: No such file or directory"


def test_a_folder_instead_of_a_game_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "folder.py"
    path.mkdir()
    assert refusal("search", path) == f"cannot read {path}: Is a directory"


def test_a_syntax_error_is_told_with_its_line(tmp_path: Path) -> None:
    path = game_file(tmp_path, "return 4", "return = 4")
    assert refusal("search", path) == f"{path}:20: syntax error: invalid syntax"


def test_a_missing_function_is_told(tmp_path: Path) -> None:
    path = game_file(tmp_path, "def over(", "def ended(")
    assert refusal("play", path) == f"{path}: the game lacks over()"


def test_a_module_that_raises_is_told_with_its_line(tmp_path: Path) -> None:
    path = game_file(tmp_path, "class State(", "import no_such_module\n\n\nclass State(")
    assert refusal("show", path) == (
        f"{path}:6: ModuleNotFoundError: No module named 'no_such_module'"
    )


def test_a_rule_that_raises_is_told_with_its_line(tmp_path: Path) -> None:
    path = game_file(tmp_path, "return state.left == 0", "return state.lef == 0")
    assert refusal("search", path, "--depth", "3") == (
        f"{path}:30: over() raised AttributeError: 'State' object has no attribute 'lef'"
    )


@pytest.mark.parametrize("verb", ["search", "perft"])
def test_a_rule_that_cannot_be_compiled_is_told_in_terms_of_the_file(
    tmp_path: Path, verb: str
) -> None:
    path = game_file(
        tmp_path,
        "return State(state.first, state.second + move, state.left - 1, 0)",
        "return state._replace(second=state.second + move, left=state.left - 1, turn=0)",
    )
    assert refusal(verb, path, "--depth", "3") == (
        f"{path}:26: play() cannot be compiled: Unknown attribute '_replace' of type"
        " State(int x 4); write the whole state: State(...)"
    )


# Positions


@pytest.mark.parametrize("verb", [["show"], ["search"], ["perft", "--depth", "2"]])
def test_a_malformed_position_is_told(verb: list[str]) -> None:
    line = refusal(verb[0], "breakthrough", "bbb/3/www", *verb[1:])
    assert line.startswith("a position is its rows from the top and whose turn it is")


def test_a_malformed_position_in_a_file_is_told_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("nonsense here w\n")
    assert refusal("show", "breakthrough", path).startswith(f"{path}: a position is its rows")


def test_a_position_file_that_is_not_there_is_told() -> None:
    line = refusal("search", "breakthrough", "no_such_position.txt")
    assert line.startswith(
        "there is no file 'no_such_position.txt', and as a position: a position is its rows"
    )


def test_a_folder_instead_of_a_position_is_told(tmp_path: Path) -> None:
    assert refusal("show", "breakthrough", tmp_path) == f"cannot read {tmp_path}: Is a directory"


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_a_position_file_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("3/3/3 x")
    path.chmod(0)
    assert refusal("show", "tictactoe", path) == f"cannot read {path}: Permission denied"


def test_a_huge_position_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_bytes(b"x" * ((1 << 20) + 1))
    assert refusal("show", "tictactoe", path) == (
        f"{path} is too long: a position has less than a megabyte of text"
    )


def test_an_endless_file_is_refused_too() -> None:
    assert "is too long" in refusal("show", "tictactoe", "/dev/zero")


def test_a_file_that_is_not_text_is_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_bytes(b"3/3/3\n \xff x\n")
    assert refusal("show", "tictactoe", path) == f"{path}, line 2: this is not text in UTF-8"


def test_a_position_that_is_no_position_from_standard_input_is_told() -> None:
    assert refusal("show", "tictactoe", "-", typed="nothing").startswith("standard input: ")
    assert refusal("show", "tictactoe", "-", typed=b"\xff") == (
        "standard input, line 1: this is not text in UTF-8"
    )


def test_a_text_that_no_file_can_be_called_is_a_position() -> None:
    assert refusal("show", "breakthrough", "b" * 5000 + " w").startswith("5002 characters")
    assert "a position is its rows" in refusal("show", "breakthrough", "a\0b")


# Options and moves


def test_an_option_without_a_value_is_told() -> None:
    assert refusal("show", "breakthrough", "-o", "rows") == (
        "option 'rows': an option is NAME=VALUE, such as rows=8"
    )


def test_an_option_given_twice_is_told() -> None:
    assert refusal("show", "breakthrough", "-o", "rows=5", "-o", "rows=6") == (
        "option 'rows' is given twice"
    )


def test_an_unknown_option_is_told_with_those_there_are() -> None:
    assert refusal("show", "breakthrough", "-o", "size=8") == (
        "breakthrough has no option 'size'; its options: rows, columns"
    )


def test_an_option_of_the_wrong_kind_is_told() -> None:
    assert refusal("check", "breakthrough", "-o", "rows=many") == (
        "option rows must be a whole number, not 'many'"
    )


def test_an_illegal_move_is_told_with_its_number() -> None:
    line = refusal("search", "tictactoe", "--moves", "b2 b2")
    assert line.startswith("move 2 of --moves: 'b2' is not a legal move here; legal are a1, b1")


def test_a_move_after_the_end_is_told() -> None:
    line = refusal("show", "tictactoe", "--moves", "a1 a2 b1 b2 c1 c2")
    assert (
        line == "move 6 of --moves: the game is over (X has three in a line): no move can be played"
    )


# Limits

TIME = "seconds: a time is above 0 and at most 1000000000 seconds"
MEMORY = f"MiB: the table takes from 1 to {machine_memory()} MiB on this machine"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--depth", "0"], "depth 0: a depth is a whole number from 1 to 100000"),
        (["--depth", "-3"], "depth -3: a depth is a whole number from 1 to 100000"),
        (["--depth", "100001"], "depth 100001: a depth is a whole number from 1 to 100000"),
        (["--nodes", "0"], "0 nodes: a search visits at least 1"),
        (
            ["--nodes", "9" * 30],
            f"{'9' * 30} nodes: no search visits more than 1000000000000000000",
        ),
        (["--time", "0"], f"0.0 {TIME}"),
        (["--time", "-1"], f"-1.0 {TIME}"),
        (["--time", "nan"], f"nan {TIME}"),
        (["--time", "inf"], f"inf {TIME}"),
        (["--time", "1e300"], f"1e+300 {TIME}"),
        (["--memory", "0"], f"0 {MEMORY}"),
        (["--memory", "9999999999"], f"9999999999 {MEMORY}"),
        (["--algorithm", "monte-carlo", "--memory", "0"], f"0 {MEMORY}".replace("table", "tree")),
        (["--threads", "0"], "0 threads: a search takes from 1 to 256"),
        (["--lines", "0"], "0 lines: a search gives at least 1"),
        (
            ["--algorithm", "minimax", "--time", "1"],
            "time means nothing to minimax; it takes depth, nodes",
        ),
        (
            ["--algorithm", "alpha-beta", "--threads", "2"],
            "threads means nothing to alpha-beta; it takes none of its kind",
        ),
        (
            ["--algorithm", "monte-carlo", "--depth", "3"],
            "depth means nothing to monte-carlo; it takes nodes, time",
        ),
        (
            ["--algorithm", "monte-carlo", "--optimal"],
            "optimal means nothing to monte-carlo; it takes memory, seed",
        ),
    ],
)
def test_nonsense_limits_are_told(arguments: list[str], complaint: str) -> None:
    assert refusal("search", "tictactoe", *arguments) == complaint


def test_a_machine_that_does_not_tell_its_memory_is_trusted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(name: str) -> int:
        raise ValueError("unrecognized configuration name")

    monkeypatch.setattr(os, "sysconf", refuse)
    assert machine_memory() == UNKNOWN


def test_a_budget_that_does_not_suffice_is_told() -> None:
    line = refusal("search", "tictactoe", "-a", "minimax", "--depth", "5", "--nodes", "100")
    assert "100 nodes" in line


@pytest.mark.parametrize("verb", ["search", "play"])
def test_a_finished_game_is_told(verb: str) -> None:
    position = "xxx/oo1/3 o"
    where = ["--position", position] if verb == "play" else [position]
    assert refusal(verb, "tictactoe", *where) == (
        "the game is over (X has three in a line): nothing to search"
    )


@pytest.mark.parametrize("depth", ["-1", "1001"])
def test_a_perft_of_nonsense_depth_is_told(depth: str) -> None:
    assert refusal("perft", "tictactoe", "--depth", depth).startswith(f"depth {depth}: ")


def test_a_check_without_games_is_told() -> None:
    assert refusal("check", "tictactoe", "--games", "0") == (
        "0 games: it takes at least 1 to test with"
    )


# Files to write


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    path = tmp_path / "no folder" / "picture.svg"
    assert refusal("show", "tictactoe", "--svg", path) == (
        f"{path}: cannot write: No such file or directory"
    )


def test_what_belongs_to_a_record_is_refused_for_a_position() -> None:
    assert refusal("show", "tictactoe", "--ply", "3") == (
        "--ply goes with a recorded game, which is not what is shown here"
    )


def test_a_real_process_says_the_same(tmp_path: Path) -> None:
    program = process("search", "tictactoe", tmp_path)
    output, errors = program.communicate()
    assert program.returncode == 2
    assert output == ""
    assert errors == f"plyground: cannot read {tmp_path}: Is a directory\n"


def test_an_error_with_json_leaves_standard_output_empty() -> None:
    ran = plyground("search", "tictactoe", "nonsense", "--json")
    assert (ran.status, ran.output) == (2, "")
