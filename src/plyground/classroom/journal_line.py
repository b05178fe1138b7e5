"""The model that checks a line of the journal. It loads pydantic: only the reader imports it."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, ValidationError

from plyground.classroom.verdict import TaskResult
from plyground.core.validation import OpenDocument

LARGEST = 1 << 53
"""Every number of a result is smaller. Larger ones have no exact float."""


def _check_numbers(result: TaskResult) -> TaskResult:
    ply = None if result.decisive is None else result.decisive.ply
    for number in (result.margin, result.moves, result.slowest, result.depth, ply):
        if number is not None and not -LARGEST < number < LARGEST:
            raise ValueError("a number is out of range")
    return result


class JournalLine(OpenDocument):
    """Its types and unknown names are refused in the result, too: a dataclass without settings of
    its own has those of the model around it."""

    model_config = ConfigDict(extra="forbid")

    key: tuple[str, str, str]
    result: Annotated[TaskResult, AfterValidator(_check_numbers)]


def read_line(line: bytes) -> JournalLine | None:
    """None for a line that is not a journal's."""
    try:
        return JournalLine.model_validate_json(line)
    except ValidationError:
        return None
