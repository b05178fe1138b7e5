"""`plyground search` and `plyground perft`: what is asked, and what is answered where."""

from __future__ import annotations

from pathlib import Path

import pytest

from plyground.cli.output import count_text, seconds_text
from plyground.core.registry import find_game
from plyground.search.textbook.algorithms import minimax
from tests.cli.runner import matches, plyground
from tests.paths import EXAMPLES


def test_the_answer_is_on_standard_output_and_the_way_there_on_standard_error() -> None:
    ran = plyground("search", "tictactoe", "--moves", "b2 b1", "--depth", "7")
    assert ran.status == 0
    assert matches(
        "move   ...\n"
        "value  X wins in 5 plies\n"
        "depth  ..., selectively ...\n"
        "nodes  ...\n"
        "time   ..., ... nodes a second\n"
        "line   ...",
        ran.output,
    ), ran.output
    lines = ran.errors.splitlines()
    assert lines[0].split() == ["depth", "value", "nodes", "time", "line"]
    depths = [int(line.split()[0]) for line in lines[1:]]
    assert depths == list(range(1, len(lines)))
    assert f"depth  {depths[-1]}, " in ran.output


def test_quiet_leaves_only_the_answer() -> None:
    assert plyground("search", "tictactoe", "--depth", "3", "--quiet").errors == ""


def test_json_is_one_document_with_all_that_is_known() -> None:
    document = plyground(
        "search", "tictactoe", "--depth", "9", "--features", "exact", "--json"
    ).document
    assert {"move", "value", "bound", "depth", "nodes", "seconds", "line", "optimal"} <= set(
        document
    )
    assert document["value"] == 0
    assert document["proven"]
    assert document["position"] == "3/3/3 x"


def test_an_evaluation_that_is_not_the_game_s_own_is_told() -> None:
    words = ("search", "tictactoe", "--depth", "2", "--quiet")
    assert "evaluation" not in plyground(*words).output
    assert plyground(*words, "--json").document["evaluation"] == "own"
    assert "\nevaluation  none\n" in plyground(*words, "--evaluation", "none").output + "\n"
    other = plyground(*words, "--evaluation", "none", "--json").document
    assert other["evaluation"] == "none"


def test_all_optimal_moves_are_told_on_request() -> None:
    arguments = [
        "search",
        "tictactoe",
        "x2/3/3 o",
        "--depth",
        "9",
        "--features",
        "exact",
        "--optimal",
    ]
    assert plyground(*arguments, "--json").document["optimal"] == ["b2"]
    assert "optimal  b2\n" in plyground(*arguments).output


def test_a_seed_chooses_among_equals_the_same_way_each_time() -> None:
    arguments = ["search", "tictactoe", "--depth", "9", "--optimal", "--json"]
    choices = [
        [plyground(*arguments, "--seed", str(seed)).document["move"] for _ in range(2)]
        for seed in range(6)
    ]
    assert all(first == second for first, second in choices)
    assert len({first for first, _ in choices}) > 1


def test_the_best_lines_are_listed_in_order() -> None:
    arguments = ["search", "tictactoe", "--moves", "b2 b1", "--depth", "4", "--lines", "3"]
    document = plyground(*arguments, "--json").document
    values = [line["value"] for line in document["lines"]]
    assert len(values) == 3
    assert values == sorted(values, reverse=True)
    table = plyground(*arguments).output.partition("\n\n")[2]
    assert table.split()[:2] == ["value", "line"]


@pytest.mark.parametrize("algorithm", ["engine", "minimax", "alpha-beta"])
def test_every_exact_algorithm_finds_the_value_of_minimax(algorithm: str) -> None:
    position = find_game("tictactoe").position("xo1/3/3 x")
    expected = minimax(position, 3).value
    extra = ["--features", "exact"] if algorithm == "engine" else []
    arguments = ["search", "tictactoe", position.text, "--depth", "3", "--algorithm", algorithm]
    document = plyground(*arguments, *extra, "--json").document
    assert (document["value"], document["depth"]) == (expected, 3)


