"""Connect Four: the rules on any board, the notation, the evaluation."""

from __future__ import annotations

import pytest

from plyground.core.errors import FormatError, IllegalMove
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.games.connectfour.rules import DECISIVE, LINE, THREAT, has_four, make_board
from tests.games.naive_classics import in_line
from tests.random_play import random_game

game = find_game("connectfour")

SIZES = [(6, 7), (4, 4), (1, 26), (2, 21), (3, 9), (9, 4), (19, 3), (15, 4), (7, 8), (4, 12)]


def at(text: str) -> Position:
    return game.position(text)


# Moves


def test_discs_pile_up() -> None:
    position = game.start().play("d").play("d").play("c")
    assert position.text == "7/7/7/7/3y3/2rr3 y"


def test_a_column_goes_by_its_letter_or_its_number() -> None:
    position = game.start()
    assert position.play("a") == position.play("1") == position.play("A")
    assert position.play("g") == position.play("7")


@pytest.mark.parametrize("text", ["h", "0", "8", "99", "-1", "aa", "é", "²", ""])
def test_what_is_no_column_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match="legal are d, c, e, b, f, a, g"):
        game.start().play(text)


def test_a_full_column_takes_no_disc() -> None:
    position = game.start()
    for _ in range(6):
        position = position.play("d")
    with pytest.raises(IllegalMove, match="'d' is not a legal move here; legal are c, e, b"):
        position.play("d")


def test_the_middle_is_tried_first() -> None:
    position = game.start()
    assert position.line_text(position.legal_moves) == ("d", "c", "e", "b", "f", "a", "g")


def test_moves_that_complete_or_stop_a_line_are_noisy() -> None:
    position = at("7/7/7/7/yyy4/rrr4 r")
    noise = {
        position.move_text(move): game.rules.noisy(position.board, position.state, move)
        for move in position.legal_moves
    }
    assert noise == {"d": 2, "c": 0, "e": 0, "b": 0, "f": 0, "a": 0, "g": 0}
    forced = at("7/7/7/7/7/yrrr2y y")
    assert [forced.move_text(m) for m in forced.legal_moves if forced.is_noisy(m)] == ["e"]


# Boards


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_a_line_is_found_exactly_where_there_is_one(rows: int, columns: int) -> None:
    board = make_board(rows, columns)
    for line in all_lines(rows, columns):
        assert has_four(board, sum(1 << column * (rows + 1) + row for row, column in line))
    for seed in range(8):
        for position in random_game(game, seed, {"rows": rows, "columns": columns}):
            grid = [list(row) for row in expanded(position.text)]
            assert has_four(board, position.state.red) == in_line(grid, "r", 4)
            assert has_four(board, position.state.yellow) == in_line(grid, "y", 4)


def all_lines(rows: int, columns: int) -> list[list[tuple[int, int]]]:
    lines = [
        [(row + step * up, column + step * right) for step in range(4)]
        for row in range(rows)
        for column in range(columns)
        for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1))
    ]
    return [line for line in lines if all(0 <= r < rows and 0 <= c < columns for r, c in line)]


def expanded(text: str) -> list[str]:
    """The rows of a position's text with every empty cell written out."""
    rows = []
    for row in text.split()[0].split("/"):
        cells, number = "", ""
        for mark in row + " ":
            if mark.isdigit():
                number += mark
            else:
                cells, number = cells + "." * int(number or 0) + mark.strip(), ""
        rows.append(cells)
    return rows


@pytest.mark.parametrize("direction", ["rows", "columns"])
@pytest.mark.parametrize("size", [-1, 0, 27, 100])
def test_a_board_that_does_not_fit_is_refused(direction: str, size: int) -> None:
    with pytest.raises(FormatError, match="at least 4 of one and 1 of the other, at most 19 rows"):
        game.start({direction: size})


@pytest.mark.parametrize("text", ["3/3/3 r", "9/9/9/9/9/9/9 r", "27/27 r", 19 * "1/" + "1 r"])
def test_a_position_on_a_board_that_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match=r"a board of .* are possible"):
        at(text)


# Ends


def test_four_in_a_line_win() -> None:
    for text, winner in (
        ("7/7/7/7/yyy4/rrrr3 y", 0),
        ("7/7/r6/ry5/ry5/ry5 y", 0),
        ("7/7/3r3/2ry3/1ryr3/ryyyr2 y", 0),
        ("7/7/7/7/rrr4/yyyyr2 r", 1),
    ):
        outcome = at(text).outcome
        assert outcome.winner == winner
        assert outcome.reason == f"{game.players[winner]} has four in a line"


