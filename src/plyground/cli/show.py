"""`plyground show`: a position as people see it, or a recorded game move by move."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground.cli.arguments import AsJson, BoardOptions, Moves, PositionArgument
from plyground.cli.inputs import file_exists
from plyground.core.errors import FormatError

if TYPE_CHECKING:
    from plyground.core.position import Position
    from plyground.core.records.record import GameRecord

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
            show_default=False,
        ),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(
            "--svg", metavar="FILE", help="Write the picture to a file, too.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a position, or a recorded game.

    Of a position: the picture, whose turn it is, the legal moves and the game's own evaluation (for
    the first player), or how the game has ended. Of a recorded game: every move, and the last
    position or the one after --ply moves.
    """
    from plyground.cli.inputs import read_position
    from plyground.cli.output import print_json, write_text
    from plyground.core.registry import find_game

    record = _record_in(name)
    if record is None:
        _refuse("a recorded game", {"--ply": ply, "--game": game})
        found = read_position(find_game(name), position, option, moves)
    else:
        from plyground.cli.show_record import describe_record, position_after, print_record

        _refuse("a game", {"POSITION": position, "--option": option, "--moves": moves or None})
        found = position_after(record, game, ply)
    if svg is not None:
        write_text(svg, found.svg())
    if as_json:
        print_json(describe(found) if record is None else describe_record(record, found))
        return
    if record is not None:
        print_record(record)
    print_position(found)


def _record_in(name: str) -> GameRecord | None:
    """The recorded game in a file; None where the name is a game's, or nothing's."""
    from plyground.core.registry import game_names

    if name in game_names() or name.endswith(".py") or not file_exists(name):
        return None
    from plyground.core.records.record import GameRecord

    return GameRecord.load(name)


def _refuse(owner: str, given: dict[str, object]) -> None:
    for option, value in given.items():
        if value is not None:
            raise FormatError(f"{option} goes with {owner}, which is not what is shown here")


def describe(position: Position) -> dict[str, Any]:
    """All that is known of a position, as data."""
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


def print_position(position: Position) -> None:
    from plyground.cli.output import print_rows
    from plyground.search.result import value_text

    print(position.picture)
    print()
    facts = describe(position)
    rows = {"position": " | ".join(position.text.splitlines())}
    if position.is_over:
        rows["result"] = f"{facts['score']}, {facts['reason']}"
    else:
        rows["turn"] = facts["turn"]
        rows["moves"] = f"{len(facts['moves'])}: {' '.join(facts['moves'])}"
        if "evaluate" not in position.game.rules.defaults:
            rows["evaluation"] = value_text(position, facts["evaluation"])
    print_rows(rows)
