"""The record of a game as one line of JSON, for programs: a file of such lines holds many games.

Fields that say nothing are left out; unknown ones are refused, except within "tags".
"""

from __future__ import annotations

import json
from typing import Any

from plyground.core.errors import FormatError
from plyground.core.outcome import Ending, Outcome
from plyground.core.records.record import GameRecord, Ply

FORMAT = "plyground record"
VERSION = 1

FIELDS = (
    "format",
    "version",
    "game",
    "options",
    "start",
    "players",
    "date",
    "event",
    "clock",
    "moves",
    "outcome",
    "tags",
)
PLY_FIELDS = ("move", "seconds", "evaluation", "depth", "comment")
OUTCOME_FIELDS = ("winner", "utility", "ending", "reason")


def write_json(record: GameRecord) -> str:
    """One line, without its end."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": record.game,
        "options": dict(record.options),
        "start": record.start,
        "players": list(record.players),
        "date": record.date,
        "event": record.event,
        "clock": record.clock,
        "moves": [_write_ply(ply) for ply in record.plies],
        "outcome": _write_outcome(record.outcome),
        "tags": dict(record.tags),
    }
    optional = ("options", "date", "event", "clock", "tags")
    kept = {name: value for name, value in document.items() if value or name not in optional}
    return json.dumps(kept, ensure_ascii=False, allow_nan=False)


def _write_ply(ply: Ply) -> dict[str, Any]:
    noted = {name: getattr(ply, name) for name in PLY_FIELDS}
    return {name: value for name, value in noted.items() if value is not None and value != ""}


def _write_outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "winner": outcome.winner,
        "utility": outcome.utility,
        "ending": outcome.ending.value,
        "reason": outcome.reason,
    }


def read_json(line: str, number: int = 1) -> GameRecord:
    """The record in a line of JSON; `number` is the line's, for errors to name."""
    try:
        return _read_record(_parse(line), number)
    except FormatError as error:
        raise FormatError(error.problem, line=number) from None


def _parse(line: str) -> dict[str, Any]:
    try:
        document = json.loads(
            line, object_pairs_hook=_without_repeats, parse_constant=_refuse_constant
        )
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise FormatError("not a record: lists within lists without end") from None
    except ValueError as error:  # a number with more digits than Python is willing to read
        raise FormatError(f"not a record: {error}") from None
    return _object("a record", document, FIELDS)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise FormatError("a name is given twice in the same object")
    return found


def _refuse_constant(text: str) -> Any:
    raise FormatError(f"{text} is not a number of JSON")


def _read_record(document: dict[str, Any], number: int) -> GameRecord:
    if document.get("format") != FORMAT:
        raise FormatError(f'not a record: "format" must be "{FORMAT}"')
    version = document.get("version")
    if version != VERSION or isinstance(version, bool):
        raise FormatError(
            f"version {str(version)[:20]} of the format: this program reads version {VERSION}"
        )
    for name in ("game", "start"):
        if name not in document:
            raise FormatError(f'"{name}" is missing')
    players = _list("players", document.get("players", ["", ""]))
    if len(players) != 2:
        raise FormatError('"players" must be two names')
    return GameRecord(
        game=document["game"],
        start=document["start"],
        options=tuple(_object("options", document.get("options", {})).items()),
        players=(players[0], players[1]),
        date=document.get("date", ""),
        event=document.get("event", ""),
        clock=document.get("clock", ""),
        plies=tuple(
            _read_ply(ply, index, number)
            for index, ply in enumerate(_list("moves", document.get("moves", [])), 1)
        ),
        outcome=_read_outcome(document.get("outcome")),
        tags=tuple(_object("tags", document.get("tags", {})).items()),
        line=number,
    )


def _read_ply(given: Any, index: int, number: int) -> Ply:
    try:
        fields = _object("a move", given, PLY_FIELDS)
        return Ply(**{"move": "", **fields}, line=number)
    except FormatError as error:
        raise FormatError(f"move {index}: {error.problem}") from None


def _read_outcome(given: Any) -> Outcome | None:
    if given is None:
        return None
    fields = _object("outcome", given, OUTCOME_FIELDS)
    missing = [name for name in OUTCOME_FIELDS if name not in fields]
    if missing:
        raise FormatError(f'"{missing[0]}" is missing in the outcome')
    endings = {ending.value: ending for ending in Ending}
    if not isinstance(fields["ending"], str) or fields["ending"] not in endings:
        raise FormatError(f"a game ends as one of {', '.join(endings)}")
    if fields["utility"] is None:
        raise FormatError("a utility is a whole number")
    ending = endings[fields["ending"]]
    return Outcome(fields["winner"], fields["utility"], ending, fields["reason"])


def _object(what: str, given: Any, allowed: tuple[str, ...] | None = None) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise FormatError(f"{what} must be a JSON object")
    for name in given:
        if allowed is not None and name not in allowed:
            raise FormatError(f"{what} has no field {name[:60]!r}; it has {', '.join(allowed)}")
    return given


def _list(what: str, given: Any) -> list[Any]:
    if not isinstance(given, list):
        raise FormatError(f'"{what}" must be a list')
    return given
