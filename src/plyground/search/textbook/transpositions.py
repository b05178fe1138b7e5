"""What a textbook alpha-beta search remembers: a position met again is not searched again.

A search with a window often learns only a bound. A value at or above beta is at least that large
(the cut left better moves unseen); one at or below alpha is at most that large; only a value inside
the window is exact. An entry answers a later visit if what it knows settles that visit's window.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plyground.core.values import INFINITY
from plyground.search.textbook.game_tree import Line, Node


class Entry(NamedTuple):
    """The true value lies between the bounds; where they meet, the line of play leads to it."""

    lower: int
    upper: int
    line: Line


class Transpositions:
    """The entries of one search.

    They are found by state and ply. Within one search the ply also fixes how much depth remains,
    and wins count their plies from the root, so an entry means the same wherever it is met.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[Any, int], Entry] = {}

    def recall(self, node: Node, alpha: int, beta: int) -> tuple[int, Line] | None:
        """The value of a node met before, if what is known of it is enough for this window."""
        entry = self._entries.get((node.position.state, node.ply))
        if entry is None:
            return None
        if entry.lower >= beta or entry.lower == entry.upper:
            return entry.lower, entry.line
        if entry.upper <= alpha:
            return entry.upper, entry.line
        return None

    def remember(self, node: Node, alpha: int, beta: int, value: int, line: Line) -> None:
        """Keep what a search of the node with this window has found out."""
        lower = -INFINITY if value <= alpha else value
        upper = INFINITY if value >= beta else value
        self._entries[node.position.state, node.ply] = Entry(lower, upper, line)
