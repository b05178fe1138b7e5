"""How much of a game's clock a move may take: one rule for engines behind a pipe, players of
matches and computer players of the web app."""

from __future__ import annotations

MOVES_LEFT = 25
"""How many moves of a side a game's clock should last for, at every time, where the rules do not
say how many are left."""
INCREMENT_SHARE = 0.8
LARGEST_SHARE = 0.5
"""Of the time that is left, if it has to last for more than this move."""
LAST_SHARE = 0.95
"""Of the time that is left, if a new one begins after this move."""
LEAST_SECONDS = 0.001
"""A search needs some time to find any move."""


def move_seconds(
    remaining: float,
    increment: float = 0.0,
    moves_to_go: int | None = None,
    overhead: float = 0.0,
    *,
    wanted: float | None = None,
) -> float:
    """How long a player may think about a move: what it wants by a limit of its own, else its share
    of what is left and most of the increment, which comes after the move. However long the game
    gets, the clock does not run out, as long as increments make up for the `overhead` that each
    move loses between two programs.
    """
    usable = max(0.0, remaining - overhead)
    if wanted is None:
        share = usable / max(1, MOVES_LEFT if moves_to_go is None else moves_to_go)
        wanted = share + INCREMENT_SHARE * increment
    largest = LAST_SHARE if moves_to_go == 1 else LARGEST_SHARE
    return max(LEAST_SECONDS, min(wanted, largest * usable))
