"""Slant: the rules on any board, the notation, the boards, the picture."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import FormatError, IllegalMove
from plyground.core.game import Options, Position
from plyground.core.registry import find_game
from plyground.games.slant.boards import BOARDS
from plyground.games.slant.game import new_board
from plyground.games.slant.notation import circle_rows, parse_position, position_text
from tests.games.naive_slant import reachable
from tests.games.plain_rules import check_by_plain_rules
from tests.paths import DATA
from tests.random_play import random_game

game = find_game("slant")
CORNER = "1*1/*2*/**1"


def at(text: str) -> Position:
    return game.position(text)


def free(text: str) -> Position:
    board, state = parse_position(text, "free")
    return Position(game, board, state)


def moves_of(position: Position) -> list[str]:
    return [position.move_text(move) for move in position.legal_moves]


def played(position: Position, *moves: str) -> Position:
    for move in moves:
        position = position.play(move)
    return position


# Moves and points


def test_under_owned_a_move_is_a_cell() -> None:
    assert moves_of(at(CORNER)) == ["a2", "b2", "a1", "b1"]
    assert at(CORNER).play("a2").text == f"{CORNER} s./.. 0-0"
    assert at(CORNER).play("a2").play("b2").text == f"{CORNER} sb/.. 0-0"


def test_under_free_a_move_is_a_cell_and_a_line() -> None:
    assert moves_of(free(CORNER))[:4] == ["a2/", "a2\\", "b2/", "b2\\"]
    assert free(CORNER).play("a2\\").text == f"{CORNER} b./.. 1-0 free"


def test_a_line_touches_the_intersections_that_it_joins() -> None:
    """The slash of b2 ends at the upper right corner, whose circle is a 1, and in the middle."""
    assert at(CORNER).play("b2").text == f"{CORNER} .s/.. 1-0"
    assert at(CORNER).play("a1").text == f"{CORNER} ../s. 0-0"
    assert played(at(CORNER), "a1", "b1").text == f"{CORNER} ../sb 0-3"


def test_the_line_that_reaches_the_number_scores_it_and_later_ones_nothing() -> None:
    position = played(at("***/*2*/***"), "b2", "a2")
    assert position.text == "***/*2*/*** bs/.. 0-2"
    assert played(position, "a1", "b1").text == "***/*2*/*** bs/sb 0-2"


def test_one_line_can_score_two_circles() -> None:
    position = at("**1/*1*/***").play("b2")
    assert position.text == "**1/*1*/*** .s/.. 2-0"
    assert game.rules.noisy(at("**1/*1*/***").board, at("**1/*1*/***").state, 1) == 2


def test_a_player_who_scored_does_not_move_again() -> None:
    assert at(CORNER).play("b2").turn == 1


@pytest.mark.parametrize("text", ["2**/***/***", "*3*/***/***", "***/*5*/***", "***/*0*/***"])
def test_a_number_out_of_reach_is_dead_and_legal(text: str) -> None:
    for lines in ("", " free"):
        board, state = parse_position(text + lines)
        assert game.rules.function("over")(board, state) is False
        low, high = game.module.bounds(board, state)
        assert (low, high) == (0, 0)
        assert text in position_text(board, state)


def test_a_move_that_scores_is_noisier_the_more_it_scores() -> None:
    position = at("**1/*1*/2**")
    noise = {
        position.move_text(move): game.rules.noisy(position.board, position.state, move)
        for move in position.legal_moves
    }
    assert noise == {"a2": 0, "b2": 2, "a1": 1, "b1": 0}


@pytest.mark.parametrize("name", [*BOARDS, "random"])
@pytest.mark.parametrize("orientation", ["owned", "free"])
def test_every_board_plays_by_the_plain_rules(name: str, orientation: str) -> None:
    for seed in range(2):
        for position in random_game(game, seed, {"board": name, "orientation": orientation})[::3]:
            check_by_plain_rules(position)


SIZES = [(1, 1), (1, 26), (31, 1), (63, 1), (2, 5), (7, 7), (3, 15), (7, 8), (7, 15), (10, 10)]


@pytest.mark.parametrize(("rows", "columns"), [*SIZES, (8, 8), (15, 7), (13, 8), (3, 26), (20, 5)])
@pytest.mark.parametrize("orientation", ["owned", "free"])
def test_every_size_plays_by_the_plain_rules(rows: int, columns: int, orientation: str) -> None:
    options: Options = {
        "board": "random",
        "rows": rows,
        "columns": columns,
        "circles": 80,
        "orientation": orientation,
    }
    for position in random_game(game, rows, options)[:: 1 + rows * columns // 6]:
        check_by_plain_rules(position)
        assert game.position(position.text) == position


@pytest.mark.parametrize(("text", "states"), [("***/***/***", 35), ("***/***/*** free", 81)])
def test_there_are_as_many_states_as_is_known(text: str, states: int) -> None:
    assert len(reachable(text)) == len(states_from(at(text))) == states


def test_there_are_as_many_states_on_nine_cells_as_can_be_counted() -> None:
    """Any cells may be filled, any half of them (the larger, if they are odd) by slashes."""
    counted = sum(comb(9, lines) * comb(lines, lines // 2) for lines in range(10))
    assert len(states_from(at("****/****/****/****"))) == counted == 6046


def states_from(position: Position) -> set[tuple[int, ...]]:
    found, frontier = {position.state}, [position]
    while frontier:
        fresh = {child for _, child in frontier.pop().children() if child.state not in found}
        found |= {child.state for child in fresh}
        frontier += fresh
    return found


# Moves as people type them


def test_a_cell_goes_by_its_name_or_by_row_and_column_from_the_top() -> None:
    position = at("****/****/****/****")
    assert (
        position.play("b3") == position.play("1 2") == position.play("B3") == position.play("1,2")
    )
    assert position.play("a1") == position.play("3 1") == position.play("a1/")
    assert played(position, "a1", "c3") == played(position, "3 1", "1 3\\")


def test_under_free_the_line_follows() -> None:
    position = free("****/****/****/****")
    assert position.play("b3\\") == position.play("1 2 \\") == position.play("b3 \\")
    assert position.play("b3/").text == "****/****/****/**** .s./.../... 0-0 free"


@pytest.mark.parametrize(
    "text", ["", "0 1", "1 0", "3 1", "c1", "a3", "a0", "a2\\", "12", "a", "1 1 1", "²1", "a2x"]
)
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match="is not a legal move here; legal are a2, b2, a1, b1"):
        at(CORNER).play(text)


def test_under_free_a_cell_without_a_line_is_refused() -> None:
    with pytest.raises(IllegalMove, match="'a2' is not a legal move here; legal are a2/, a2"):
        free(CORNER).play("a2")


def test_a_filled_cell_is_refused() -> None:
    with pytest.raises(IllegalMove, match="'a2' is not a legal move here; legal are b2, a1, b1"):
        at(CORNER).play("a2").play("a2")


# Files and texts


@pytest.mark.parametrize(
    "text",
    [
        "1*1\n*2*\n**1",
        "1*1\n*2*\n**1\n",
        "1.1\r\n.2.\r\n..1\r\n",
        "1 * 1\n* 2 *\n* * 1",
        "\n\n1*1\n\t*2*\n**1\n\n",
        "\ufeff1*1\n*2*\n**1",
        "1.1/.2./..1",
        "1-1\n-2-\n--1\n",
        "1 - 1\r- 2 -\r- - 1\r",
        "1\t*\t1 \n*\t2\t* \n*\t*\t1 \n\n",
        "101\n020\n001",
        "1 0 1 \r\n0 2 0 \r\n0 0 1 \r\n",
        "101/020/001",
        "1*1/*2*/**1 owned",
        "1*1/*2*/**1 ../.. 0-0",
    ],
)
def test_a_board_may_be_written_in_many_ways(text: str) -> None:
    assert at(text) == at(CORNER)
    assert at(text).text == CORNER


@pytest.mark.parametrize(
    ("name", "text"),
    [("lattice", "1*2*/*3*1/2*4*/*2*1"), ("meadow", "*1**1/12*3*/**4*2/*3*21/1***1")],
)
def test_a_board_file_is_read(name: str, text: str) -> None:
    file = DATA / "boards" / f"slant_{name}.txt"
    assert at(file.read_text(encoding="utf-8")).text == text


@pytest.mark.parametrize("name", BOARDS)
def test_the_built_in_boards_are_texts_too(name: str) -> None:
    assert at(BOARDS[name]) == game.start({"board": name})


def test_a_zero_plays_as_no_circle_does() -> None:
    """Beside another sign for no circle it is a circle that cannot be completed, and drawn."""
    zeros, nothing = at("101/02*/001"), at("1*1/*2*/**1")
    assert zeros.state == nothing.state
    assert zeros.key == nothing.key
    assert zeros.text == "101/02*/001"


def test_where_zeros_mean_no_circle_none_are_drawn() -> None:
    drawing = at("1 0 1\n0 2 0\n0 0 1\n").svg()
    assert drawing == at(CORNER).svg()
    assert ">0<" not in drawing
    assert ">0<" in at("101/02*/001").svg()


def test_the_orientation_may_be_given_with_a_file() -> None:
    assert free("1*1\n*2*\n**1").text == f"{CORNER} free"
    assert free(f"{CORNER} free").text == f"{CORNER} free"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1*1\n*2\n**1", "line 2: line 2 has 2 intersections, line 1 has 3"),
        ("\n1*1\n*2*\n*x1", "line 4: 'x' is neither the digit of a circle nor"),
        ("1*1\n\n*2*", "line 2: a row of intersections is empty"),
        ("1*1/*2/**1", "row 2 has 2 intersections, row 1 has 3"),
        ("1*1/*k*/**1", "row 2 from the top: 'k' is neither the digit"),
        ("1*1//**1", "row 2 from the top: a row of intersections is empty"),
        ("1*1", "a board of 0 rows and 2 columns of cells: at least 1 of each"),
        ("1\n1\n1", "a board of 2 rows and 0 columns"),
        ("*" * 28 + "/" + "*" * 28, "at most 26 columns and 128 intersections"),
        ("/".join(["*" * 12] * 12), "a board of 11 rows and 11 columns"),
        ("*" * 2001, "2001 characters are more than any board or position has"),
        ("", "a position is its circles, and once a line is drawn also its cells and the points"),
        (f"{CORNER} s./..", r"like '1\*1/\*2\*/\*\*1 .s/b. 1-0'"),
        (f"{CORNER} s./.. 0-0 free owned", "a position is its circles"),
        (f"{CORNER} s../.. 0-0", r"the cells 's../..' must be 2 rows of 2"),
        (f"{CORNER} s./.x 0-0", "row 2 of the cells: 'x' is neither s for a slash"),
        (f"{CORNER} ss/.. 1-0", "2 slashes and 0 backslashes: the first player draws the slashes"),
        (f"{CORNER} sb/.. 0", "'0': the points of both players are written like 3-1"),
        (f"{CORNER} sb/.. 99999-0", "the points of both players are written like 3-1"),
        (f"{CORNER} .s/b. 2-0", "the points 2-0 make 2, but .* that are reached make 1"),
        (f"{CORNER} .s/b. 0-1", "with these lines the second player can have scored 0 at most"),
        (f"{CORNER} b./.. 0-1 free", "the second player can have scored 0 at most"),
    ],
)
def test_a_text_that_cannot_be_is_refused(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        at(text)


def test_an_orientation_that_contradicts_the_text_is_refused() -> None:
    with pytest.raises(FormatError, match="the position says 'free' itself: leave out"):
        parse_position(f"{CORNER} free", "owned")
    with pytest.raises(FormatError, match="orientation must be owned or free, not 'askew'"):
        game.position(CORNER, {"orientation": "askew"})


@given(text=st.text(st.sampled_from("0123459*./sb \n\t-free\\x²"), max_size=60))
@settings(max_examples=400)
def test_any_text_is_a_board_or_is_refused(text: str) -> None:
    try:
        board, state = parse_position(text)
    except FormatError:
        return
    assert parse_position(position_text(board, state)) == (board, state)


@given(data=st.data())
@settings(max_examples=200)
def test_a_file_with_a_slip_in_it_is_a_board_or_is_refused(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(BOARDS)))
    text = BOARDS[name].replace("/", "\n")
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        insert = data.draw(st.text(st.sampled_from("019*. \n\r/sb\u2028\x00"), max_size=2))
        text = text[:place] + insert + text[place + data.draw(st.integers(0, 2)) :]
    try:
        board, state = parse_position(text)
    except FormatError:
        return
    assert parse_position(position_text(board, state)) == (board, state)


@pytest.mark.parametrize("noise", ["*", "1\n", "\n", " ", "s./", "\x00", "*/" * 3 + " "])
def test_noise_of_any_length_is_refused(noise: str) -> None:
    with pytest.raises(FormatError, match="characters are more than"):
        at(noise * (10_000_000 // len(noise)))


# Boards


@pytest.mark.parametrize("name", BOARDS)
def test_a_built_in_board_reads_as_it_is_written(name: str) -> None:
    assert "/".join(circle_rows(new_board(name))) == BOARDS[name]


def test_the_same_seed_draws_the_same_board() -> None:
    boards = [game.start({"board": "random", "seed": seed}).text for seed in (1, 2, 1)]
    assert boards[0] == boards[2] != boards[1]
    assert boards[0] == "*****/2****/1**2*/*4***/11111"


@pytest.mark.parametrize(("percent", "circles"), [(1, 1), (35, 9), (50, 13), (100, 25)])
def test_a_random_board_has_as_many_circles_as_asked_for(percent: int, circles: int) -> None:
    for seed in range(5):
        options: Options = {"board": "random", "circles": percent, "seed": seed}
        text = game.start(options).text
        assert sum(mark.isdigit() for mark in text) == circles
        assert set(text) <= set("1234*/")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"board": "nowhere"}, "board"),
        ({"orientation": "askew"}, "orientation"),
        ({"rows": 5}, "rows, columns, circles and seed go with board=random"),
        ({"board": "corner", "seed": 7}, "the board 'corner' has its own"),
        ({"board": "random", "rows": 0}, "a board of 0 rows and 4 columns"),
        ({"board": "random", "columns": 27}, "a board of 4 rows and 27 columns"),
        ({"board": "random", "rows": 11, "columns": 11}, "128 intersections are possible"),
        ({"board": "random", "circles": 0}, r"circles must be from 1 to 100 \(percent\), not 0"),
        ({"board": "random", "circles": 101}, "circles must be from 1 to 100"),
        ({"board": "random", "seed": -1}, "seed must be from 0 to 999999, not -1"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options: Options, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        game.start(options)


# Ends and pictures


@pytest.mark.parametrize(
    ("text", "winner", "reason"),
    [
        ("1*1/*2*/**1 sb/bs 0-0", None, "the board is full and the points are even"),
        ("**1/***/*** bs/sb 1-0", 0, "the board is full, First wins by 1"),
        ("1**/***/*** bs/sb 0-1", 1, "the board is full, Second wins by 1"),
    ],
)
def test_a_game_ends_when_the_board_is_full(text: str, winner: int | None, reason: str) -> None:
    assert at(text).outcome.winner == winner
    assert at(text).outcome.reason == reason


def test_the_picture_tells_circles_reached_and_lost() -> None:
    position = at("1*1/*2*/**1 .s/b. 1-0")
    assert position.picture.splitlines() == [
        "     1   +  (1)",
        " 2         /",
        "     +   2   +",
        " 1     \\",
        "     +   +   1",
        "",
        "       a   b",
        "",
        "First 1, Second 0",
    ]


def test_the_drawing_tells_lines_and_circles_apart_without_colour() -> None:
    drawing = at("1*1/*2*/0*1 .s/b. 1-0").svg()
    assert drawing.count("stroke-dasharray") == 1  # the backslash
    assert drawing.count("<path") == 2  # the tick of the circle that is reached, and its rim
    assert "First 1, Second 0; First to move" in drawing
