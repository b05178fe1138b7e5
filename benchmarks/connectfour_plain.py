"""Connect Four without an evaluation, as easyAI's own example plays it: wins and nothing else."""

from __future__ import annotations

from plyground.games.connectfour.rules import (
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
    "key",
    "moves",
    "new_board",
    "noisy",
    "over",
    "play",
    "start",
    "utility",
]


def new_board(rows: int = 6, columns: int = 7) -> Board:
    return make_board(rows, columns)
