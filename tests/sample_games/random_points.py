"""The random tree as a game of points: the margin counts, not the win."""

from __future__ import annotations

from tests.sample_games import random_tree
from tests.sample_games.random_tree import (
    MAX_MOVES,
    Board,
    State,
    evaluate,
    moves,
    noisy,
    over,
    play,
    start,
    utility,
)

POINT = 10
"""With margins up to 5, a finished game is worth as much as the largest evaluations."""


def new_board(
    seed: int = 0,
    length: int = 12,
    width: int = 8,
    branching: int = 3,
    leap: int = 1,
    again: int = 30,
    early: int = 5,
    margin: int = 5,
) -> Board:
    return random_tree.new_board(seed, length, width, branching, leap, again, early, margin)


def score(board: Board, state: State) -> int:
    """The margin so far is what it would be if the game were over here."""
    return utility(board, state)
