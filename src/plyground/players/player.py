"""What a player is: it chooses a move from a position and a clock.

Players inside this process are searches and simple ones (`players/searching.py`,
`players/simple.py`); `players/program.py` is a program in another process. A player never plays a
move itself: whoever asks it (`arena/match.py`) owns the rules and the clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from plyground.core.errors import PlygroundError
from plyground.core.outcome import Ending
from plyground.core.position import Position


@dataclass(frozen=True)
class Clock:
    """How long a move may take."""

    seconds: float | None = None
    """What the player is told. None: as long as it likes."""
    grace: float = 0.0
    """By how much an answer may come later. Not told: it is for what follows when a player's alarm
    has gone off, not for thinking."""

    @property
    def limit(self) -> float | None:
        """From when on an answer is late."""
        return None if self.seconds is None else self.seconds + self.grace


@dataclass(frozen=True)
class Choice:
    """A player's answer."""

    move: str
    """As people write it. Nothing says yet that it is legal."""
    seconds: float
    """How long the player took, from being asked to having answered."""
    waited: float = 0.0
    """How much of that it spent ready to run, waiting for a core: no fault of its own."""
    computed: float = 0.0
    """What it used of all cores together, where that is held against it; see `Program`."""
    searched: float | None = None
    """After how many seconds its search came back, where that is known."""
    collector: float = 0.0
    """Seconds of it in which Python's garbage collector ran, where that is known."""
    depth: int | None = None
    value: int | None = None
    """What the player thinks of it: the first player's view, on the scale of `core/values.py`."""

    @property
    def own_seconds(self) -> float:
        """What a clock charges the player."""
        return max(self.seconds - self.waited, self.computed)


class Fault(PlygroundError):
    """A player did what loses a game at once. `ending` says what, the sentence says how."""

    def __init__(self, ending: Ending, reason: str) -> None:
        super().__init__(reason)
        self.ending = ending


class Player(Protocol):
    """Who plays one side of a game."""

    @property
    def name(self) -> str:
        """For records and tables."""

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        """A game begins here, and this player has that side; called once before the first move."""

    def choose(self, position: Position, clock: Clock) -> Choice:
        """A move for the side to move. Raises Fault if the player cannot go on."""

    def close(self) -> None:
        """The game is over, or given up: leave nothing behind."""
