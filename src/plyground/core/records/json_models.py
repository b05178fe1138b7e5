"""The models that check a record in JSON. They load pydantic: only the reader imports them.

They check names and types. What a record may hold, such as lengths and ranges, is checked by the
record itself (`core/records/checks.py`), whichever format it was read from.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from plyground.core.outcome import Ending
from plyground.core.validation import Document


def _check_version(version: int) -> int:
    if version != 1:
        raise ValueError(f"{version} is unknown: this program reads version 1")
    return version


class PlyDocument(Document):
    move: str
    seconds: float | None = None
    evaluation: int | None = None
    depth: int | None = None
    comment: str = ""


class OutcomeDocument(Document):
    winner: Annotated[int, Field(ge=0, le=1)] | None
    utility: int
    ending: Annotated[Ending, Field(strict=False)]
    reason: str


class RecordDocument(Document):
    format: Literal["plyground record"]
    version: Annotated[int, AfterValidator(_check_version)]
    game: str
    options: dict[str, str] = Field(default_factory=dict)
    start: str
    players: list[str] = Field(default=["", ""], min_length=2, max_length=2)
    date: str = ""
    event: str = ""
    clock: str = ""
    moves: list[PlyDocument] = Field(default_factory=list)
    outcome: OutcomeDocument | None = None
    tags: dict[str, str] = Field(default_factory=dict)
