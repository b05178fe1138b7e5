"""Heuristics for any game: counted ends and the score so far."""

from __future__ import annotations

import pytest

from plyground.core.errors import LimitError, NoScore
from plyground.core.game import Game, Position
from plyground.core.registry import find_game
from plyground.search.textbook.algorithms import alpha_beta, minimax
from plyground.search.textbook.heuristics import (
    Ends,
    count_ends,
    score_difference,
    wins_minus_losses,
)
from tests.sample_games import endless, figure_tree, random_points, random_tree

FIGURE = Game(figure_tree, "figure_tree")


def count_one_by_one(position: Position) -> Ends:
    """The same count without remembering anything."""
    if position.is_over:
        utility = position.utility
        return Ends(int(utility > 0), int(utility == 0), int(utility < 0))
    below = [count_one_by_one(child) for _, child in position.children()]
    return Ends(*(sum(counts) for counts in zip(*below, strict=True)))


def test_the_games_of_tic_tac_toe_are_counted() -> None:
    """255,168 games in all: the published counts."""
    ends = count_ends(find_game("tictactoe").start())
    assert ends == Ends(wins=131_184, draws=46_080, losses=77_904)
    assert sum(ends) == 255_168
    assert wins_minus_losses(find_game("tictactoe").start()) == 131_184 - 77_904


@pytest.mark.parametrize("leap", [1, 2])
def test_ways_through_the_same_position_are_all_counted(leap: int) -> None:
    game = Game(random_tree, "random_tree")
    for seed in range(40):
        start = game.start({"seed": seed, "length": 6, "width": 3, "leap": leap})
        assert count_ends(start) == count_one_by_one(start)


def test_a_finished_game_is_one_end() -> None:
    over = FIGURE.start().play("a1").play("b1")
    assert count_ends(over, 1) == Ends(1, 0, 0)


def test_counting_stops_at_its_limit() -> None:
    start = FIGURE.start()
    assert wins_minus_losses(start, limit=13) == 9
    with pytest.raises(LimitError, match="needs more than 12 positions"):
        wins_minus_losses(start, limit=12)
    with pytest.raises(LimitError, match="a limit of 0 positions"):
        wins_minus_losses(start, limit=0)


def test_counting_refuses_a_game_without_end() -> None:
    game = Game(endless, "endless")
    with pytest.raises(LimitError, match="play can return to an earlier position"):
        count_ends(game.start())
    with pytest.raises(LimitError, match="goes on for more than 400 plies"):
        count_ends(game.start({"counting": True}))


def test_counted_ends_can_guide_a_search() -> None:
    position = find_game("tictactoe").position("o2/1x1/2x o")
    answer = minimax(position, 2, evaluate=wins_minus_losses)
    assert answer.value == alpha_beta(position, 2, evaluate=wins_minus_losses).value
    assert answer.value == wins_minus_losses(answer.leads_to)


def test_the_score_difference_is_in_units_of_evaluation() -> None:
    assert score_difference(FIGURE.start().play("a3")) == 20
    game = Game(random_points, "random_points")
    for seed in range(5):
        start = game.start({"seed": seed})
        assert score_difference(start) == start.score * 10


def test_a_game_without_a_score_says_so() -> None:
    start = find_game("tictactoe").start()
    with pytest.raises(NoScore, match=r"tictactoe keeps no score: it has no function score\("):
        score_difference(start)
