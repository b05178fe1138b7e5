"""The conditions of a match: everything besides the players that its games depend on.

Games under the same conditions can be compared and counted together. `Conditions.id` is a digest of
them, so that a store (`arena/store.py`) knows which games have been played already.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from plyground import __version__
from plyground.arena.openings import Openings, built_in_boards
from plyground.arena.referee import UNTIMED, Terms
from plyground.core.errors import FileError, LimitError
from plyground.core.files import read_regular_file
from plyground.core.game import Game
from plyground.core.game_files import game_files
from plyground.players.notation import COMMANDS, FILE, PROGRAMS, PlayerSpec
from plyground.search.searcher import Algorithm

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
    """A player of a match with what its notation stands for on this machine. `contestant` makes one
    with all of it."""

    spec: PlayerSpec
    source: bytes = field(default=b"", repr=False)
    """The content of its file or of its net, if it has one."""
    files: str = ""
    """A digest of other files that it depends on: those of a program, or nets."""
    log: Path | None = None
    """The folder for the log of a program."""

    @cached_property
    def digest(self) -> str:
        """Tells versions of the player apart. Our own players have that of plyground, beside a
        digest of their net. Empty for a program of which no file is known."""
        if self.spec.kind == FILE:
            return _digest(self.source)
        if self.spec.kind in PROGRAMS:
            return self.files
        version = f"plyground {__version__}"
        if not (self.source or self.files):
            return version
        return _digest(version.encode(), self.source, self.files.encode())


def contestant(spec: PlayerSpec) -> Contestant:
    """Raises FileError if the player's file cannot be read."""
    if spec.kind in COMMANDS:
        from plyground.players.command_files import command_files

        return Contestant(spec, files=_digest_of_files(command_files(spec)))
    path = spec.target if spec.kind == FILE else spec.net
    return Contestant(spec) if path is None else Contestant(spec, _content(path))


def with_learned_net(one: Contestant, conditions: Conditions) -> Contestant:
    """A contestant that was told to use the `learned` net, with the net that it is for the boards
    of a match: another one may be adopted later, and on another machine.

    With openings on several boards that have nets of their own, each worker finds them itself.
    """
    if one.spec.kind != Algorithm.ENGINE or one.spec.option("evaluation") != "learned":
        return one
    from plyground.search.net.evaluation import learned_file

    game = conditions.game
    found = [learned_file(game, board) for board in _boards(conditions)]
    nets = list(dict.fromkeys(path for path in found if path is not None))
    if len(nets) == 1 and None not in found:
        return replace(one, source=_content(str(nets[0])))
    return replace(one, files=_digest_of_files(nets))


def _boards(conditions: Conditions) -> Iterator[Any]:
    """The boards of a match; of its random boards only the first."""
    game, openings = conditions.game, conditions.openings
    if openings.kind == "random":
        yield game.start(dict(conditions.options)).board
        return
    counts = {"positions": len(openings.positions), "boards": len(built_in_boards(game))}
    for number in range(counts.get(openings.kind, 1)):
        yield openings.opening(game, number).position(game).board


def _content(path: str) -> bytes:
    try:
        source = read_regular_file(Path(path).resolve(), LARGEST_PLAYER_FILE + 1)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    if len(source) > LARGEST_PLAYER_FILE:
        raise FileError(f"{path} is longer than a megabyte: it is no player")
    return source


def _digest_of_files(paths: Sequence[Path]) -> str:
    """Empty without files. One that may be run but not read is left out."""
    digests = []
    for path in paths:
        with contextlib.suppress(OSError), path.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").digest())
    return _digest(*digests) if digests else ""
