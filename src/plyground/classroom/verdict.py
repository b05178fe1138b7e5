"""The result of one task: a verdict as contest judges give it, and the evidence."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from plyground.core.outcome import Ending


class Verdict(StrEnum):
    """The words of Kattis and other judges."""

    ACCEPTED = "AC"
    WRONG_ANSWER = "WA"
    TIME_LIMIT = "TLE"
    RUNTIME_ERROR = "RTE"
    JUDGE_ERROR = "JE"
    """The grader failed. It never costs a point."""


VERDICT_TEXTS = {
    Verdict.ACCEPTED: "solved",
    Verdict.WRONG_ANSWER: "not solved",
    Verdict.TIME_LIMIT: "too slow",
    Verdict.RUNTIME_ERROR: "crashed",
    Verdict.JUDGE_ERROR: "the judge's own fault; it costs no point",
}
"""Verdicts as pages show them."""

OF_ENDING = {
    Ending.FINISHED: Verdict.WRONG_ANSWER,
    Ending.DECIDED: Verdict.WRONG_ANSWER,
    Ending.AGREED: Verdict.WRONG_ANSWER,
    Ending.REPETITION: Verdict.WRONG_ANSWER,
    Ending.LENGTH: Verdict.WRONG_ANSWER,
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
    """The move that lost a point."""

    ply: int
    """How many moves had been played before it."""
    position: str
    played: str
    better: tuple[str, ...]
    before: str = ""
    """The value of the game in words; empty in a `best` task."""
    after: str = ""


@dataclass(frozen=True)
class TaskResult:
    """The result of one task. Its fields are the names in the journal and in `--json`."""

    task: str
    verdict: Verdict
    reason: str
    margin: int | None = None
    """The utility for the student's side, if the game was finished."""
    moves: int = 0
    slowest: float = 0.0
    """The longest charged time of a move, in seconds."""
    depth: int | None = None
    """The median of the depths that the player reported."""
    decisive: Decisive | None = None
    record: str = ""
    """The game, as a record's text."""
    complaints: str = ""
    """The end of the player's standard error."""
    loaded: bool = True
    """False if the player's file failed before its first move could be asked for."""

    @property
    def point(self) -> bool:
        return self.verdict in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
