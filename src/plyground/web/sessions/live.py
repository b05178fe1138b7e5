"""Live games: a ply every moment, whether anybody moves or not.

Who does nothing in time makes the game's idle move. A person steers with keys, and the last one
before the beat counts; a search has until the beat, of which it thinks `THOUGHT` seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.position import Position

THOUGHT = 0.075
"""Seconds that a search thinks about a ply: with all that happens around it, it fits a beat."""


@dataclass
class Live:
    """How a live game runs."""

    seconds: float
    """From one ply to the next."""
    running: bool = False
    key: str | None = None
    """The last key since the last ply of the one who steers."""

    def take_key(self) -> str | None:
        key, self.key = self.key, None
        return key


def steered(position: Position, key: str | None) -> int:
    """The move that a key means here; the idle one if it means none."""
    if key is not None:
        for move in position.legal_moves:
            if position.move_key(move) == key:
                return move
    return position.idle


def thought_within(beat: float) -> float:
    """Seconds for a search when beats are so far apart: at most half of one."""
    return min(THOUGHT, beat / 2)
