"""Answers of a student's process, which may be anything that JSON can say."""

from __future__ import annotations

from typing import Any

from plyground.core.outcome import Ending
from plyground.players.player import Fault

LONGEST_SHOWN = 80


class Garbage(Fault):
    """An answer that is no move at all, said in a sentence."""

    def __init__(self, answer: dict[str, Any], right: str) -> None:
        where = printable(answer.get("where"))
        place = f", in {where}" if where else ""
        super().__init__(Ending.GARBAGE, f"the player answered {shown(answer)}{place}; {right}")


def shown(answer: dict[str, Any]) -> str:
    """What was answered, for a message."""
    said = answer.get("said")
    return printable(said if isinstance(said, str) else repr(answer.get("move"))) or "nothing"


def printable(text: object) -> str:
    """A text of a student's process, short and with nothing in it but what can be printed."""
    if not isinstance(text, str):
        return ""
    return "".join(mark if mark.isprintable() else "?" for mark in text[:LONGEST_SHOWN])


def move_of(answer: dict[str, Any], right: str) -> Any:
    """What stands for the move in an answer; `right` says what belongs there."""
    if answer.get("type") != "move":
        raise Garbage({"said": "something else than a move"}, right)
    return answer.get("move")


def is_whole_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
