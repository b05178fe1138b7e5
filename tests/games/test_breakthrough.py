"""Breakthrough: the rules on any board, the notation, the evaluation."""

from __future__ import annotations

import re

import pytest

from plyground.core.errors import FormatError, IllegalMove
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.core.values import plies_to_end
from plyground.games.breakthrough.rules import PAWN
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.result import Limits
from tests.games.golden import page_file
from tests.games.perft_data import read_counts
from tests.games.plain_rules import check_by_plain_rules
from tests.random_play import random_game

game = find_game("breakthrough")

ALL_SIZES = [
    (rows, columns) for rows in range(3, 33) for columns in range(2, 22) if rows * columns <= 64
]


def at(text: str) -> Position:
    return game.position(text)


def moves_of(position: Position) -> set[str]:
    return {position.move_text(move) for move in position.legal_moves}


# Moves


def test_white_goes_up_and_black_goes_down() -> None:
    assert moves_of(at("b2/3/3/2w w")) == {"c1c2", "c1b2"}
    assert moves_of(at("b2/3/3/2w b")) == {"a4a3", "a4b3"}


def test_a_pawn_captures_diagonally_only() -> None:
    position = at("bbb/bbb/1w1/3 w")
    assert moves_of(position) == {"b2xa3", "b2xc3"}
    assert position.play("b2xa3").text == "bbb/wbb/3/3 b"


def test_a_pawn_is_not_captured_by_its_own_side() -> None:
    assert moves_of(at("3/b2/www/1w1 w")) == {"a2b3", "b2xa3", "b2b3", "b2c3", "c2b3", "c2c3"}


def test_a_capture_may_be_typed_without_its_x() -> None:
    position = at("bbb/bbb/1w1/3 w")
    assert position.play("b2a3") == position.play("b2xa3") == position.play("B2-a3")


def test_a_move_that_is_not_possible_is_refused() -> None:
    with pytest.raises(IllegalMove, match="'b2b3' is not a legal move here; legal are b2xa3"):
        at("bbb/bbb/1w1/3 w").play("b2b3")


def test_a_capture_is_noisy_and_the_winning_step_more_so() -> None:
    position = at("1b1/wb1/1w1/3 w")
    noise = {
        position.move_text(move): game.rules.noisy(position.board, position.state, move)
        for move in position.legal_moves
    }
    assert noise == {"a3a4": 2, "a3xb4": 2, "b2c3": 0}


def test_pawns_do_not_step_round_the_edge() -> None:
    assert moves_of(at("bbb/2w/w2/3 w")) == {"a2a3", "a2b3", "c3xb4"}


# Boards


@pytest.mark.parametrize(("rows", "columns"), ALL_SIZES)
def test_every_board_of_up_to_64_cells_plays_by_the_plain_rules(rows: int, columns: int) -> None:
    for position in random_game(game, rows * 64 + columns, {"rows": rows, "columns": columns})[::7]:
        check_by_plain_rules(position)


