"""`plyground lab`: tables, files, plots, Ctrl-C, and every mistake in one line."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from plyground.cli.lab_results import read_numbers
from plyground.core.errors import FormatError
from tests.cli.runner import plyground, refusal

PRUNING = ("lab", "pruning", "tictactoe", "--depths", "1-3", "--runs", "3")
DEPTH = ("lab", "depth", "tictactoe", "--times", "0.005,0.01")


# Pruning


def test_a_table_has_a_row_for_each_depth_and_a_column_for_each_algorithm() -> None:
    ran = plyground(*PRUNING)
    assert ran.status == 0
    lines = ran.output.splitlines()
    assert lines[0].split() == ["game", "tictactoe"]
    heading = lines.index(next(line for line in lines if line.startswith("depth")))
    assert lines[heading].split()[1:] == [
        "minimax",
        "alpha-beta",
        "ordering",
        "table",
        "engine",
        "factor",
    ]
    rows = lines[heading + 2 :]
    assert [row.split()[0] for row in rows] == ["1", "2", "3"]
    assert rows[2].split()[1] == "586"
    assert "±" in rows[2]


def test_the_document_tells_everything(tmp_path: Path) -> None:
    document = plyground(
        *PRUNING, "--games", "--shuffle", "max", "--valuation", "plain", "--window", "-2,2",
        "--cut", "past", "--longest", "20", "--seed", "9", "--algorithms", "alpha-beta", "--json",
        "--csv", tmp_path / "rows.csv",
    ).document  # fmt: skip
    rows = document.pop("rows")
    assert document == {
        "experiment": "pruning",
        "preset": None,
        "game": "tictactoe",
        "position": "3/3/3 x",
        "what": "games",
        "runs": 3,
        "shuffle": "max",
        "valuation": "plain",
        "window": [-2, 2],
        "cut": "past",
        "longest": 20,
        "seed": 9,
        "complete": True,
    }
    assert [(row["depth"], row["algorithm"], row["runs"]) for row in rows] == [
        (depth, "alpha-beta", 3) for depth in (1, 2, 3)
    ]
    with (tmp_path / "rows.csv").open() as file:
        assert [row["states"] for row in csv.DictReader(file)] == [
            str(row["states"]) for row in rows
        ]


def test_the_preset_stands_beside_what_was_published() -> None:
    ran = plyground("lab", "pruning", "--preset", "blocker-2023", "--depths", "8", "--runs", "30")
    assert ran.status == 0
    assert "shuffle max, valuation asking, window -2,2, cut at, seed 0" in ran.output
    assert "5,696  yes" in ran.output
    assert "624  yes" in ran.output
    assert "2 of 2 published means agree" in ran.output


def test_the_game_may_be_named_with_the_preset() -> None:
    options = ("--preset", "blocker-2023", "--depths", "5", "--runs", "2", "--json")
    document = plyground("lab", "pruning", "blocker", *options).document
    assert document["preset"] == "blocker-2023"
    assert {row["algorithm"]: row["published"] for row in document["rows"]} == {
        "minimax": None,
        "alpha-beta": None,
        "engine": None,
    }


def test_a_detail_given_beside_the_preset_replaces_the_presets() -> None:
    ran = plyground(
        "lab", "pruning", "--preset", "blocker-2023", "--depths", "8", "--runs", "60",
        "--valuation", "plain", "--algorithms", "minimax",
    )  # fmt: skip
    assert "valuation plain" in ran.output
    assert "0 of 1 published means agree" in ran.output


def test_one_run_can_neither_agree_nor_disagree() -> None:
    ran = plyground(
        "lab", "pruning", "--preset", "blocker-2023", "--depths", "6", "--shuffle", "none",
        "--algorithms", "minimax", "--longest", "30",
    )  # fmt: skip
    assert "?" in ran.output
    assert "0 of 0 published means agree" in ran.output


def test_games_that_were_given_up_are_told() -> None:
    ran = plyground(
        "lab", "pruning", "blocker", "--option", "board=board1", "--games", "--depths", "1",
        "--shuffle", "none", "--valuation", "plain", "--algorithms", "minimax", "--longest", "40",
    )  # fmt: skip
    assert "games given up after 40 moves: minimax 1 of 1\n" in ran.output


# Depth


def test_depth_has_a_row_for_each_feature_and_a_column_for_each_time(tmp_path: Path) -> None:
    ran = plyground(*DEPTH, "--csv", tmp_path / "rows.csv")
    assert ran.status == 0
    lines = ran.output.splitlines()
    heading = lines.index(next(line for line in lines if line.startswith("search")))
    assert lines[heading].split() == ["search", "0.005", "s", "0.01", "s", "solved"]
    names = [line.split("  ")[0] for line in lines[heading + 2 :]]
    assert names[:2] == ["alpha-beta", "+ table"]
    assert names[-1] == "+ futility"
    with (tmp_path / "rows.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 2 * len(names)


def test_positions_can_be_given_or_drawn() -> None:
    given = plyground(*DEPTH, "3/1x1/3 o", "x2/1o1/3 x", "--json").document
    assert given["positions"] == ["3/1x1/3 o", "x2/1o1/3 x"]
    assert all(row["positions"] == 2 for row in given["rows"])
    drawn = plyground(*DEPTH, "--positions", "3", "--seed", "4", "--json").document
    again = plyground(*DEPTH, "--positions", "3", "--seed", "4", "--json").document
    assert drawn["positions"] == again["positions"]
    assert len(drawn["positions"]) == 3


# Plots


@pytest.mark.parametrize("command", [PRUNING, DEPTH], ids=["pruning", "depth"])
def test_a_plot_is_a_picture(command: tuple[str, ...], tmp_path: Path) -> None:
    png, svg = tmp_path / "plot.png", tmp_path / "plot.svg"
    ran = plyground(*command, "--plot", png)
    assert ran.status == 0
    assert ran.errors == f"plot written to {png}\n"
    assert png.read_bytes().startswith(b"\x89PNG")
    assert plyground(*command, "--plot", svg).status == 0
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")


def test_the_same_results_give_the_same_plot(tmp_path: Path) -> None:
    plots = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for plot in plots:
        plyground(*PRUNING, "--plot", plot)
    assert plots[0].read_bytes() == plots[1].read_bytes()


def test_published_means_are_in_the_plot(tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    options = ("--preset", "blocker-2023", "--runs", "2", "--plot", str(plot))
    plyground("lab", "pruning", *options, "--depths", "6,7", "--algorithms", "engine,alpha-beta")
    assert "<!-- published -->" in plot.read_text()


def test_a_plot_without_matplotlib_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    line = refusal(*PRUNING, "--plot", "plot.png")
    assert line == "a plot takes matplotlib, which is not installed"


# Ctrl-C


def interrupted_after(count: int) -> Callable[..., Any]:
    """A stand-in for `interruptible` under which Ctrl-C is pressed after so many results."""
    left = count

    def work_or_stop(work: Callable[[], Any]) -> Any:
        nonlocal left
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
        return work()

    return work_or_stop


def test_ctrl_c_keeps_what_was_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("plyground.cli.lab_results.interruptible", interrupted_after(3))
    ran = plyground(*PRUNING, "--csv", tmp_path / "rows.csv")
    assert ran.status == 130
    assert "interrupted: these are the runs that were finished" in ran.output
    with (tmp_path / "rows.csv").open() as file:
        assert [(row["algorithm"], row["runs"]) for row in csv.DictReader(file)] == [
            ("minimax", "1"),
            ("alpha-beta", "2"),
        ]


def test_ctrl_c_keeps_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.cli.lab_results.interruptible", interrupted_after(2))
    ran = plyground(*DEPTH)
    assert ran.status == 130
    assert "+ table" in ran.output
    assert "+ killers" not in ran.output
    assert "interrupted: these are the searches that were finished" in ran.output


def test_ctrl_c_before_the_first_result_leaves_an_empty_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for command in (PRUNING, DEPTH):
        monkeypatch.setattr("plyground.cli.lab_results.interruptible", interrupted_after(0))
        ran = plyground(*command, "--plot", tmp_path / "plot.png", "--json")
        assert ran.status == 130
        assert ran.document["rows"] == []
        assert ran.document["complete"] is False
        assert not (tmp_path / "plot.png").exists()


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("pruning", "of which game? Give its name, or a --preset"),
        ("pruning checkers", "there is no game 'checkers'; "),
        ("pruning tictactoe --depths deep", "--depths 'deep': write whole numbers, such as 1-6"),
        ("pruning tictactoe --depths 0-3", "depth 0: it must be from 1 to 100"),
        ("pruning tictactoe --depths 3-1", "--depths '3-1': from 3 to 1 is no range to measure"),
        ("pruning tictactoe --runs 0", "runs 0: it must be from 1 to 1000000"),
        ("pruning tictactoe --seed -1", "seed -1: it must be from 0 to "),
        ("pruning tictactoe --window 2", "--window '2': write two whole numbers, such as -2,2"),
        ("pruning tictactoe --window 2,-2", "window 2,-2: alpha must be less than beta"),
        ("pruning tictactoe --algorithms luck", "there is no algorithm 'luck' to count; there are"),
        (
            "pruning tictactoe --algorithms minimax,minimax",
            "--algorithms 'minimax,minimax': 'minimax' is given twice",
        ),
        (
            "pruning tictactoe --valuation asking",
            "valuation asking is for blocker alone: tictactoe has no such states",
        ),
        ("pruning tictactoe --shuffle some", "invalid value for '--shuffle': 'some' is not one of"),
        ("pruning tictactoe --longest 5", "--longest is about whole games: give --games as well"),
        ("pruning tictactoe --games --longest 0", "longest 0: it must be from 1 to 100000"),
        (
            "pruning tictactoe --preset blocker-2023",
            "--preset blocker-2023 is about the start of blocker on a board of its own: it takes",
        ),
        ("pruning --preset blocker-1823", "invalid value for '--preset': 'blocker-1823' is not"),
        ("pruning tictactoe --plot plot.pdf", "cannot plot to plot.pdf: the name must end in .png"),
        (
            "pruning tictactoe --csv no/rows.csv",
            "cannot write no/rows.csv: there is no such folder",
        ),
        ("pruning tictactoe --csv .", "cannot write .: it is a folder"),
        ("pruning tictactoe xxx/oo1/3+o", "the game is over (X has three in a line): nothing to"),
        ("depth", "missing argument 'GAME'; see plyground lab depth --help"),
        ("depth tictactoe --times soon", "--times 'soon': write seconds, such as 0.05,0.1,1"),
        ("depth tictactoe --times nan", "time nan: a time is more than 0 and at most 3600 seconds"),
        ("depth tictactoe --times 0,1", "time 0: a time is more than 0 and at most 3600 seconds"),
        (
            "depth tictactoe --seed 3",
            "--seed is for random positions: say how many with --positions",
        ),
        ("depth tictactoe --positions 0", "0 positions: there can be from 1 to 10000"),
        (
            "depth tictactoe --positions 2 3/3/3+x 3/3/3+x",
            "--positions starts its random games from one position, not from several",
        ),
        ("depth tictactoe --memory 0", "0 MiB: a set of 11 tables takes from 1 to"),
        ("depth tictactoe xxx/oo1/3+o", "position 1: the game is over (X has three in a line)"),
        ("xyzzy", "no such command 'xyzzy'; see plyground lab --help"),
    ],
)
def test_a_mistake_is_told_in_one_line(arguments: str, line: str) -> None:
    words = [word.replace("+", " ") for word in arguments.split()]
    assert refusal("lab", *words).startswith(line)


def test_lab_alone_is_a_call_for_help() -> None:
    assert plyground("lab").output == plyground("lab", "--help").output


@pytest.mark.parametrize("verb", ["pruning", "depth"])
def test_an_experiment_explains_itself_with_examples(verb: str) -> None:
    ran = plyground("lab", verb, "--help")
    assert ran.status == 0
    assert f"  plyground lab {verb}" in ran.output


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("4", (4,)), ("1-3", (1, 2, 3)), ("6,2,4-5", (2, 4, 5, 6)), (" 1 - 2 , 2", (1, 2))],
)
def test_numbers_are_listed_as_people_list_them(text: str, numbers: tuple[int, ...]) -> None:
    assert read_numbers("depths", text) == numbers


@pytest.mark.parametrize("text", ["", "1-", "-1", "1,,2", "1.5", "9" * 30, "1-999999", "٣"])
def test_other_numbers_are_refused(text: str) -> None:
    with pytest.raises(FormatError, match="--depths"):
        read_numbers("depths", text)


def test_a_file_can_be_read_by_whoever_may_read_the_users_files(tmp_path: Path) -> None:
    new, old = tmp_path / "new.csv", tmp_path / "old.csv"
    old.touch(mode=0o600)
    (tmp_path / "usual").touch()
    for path in (new, old):
        plyground(*PRUNING, "--csv", path)
    assert new.stat().st_mode == (tmp_path / "usual").stat().st_mode
    assert old.stat().st_mode & 0o777 == 0o600
