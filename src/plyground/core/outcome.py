"""How a game ended: who won, by how much, and why. Data, so that everyone can ask it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Ending(Enum):
    """Why no further move is made. Who won is a separate question."""

    FINISHED = "finished"
    """The rules say that the game is over."""
    RESIGNED = "resigned"
    """A player gave up; the other one wins."""
    TIME = "time"
    """A player's clock ran out; the other one wins."""


@dataclass(frozen=True)
class Outcome:
    """The result of a game.

    `winner` is 0 or 1, or None for a draw. `utility` is the first player's, as the rules count it.
    `reason` is for people: "White reached the far row", "three in a row".
    """

    winner: int | None
    utility: int
    ending: Ending
    reason: str

    @property
    def score(self) -> str:
        """The result as score sheets write it: first player's part, then the second's."""
        return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[self.winner]

    @classmethod
    def resignation(cls, player: int, name: str) -> Outcome:
        return cls(1 - player, -1 if player == 0 else 1, Ending.RESIGNED, f"{name} resigned")

    @classmethod
    def out_of_time(cls, player: int, name: str) -> Outcome:
        return cls(1 - player, -1 if player == 0 else 1, Ending.TIME, f"{name} ran out of time")