@pytest.mark.parametrize(("rows", "columns"), ALL_SIZES)
def test_both_sides_start_with_as_many_pawns_on_their_own_rows(rows: int, columns: int) -> None:
    state = game.start({"rows": rows, "columns": columns}).state
    assert state.white & state.black == 0
    assert state.white.bit_count() == state.black.bit_count() == columns * min(2, rows // 2)


@pytest.mark.parametrize(
    ("rows", "columns"), [(2, 2), (0, 6), (-1, 6), (6, 1), (3, 22), (9, 8), (65, 65), (10**9, 2)]
)
def test_a_board_that_does_not_fit_is_refused(rows: int, columns: int) -> None:
    with pytest.raises(
        FormatError, match=f"a board of {rows} rows and {columns} columns: at least"
    ):
        game.start({"rows": rows, "columns": columns})


# Ends


@pytest.mark.parametrize(
    ("text", "winner", "reason"),
    [
        ("bw1/3/3/www b", 0, "White reached the far row"),
        ("bbb/3/1w1/2b w", 1, "Black reached the far row"),
        ("3/w2/3 b", 0, "Black has no pawns left"),
        ("3/b2/3 w", 1, "White has no pawns left"),
    ],
)
def test_a_game_ends_on_the_far_row_or_without_pawns(text: str, winner: int, reason: str) -> None:
    assert at(text).outcome.winner == winner
    assert at(text).outcome.reason == reason


def test_the_last_pawn_can_be_taken() -> None:
    assert at("3/b2/1w1/3 w").play("b2xa3").outcome.reason == "Black has no pawns left"


@pytest.mark.parametrize(
    ("rows", "columns", "winner"),
    [(4, 2, 1), (4, 3, 1), (5, 2, 1), (5, 3, 1), (5, 4, 1), (6, 2, 0), (6, 3, 0)],
)
def test_small_boards_are_won_by_whom_they_are_known_to_be(
    rows: int, columns: int, winner: int
) -> None:
    start = game.start({"rows": rows, "columns": columns})
    result = Engine(game, memory=16, features=Features.EXACT).search(start, Limits(depth=64))
    assert plies_to_end(result.value) is not None
    assert (result.value > 0) == (winner == 0)


def test_the_page_tells_the_counts_of_other_sizes() -> None:
    page = page_file("breakthrough").read_text(encoding="utf-8")
    for size in (8, 7):
        start = game.start({"rows": size, "columns": size}).text
        counts = [
            f"{known.positions:,}" for known in read_counts(game.name) if known.position == start
        ]
        written = f"{size}x{size} (they are )?{', '.join(counts[:-1])} and {counts[-1]}"
        assert re.search(written, page)


# Positions


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("bbb/3/www", "like 'bbbbbb/bbbbbb/6/6/wwwwww/wwwwww w'"),
        ("bbb/3/www x", "a position is its rows from the top and whose turn it is"),
        ("bbb/2/www w", r"row 2 from the top \('2'\) has 2 cells, the first has 3"),
        ("bbb/1k1/www w", "row 2 from the top: 'k' is neither w, b nor a number of empty cells"),
        ("bbb/www w", "a board of 2 rows and 3 columns"),
        ("70/70/70 w", "row 1 from the top has more cells than any board"),
        ("w2/3/2b w", "both sides have reached the far row"),
        ("3/3/3 w", "there is no pawn on the board"),
        ("3/" * 100 + "3 w", "characters are more than any position has|a board of 101 rows"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        at(text)


# The evaluation


def mirrored(position: Position) -> Position:
    """The same position with the colours exchanged."""
    board, turn = position.text.split()
    swapped = "/".join(reversed(board.translate(str.maketrans("wb", "bw")).split("/")))
    return at(f"{swapped} {'b' if turn == 'w' else 'w'}")


@pytest.mark.parametrize("size", [(6, 6), (8, 8), (5, 4), (7, 9)])
def test_the_evaluation_is_fair_to_both_colours(size: tuple[int, int]) -> None:
    for seed in range(5):
        for position in random_game(game, seed, {"rows": size[0], "columns": size[1]})[:-1]:
            assert mirrored(position).evaluation == -position.evaluation


def test_a_pawn_more_is_worth_about_a_pawn() -> None:
    even = at("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww w").evaluation
    ahead = at("bbbbbb/bbbb1b/6/6/wwwwww/wwwwww w").evaluation
    assert even == 0
    assert PAWN / 2 < ahead < 2 * PAWN


# Races that are decided at sight


def plies(text: str) -> int:
    position = at(text)
    return int(game.rules.settled(position.board, position.state))


def test_an_unstoppable_runner_decides() -> None:
    """No enemy pawn can come to where it is: they are all level with it or behind it."""
    assert plies("6/6/w4b/1b4/1w4/4w1 w") == 3
    assert plies("4b1/1b4/1w4/b4w/6/6 b") == -3


def test_a_runner_that_can_be_caught_does_not_decide() -> None:
    assert plies("1b4/w5/6/6/6/6 b") == 0
    assert plies("1b4/w5/6/6/6/6 w") == 1


def test_a_runner_that_is_out_of_reach_in_time_decides() -> None:
    """The enemy could reach its way, but not before it has passed."""
    assert plies("2b3/6/w5/6/6/6 w") == 3
    assert plies("2b3/6/6/w5/6/6 w") == 5
    assert plies("1b4/6/w5/6/6/6 b") == 4


def test_a_runner_takes_what_stands_diagonally_and_goes_round_what_stands_ahead() -> None:
    assert plies("b5/w5/6/6/6/6 w") == 1
    assert plies("bb4/w5/6/6/6/6 w") == 1


def test_of_two_runners_the_first_one_home_decides() -> None:
    """White's needs two steps. Black's needs one, two or three, and who moves first counts."""
    black_first = {("1", "w"), ("1", "b"), ("2", "b")}
    for steps, rows in (("1", "6/6/w5/6/5b/6"), ("2", "6/6/w5/5b/6/6"), ("3", "6/6/w4b/6/6/6")):
        for turn in "wb":
            wins = -1 if (steps, turn) in black_first else 1
            assert plies(f"{rows} {turn}") * wins > 0


def test_the_start_is_not_settled() -> None:
    assert plies("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww w") == 0


def test_mirror_images_share_an_identity_and_nothing_else_does() -> None:
    """Across 4x3: the positions of random games, each with its image."""
    owners: dict[tuple[int, ...], set[tuple[str, str]]] = {}
    for seed in range(40):
        for position in random_game(game, seed, {"rows": 4, "columns": 3}):
            rows, turn = position.text.split()
            image = "/".join(row[::-1] for row in rows.split("/"))
            words = game.rules.identity(position.board, position.state)
            same = at(f"{image} {turn}")
            assert game.rules.identity(same.board, same.state) == words
            owners.setdefault(words, set()).add((min(rows, image), turn))
    assert len(owners) > 100
    assert all(len(found) == 1 for found in owners.values())


def test_the_pawn_that_arrived_stands_on_gold() -> None:
    assert at("bw1/3/3/www b").svg().count("#e0b23c") == 1
    assert game.start().svg().count("#e0b23c") == 0
