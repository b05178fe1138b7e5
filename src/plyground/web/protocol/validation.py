"""Validation of received data with pydantic. Errors become one sentence for people."""

from __future__ import annotations

import json
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from plyground.core.errors import PlygroundError
from plyground.core.validation import LONGEST_NAME, problem_in

Request = TypeVar("Request")


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
        ref if isinstance(ref, int | str) and len(str(ref)) <= LONGEST_NAME else None,
        number if isinstance(number, int) and 0 <= number < 1 << 53 else None,
    )
