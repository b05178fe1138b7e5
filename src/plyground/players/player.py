"""What a player is: it chooses a move from a position and a time limit.

Players inside this process are searches and simple ones (`players/simple.py`);
`players/program.py` is a program in another process. A player never plays a move itself: the
referee (`arena/match.py`) owns the rules and the clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.core.outcome import Ending


@dataclass(frozen=True)
class Clock:
    """How long a move may take."""

    seconds: float | None = None
    """The limit that the player knows. None: no limit."""
    grace: float = 0.0
    """How much later an answer may come. The player does not know it: it is for what follows when a
    player's alarm has gone off, not for thinking."""

    @property
    def limit(self) -> float | None:
        """The time after which an answer is late."""
        return None if self.seconds is None else self.seconds + self.grace


@dataclass(frozen=True)
class Choice:
    """A player's answer."""

    move: str
    """As people write it. It may be illegal."""
    seconds: float
    """Seconds from the question to the answer."""
    waited: float = 0.0
    """The part of them in which the player waited for a core (`players/usage.py`)."""
    computed: float = 0.0
    """CPU time on all cores together, where it is known."""
    searched: float | None = None
    """Seconds until the player's search returned, where it is known."""
    collector: float = 0.0
    """Seconds in which Python's garbage collector ran, where it is known."""
    depth: int | None = None
    value: int | None = None
    """The player's evaluation: the first player's view, on the scale of `core/values.py`."""

    @property
    def charged_seconds(self) -> float:
        """The time that counts against the limit."""
        return max(self.seconds - self.waited, self.computed)


class Fault(PlygroundError):
    """A player did something that loses the game at once. `ending` is the kind of fault."""

    def __init__(self, ending: Ending, reason: str) -> None:
        super().__init__(reason)
        self.ending = ending


class Player(Protocol):
    """Plays one side of a game."""

    @property
    def name(self) -> str:
        """For records and tables."""

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        """Called once before the first move, with the side that the player has."""

    def choose(self, position: Position, clock: Clock) -> Choice:
        """A move for the side to move. Raises Fault if the player cannot go on."""

    def close(self) -> None:
        """Called when the game is over or was given up: release all resources."""
