"""Checks of what a record may hold. Each raises FormatError.

The record itself calls them, and so do the readers, which know the line. Whatever passes fits the
limits of the files.
"""

from __future__ import annotations

import math
import re
from datetime import datetime

from plyground.core.errors import FormatError
from plyground.core.outcome import Outcome
from plyground.core.values import LONGEST

MAX_TEXT = 10_000
"""Characters in any one text of a record. Written out, even escaped, it fits a line of a file."""
MAX_POSITION_TEXT = 1 << 20
"""Characters in the start position, and in an option of the board, which may hold a map. The
largest day of Fishing Derby has 131,000; no file that a position is read from has more bytes."""
MAX_MOVE_TEXT = 1_000
MAX_PLIES = LONGEST
MAX_SECONDS = 1e9
MAX_UTILITY = (1 << 63) - 1

HEADERS = ("game", "start", "first", "second", "date", "event", "clock", "result")
OPTION = "option."
"""The prefix of the headers of options."""
SURROGATE = re.compile("[\ud800-\udfff]")
TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


def check_text(what: str, value: object, limit: int = MAX_TEXT) -> None:
    if not isinstance(value, str):
        raise FormatError(f"{what} must be a text")
    check_length(what, len(value), limit)
    if SURROGATE.search(value):
        raise FormatError(f"{what} holds half a character (a surrogate), which no file can hold")


def check_length(what: str, length: int, limit: int) -> None:
    if length > limit:
        raise FormatError(f"{what} has {length} characters: at most {limit} are possible")


def check_number(what: str, value: object, low: int, high: int) -> None:
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise FormatError(f"{what} is a whole number from {low} to {high}")


def check_seconds(value: object) -> None:
    if value is None:
        return
    if (
        not isinstance(value, int | float)
        or isinstance(value, bool)
        or not math.isfinite(value)
        or not 0 <= value <= MAX_SECONDS
    ):
        raise FormatError(f"a time is a number of seconds from 0 to {MAX_SECONDS:.0f}")


def longest_header(name: str) -> int:
    """How many characters a header may have, by its name in the text of a record."""
    return MAX_POSITION_TEXT if name == "start" or name.startswith(OPTION) else MAX_TEXT


def check_header(name: str, value: object) -> None:
    check_text(f"'{name}'", value, longest_header(name))
    if name in ("game", "start") and not str(value).strip():
        raise FormatError(f"'{name}' must not be empty")
    if name == "date" and value:
        try:
            datetime.fromisoformat(str(value))
        except ValueError:
            raise FormatError(f"the date {value!r} is not written like 2025-11-15") from None


def check_option(name: object, value: object) -> None:
    if not isinstance(name, str) or not name.isidentifier() or len(name) > 40:
        raise FormatError(f"{str(name)[:60]!r} cannot be the name of an option")
    check_text(f"option {name}", value, MAX_POSITION_TEXT)


def check_tag(name: object, value: object) -> None:
    if not isinstance(name, str) or not TAG_NAME.fullmatch(name):
        raise FormatError(
            f"{str(name)[:60]!r} cannot be the name of a header:"
            " at most 40 letters, digits, _ and -, a letter first"
        )
    if name.lower() in HEADERS:
        raise FormatError(f"the header {name!r} has a meaning of its own: it cannot be a tag")
    check_text(f"'{name}'", value)


def check_outcome(outcome: Outcome) -> None:
    if outcome.winner not in (None, 0, 1) or isinstance(outcome.winner, bool):
        raise FormatError("a winner is 0, 1 or null")
    check_number("a utility", outcome.utility, -MAX_UTILITY, MAX_UTILITY)
    check_text("the reason of the result", outcome.reason)
