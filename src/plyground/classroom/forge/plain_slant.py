"""Slant with nothing but the points so far to go by: the evaluation that students begin with, and
that the difficulty of a position is measured with."""

from __future__ import annotations

from plyground.games.slant.game import move_text, new_board, parse_position, position_text
from plyground.games.slant.outlook import bounds
from plyground.games.slant.rules import (
    MAX_MOVES,
    POINT,
    Board,
    State,
    moves,
    over,
    play,
    score,
    start,
    utility,
)
from plyground.games.slant.sameness import identity, key

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
    "utility",
]

PLAYERS = ("First", "Second")
