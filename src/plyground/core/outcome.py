"""The result of a game as data: who won, by how much, and why it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Ending(Enum):
    """Why no further move is made. Who won is a separate question."""

    FINISHED = "finished"
    """The rules say that the game is over."""
    DECIDED = "decided"
    """The result was certain, and the rest was not played."""
    AGREED = "agreed"
    """Both players valued the position as won for the same one, for several moves."""
    REPETITION = "repetition"
    """A position came for the third time, in a game whose rules would let it go on; a draw."""
    LENGTH = "length"
    """The game was broken off after so many moves; a draw."""
    RESIGNED = "resigned"
    """A player gave up; the other one wins."""
    TIME = "time"
    """A player's clock ran out; the other one wins."""
    ILLEGAL = "illegal"
    """A player named an illegal move. This and all endings below lose the game for the player."""
    OVERRUN = "overrun"
    """A player exceeded its time for a move."""
    CRASHED = "crashed"
    """A player's program ended in the middle of the game."""
    SILENT = "silent"
    """A player's program did not answer, long after its time for a move."""
    GARBAGE = "garbage"
    """A player's program answered with something that is no move."""


FAULTS = frozenset(
    {Ending.ILLEGAL, Ending.OVERRUN, Ending.CRASHED, Ending.SILENT, Ending.GARBAGE, Ending.TIME}
)
"""Endings that are a player's failure, not its play."""
FAULT_NAMES = frozenset(ending.value for ending in FAULTS)


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
        return cls.forfeit(player, Ending.RESIGNED, f"{name} resigned")

    @classmethod
    def forfeit(cls, player: int, ending: Ending, reason: str) -> Outcome:
        """A game that a player has lost for another reason than the position."""
        return cls(1 - player, -1 if player == 0 else 1, ending, reason)

    @classmethod
    def out_of_time(cls, player: int, name: str) -> Outcome:
        return cls.forfeit(player, Ending.TIME, f"{name} ran out of time")