def test_features_are_chosen_by_name_and_make_a_difference() -> None:
    arguments = ("search", "breakthrough", "--depth", "6", "--json")
    nodes = [
        plyground(*arguments, "--features", names).document["nodes"]
        for names in ("none", "table, noisy-first", "exact")
    ]
    assert nodes == sorted(nodes, reverse=True)
    assert len(set(nodes)) == 3


def test_a_feature_that_there_is_not_is_told_with_those_that_there_are() -> None:
    for algorithm, names, message in (
        ("engine", "table,magic", "the engine has no feature 'magic'; none, table, killers,"),
        ("minimax", "table", "features means nothing to minimax"),
    ):
        ran = plyground("search", "tictactoe", "-a", algorithm, "--features", names)
        assert ran.status == 2
        assert message in ran.errors


def test_monte_carlo_finds_a_win_in_one() -> None:
    ran = plyground(
        "search", "tictactoe", "xx1/oo1/3 x", "-a", "monte-carlo", "--nodes", "2000", "--json"
    )
    assert ran.document["move"] == "c3"


def test_without_a_limit_minimax_looks_three_moves_ahead() -> None:
    assert plyground("search", "tictactoe", "-a", "minimax", "--json").document["depth"] == 3


def test_a_node_limit_stops_a_search() -> None:
    document = plyground("search", "breakthrough", "--nodes", "5000", "--json").document
    assert document["nodes"] < 10_000


def test_a_game_of_ones_own_is_searched_from_a_file(tmp_path: Path) -> None:
    position = tmp_path / "position.txt"
    position.write_text("heaps=1,2,0 turn=0\n")
    document = plyground("search", EXAMPLES / "nim.py", position, "--depth", "9", "--json").document
    assert document["move"] == "b1"  # leaves equal heaps
    assert document["value_text"] == "First wins in 3 plies"


# Perft


def test_perft_counts() -> None:
    assert matches("perft 4: 3,024 (...)", plyground("perft", "tictactoe", "--depth", "4").output)
    assert matches("perft 0: 1 (...)", plyground("perft", "tictactoe", "-d", "0").output)


def test_perft_of_a_finished_game_is_nothing() -> None:
    ran = plyground("perft", "tictactoe", "xxx/oo1/3 o", "--depth", "1")
    assert matches("perft 1: 0 (...)", ran.output)


def test_perft_divided_by_first_move_adds_up() -> None:
    ran = plyground("perft", "tictactoe", "--depth", "6", "--divide")
    counts = [int(line.split()[1].replace(",", "")) for line in ran.output.splitlines()[:-1]]
    assert len(counts) == 9
    assert sum(counts) == 54_720
    assert ran.errors == ""


def test_perft_as_json() -> None:
    document = plyground("perft", "tictactoe", "--depth", "2", "--divide", "--json").document
    assert document["count"] == 72
    assert document["divide"] == dict.fromkeys(
        ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"], 8
    )


# Numbers for people


def test_counts_are_told_with_three_figures() -> None:
    counts = [0, 7, 999, 1000, 12_345, 999_999, 4_560_000, 2.5e12]
    assert [count_text(count) for count in counts] == [
        "0",
        "7",
        "999",
        "1 k",
        "12.3 k",
        "1 M",
        "4.56 M",
        "2500 G",
    ]


def test_times_are_told_in_the_unit_that_suits_them() -> None:
    times = [0.0, 0.0001, 0.0123, 0.9999, 59.9, 61.0, 3600.0]
    assert [seconds_text(time) for time in times] == [
        "0 ms",
        "0.1 ms",
        "12.3 ms",
        "1.00 s",
        "59.90 s",
        "1 min 1 s",
        "60 min 0 s",
    ]
