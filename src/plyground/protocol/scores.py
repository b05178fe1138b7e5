"""Values as `score` writes them: `cp 35` or `mate 4`, from the view of the side to move.

`cp` counts hundredths of a point in games of points, and units of the game's own evaluation in
others. `mate` counts moves of the winner, not plies; it is negative if the side to move loses.
"""

from __future__ import annotations

from collections.abc import Sequence

from plyground.core.game import Position
from plyground.core.values import LONGEST, WIN, bounded, plies_to_end

HUNDRED = 100
LONGEST_NUMBER = 12
"""Digits of a score that is read."""


def write_score(position: Position, value: int) -> str:
    """The first player's value of a position, as the words after `score`."""
    own = value if position.turn == 0 else -value
    plies = plies_to_end(own)
    if plies is not None:
        moves = max(1, (plies + 1) // 2)
        return f"mate {moves if own > 0 else -moves}"
    point = position.game.rules.point
    return f"cp {round(own * HUNDRED / point) if point else own}"


def read_score(position: Position, words: Sequence[str]) -> int | None:
    """The first player's value of a position, from the words after `score`; None if they make no
    sense."""
    if len(words) < 2 or words[0] not in ("cp", "mate"):
        return None
    number = whole_number(words[1])
    if number is None:
        return None
    sign = 1 if position.turn == 0 else -1
    if words[0] == "cp":
        point = position.game.rules.point
        return sign * bounded(round(number * point / HUNDRED) if point else number)
    plies = 2 * number - 1 if number > 0 else -2 * number
    return sign * (WIN - plies if number > 0 else plies - WIN) if plies <= LONGEST else None


def whole_number(text: str) -> int | None:
    """A whole number of ASCII digits, with or without a sign; None for anything else."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER
    return int(text) if is_number else None
