"""`plyground init`: a file to start from, which already plays."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.arguments import GameArgument
from plyground.cli.output import write_new
from plyground.core.registry import find_game

EXAMPLES = (
    "plyground init derby",
    "plyground init breakthrough agent.py",
    "plyground init tictactoe noughts.py",
)


def init(
    name: GameArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Where to write it.", show_default=True)
    ] = Path("player.py"),
) -> None:
    """Write a player to start from, for a course or for yourself.

    For Fishing Derby it is a class PlayerControllerMinimax, for Breakthrough a class Agent, as
    courses have them; for any other game, a function choose(position, clock). No file that is there
    already is written over.
    """
    from plyground.classroom.interfaces import STARTERS, interfaces_of
    from plyground.classroom.suite import built_in_suites

    game = find_game(name)
    interface = interfaces_of(game)[0]
    starter = (STARTERS / f"{interface.kind}.py").read_text(encoding="utf-8")
    write_new(file, starter, "player")
    print(f"wrote {file}: {interface.wanted}, which already plays {game.title}")
    if game.name in built_in_suites():
        print(f"next: plyground grade {game.name} {file}")
    else:
        print(f"next: make it better; the first lines of {file} say where to begin")
