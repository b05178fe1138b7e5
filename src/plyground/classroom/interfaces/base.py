"""What the interfaces share: what a file must define, and reading answers.

An answer comes from a student's process and may be anything that JSON can hold.
"""

from __future__ import annotations

from typing import Any

from plyground.core.game import Game
from plyground.core.outcome import Ending
from plyground.core.printable import printable
from plyground.players.player import Fault

LONGEST_SHOWN = 80


class StudentInterfaceBase:
    kind: str
    """The module of `inside/` that runs the file."""
    game: str | None = None
    """The game that it is for; None for any game."""
    own_game: Game | None = None
    """The game, if it is a user's own file, which a sandbox must show."""
    needs: str
    """The name that a file must define."""
    wanted: str
    """The same for messages."""


class InvalidAnswer(Fault):
    """An answer that is no move. `right` says what a move is."""

    def __init__(self, answer: dict[str, Any], right: str) -> None:
        said, where = answer.get("said"), shown_text(answer.get("where"))
        shown = shown_text(said if isinstance(said, str) else repr(answer.get("move"))) or "nothing"
        place = f", in {where}" if where else ""
        super().__init__(Ending.GARBAGE, f"the player answered {shown}{place}; {right}")


def shown_text(text: object) -> str:
    """A text of a student's process, short and without characters that cannot be printed."""
    return printable(text[:LONGEST_SHOWN]) if isinstance(text, str) else ""


def move_of(answer: dict[str, Any], right: str) -> Any:
    """The move in an answer, which is not checked yet."""
    if answer.get("type") != "move":
        raise InvalidAnswer({"said": "something else than a move"}, right)
    return answer.get("move")


def is_whole_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
