"""The plain rules of every game, which share no code with the package, and comparisons with them.

A position as text gives every move with the position it leads to, both as text, and the first
player's result if the game is over.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from plyground.core.game import Position
from tests.games.naive_blocker import blocker
from tests.games.naive_classics import breakthrough, connectfour, tictactoe
from tests.games.naive_derby import derby
from tests.games.naive_slant import slant

Answer = tuple[dict[str, str], int | None]

PLAIN: dict[str, Callable[[str], Answer]] = {
    "blocker": blocker,
    "breakthrough": breakthrough,
    "connectfour": connectfour,
    "derby": derby,
    "slant": slant,
    "tictactoe": tictactoe,
}


def check_by_plain_rules(position: Position) -> None:
    """Moves, the positions that they lead to and the result are those of the plain rules."""
    moves, result = PLAIN[position.game.name](position.text)
    found = {position.move_text(move): child.text for move, child in position.children()}
    assert found == moves
    assert (position.utility if position.is_over else None) == result


@cache
def plain_count(name: str, text: str, depth: int) -> int:
    """Perft by the plain rules; equal positions are counted once and remembered."""
    if depth == 0:
        return 1
    moves, _ = PLAIN[name](text)
    return sum(plain_count(name, child, depth - 1) for child in moves.values())
