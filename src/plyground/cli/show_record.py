"""A recorded game, as `plyground show` prints it."""

from __future__ import annotations

import json
from typing import Any

from plyground.cli.output import print_rows, print_table, seconds_text, table
from plyground.cli.show import describe
from plyground.core.errors import FormatError
from plyground.core.position import Position
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game
from plyground.search.result import value_text


def position_after(record: GameRecord, game: str | None, ply: int | None) -> Position:
    """The position after so many moves; all of them are played through and so checked."""
    positions = record.positions(None if game is None else find_game(game))
    if ply is None:
        return positions[-1]
    if not 0 <= ply < len(positions):
        raise FormatError(f"--ply {ply}: the game has {len(record.plies)} moves")
    return positions[ply]


def describe_record(record: GameRecord, shown: Position) -> dict[str, Any]:
    return {"record": json.loads(record.json), "shown": describe(shown)}


def print_record(record: GameRecord) -> None:
    facts = {
        "game": record.game,
        "players": " and ".join(name or "?" for name in record.players),
        "date": record.date,
        "event": record.event,
        "clock": record.clock,
        "result": "not finished"
        if record.outcome is None
        else f"{record.outcome.score}, {record.outcome.reason}",
    }
    print_rows({name: value for name, value in facts.items() if value})
    print()
    rows = table(">ply", "player", "move", ">value", ">depth", ">time", "comment")
    for number, (position, ply) in enumerate(
        zip(record.positions(), record.plies, strict=False), 1
    ):
        rows.add_row(
            str(number),
            position.game.players[position.turn],
            ply.move,
            "" if ply.evaluation is None else value_text(position, ply.evaluation),
            "" if ply.depth is None else str(ply.depth),
            "" if ply.seconds is None else seconds_text(ply.seconds),
            ply.comment,
        )
    print_table(rows)
    print()
