"""`plyground show`: a position as people see it, or a recorded game move by move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.cli.arguments import AsJson, BoardOptions, Moves, PositionArgument
from plyground.cli.inputs import file_exists, read_position
from plyground.cli.output import print_json, print_rows, print_table, seconds_text, table
from plyground.core.errors import FormatError
from plyground.core.files import write_atomically
from plyground.core.game import Position
from plyground.core.records.record import GameRecord
from plyground.core.registry import find_game, game_names
from plyground.search.result import value_text

EXAMPLES = (
    "plyground show breakthrough",
    "plyground show breakthrough --option rows=8 --moves 'b2b3 e7e6'",
    "plyground show tictactoe 'xo1/1x1/2o x' --svg position.svg",
    "plyground show game.record --ply 2",
)


def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="A game's name, your own .py file, or a file with a recorded game."
        ),
    ],
    position: PositionArgument = None,
    option: BoardOptions = None,
    moves: Moves = "",
    ply: Annotated[
        int | None,
        typer.Option(metavar="N", help="Of a recorded game: the position after N moves."),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Of a recorded game: the .py file with its rules, if they are your own.",
        ),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Write the picture to a file, too."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a position, or a recorded game.

    Of a position: the picture, whose turn it is, the legal moves and the game's own evaluation (for
    the first player), or how the game has ended. Of a recorded game: every move, and the last
    position or the one after --ply moves.
    """
    record = _record_in(name)
    if record is None:
        _refuse("a recorded game", {"--ply": ply, "--game": game})
        found = read_position(name, position, option, moves)
    else:
        _refuse("a game", {"POSITION": position, "--option": option, "--moves": moves or None})
        found = _position_after(record, game, ply)
    if svg is not None:
        write_atomically(svg, found.svg().encode())
    if as_json:
        document = _describe(found)
        if record is not None:
            document = {"record": json.loads(record.json), "shown": document}
        print_json(document)
        return
    if record is not None:
        _print_record(record)
    _print_position(found)


def _record_in(name: str) -> GameRecord | None:
    """The recorded game in a file; None if the name is that of a game, or of no file."""
    if name in game_names() or name.endswith(".py") or not file_exists(name):
        return None
    return GameRecord.load(name)


def _refuse(owner: str, given: dict[str, object]) -> None:
    for option, value in given.items():
        if value is not None:
            raise FormatError(f"{option} goes with {owner}, which is not what is shown here")


def _describe(position: Position) -> dict[str, Any]:
    """A position as a JSON document."""
    game = position.game
    document: dict[str, Any] = {
        "game": game.name,
        "position": position.text,
        "over": position.is_over,
    }
    if position.is_over:
        outcome = position.outcome
        winner = None if outcome.winner is None else game.players[outcome.winner]
        return {
            **document,
            "winner": winner,
            "score": outcome.score,
            "utility": outcome.utility,
            "reason": outcome.reason,
        }
    return {
        **document,
        "turn": game.players[position.turn],
        "moves": [position.move_text(move) for move in position.legal_moves],
        "evaluation": position.evaluation,
    }


def _print_position(position: Position) -> None:
    print(position.picture)
    print()
    facts = _describe(position)
    rows = {"position": " | ".join(position.text.splitlines())}
    if position.is_over:
        rows["result"] = f"{facts['score']}, {facts['reason']}"
    else:
        rows["turn"] = facts["turn"]
        rows["moves"] = f"{len(facts['moves'])}: {' '.join(facts['moves'])}"
        if "evaluate" not in position.game.rules.defaults:
            rows["evaluation"] = value_text(position, facts["evaluation"])
    print_rows(rows)


def _position_after(record: GameRecord, game: str | None, ply: int | None) -> Position:
    """The position after so many moves. All moves are played, and so checked."""
    positions = record.positions(None if game is None else find_game(game))
    if ply is None:
        return positions[-1]
    if not 0 <= ply < len(positions):
        raise FormatError(f"--ply {ply}: the game has {len(record.plies)} moves")
    return positions[ply]


def _print_record(record: GameRecord) -> None:
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
