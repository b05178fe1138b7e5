"""What a grader says of one task: the words that judges of contests use, and the evidence."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

from plyground.core.outcome import Ending

LARGEST = 1 << 53
"""No number of a result is as large. What is can no more be a float without loss."""


class Verdict(StrEnum):
    """As Kattis and others say it."""

    ACCEPTED = "AC"
    WRONG_ANSWER = "WA"
    TIME_LIMIT = "TLE"
    RUNTIME_ERROR = "RTE"
    JUDGE_ERROR = "JE"
    """The judge's own fault. It never costs a point."""


OF_ENDING = {
    Ending.FINISHED: Verdict.WRONG_ANSWER,
    Ending.RESIGNED: Verdict.WRONG_ANSWER,
    Ending.ILLEGAL: Verdict.WRONG_ANSWER,
    Ending.GARBAGE: Verdict.WRONG_ANSWER,
    Ending.TIME: Verdict.TIME_LIMIT,
    Ending.OVERRUN: Verdict.TIME_LIMIT,
    Ending.SILENT: Verdict.TIME_LIMIT,
    Ending.CRASHED: Verdict.RUNTIME_ERROR,
}
"""The verdict on a game that was not won, by how it ended."""


@dataclass(frozen=True)
class Decisive:
    """The first move that threw a point away."""

    ply: int
    """How many moves had been played before it."""
    position: str
    played: str
    better: tuple[str, ...]
    before: str = ""
    """What the game was worth, in words; empty where only the best move was asked for."""
    after: str = ""

    @classmethod
    def from_json(cls, document: Any) -> Decisive:
        """The same as for a result."""
        _check_names(cls, document)
        for name in set(document) - {"ply", "better"}:
            _check(document, name, (str,))
        _check(document, "ply", (int,))
        _check(document, "better", (list,))
        if not all(type(move) is str for move in document["better"]):
            raise TypeError("better: not a list of texts")
        return cls(**dict(document, better=tuple(document["better"])))


@dataclass(frozen=True)
class TaskResult:
    """What came of one task."""

    task: str
    verdict: Verdict
    reason: str
    margin: int | None = None
    """The utility for the student's side, if the game was finished."""
    moves: int = 0
    slowest: float = 0.0
    """Seconds, waiting for a core left out."""
    depth: int | None = None
    """The depth that the player says it reached in half of its moves."""
    asked_again: int = 0
    """Moves that were asked again because the machine was busy."""
    decisive: Decisive | None = None
    record: str = ""
    """The game, as a record's text."""
    complaints: str = ""
    """What the player wrote to its standard error."""

    @property
    def point(self) -> bool:
        return self.verdict in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, document: Any) -> TaskResult:
        """What `as_json` wrote. Raises ValueError, KeyError or TypeError if it is something else:
        who reads a result relies on every part of it, long after it was read."""
        _check_names(cls, document)
        for name in set(document) - {"verdict", "decisive"}:
            _check(document, name, KINDS.get(name, (str,)))
        found = dict(document, verdict=Verdict(document["verdict"]))
        if document.get("decisive") is not None:
            found["decisive"] = Decisive.from_json(document["decisive"])
        return cls(**found)


KINDS: dict[str, tuple[type, ...]] = {
    "margin": (int, type(None)),
    "moves": (int,),
    "slowest": (float, int),
    "depth": (int, type(None)),
    "asked_again": (int,),
}
"""What the parts of a result are that are no texts."""


def _check_names(made: type[TaskResult | Decisive], document: Any) -> None:
    if type(document) is not dict or not set(document) <= {field.name for field in fields(made)}:
        raise ValueError(f"not a {made.__name__}")


def _check(document: dict[str, Any], name: str, kinds: Collection[type]) -> None:
    """True is no number here, nor is what only JSON in Python's own manner has for numbers."""
    value = document[name]
    if type(value) not in kinds:
        raise TypeError(f"{name}: not of the right kind")
    if isinstance(value, int | float) and not -LARGEST < value < LARGEST:
        raise ValueError(f"{name}: not a number that anyone would write")
