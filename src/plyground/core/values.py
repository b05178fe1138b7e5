"""The scale on which positions are valued, shared by every search.

Outside a search a value is always the first player's. Two kinds of game, one scale:

* A game of *wins* (no `POINT` in its rules) ends at WIN - ply, 0 or -(WIN - ply), where ply is the
  number of moves from the root. A nearer win is thus worth more than a later one, and a later
  loss more than a nearer one. Evaluations lie strictly between, in units of the game's own.
* A game of *points* (`POINT = n`: n units of evaluation make a point) ends at utility x POINT, so
  that the margin is what counts and evaluations compare with it.
"""

from __future__ import annotations

WIN = 1_000_000_000
"""The value of a game that is won at the root. Fits 32 bits, with search windows around it."""

LONGEST = 100_000
"""No line of play that a search looks at is longer than this, in plies."""

DECIDED = WIN - LONGEST
"""Values at least this far from 0 are won or lost games, never evaluations."""

INFINITY = WIN + 1
"""Outside every value: the ends of the full search window."""


def terminal_value(utility: int, point: int, ply: int) -> int:
    """The first player's value of a finished game, reached `ply` moves from the root."""
    if point:
        return bounded(utility * point)
    if utility > 0:
        return WIN - ply
    if utility < 0:
        return ply - WIN
    return 0


def sign(number: int) -> int:
    """1 above 0, -1 below, or 0."""
    return (number > 0) - (number < 0)


def bounded(evaluation: int) -> int:
    """An evaluation, limited to the values between lost and won games."""
    return max(1 - DECIDED, min(DECIDED - 1, evaluation))


def plies_to_end(value: int) -> int | None:
    """How many plies away the decided win or loss is; None for an evaluation or a margin."""
    return WIN - abs(value) if abs(value) >= DECIDED else None
