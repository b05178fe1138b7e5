"""Validation of received data with pydantic. Errors become one sentence for people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from plyground.core.errors import PlygroundError

Request = TypeVar("Request")

MAX_QUOTED = 60
"""Characters of received text that an error repeats."""


class BadMessage(PlygroundError):
    """An invalid message. `ref` and `id` are its own, where they could be read."""

    def __init__(self, problem: str, ref: int | str | None = None, number: int | None = None):
        self.ref = ref
        self.id = number
        super().__init__(problem)


def read_message(adapter: TypeAdapter[Request], raw: str | bytes) -> Request:
    """The validated message in a text. Raises BadMessage."""
    try:
        return adapter.validate_json(raw)
    except ValidationError as error:
        ref, number = _identifiers(raw)
        raise BadMessage(problem_in(error.errors(include_url=False)), ref, number) from None


def _identifiers(raw: str | bytes) -> tuple[int | str | None, int | None]:
    """The `ref` and `id` of an invalid message."""
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        return None, None
    if not isinstance(document, dict):
        return None, None
    ref, number = document.get("ref"), document.get("id")
    return (
        ref if isinstance(ref, int | str) and len(str(ref)) <= MAX_QUOTED else None,
        number if isinstance(number, int) and 0 <= number < 1 << 53 else None,
    )


def problem_in(errors: Sequence[Mapping[str, Any]]) -> str:
    """The first error that pydantic found: where it is and what would be right."""
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
    return text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "..."
