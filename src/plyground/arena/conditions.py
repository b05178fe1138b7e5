"""The conditions of a match: everything besides the players that its games depend on.

Games under the same conditions can be compared and counted together. `Conditions.id` is a digest of
them, so that a store (`arena/store.py`) knows which games have been played already.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

from plyground.arena.openings import Openings
from plyground.arena.referee import UNTIMED, Terms
from plyground.core.errors import FileError, LimitError
from plyground.core.files import read_regular_file
from plyground.core.game import Game
from plyground.core.game_files import game_files
from plyground.players.notation import FILE, PlayerSpec

DEFAULT_SECONDS = 0.1
DEFAULT_MARGIN = 0.05
LARGEST_PLAYER_FILE = 1 << 20


@dataclass(frozen=True)
class TimeControl:
    """The clock of players that bring no limit of their own."""

    seconds: float | None = DEFAULT_SECONDS
    """For a move."""
    bank: float | None = None
    """For a whole game; then `seconds` is None."""
    increment: float = 0.0
    margin: float = DEFAULT_MARGIN
    """Seconds after a limit in which an answer is not late yet: for programs in other processes,
    whose answers take time to arrive."""

    def __post_init__(self) -> None:
        for value in (self.seconds, self.bank):
            if value is not None and not 0.001 <= value <= 1e6:
                raise LimitError(f"{value:g} seconds: a clock has from 0.001 to 1,000,000 seconds")
        if not (0 <= self.increment <= 1e6 and 0 <= self.margin <= 1e6):
            raise LimitError("increment and margin are from 0 to 1,000,000 seconds")

    def terms(self, spec: PlayerSpec) -> Terms:
        """The terms of a player."""
        if spec.seconds is not None:
            return Terms(spec.seconds, grace=self.margin)
        if not spec.plays_by_clock:
            return UNTIMED
        return Terms(self.seconds, grace=self.margin, bank=self.bank, increment=self.increment)

    def limits(self, spec: PlayerSpec) -> bool:
        """Whether a player can be late."""
        return self.terms(spec) != UNTIMED

    @property
    def text(self) -> str:
        return self.terms(PlayerSpec("engine")).text or "no limit"


@dataclass(frozen=True)
class Adjudication:
    """When a game is ended before its rules say so, on request. A third repetition of a position
    ends it without one (`arena/adjudication.py`)."""

    proven: int = 0
    """Ask a search of so many nodes after each move whether the result is proven. 0: do not."""
    agreed: int = 0
    """End a game when both players have valued it as decided for the same side in so many of their
    own moves in a row. 0: do not."""
    length: int = 0
    """Break a game off after so many moves; it is a draw. 0: do not."""


@dataclass(frozen=True)
class Conditions:
    game: Game
    options: tuple[tuple[str, str], ...] = ()
    openings: Openings = field(default_factory=Openings)
    clock: TimeControl = field(default_factory=TimeControl)
    adjudication: Adjudication = field(default_factory=Adjudication)
    seed: int = 0
    """For players that draw random numbers."""

    @cached_property
    def document(self) -> dict[str, object]:
        """All of it in words and numbers, for the store."""
        return {
            "game": self.game.name,
            "rules": _digest(*game_files(self.game).values()) if self.game.is_file else "",
            "options": dict(self.options),
            "openings": asdict(self.openings),
            "clock": asdict(self.clock),
            "adjudication": asdict(self.adjudication),
            "seed": self.seed,
        }

    @cached_property
    def id(self) -> str:
        return _digest(json.dumps(self.document, sort_keys=True).encode())


def _digest(*parts: bytes) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(hashlib.sha256(part).digest())
    return whole.hexdigest()[:20]


@dataclass(frozen=True)
class Contestant:
    """A player of a match with the content of its file or of its net, if it has one."""

    spec: PlayerSpec
    source: bytes = field(default=b"", repr=False)

    @cached_property
    def digest(self) -> str:
        """Empty for a player without a file."""
        return _digest(self.source) if self.spec.kind == FILE or self.spec.net else ""


def contestant(spec: PlayerSpec) -> Contestant:
    """Raises FileError if the player's file cannot be read."""
    path = spec.target if spec.kind == FILE else spec.net
    if path is None:
        return Contestant(spec)
    try:
        source = read_regular_file(Path(path).resolve(), LARGEST_PLAYER_FILE + 1)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    if len(source) > LARGEST_PLAYER_FILE:
        raise FileError(f"{path} is longer than a megabyte: it is no player")
    return Contestant(spec, source)
