"""Plays the pairs of a match: what a worker does.

A pair is two games from one opening with sides swapped. What happens in it depends on its
conditions, its players and its number alone (and on the clock, where players have one), not on the
worker or on the games before it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

from plyground.arena.adjudication import Adjudicator
from plyground.arena.conditions import Conditions, Contestant
from plyground.arena.openings import FINISHED
from plyground.arena.referee import CannotBegin, PlayedGame, play_game
from plyground.core.errors import LimitError, PlygroundError
from plyground.core.outcome import FAULTS
from plyground.core.records.record import GameRecord
from plyground.players.entrants import Entrant, EntrantContext, make_entrant
from plyground.players.player import Player

LIVE_INTERVAL = 0.25
"""Seconds between two reports about a game under way, for the page Arena."""
SIGN_INTERVAL = 10.0
"""Seconds between them if no page shows the game: they say that it goes on."""


@dataclass(frozen=True)
class MatchSettings:
    """What a worker is set up with."""

    conditions: Conditions
    contestants: tuple[Contestant, ...]
    trusted: bool = False
    live: bool = False
    """Whether games under way are shown."""


@dataclass(frozen=True)
class Pair:
    """The games of one opening that are to be played, each as the players who move first and
    second."""

    number: int
    games: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class FinishedGame:
    """A game of a match, for the store."""

    first: int
    second: int
    opening: int
    """The number of the pair."""
    winner: int | None
    """The side that won."""
    utility: int
    ending: str
    reason: str
    plies: int
    seconds: tuple[float, float]
    """Charged to each side."""
    depths: tuple[float | None, float | None]
    """The mean depth that each side reported."""
    record: str
    """The whole game as a line of JSON."""


@dataclass(frozen=True)
class FailedGame:
    """A game that could not be played to its end, through no player's fault: the rules fail in a
    position, or a search needs more than it has. Other games may go well."""

    first: int
    second: int
    opening: int
    reason: str


@dataclass(frozen=True)
class GameUnderWay:
    """A game that is being played: a move was made."""

    first: int
    second: int
    opening: int
    record: str


@dataclass(frozen=True)
class Refused:
    """A player cannot play in this match at all, which no other pair would change."""

    reason: str


Reporter = Callable[[FinishedGame | FailedGame | GameUnderWay | Refused], None]


def set_up(settings: MatchSettings) -> Callable[[Pair, Reporter], None]:
    """The function that plays pairs in this worker."""
    return _PairPlayer(settings)


def game_seed(conditions: Conditions, opening: int, side: int) -> int:
    """The seed of a player in a game."""
    text = f"{conditions.id} {conditions.seed} {opening} {side}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


class _PairPlayer:
    def __init__(self, settings: MatchSettings) -> None:
        self._settings = settings
        self._entrants: dict[int, Entrant] = {}
        self._adjudicator = Adjudicator.of(settings.conditions)

    def __call__(self, pair: Pair, report: Reporter) -> None:
        """Play a pair, and report each of its games when it is over."""
        for sides in pair.games:
            try:
                players = self._players(sides, pair.number)
            except PlygroundError as error:
                report(Refused(str(error)))
                return
            try:
                report(self._play_game(sides, pair.number, players, report))
            except CannotBegin as error:
                report(Refused(str(error)))
                return
            except PlygroundError as error:
                report(FailedGame(*sides, pair.number, str(error)))
                for player in players:  # one may be in the middle of a search
                    player.close()

    def close(self) -> None:
        """Called after the last pair: programs are told to quit."""
        for entrant in self._entrants.values():
            entrant.close()

    def _play_game(
        self, sides: tuple[int, int], number: int, players: list[Player], report: Reporter
    ) -> FinishedGame:
        conditions = self._settings.conditions
        opening = conditions.openings.opening(conditions.game, number)
        start = opening.position(conditions.game)
        if start.is_over:
            raise LimitError(FINISHED)
        if self._adjudicator is not None:
            self._adjudicator.begin()
        first, second = (
            conditions.clock.terms(self._settings.contestants[side].spec) for side in sides
        )
        played = play_game(
            start,
            players,
            (first, second),
            options=dict(opening.options),
            event=f"opening {number + 1}",
            foresee=self._adjudicator,
            on_move=self._live_report(sides, number, report),
        )
        self._restart_after_fault(played, players)
        return _finished(played, sides, number)

    def _players(self, sides: tuple[int, int], number: int) -> list[Player]:
        conditions = self._settings.conditions
        return [
            self._entrant(contestant).player(game_seed(conditions, number, side))
            for side, contestant in enumerate(sides)
        ]

    def _entrant(self, number: int) -> Entrant:
        if number not in self._entrants:
            settings = self._settings
            contestant = settings.contestants[number]
            context = EntrantContext(
                contestant.source, settings.conditions.options, settings.trusted, contestant.log
            )
            self._entrants[number] = make_entrant(
                settings.conditions.game, contestant.spec, context
            )
        return self._entrants[number]

    def _live_report(
        self, sides: tuple[int, int], opening: int, report: Reporter
    ) -> Callable[[GameRecord], None]:
        interval = LIVE_INTERVAL if self._settings.live else SIGN_INTERVAL
        reported = 0.0 if self._settings.live else time.monotonic()

        def on_move(record: GameRecord) -> None:
            nonlocal reported
            now = time.monotonic()
            if now >= reported + interval:
                reported = now
                report(GameUnderWay(*sides, opening, record.json))

        return on_move

    def _restart_after_fault(self, played: PlayedGame, players: list[Player]) -> None:
        """End the process of a player that has lost by a fault: the next game starts it anew."""
        outcome = played.outcome
        if outcome.ending in FAULTS and outcome.winner is not None:
            players[1 - outcome.winner].close()


def _finished(played: PlayedGame, sides: tuple[int, int], opening: int) -> FinishedGame:
    outcome = played.outcome
    depths = [played.depths(side) for side in (0, 1)]
    return FinishedGame(
        first=sides[0],
        second=sides[1],
        opening=opening,
        winner=outcome.winner,
        utility=outcome.utility,
        ending=outcome.ending.value,
        reason=outcome.reason,
        plies=len(played.record.plies),
        seconds=(played.seconds(0), played.seconds(1)),
        depths=(
            fmean(depths[0]) if depths[0] else None,
            fmean(depths[1]) if depths[1] else None,
        ),
        record=played.record.json,
    )
