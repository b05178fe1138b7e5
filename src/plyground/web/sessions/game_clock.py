"""Clocks like those of chess: each side has its time, and some more after each of its moves.

A person is charged the time on a stopwatch, which stands still while the game is paused or nobody
looks on. A search is charged the seconds that it worked, as its worker counted them: what it waited
for its turn, or for a page, is nobody's fault. Nothing here asks what time it is; whoever calls
says it, in seconds of a clock that never goes back.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Stopwatch:
    """How long the one whose turn it is has been at it."""

    spent: float = 0.0
    since: float | None = None
    """When it was last started; None while it stands still."""

    def start(self, now: float) -> None:
        if self.since is None:
            self.since = now

    def stop(self, now: float) -> None:
        self.spent, self.since = self.read(now), None

    def read(self, now: float) -> float:
        return self.spent if self.since is None else self.spent + max(0.0, now - self.since)

    def reset(self) -> None:
        self.spent, self.since = 0.0, None


@dataclass
class Clock:
    """The time that each side has left, as it was when the turn began."""

    seconds: float
    increment: float
    left: list[float]

    @classmethod
    def new(cls, seconds: float, increment: float) -> Clock:
        return cls(seconds, increment, [seconds, seconds])

    def is_enough(self, player: int, seconds: float) -> bool:
        """Whether a player has that much time left, and a little more."""
        return seconds < self.left[player]

    def charge(self, player: int, seconds: float) -> None:
        """Take the time of a move from a player who has it, and give the increment."""
        assert self.is_enough(player, seconds)
        self.left[player] += self.increment - seconds

    def give_back(self, player: int, seconds: float) -> None:
        """Undo the charge of a move that is taken back."""
        self.left[player] = max(0.0, self.left[player] + seconds - self.increment)

    @property
    def words(self) -> str:
        more = f", {self.increment:g} s more after each move" if self.increment else ""
        return f"{self.seconds:g} s for the game{more}"


LEAST_THOUGHT = 0.005
"""Seconds: below it a search has hardly begun."""


def time_to_think(wanted: float | None, left: float, increment: float) -> float:
    """How long a search may think about a move when so much time is left on its clock.

    A twentieth of the time and most of the increment, or what was asked for; never so much that the
    time could run out, as far as a search can keep to it.
    """
    share = left / 20 + 0.75 * increment if wanted is None else wanted
    return max(LEAST_THOUGHT, min(share, 0.8 * left - 0.02))
