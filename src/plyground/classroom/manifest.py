"""The models that check a suite's manifest. They load pydantic: only the reader imports them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from plyground.core.errors import LimitError
from plyground.core.validation import Document
from plyground.search.features import read_features

MOST_TASKS = 1000
LONGEST_NAME = 60
OPPONENTS: Mapping[str, frozenset[str]] = {
    "perfect": frozenset(),
    "engine": frozenset({"depth", "nodes", "seconds", "seed", "features"}),
    "alpha-beta": frozenset({"depth", "nodes", "seconds"}),
    "minimax": frozenset({"depth", "nodes"}),
    "monte-carlo": frozenset({"nodes", "seconds", "seed"}),
    "greedy": frozenset(),
    "random": frozenset({"seed"}),
}
"""The kinds of opponents, and the limits that each of them takes."""


def _without_fraction(value: object) -> object:
    """2.0 is a whole number, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _file_name(name: str) -> str:
    """Tasks give names to files."""
    if len(name) > LONGEST_NAME or not all(mark.isalnum() or mark in "-_" for mark in name):
        raise ValueError(f"{name!r:.80} must be of letters, digits, - and _")
    return name


NonEmptyText = Annotated[str, Field(min_length=1)]
WholeNumber = Annotated[int, BeforeValidator(_without_fraction)]
LimitSeconds = Annotated[float, Field(ge=0.001, le=3600.0)]


class OpponentEntry(Document):
    kind: str
    depth: Annotated[WholeNumber, Field(ge=1, le=250)] | None = None
    nodes: Annotated[WholeNumber, Field(ge=1, le=10**12)] | None = None
    seconds: LimitSeconds | None = None
    seed: Annotated[WholeNumber, Field(ge=0, le=2**53)] | None = None
    features: NonEmptyText | None = None

    @model_validator(mode="after")
    def _check_limits(self) -> OpponentEntry:
        if self.kind not in OPPONENTS:
            kinds = ", ".join(OPPONENTS)
            raise ValueError(f"kind must be one of {kinds}, not {self.kind!r:.60}")
        for name in sorted(self.model_fields_set - OPPONENTS[self.kind] - {"kind"}):
            takes = ", ".join(sorted(OPPONENTS[self.kind])) or "nothing else"
            raise ValueError(f"{name} means nothing to {self.kind}; it takes {takes}")
        if self.features is not None:
            try:
                read_features(self.features)
            except LimitError as error:
                raise ValueError(str(error)) from None
        return self


class TaskEntry(Document):
    name: Annotated[NonEmptyText, AfterValidator(_file_name)]
    task: Literal["win", "best"]
    file: NonEmptyText | None = None
    position: NonEmptyText | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    side: Annotated[WholeNumber, Field(ge=0, le=1)] | None = None
    opponent: OpponentEntry = OpponentEntry(kind="perfect")
    best: list[str | int] = Field(default_factory=list)
    proof: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check_position(self) -> TaskEntry:
        if self.file is not None and self.position is not None:
            raise ValueError("give a file or a position, not both")
        if self.task == "best" and not self.best:
            raise ValueError('list the moves that earn the point as "best"')
        return self


class LevelEntry(Document):
    name: NonEmptyText
    points: Annotated[WholeNumber, Field(ge=0, le=MOST_TASKS)]


class Manifest(Document):
    format: Literal["plyground-suite-1"]
    game: NonEmptyText
    title: NonEmptyText | None = None
    seconds: LimitSeconds | None = None
    grace: Annotated[float, Field(ge=0.0, le=60.0)] | None = None
    overruns: Annotated[WholeNumber, Field(ge=1, le=1000)] | None = None
    engine: bool = True
    end_when_decided: bool = False
    levels: list[LevelEntry] = Field(default_factory=list)
    tasks: list[TaskEntry] = Field(min_length=1, max_length=MOST_TASKS)

    @model_validator(mode="after")
    def _check_names(self) -> Manifest:
        names = [task.name for task in self.tasks]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two tasks are called {twice!r}")
        return self
