"""What a table is made of and told: how it is set up, a record's headers, a move that was found."""

from __future__ import annotations

from dataclasses import dataclass, field

from plyground.core.game import Game, Option
from plyground.core.position import Position
from plyground.web.protocol.models import ClockSpec, LiveSpec, PlayerSpec

HUMAN = PlayerSpec(kind="human")


@dataclass(frozen=True)
class Setup:
    """What a table is set up with: enough to set up another one like it."""

    game: Game
    options: dict[str, Option] = field(default_factory=dict)
    text: str | None = None
    """A position's text; None for the start of the game."""
    players: tuple[PlayerSpec, PlayerSpec] = (HUMAN, HUMAN)
    clock: ClockSpec | None = None
    live: LiveSpec | None = None

    def first_position(self) -> Position:
        if self.text is None:
            return self.game.start(self.options)
        return self.game.position(self.text, self.options)


@dataclass
class Headers:
    """What a record says above its moves, kept for when it is written again."""

    names: tuple[str, str] = ("", "")
    date: str = ""
    event: str = ""
    clock: str = ""
    tags: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Answer:
    """A move, and what is known of it."""

    move: str
    seconds: float | None = None
    """A search's are its worker's own: what was spent waiting is not in it."""
    value: int | None = None
    depth: int | None = None
