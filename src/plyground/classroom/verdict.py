"""What a grader says of one task: the words that judges of contests use, and the evidence."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

from plyground.core.outcome import Ending


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
    def from_json(cls, document: dict[str, Any]) -> TaskResult:
        """What `as_json` wrote. Raises ValueError or TypeError if it is something else."""
        known = {field.name for field in fields(cls)}
        if not set(document) <= known:
            raise ValueError("not a result")
        found = dict(document, verdict=Verdict(document["verdict"]))
        decisive = document.get("decisive")
        if decisive is not None:
            found["decisive"] = Decisive(**dict(decisive, better=tuple(decisive["better"])))
        return cls(**found)
