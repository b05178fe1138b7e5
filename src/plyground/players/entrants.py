"""Entrants: what stands behind a player's notation and plays one game after another.

A match makes an entrant once for each worker. It keeps what is dear to make, such as a table or a
process, and forgets between two games all that could change a game: the same seed gives the same
game, whatever was played before.

`FACTORIES` names the module and the function that makes each kind. A module is imported when the
kind is asked for: some need packages that are not always installed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from plyground.core.game import Game
from plyground.players.notation import GREEDY, LIMIT_NAMES, PlayerSpec, features_of
from plyground.players.player import Player
from plyground.players.search_player import SearchPlayer
from plyground.players.simple import greedy_player, random_player
from plyground.search.result import Limits
from plyground.search.searcher import (
    LIMITS,
    UNLIMITED,
    Algorithm,
    Searcher,
    SearcherSettings,
    make_searcher,
)

if TYPE_CHECKING:
    from plyground.search.net.net import Net


SEEDED = {Algorithm.MONTE_CARLO, Algorithm.PERFECT, Algorithm.RANDOM, "spiel"}
"""Kinds of players that draw random numbers, from the seed of a game. The engine could, but with a
seed it would search equal moves as well."""
EXACT = {Algorithm.ENGINE, Algorithm.ALPHA_BETA, Algorithm.MINIMAX, GREEDY}
"""Kinds of players that draw none. Of a file or a program it is not known."""


def varies_by_seed(spec: PlayerSpec) -> bool:
    """Whether a player plays another game when another pair begins with the same opening."""
    return spec.kind in SEEDED


def plays_the_same_again(spec: PlayerSpec) -> bool:
    """Whether a player is known to answer the same moves with the same moves in every game: it
    draws no random numbers, and neither a clock nor several threads decide how far it looks."""
    timed = spec.plays_by_clock or spec.seconds is not None
    return spec.kind in EXACT and not timed and spec.threads == 1


@dataclass(frozen=True)
class EntrantContext:
    """What an entrant may need besides the game and its notation."""

    source: bytes = b""
    """The content of a student's file, or of a net: it may not be there on another machine."""
    options: tuple[tuple[str, str], ...] = ()
    """Those of the game's board."""
    trusted: bool = False
    """A student's file runs without a sandbox."""
    log: Path | None = None
    """The folder for the log of a program."""


class Entrant(Protocol):
    def player(self, seed: int) -> Player:
        """The player for the next game."""

    def close(self) -> None:
        """Called after the last game."""


class FreshEntrant:
    """Makes a new player for each game."""

    def __init__(self, make: Callable[[int], Player]) -> None:
        self._make = make
        self._player: Player | None = None

    def player(self, seed: int) -> Player:
        self.close()
        self._player = self._make(seed)
        return self._player

    def close(self) -> None:
        if self._player is not None:
            self._player.close()
            self._player = None


class LastingEntrant:
    """One player for all games."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def player(self, seed: int) -> Player:
        """The same player: it is told in `begin` that another game begins."""
        return self._player

    def close(self) -> None:
        self._player.close()


class SearchEntrant:
    """A search that forgets everything between two games."""

    def __init__(self, game: Game, spec: PlayerSpec, net: bytes = b"") -> None:
        self._game, self._spec, self._net = game, spec, net
        self._algorithm = Algorithm(spec.kind)
        self._limits = limits_of(spec)
        self._searcher: Searcher | None = None

    def player(self, seed: int) -> Player:
        if self._searcher is None:
            spec = self._spec
            settings = SearcherSettings(
                threads=_number(spec, "threads"),
                memory=_number(spec, "memory"),
                features=features_of(spec),
                evaluation=self._evaluation(),
            )
            self._searcher = make_searcher(self._algorithm, self._game, settings)
        else:
            self._searcher.clear()
        seeded = varies_by_seed(self._spec)
        return SearchPlayer(
            self._searcher,
            self._limits,
            name=self._spec.name,
            seed=seed if seeded else None,
            threads=_number(self._spec, "threads") or 1,
        )

    def _evaluation(self) -> str | Net | None:
        """A match has to be the same on every machine, whatever was learned there: without a word
        the engine uses the game's own evaluation."""
        if self._algorithm is not Algorithm.ENGINE:
            return None
        if not self._net:
            return self._spec.option("evaluation") or "own"
        from plyground.search.net.files import decode_net

        return decode_net(self._net, self._spec.net or "")

    def close(self) -> None:
        """A search that has ended holds nothing."""


def limits_of(spec: PlayerSpec) -> Limits | None:
    """The limits that a search brings with it; None if it plays by the clock of the game."""
    taken = LIMITS[Algorithm(spec.kind)]
    if not taken:
        return UNLIMITED
    given = {own: spec.option(name) for name, own in LIMIT_NAMES.items() if own in taken}
    if any(value is not None for value in given.values()):
        return Limits(
            depth=_number(spec, "depth"), nodes=_number(spec, "nodes"), seconds=spec.seconds
        )
    return None if "seconds" in taken else Limits(depth=3)


def _number(spec: PlayerSpec, name: str) -> int | None:
    value = spec.option(name)
    return None if value is None else int(value)


def _make_random(game: Game, spec: PlayerSpec, context: EntrantContext) -> Entrant:
    return FreshEntrant(lambda seed: random_player(seed, spec.name))


def _make_greedy(game: Game, spec: PlayerSpec, context: EntrantContext) -> Entrant:
    return LastingEntrant(greedy_player(spec.name))


def _make_search(game: Game, spec: PlayerSpec, context: EntrantContext) -> Entrant:
    return SearchEntrant(game, spec, context.source)


Factory = Callable[[Game, PlayerSpec, EntrantContext], Entrant]

FACTORIES: dict[str, Factory | str] = {
    **dict.fromkeys(Algorithm, _make_search),
    "random": _make_random,
    "greedy": _make_greedy,
    "file": "plyground.classroom.file_entrant:make_entrant",
    "ugi": "plyground.players.engine_program:make_entrant",
    "uci": "plyground.players.engine_program:make_entrant",
    "spiel": "plyground.spiel.bots:make_entrant",
}


def make_entrant(game: Game, spec: PlayerSpec, context: EntrantContext) -> Entrant:
    """What plays for a notation. Raises a PlygroundError for a player that cannot play here."""
    factory = FACTORIES[spec.kind]
    if isinstance(factory, str):
        module, _, function = factory.partition(":")
        factory = getattr(import_module(module), function)
    return factory(game, spec, context)
