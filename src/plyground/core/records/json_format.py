"""The record of a game as one line of JSON, for programs: a file of such lines holds many games.

Fields that say nothing are left out; unknown ones are refused, except within "tags".
"""

from __future__ import annotations

import json
from typing import Any

from plyground.core.errors import FormatError
from plyground.core.outcome import Outcome
from plyground.core.records.data import Ply, RecordData


def write_json(record: RecordData) -> str:
    """One line, without its end."""
    document: dict[str, Any] = {
        "format": "plyground record",
        "version": 1,
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
    names = ("move", "seconds", "evaluation", "depth", "comment")
    noted = {name: getattr(ply, name) for name in names}
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


def read_json(line: str, number: int = 1) -> RecordData:
    """The record in a line of JSON; `number` is the line's, for errors to name."""
    from plyground.core.validation import parse_json

    try:
        return _read_record(parse_json(line), number)
    except FormatError as error:
        raise FormatError(error.problem, line=number) from None


def _read_record(value: object, number: int) -> RecordData:
    from plyground.core.records.json_models import RecordDocument
    from plyground.core.validation import read_document

    document = read_document(RecordDocument, value, "a record")
    plies = []
    for at, ply in enumerate(document.moves, 1):
        try:
            plies.append(Ply(**vars(ply), line=number))
        except FormatError as error:
            raise FormatError(f"move {at}: {error.problem}") from None
    return RecordData(
        game=document.game,
        start=document.start,
        options=tuple(document.options.items()),
        players=(document.players[0], document.players[1]),
        date=document.date,
        event=document.event,
        clock=document.clock,
        plies=tuple(plies),
        outcome=None if document.outcome is None else Outcome(**vars(document.outcome)),
        tags=tuple(document.tags.items()),
        line=number,
    )
