"""Tic-tac-toe: the rules, the notation, the evaluation."""

from __future__ import annotations

import pytest

from plyground.core.errors import FormatError
from plyground.core.game import Position
from plyground.core.registry import find_game
from tests.games.perft_data import read_counts

game = find_game("tictactoe")


def at(text: str) -> Position:
    return game.position(text)


def test_the_first_player_is_x_and_fills_a_cell() -> None:
    position = game.start().play("b2")
    assert position.text == "3/1x1/3 o"
    assert position.play("a1").text == "3/1x1/o2 x"


@pytest.mark.parametrize(
    "text",
    [
        *("xxx/oo1/3 o", "oo1/xxx/3 o", "oo1/3/xxx o"),
        *("xo1/xo1/x2 o", "ox1/ox1/1x1 o", "1ox/o1x/2x o"),
        *("xo1/ox1/2x o", "2x/ox1/xo1 o"),
    ],
)
def test_each_of_the_eight_lines_wins(text: str) -> None:
    assert at(text).outcome.winner == 0
    assert at(text).outcome.reason == "X has three in a line"


def test_o_can_win_too() -> None:
    outcome = at("ooo/xx1/x2 x").outcome
    assert outcome.winner == 1
    assert outcome.utility == -1
    assert outcome.reason == "O has three in a line"


def test_a_full_grid_without_a_line_is_a_draw() -> None:
    outcome = at("xox/xox/oxo o").outcome
    assert outcome.winner is None
    assert outcome.reason == "the grid is full"


def test_the_last_cell_may_complete_a_line() -> None:
    assert at("xox/oxo/xox o").outcome.winner == 0


def test_the_tree_has_255168_games() -> None:
    """A position at depth d that is not over has 9 - d moves; all others are finished games."""
    start = game.start().text
    counts = {
        line.depth: line.positions for line in read_counts("tictactoe") if line.position == start
    }
    counts |= {0: 1, 10: 0}
    assert all(counts[depth + 1] % (9 - depth) == 0 for depth in range(9))
    going_on = {depth: counts[depth + 1] // (9 - depth) for depth in range(9)} | {9: 0}
    assert sum(counts[depth] - going_on[depth] for depth in range(10)) == 255_168


def test_the_tree_has_5478_positions() -> None:
    seen, fresh = set(), {game.start()}
    while fresh:
        seen |= fresh
        fresh = {child for position in fresh for _, child in position.children()} - seen
    assert len(seen) == 5_478
    assert len({position.key for position in seen}) == len(seen)


def test_moves_that_complete_or_stop_a_line_are_noisy() -> None:
    position = at("xx1/oo1/3 x")
    noise = {
        position.move_text(move): game.rules.noisy(position.board, position.state, move)
        for move in position.legal_moves
    }
    assert noise == {"a1": 0, "b1": 0, "c1": 0, "c2": 1, "c3": 2}


def test_the_evaluation_is_the_textbooks() -> None:
    """3 X2 + X1 - (3 O2 + O1), where Xn counts lines with n X and no O."""
    assert game.start().evaluation == 0
    assert at("3/1x1/3 o").evaluation == 4
    assert at("o2/1x1/3 x").evaluation == 3 - 2
    assert at("o2/1x1/2x o").evaluation == 5 - 2
    assert at("xx1/1o1/3 o").evaluation == (3 + 1) - 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("3/3/3", "a position is its rows from the top and whose turn it is, like 'o2/1x1/3 x'"),
        ("3/3/3 w", "a position is its rows from the top and whose turn it is"),
        ("3/3 x", "2 rows of 3 cells: the grid has 3 rows of 3"),
        ("4/4/4 x", "3 rows of 4 cells: the grid has 3 rows of 3"),
        ("3/2/3 x", r"row 2 from the top \('2'\) has 2 cells, the first has 3"),
        ("3/1z1/3 x", "row 2 from the top: 'z' is neither x, o nor a number of empty cells"),
        ("3/1x1/3 x", "1 x and 0 o with X to move: .* there must be as many x as o"),
        ("3/3/3 o", "0 x and 0 o with O to move: .* there must be one more x than o"),
        ("xxx/ooo/3 x", "both sides have three in a line"),
        ("xxx/oo1/o2 x", "X has three in a line, so the game ended before O made the last move"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        at(text)


def test_a_long_text_is_refused_unread() -> None:
    with pytest.raises(FormatError, match="1000000 characters are more than any position has"):
        at("x" * 1_000_000)


def test_a_wide_row_is_refused() -> None:
    with pytest.raises(FormatError, match="row 1 from the top has more cells than any board"):
        at("99999/3/3 x")


def test_empty_cells_may_be_dots() -> None:
    assert at("x.o/.../... x") == at("x1o/3/3 x")


def test_the_winning_line_is_struck_through() -> None:
    assert at("xxx/oo1/3 o").svg().count("<line ") == 1
    assert at("xox/oxo/xox o").svg().count("<line ") == 2
    assert at("xox/xox/oxo o").svg().count("<line ") == 0
