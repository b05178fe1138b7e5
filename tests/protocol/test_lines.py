"""The words of single lines: scores, info, options."""

from __future__ import annotations

import pytest

from plyground.core.errors import FormatError
from plyground.core.registry import find_game
from plyground.core.values import WIN
from plyground.protocol.info import Info, read_info
from plyground.protocol.options import EngineOption, find_option, read_option
from plyground.protocol.scores import read_score, write_score

FIRST = find_game("tictactoe").start()
SECOND = FIRST.play("b2")
POINTS = find_game("slant").start()


@pytest.mark.parametrize(
    ("value", "first", "second"),
    [
        (35, "cp 35", "cp -35"),
        (WIN - 1, "mate 1", "mate -1"),
        (WIN - 5, "mate 3", "mate -3"),
        (4 - WIN, "mate -2", "mate 2"),
    ],
)
def test_a_score_is_that_of_the_side_to_move(value: int, first: str, second: str) -> None:
    assert write_score(FIRST, value) == first
    assert write_score(SECOND, value) == second


@pytest.mark.parametrize("value", [0, 17, -200, WIN - 3, 4 - WIN])
def test_a_score_can_be_read_back(value: int) -> None:
    """The winner makes the last move: its distance is odd for a win, even for a loss."""
    assert read_score(FIRST, write_score(FIRST, value).split()) == value
    assert read_score(SECOND, write_score(SECOND, -value).split()) == -value


def test_a_game_of_points_counts_hundredths_of_them() -> None:
    point = POINTS.game.rules.point
    assert write_score(POINTS, 3 * point) == "cp 300"
    assert read_score(POINTS, ["cp", "-250"]) == -2.5 * point


@pytest.mark.parametrize("words", ["", "cp", "cp x", "cp 1e9", "mate 99999999", "cp " + "9" * 99])
def test_what_makes_no_sense_is_no_score(words: str) -> None:
    assert read_score(FIRST, words.split()) is None


@pytest.mark.parametrize(
    ("line", "info"),
    [
        ("depth 5 seldepth 9 score cp 12 nodes 7 pv a1 depth 3", Info(5, 12)),
        ("depth 3 multipv 1 score cp 8 lowerbound", Info(3, 8)),
        ("depth 3 multipv 2 score cp 8", Info()),
        ("string depth 9 score cp 1", Info()),
        ("depth", Info()),
        ("depth -4", Info()),
        ("depth 1000000", Info()),
        ("currmove a1", Info()),
    ],
)
def test_what_a_line_of_info_says(line: str, info: Info) -> None:
    assert read_info(FIRST, line.split()) == info


OPTIONS = [
    EngineOption("Hash", "spin", "16", 1, 1024),
    EngineOption("Own Book", "check", "false"),
    EngineOption("Style", "combo", "Solid", choices=("Solid", "Very Risky")),
    EngineOption("Log File", "string", ""),
    EngineOption("Clear Hash", "button"),
]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_can_be_read_back(option: EngineOption) -> None:
    assert read_option(option.text.split()) == option
    assert find_option(OPTIONS, option.name.upper()) is option


@pytest.mark.parametrize("line", ["option", "option name Hash", "option type spin", "option name"])
def test_a_line_without_name_or_type_declares_no_option(line: str) -> None:
    assert read_option(line.split()) is None


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("hash", "2000", "option Hash must be a whole number from 1 to 1024, not '2000'"),
        ("hash", "much", "option Hash must be a whole number from 1 to 1024, not 'much'"),
        ("own book", "yes", "option Own Book must be true or false, not 'yes'"),
        ("style", "odd", "option Style must be one of Solid, Very Risky, not 'odd'"),
        ("clear hash", "now", "option Clear Hash must be without a value, not 'now'"),
        (
            "Book",
            "1",
            "there is no option 'Book'; options: Hash, Own Book, Style, Log File, Clear Hash",
        ),
    ],
)
def test_a_value_that_an_option_does_not_take(name: str, value: str, problem: str) -> None:
    with pytest.raises(FormatError) as error:
        find_option(OPTIONS, name).check(value)
    assert str(error.value) == problem


@pytest.mark.parametrize(
    ("name", "value"),
    [("Hash", "64"), ("Own Book", "true"), ("Style", "Very Risky"), ("Log File", "a b")],
)
def test_a_value_that_an_option_takes(name: str, value: str) -> None:
    assert find_option(OPTIONS, name).check(value) == value
