"""Breakthrough with nothing but material: the evaluation that every contestant is given."""

from __future__ import annotations

from plyground.core.bits import popcount
from plyground.games.breakthrough.rules import (
    MAX_MOVES,
    Board,
    State,
    key,
    make_board,
    moves,
    noisy,
    over,
    play,
    start,
    utility,
)

__all__ = [
    "MAX_MOVES",
    "Board",
    "State",
    "evaluate",
    "key",
    "moves",
    "new_board",
    "noisy",
    "over",
    "play",
    "start",
    "utility",
]

PLAYERS = ("White", "Black")
PAWN = 100


def new_board(rows: int = 6, columns: int = 6) -> Board:
    return make_board(rows, columns)


def evaluate(board: Board, state: State) -> int:
    return PAWN * (popcount(state.white) - popcount(state.black))
