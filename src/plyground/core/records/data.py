"""What a record of a game holds.

Whatever can be put into a record can be written and read back unchanged: `core/records/checks.py`
refuses the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from plyground.core.errors import FormatError
from plyground.core.outcome import Outcome
from plyground.core.records.checks import (
    MAX_MOVE_TEXT,
    MAX_PLIES,
    check_header,
    check_number,
    check_option,
    check_outcome,
    check_seconds,
    check_tag,
    check_text,
)
from plyground.core.values import INFINITY, LONGEST


@dataclass(frozen=True)
class Ply:
    """One move as it was played, and what is known about it."""

    move: str
    seconds: float | None = None
    """How long the player thought."""
    evaluation: int | None = None
    """What the player thought of it: the first player's view, on the scale of `core/values.py`."""
    depth: int | None = None
    comment: str = ""
    line: int | None = field(default=None, compare=False, repr=False)
    """Where it stands in the file that it was read from."""

    def __post_init__(self) -> None:
        check_text("the move", self.move, MAX_MOVE_TEXT)
        if not self.move.strip():
            raise FormatError("a move has a text")
        check_text("the comment", self.comment)
        check_seconds(self.seconds)
        check_number("an evaluation", self.evaluation, -INFINITY, INFINITY)
        check_number("a depth", self.depth, 0, LONGEST)


@dataclass(frozen=True)
class RecordData:
    """One game, finished or not, as texts and numbers."""

    game: str
    """The name of a built-in game, or the path of a user's own file."""
    start: str
    """The position that the game began with, in the game's own notation."""
    options: tuple[tuple[str, str], ...] = ()
    """The options of the board, as text. A notation that tells the whole board needs none."""
    players: tuple[str, str] = ("", "")
    date: str = ""
    """As in 2025-11-15 or 2025-11-15T18:30:00; empty if it is not known."""
    event: str = ""
    clock: str = ""
    """The time control, in words."""
    plies: tuple[Ply, ...] = ()
    outcome: Outcome | None = None
    """None for a game that was not played to the end."""
    tags: tuple[tuple[str, str], ...] = ()
    """Further headers: names and texts without a meaning here, which are kept."""
    line: int | None = field(default=None, compare=False, repr=False)
    """Where the start position stands in the file that the record was read from."""
    source: str | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_header("game", self.game)
        check_header("start", self.start)
        check_header("first", self.players[0])
        check_header("second", self.players[1])
        for name in ("date", "event", "clock"):
            check_header(name, getattr(self, name))
        for name, value in self.options:
            check_option(name, value)
        for name, value in self.tags:
            check_tag(name, value)
        for names in ([name for name, _ in self.options], [name for name, _ in self.tags]):
            if len(set(names)) != len(names):
                raise FormatError("the same name is given twice")
        if len(self.plies) > MAX_PLIES:
            raise FormatError(f"{len(self.plies)} moves: a record holds at most {MAX_PLIES}")
        if self.outcome is not None:
            check_outcome(self.outcome)
