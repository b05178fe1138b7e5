"""Clocks of a game: each side has a time for the whole game, and an increment after each move.

A person is charged the time on a timer, which stands while the game is paused or suspended. A
search is charged the seconds that its worker measured, so waiting for a free worker costs nothing.
Nothing here reads a clock: `now` is a parameter, in seconds of a monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class MoveTimer:
    """How long the person to move has been thinking."""

    spent: float = 0.0
    since: float | None = None
    """When it was last started; None while it stands."""

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
class GameClock:
    """The time that each side had left when the current move began."""

    seconds: float
    increment: float
    left: list[float]

    def is_enough(self, player: int, seconds: float) -> bool:
        """Whether a player has more than that much time left."""
        return seconds < self.left[player]

    def charge(self, player: int, seconds: float) -> None:
        """Charge a player for a move, and add the increment."""
        assert self.is_enough(player, seconds)
        self.left[player] += self.increment - seconds

    def give_back(self, player: int, seconds: float) -> None:
        """Undo the charge of a move that is taken back."""
        self.left[player] = max(0.0, self.left[player] + seconds - self.increment)

    @property
    def words(self) -> str:
        more = f", {self.increment:g} s more after each move" if self.increment else ""
        return f"{self.seconds:g} s for the game{more}"


MIN_SEARCH_SECONDS = 0.005
LIVE_SEARCH_SECONDS = 0.075
"""Limit of a search in a live game: with all overhead it fits a ply of the default length."""


def search_seconds(wanted: float | None, left: float, increment: float) -> float:
    """Seconds for the search of one move, given the time left on its clock.

    `wanted`, or a twentieth of the time left and most of the increment. It leaves a reserve, so the
    time does not run out.
    """
    share = left / 20 + 0.75 * increment if wanted is None else wanted
    return max(MIN_SEARCH_SECONDS, min(share, 0.8 * left - 0.02))


def live_search_seconds(ply_seconds: float) -> float:
    """Seconds for the search of a ply in a live game: at most half of the ply."""
    return min(LIVE_SEARCH_SECONDS, ply_seconds / 2)
