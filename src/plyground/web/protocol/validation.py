"""Reading what was sent, and saying in one sentence what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from plyground.core.errors import PlygroundError

Message = TypeVar("Message")

LONGEST_SAID = 60
"""Characters of somebody's text that are repeated in an error."""


class BadMessage(PlygroundError):
    """A message that cannot be read. `ref` and `id` are what its sender called it, if that much
    could be read."""

    def __init__(self, problem: str, ref: int | str | None = None, number: int | None = None):
        self.ref = ref
        self.id = number
        super().__init__(problem)


def read_message(adapter: TypeAdapter[Message], raw: str | bytes) -> Message:
    """The message in a text, or a BadMessage."""
    try:
        return adapter.validate_json(raw)
    except ValidationError as error:
        ref, number = _names_in(raw)
        raise BadMessage(problem_in(error.errors(include_url=False)), ref, number) from None


def _names_in(raw: str | bytes) -> tuple[int | str | None, int | None]:
    """What a message that is wrong otherwise has as `ref` and `id`."""
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        return None, None
    if not isinstance(document, dict):
        return None, None
    ref, number = document.get("ref"), document.get("id")
    return (
        ref if isinstance(ref, int | str) and len(str(ref)) <= LONGEST_SAID else None,
        number if isinstance(number, int) and 0 <= number < 1 << 53 else None,
    )


def problem_in(errors: Sequence[Mapping[str, Any]]) -> str:
    """The first thing that pydantic found wrong, where it is and what would be right."""
    first = errors[0]
    message = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
    if first["type"] in ("json_invalid", "json_type"):
        return "this is not JSON: " + str(first.get("ctx", {}).get("error", message))
    place = ".".join(_short(part) for part in first["loc"] if part not in ("body", "query"))
    if first["type"] == "extra_forbidden":
        return f"{place}: there is no such field"
    message = message[:1].lower() + message[1:]
    return f"{place}: {message}" if place else message


def _short(part: object) -> str:
    text = "".join(mark if mark.isprintable() else "?" for mark in str(part))
    return text if len(text) <= LONGEST_SAID else text[:LONGEST_SAID] + "..."
