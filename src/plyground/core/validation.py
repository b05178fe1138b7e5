"""Documents checked by pydantic models. An error is one sentence in our own words, with its place.

pydantic takes a while to load: import this module in the function that reads a document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from plyground.core.errors import FormatError
from plyground.core.printable import printable

AnyDocument = TypeVar("AnyDocument", bound="OpenDocument")
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
    "int_parsing_size": "must be a whole number with fewer digits",
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
    "extra_forbidden": "there is no such field",
    "unexpected_keyword_argument": "there is no such field",
    "union_tag_not_found": "has no {discriminator}",
    "union_tag_invalid": "has the unknown {discriminator} {tag!r:.60}; known are {expected_tags}",
}
"""What is wrong, by pydantic's type of the error and with its context."""
OWN_WORDS = ("value_error", "assertion_error")
"""Errors that a model of ours has raised, and worded."""
ALTERNATIVE = re.compile(r"bool|int|float|str|constrained-\w+|literal\[.*\]")
"""What pydantic adds to the place of an error in a value that may be of several types."""
WRONG_TYPE = {
    "bool_type",
    "int_type",
    "int_from_float",
    "float_type",
    "string_type",
    "literal_error",
}
JSON_PLACE = re.compile(r"line (\d+) column (\d+)")


class OpenDocument(BaseModel):
    """A part of a document. Types are strict, and unknown names are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False)


class Document(OpenDocument):
    """A part of a document. Types are strict, and unknown names are refused."""

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
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise FormatError(f"the name {name[:LONGEST_NAME]!r} is given twice in the same object")
        found[name] = value
    return found


def _refuse_constant(text: str) -> Any:
    raise FormatError(f"{text} is not a number of JSON")


def read_document(
    model: type[AnyDocument], value: object, what: str, *, text: str | None = None
) -> AnyDocument:
    """A parsed document as a model; `what` names the whole of it. Raises FormatError, with the line
    in the text if that is given."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        problem = problem_in(errors, lambda at: _numbered(at) or what)
        line = None if text is None else _line(text, errors[0]["loc"])
        raise FormatError(problem, line=line) from None


def refusal(text: str, location: Location, problem: str) -> FormatError:
    """The error about an entry of the document that a JSON text describes."""
    return FormatError(f"{_numbered(location)}: {problem}", line=_line(text, location))


def _line(text: str, location: Location) -> int:
    """The line of the last name of a location that is in the text, looked for one at a time."""
    at = 0
    for part in location:
        found = text.find(f'"{part}"', at) if isinstance(part, str) else -1
        if found < 0:
            break
        at = found
    return text.count("\n", 0, at) + 1


def problem_in(
    errors: Sequence[Mapping[str, Any]], place: Callable[[Location], str] | None = None
) -> str:
    """The first of pydantic's errors as a sentence. `place` writes where it is: by default as a
    path with dots, without the parts that FastAPI adds."""
    first = errors[0]
    if first["type"] in ("json_invalid", "json_type"):
        at = JSON_PLACE.search(str(first.get("ctx", {}).get("error")))
        return "this is not JSON" + (f": line {at[1]}, column {at[2]}" if at else "")
    alternatives = _alternatives(errors)
    location = first["loc"][:-1] if alternatives else first["loc"]
    where, words = (place or _dotted)(location), _words(alternatives or [first])
    return f"{where}: {words}" if where else words


def _alternatives(errors: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The errors of a value that is of none of several types: those of the type that is nearest, or
    all. Empty if the first error is another one."""
    place = errors[0]["loc"][:-1]
    beside = [error for error in errors if error["loc"] and error["loc"][:-1] == place]
    found = [error for error in beside if ALTERNATIVE.fullmatch(str(error["loc"][-1]))]
    nearest = [error for error in found if error["type"] not in WRONG_TYPE]
    return (nearest[:1] or found) if len(found) > 1 and found[0] is errors[0] else []


def _words(errors: Sequence[Mapping[str, Any]]) -> str:
    """What is wrong with a value, by one error or by one for each type that it could be of."""
    first = errors[0]
    if first["type"] in OWN_WORDS:
        message = str(first["msg"]).partition(", ")[2].rstrip(".")
        return message[:1].lower() + message[1:]
    phrases = [
        WORDS.get(error["type"], "cannot be read").format(**error.get("ctx", {}))
        for error in errors
    ]
    *others, last = [phrases[0], *(phrase.removeprefix("must be ") for phrase in phrases[1:])]
    words = f"{', '.join(others)} or {last}" if others else last
    words = words.replace(" 1 characters", " 1 character").replace(" 1 entries", " 1 entry")
    value = first.get("input")
    is_scalar = isinstance(value, str | int | float | None)
    given = json.dumps(value) if value is None or isinstance(value, bool) else repr(value)
    is_short = words.startswith("must") and len(given) <= LONGEST_NAME
    return f"{words}, not {given}" if is_scalar and is_short else words


def _dotted(location: Location) -> str:
    return ".".join(_short(part) for part in location if part not in ("body", "query", "[key]"))


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
    text = printable(str(part))
    return text if len(text) <= LONGEST_NAME else text[:LONGEST_NAME] + "..."
