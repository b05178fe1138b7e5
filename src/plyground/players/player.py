"""What a player is: it chooses a move from a position and a time limit.

Players inside this process are searches and simple ones (`players/simple.py`);
`players/program.py` is a program in another process that exchanges JSON, and
`players/engine_program.py` one that speaks UGI or UCI. A player never plays a move itself: the
referee (`arena/referee.py`) owns the rules and the clock.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.core.outcome import Ending
from plyground.search.time_management import move_seconds


@dataclass(frozen=True)
class Choice:
    """A player's answer."""

    move: str
    """As people write it. It may be illegal."""
    seconds: float
    """Seconds from the question to the answer."""
    stolen: float = 0.0
    """Seconds of them that the host of a virtual machine took from the player's cores, where it is
    known (`players/move_timer.py`)."""
    computed: float | None = None
    """CPU time, where it is known: on all cores together, or of each thread if the player was given
    several. It has no stolen time in it."""
    searched: float | None = None
    """Seconds until the player's search returned, where it is known."""
    collector: float = 0.0
    """Seconds in which Python's garbage collector ran, where it is known."""
    depth: int | None = None
    value: int | None = None
    """The player's evaluation: the first player's view, on the scale of `core/values.py`."""

    @property
    def charged_seconds(self) -> float:
        """The time that counts against the limit: CPU time, so that a busy machine makes no move
        late; where CPU time is not known, the time on the wall without what was stolen."""
        return self.seconds - self.stolen if self.computed is None else self.computed


@dataclass(frozen=True)
class Clock:
    """How long a move may take: a limit of its own, or what is left for the whole game."""

    seconds: float | None = None
    """The limit of a move that the player knows. None: no such limit."""
    grace: float = 0.0
    """How much later an answer may come. The player does not know it: it is for what follows when a
    player's alarm has gone off, not for thinking."""
    remaining: tuple[float, float] | None = None
    """Seconds left to each side for the rest of the game; infinite for a side without a clock.
    None: the game has no such limit."""
    increment: float = 0.0
    """Seconds that this move adds to what remains."""
    side: int = 0
    """The side to move, whose part of `remaining` it is."""

    @property
    def limit(self) -> float | None:
        """The time after which an answer is late."""
        if self.remaining is not None:
            return self.remaining[self.side] + self.grace
        return None if self.seconds is None else self.seconds + self.grace

    @property
    def move_seconds(self) -> float | None:
        """How long a player may think about this move; None: as long as it likes. Of a game's clock
        it is a part (`search/time_management.py`)."""
        if self.remaining is None or math.isinf(self.remaining[self.side]):
            return self.seconds
        return move_seconds(self.remaining[self.side], self.increment)

    def is_late(self, choice: Choice) -> bool:
        return self.limit is not None and choice.charged_seconds > self.limit


class Fault(PlygroundError):
    """A player did something that loses the game at once. `ending` is the kind of fault."""

    def __init__(self, ending: Ending, reason: str) -> None:
        super().__init__(reason)
        self.ending = ending


class Player(Protocol):
    """Plays one side of a game, and then perhaps of another game."""

    @property
    def name(self) -> str:
        """For records and tables."""

    def begin(self, position: Position, side: int, clock: Clock) -> None:
        """Called before the first move of each game, with the side that the player has. A player
        that was closed is ready again after it. Raises Fault if it cannot begin."""

    def choose(self, position: Position, clock: Clock) -> Choice:
        """A move for the side to move. Raises Fault if the player cannot go on."""

    def close(self) -> None:
        """Called after the last game, and after a fault: release all resources."""