def test_a_full_board_without_a_line_is_a_draw() -> None:
    outcome = at("yyyryyy/rrryrrr/yyyryyy/rrryrrr/yyyryyy/rrryrrr r").outcome
    assert outcome.winner is None
    assert outcome.reason == "the board is full"


# Positions


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("7/7/7/7/3r3/7 y", "the disc in column d, row 2 from the bottom, hangs in the air"),
        ("7/7/7/7/7/3rr2 y", "2 red and 0 yellow discs with Yellow to move: .* one red disc more"),
        ("7/7/7/7/7/3r3 r", "1 red and 0 yellow discs with Red to move: .* as many of each"),
        ("7/7/7/7/yyyy3/rrrr3 r", "both sides have four in a line"),
        ("7/7/7/y6/yyy4/rrrr3 r", "Red has four in a line, so the game ended before Yellow"),
        ("7/7/6r/yy4r/yyy3r/rrrryyr y", "no last disc of Red's can have completed all its lines"),
        ("7/7/7/7/7/7 w", "like '7/7/7/7/7/3r3 y'"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        at(text)


def test_a_last_disc_may_complete_several_lines() -> None:
    assert at("7/7/7/7/yyy1yyy/rrrrrrr y").outcome.winner == 0


# The evaluation


def plain_evaluation(position: Position) -> int:
    """Open lines and cells that complete one, line by line, where no side can win at once."""
    board = position.board
    grid = expanded(position.text)[::-1]
    value, red_cells, yellow_cells = 0, set(), set()
    for line in all_lines(board.rows, board.columns):
        marks = [grid[row][column] for row, column in line]
        if "y" not in marks:
            value += LINE * marks.count("r")
        if "r" not in marks:
            value -= LINE * marks.count("y")
        if marks.count(".") == 1:
            cell = line[marks.index(".")]
            if marks.count("r") == 3:
                red_cells.add(cell)
            if marks.count("y") == 3:
                yellow_cells.add(cell)
    odd = board.rows % 2 == 1
    red_rows = [row for row in range(board.rows) if odd or (row > 0 and row % 2 == 0)]
    yellow_rows = [row for row in range(board.rows) if odd or row % 2 == 1]
    value += THREAT * sum(row in red_rows for row, _ in red_cells)
    return value - THREAT * sum(row in yellow_rows for row, _ in yellow_cells)


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_the_evaluation_counts_open_lines_and_cells_that_complete_one(
    rows: int, columns: int
) -> None:
    seen = 0
    for seed in range(12):
        for position in random_game(game, seed, {"rows": rows, "columns": columns})[:-1]:
            if abs(position.evaluation) < DECISIVE - 1:
                assert position.evaluation == plain_evaluation(position)
                seen += 1
    assert seen


def test_a_line_that_the_side_to_move_completes_is_decisive() -> None:
    assert at("7/7/7/7/yyy4/rrr4 r").evaluation == DECISIVE
    assert at("7/7/7/7/yyy4/rrry1rr y").evaluation == -DECISIVE


def test_two_lines_that_the_other_side_completes_are_decisive() -> None:
    assert at("7/7/7/7/2yy3/2rrr2 y").evaluation == DECISIVE - 1
    assert at("7/7/7/7/2r4/r1yyy1r r").evaluation == 1 - DECISIVE


def test_one_line_that_the_other_side_completes_is_not_decisive() -> None:
    assert abs(at("7/7/7/7/7/yrrr2y y").evaluation) < 100


def test_the_middle_is_worth_more_than_the_edge() -> None:
    values = [game.start().play(column).evaluation for column in "abcd"]
    assert values == sorted(set(values))


def test_a_mirrored_position_is_worth_the_same() -> None:
    for position in random_game(game, 5)[:-1]:
        board, turn = position.text.split()
        mirrored = "/".join(row[::-1] for row in board.split("/")) + " " + turn
        assert at(mirrored).evaluation == position.evaluation


def test_the_winning_discs_are_rimmed() -> None:
    assert at("7/7/7/7/yyy4/rrrr3 y").svg().count("#ffffff") == 4
    assert at("7/7/7/7/yyy4/rrr3r y").svg().count("#ffffff") == 0
