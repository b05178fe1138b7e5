"""Documents checked by pydantic models. An error is one sentence in our own words, with its place.

pydantic takes a while to load: import this module in the function that reads a document.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from plyground.core.errors import FormatError

Model = TypeVar("Model", bound="Document")
Location = Sequence[str | int]

LONGEST_NAME = 60
"""Characters of a name or a value in a document that an error repeats."""

WORDS = {
    "missing": "is missing",
    "string_type": "must be a text",
    "string_unicode": "holds half a character (a surrogate), which no file can hold",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must match {pattern}",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "none_required": "must be null",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dataclass_type": "must be an object",
    "union_tag_not_found": "has no {discriminator}",
    "union_tag_invalid": "has the unknown {discriminator} {tag!r:.60}; known are {expected_tags}",
}
"""What is wrong, by pydantic's type of the error and with its context."""


class Document(BaseModel):
    """A part of a document. Types are strict, and unknown names are refused."""

    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_names(cls, given: Any) -> Any:
        for name in given if isinstance(given, dict) else ():
            if name not in cls.model_fields:
                known = ", ".join(cls.model_fields)
                raise ValueError(f"{name[:LONGEST_NAME]!r} is unknown; known are {known}")
        return given


def parse_json(text: str) -> Any:
    """The value that a JSON text describes. Raises FormatError, also for a name that is given twice
    in one object and for NaN and Infinity, which are not JSON."""
    try:
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg} at column {error.colno}"
        raise FormatError(problem, line=error.lineno) from None
    except RecursionError:
        raise FormatError("not JSON: it is nested too deeply") from None
    except ValueError as error:  # a number with more digits than Python reads
        raise FormatError(f"not JSON: {error}") from None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise FormatError("a name is given twice in the same object")
    return found


def _refuse_constant(text: str) -> Any:
    raise FormatError(f"{text} is not a number of JSON")


def read_document(model: type[Model], value: object, what: str) -> Model:
    """A parsed document as a model; `what` names the whole of it. Raises FormatError."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        problem = problem_in(error.errors(include_url=False), lambda at: _numbered(at) or what)
        raise FormatError(problem) from None


def problem_in(
    errors: Sequence[Mapping[str, Any]], place: Callable[[Location], str] | None = None
) -> str:
    """The first of pydantic's errors as a sentence. `place` writes where it is: by default as a
    path with dots, without the parts that FastAPI adds."""
    first = errors[0]
    if first["type"] in ("json_invalid", "json_type"):
        return f"this is not JSON: {first.get('ctx', {}).get('error', first['msg'])}"
    where = (place or _dotted)(first["loc"])
    if first["type"] == "extra_forbidden":
        return f"{where}: there is no such field"
    return f"{where}: {_words(first)}" if where else _words(first)


def _words(error: Mapping[str, Any]) -> str:
    if error["type"] in WORDS:
        words = WORDS[error["type"]].format(**error.get("ctx", {}))
        words = words.replace(" 1 characters", " 1 character").replace(" 1 entries", " 1 entry")
        value = error.get("input")
        is_scalar = isinstance(value, str | int | float | None)
        given = json.dumps(value) if value is None or isinstance(value, bool) else repr(value)
        is_short = words.startswith("must") and len(given) <= LONGEST_NAME
        return f"{words}, not {given}" if is_scalar and is_short else words
    message = str(error["msg"]).removeprefix("Value error, ").rstrip(".")
    return message[:1].lower() + message[1:]


def _dotted(location: Location) -> str:
    return ".".join(_short(part) for part in location if part not in ("body", "query"))


def _numbered(location: Location) -> str:
    """`task 2, opponent, depth` for `("tasks", 1, "opponent", "depth")`."""
    parts: list[str] = []
    for part in location:
        if isinstance(part, int) and parts:
            parts[-1] = f"{parts[-1].removesuffix('s')} {part + 1}"
        else:
            parts.append(_short(part))
    return ", ".join(parts)


def _short(part: object) -> str:
    text = "".join(mark if mark.isprintable() else "?" for mark in str(part))
    return text if len(text) <= LONGEST_NAME else text[:LONGEST_NAME] + "..."
