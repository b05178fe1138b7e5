"""The moves of a game so far, for programs that are told all of them before each move.

A player is shown positions, not moves: the moves between two positions are found again here.
"""

from __future__ import annotations

from plyground.core.game import Position


class MoveHistory:
    """Where a game started, and the moves that have led to the latest position."""

    def __init__(self, start: Position) -> None:
        self.start = self.latest = start
        self.moves: list[tuple[Position, int]] = []
        """Each with the position in which it was played."""

    def advance_to(self, position: Position, own: int | None = None) -> None:
        """Add the moves from the latest position to this one: the player's own move, if it made
        one, and one of the opponent's. If that does not lead there, as when the opponent has moved
        twice, the history starts again at this position."""
        if position == self.latest:
            return
        if own is not None:
            self._add(own)
        if position == self.latest:
            return
        for move, child in self.latest.children():
            if child == position:
                self._add(move)
                return
        self.start = self.latest = position
        self.moves = []

    def _add(self, move: int) -> None:
        self.moves.append((self.latest, move))
        self.latest = self.latest.after(move)
