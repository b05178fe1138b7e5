"""Documents are checked by models, and an error is one sentence in our own words."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated, Any, Literal, get_args

import pytest
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core.core_schema import ErrorType

from plyground.core.errors import FormatError
from plyground.core.validation import WORDS, Document, parse_json, problem_in, read_document


class Part(Document):
    kind: Literal["one", "two"]
    name: Annotated[str, Field(min_length=1, max_length=5)] = "x"


class Whole(Document):
    size: Annotated[int, Field(ge=1, le=9)]
    share: Annotated[float, Field(gt=0, lt=1)] = 0.5
    open: bool = True
    names: dict[str, str] = Field(default_factory=dict)
    value: bool | Annotated[int, Field(le=9)] | Annotated[str, Field(max_length=5)] = 0
    parts: list[Part] = Field(default_factory=list, max_length=2)


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ([], "the file: must be an object"),
        (7, "the file: must be an object, not 7"),
        ({}, "size: is missing"),
        ({"size": 1, "siez": 2}, "the file: 'siez' is unknown; known are size, share, open, names"),
        ({"size": True}, "size: must be a whole number, not true"),
        ({"size": "1"}, "size: must be a whole number, not '1'"),
        ({"size": 1.5}, "size: must be a whole number, not 1.5"),
        ({"size": 0}, "size: must be at least 1, not 0"),
        ({"size": 10}, "size: must be at most 9, not 10"),
        ({"size": 1, "share": "x"}, "share: must be a number, not 'x'"),
        ({"size": 1, "share": 0}, "share: must be more than 0, not 0"),
        ({"size": 1, "share": 1}, "share: must be less than 1, not 1"),
        ({"size": 1, "share": float("nan")}, "share: must be a finite number, not nan"),
        ({"size": 1, "open": 1}, "open: must be true or false, not 1"),
        ({"size": 1, "names": []}, "names: must be an object"),
        (
            {"size": 1, "value": 1.5},
            "value: must be true or false, a whole number or a text, not 1.5",
        ),
        ({"size": 1, "value": []}, "value: must be true or false, a whole number or a text"),
        ({"size": 1, "value": 10}, "value: must be at most 9, not 10"),
        ({"size": 1, "value": "too long"}, "value: must have at most 5 characters"),
        ({"size": 1, "names": {"a": None}}, "names, a: must be a text, not null"),
        (
            {"size": 1, "parts": [{"kind": "one", "name": "\ud800"}]},
            "part 1, name: holds half a character (a surrogate)",
        ),
        ({"size": 1, "parts": {}}, "parts: must be a list"),
        ({"size": 1, "parts": [{"kind": "one"}] * 3}, "parts: must have at most 2 entries"),
        ({"size": 1, "parts": [{"kind": "one"}, 5]}, "part 2: must be an object, not 5"),
        (
            {"size": 1, "parts": [{"kind": "six"}]},
            "part 1, kind: must be 'one' or 'two', not 'six'",
        ),
        (
            {"size": 1, "parts": [{"kind": "one", "name": ""}]},
            "part 1, name: must have at least 1 character, not ''",
        ),
        (
            {"size": 1, "parts": [{"kind": "one", "name": "x" * 99}]},
            "part 1, name: must have at most 5 characters",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(document: Any, problem: str) -> None:
    with pytest.raises(FormatError) as refused:
        read_document(Whole, document, "the file")
    assert str(refused.value).startswith(problem)
    assert str(refused.value).isprintable()
    assert "input" not in str(refused.value).lower()


def test_no_words_of_the_library_are_repeated() -> None:
    """Whatever it finds wrong, in this version or in a later one."""
    for kind in (*get_args(ErrorType), "news"):
        error = {"type": kind, "loc": ("a",), "msg": "Value error, in our words.", "input": None}
        expected = {"value_error": "a: in our words", "assertion_error": "a: in our words"}
        if kind in expected or kind not in WORDS:
            told = "this is not JSON" if kind.startswith("json") else "a: cannot be read"
            assert problem_in([error]) == expected.get(kind, told)


def test_json_that_cannot_be_parsed_is_told_with_its_place() -> None:
    for text, problem in (("{", "line 1, column 1"), ("[1,\n2", "line 2, column 1")):
        with pytest.raises(ValidationError) as refused:
            TypeAdapter(Whole).validate_json(text)
        assert problem_in(refused.value.errors()) == f"this is not JSON: {problem}"


def test_a_place_may_be_a_path_with_dots() -> None:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(Whole).validate_python({"size": 1, "parts": [{"kind": "six"}]})
    told = problem_in(refused.value.errors())
    assert told == "parts.0.kind: must be 'one' or 'two', not 'six'"


def test_a_text_that_is_no_json_is_named_so() -> None:
    for text, problem in (
        ("{\n,", "line 2: not JSON: Expecting property name enclosed in double quotes at column 1"),
        ("[" * 100_000, "not JSON: it is nested too deeply"),
        ("1" * 5000, "not JSON: Exceeds the limit"),
        ("NaN", "NaN is not a number of JSON"),
        ('{"a": 1, "a": 2}', "the name 'a' is given twice in the same object"),
    ):
        with pytest.raises(FormatError) as refused:
            parse_json(text)
        assert str(refused.value).startswith(problem)
    assert parse_json('{"a": [1, null]}') == {"a": [1, None]}


@pytest.mark.parametrize(
    "module",
    ["classroom.suite", "classroom.journal", "core.records.record", "games.derby.game"],
)
def test_pydantic_is_loaded_only_when_a_document_is_read(module: str) -> None:
    code = f"import sys, plyground.{module}; print('pydantic' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
