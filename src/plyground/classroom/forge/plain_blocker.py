"""Blocker as its course values it: a finished game counts, anything else is worth nothing. With
this the difficulty of a position is measured."""

from __future__ import annotations

from plyground.games.blocker.game import move_text, new_board, parse_position, position_text
from plyground.games.blocker.rules import (
    MAX_MOVES,
    REPEATS,
    Board,
    State,
    identity,
    key,
    moves,
    over,
    play,
    start,
    utility,
)

__all__ = [
    "MAX_MOVES",
    "REPEATS",
    "Board",
    "State",
    "identity",
    "key",
    "move_text",
    "moves",
    "new_board",
    "over",
    "parse_position",
    "play",
    "position_text",
    "start",
    "utility",
]

PLAYERS = ("A", "B")
