"""The text of a position of a game that has no notation of its own: each field, name=value."""

from __future__ import annotations

from typing import Any

from plyground.core.contract import Field, Rules
from plyground.core.errors import FormatError

RANGES = {"int64": (-(1 << 63), (1 << 63) - 1), "uint64": (0, (1 << 64) - 1), "bool": (0, 1)}


def write_state(rules: Rules, state: Any) -> str:
    return " ".join(
        f"{field.name}={_write_value(field, value)}"
        for field, value in zip(rules.state_fields, state, strict=True)
    )


def read_state(rules: Rules, text: str) -> Any:
    words = text.split()
    fields = rules.state_fields
    expected = " ".join(f"{field.name}=..." for field in fields)
    if len(words) != len(fields):
        raise FormatError(f"{len(words)} fields where {len(fields)} belong: {expected}")
    values = []
    for field, word in zip(fields, words, strict=True):
        name, _, value = word.partition("=")
        if name != field.name:
            raise FormatError(f"{word!r} where {field.name}=... belongs: {expected}")
        values.append(_read_value(field, value))
    return rules.state_class(*values)


def _write_value(field: Field, value: Any) -> str:
    items = value if field.length else (value,)
    return ",".join(str(int(item)) for item in items)


def _read_value(field: Field, text: str) -> Any:
    low, high = RANGES[field.kind]
    items: list[int] = []
    for word in text.split(","):
        if not word.removeprefix("-").isdecimal() or len(word) > 20:
            raise FormatError(f"{field.name}={text}: {word!r} is not a whole number")
        if not low <= int(word) <= high:
            raise FormatError(f"{field.name}={text}: {word} is not between {low} and {high}")
        items.append(int(word))
    if len(items) != max(1, field.length):
        raise FormatError(f"{field.name}={text}: {field.length or 1} numbers belong here")
    values = [bool(item) for item in items] if field.kind == "bool" else items
    return tuple(values) if field.length else values[0]
