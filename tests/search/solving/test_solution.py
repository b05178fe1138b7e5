"""Bounds: how they follow from those of the moves, and their words."""

from __future__ import annotations

import pytest

from plyground.core.registry import find_game
from plyground.search.solving.solution import Bounds, Worth, bounds_by_moves, bounds_text

slant = find_game("slant")
tictactoe = find_game("tictactoe")


def test_a_decided_win_tells_the_plies_at_most() -> None:
    assert Bounds(Worth(1, 7), Worth(1, 5)).worth == Worth(1, 7, exactly=False)
    assert Bounds(Worth(-1, 5), Worth(-1, 7)).worth == Worth(-1, 7, exactly=False)
    assert Bounds(Worth(1, 7), Worth(1, 7)).worth == Worth(1, 7)
    assert Bounds(Worth(0), Worth(1)).worth is None
    assert Bounds(None, Worth(3)).worth is None


def test_a_player_can_do_as_well_as_by_any_move_and_no_better_than_by_the_best() -> None:
    moves = [Bounds(Worth(-2), Worth(3)), Bounds(Worth(1), Worth(2)), Bounds(None, Worth(5))]
    assert bounds_by_moves(0, moves) == Bounds(Worth(1), Worth(5))
    assert bounds_by_moves(1, moves) == Bounds(None, Worth(2))
    assert bounds_by_moves(1, moves[:2]) == Bounds(Worth(-2), Worth(2))
    assert bounds_by_moves(0, [*moves, Bounds(Worth(2), None)]) == Bounds(Worth(2), None)


def test_a_distance_that_is_not_known_may_be_the_longest() -> None:
    lost_in_5, lost = Bounds(Worth(-1, 5), Worth(-1, 5)), Bounds(Worth(-1), Worth(-1))
    assert bounds_by_moves(0, [lost_in_5, lost]) == Bounds(Worth(-1, 5), Worth(-1))
    won_in_5, won = Bounds(Worth(1, 5), Worth(1, 5)), Bounds(Worth(1), Worth(1))
    assert bounds_by_moves(0, [won_in_5, won]) == Bounds(Worth(1, 5), Worth(1))
    assert won.narrowed(won_in_5) == won_in_5


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        (Bounds(Worth(-3), Worth(7)), "Second +3 at most, First +7 at most"),
        (Bounds(Worth(2), Worth(7)), "First wins by 2 to 7 points"),
        (Bounds(Worth(0), None), "First does not lose"),
        (Bounds(None, Worth(0)), "Second does not lose"),
        (Bounds(None, Worth(-2)), "Second wins by at least 2 points"),
        (Bounds(Worth(10), Worth(10)), "First wins by 10 points"),
        (Bounds(), "nothing is proven yet"),
    ],
)
def test_bounds_of_points_in_words(bounds: Bounds, words: str) -> None:
    assert bounds_text(slant.start(), bounds) == words


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        (Bounds(Worth(-1), Worth(1)), "nothing is proven yet"),
        (Bounds(Worth(-1, 1), Worth(1, 1)), "nothing is proven yet"),
        (Bounds(Worth(-1, 2), Worth(1, 2)), "nobody wins within 1 ply"),
        (
            Bounds(Worth(-1, 6), Worth(1, 9)),
            "X does not win within 8 plies; O does not win within 5 plies",
        ),
        (Bounds(Worth(0), Worth(1, 9)), "X does not lose; X does not win within 8 plies"),
        (Bounds(Worth(-1), Worth(0)), "O does not lose"),
        (Bounds(Worth(-1), Worth(-1, 6)), "O wins within 6 plies"),
        (Bounds(Worth(0), Worth(0)), "a draw"),
    ],
)
def test_bounds_of_wins_in_words(bounds: Bounds, words: str) -> None:
    assert bounds_text(tictactoe.start(), bounds) == words
