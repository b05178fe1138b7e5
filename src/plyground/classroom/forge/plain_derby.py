"""Fishing Derby with nothing but the score so far to go by: the evaluation that students begin
with, and that the difficulty of a day is measured with."""

from __future__ import annotations

from plyground.games.derby.game import move_text, new_board, parse_position, position_text
from plyground.games.derby.rules import (
    MAX_MOVES,
    POINT,
    Board,
    State,
    bounds,
    identity,
    key,
    moves,
    over,
    play,
    score,
    start,
    turn,
    utility,
)

__all__ = [
    "MAX_MOVES",
    "POINT",
    "Board",
    "State",
    "bounds",
    "identity",
    "key",
    "move_text",
    "moves",
    "new_board",
    "over",
    "parse_position",
    "play",
    "position_text",
    "score",
    "start",
    "turn",
    "utility",
]

PLAYERS = ("Green", "Red")
