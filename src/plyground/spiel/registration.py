"""Registers our games with OpenSpiel."""

from __future__ import annotations

import os
from collections.abc import Mapping

from plyground.core.game import Game, Option
from plyground.core.registry import find_game, game_names
from plyground.spiel.library import load_pyspiel


def register(*files: str | os.PathLike[str]) -> list[str]:
    """Make every game, and those in the files given, games of OpenSpiel.

    Returns their names there: `plyground_breakthrough` for breakthrough, `plyground_my_game` for
    `my_game.py`. The options of a game are its parameters:
    `pyspiel.load_game("plyground_breakthrough(rows=8,columns=8)")`. To call it again does no harm;
    a file that has changed is read anew.
    """
    games = [find_game(name) for name in (*game_names(), *(os.fspath(file) for file in files))]
    return [_register(game) for game in games]


def _register(game: Game) -> str:
    pyspiel = load_pyspiel()
    from plyground.spiel.exported_game import ExportedGame, game_type

    class RegisteredGame(ExportedGame):
        """OpenSpiel calls this with the parameters. It has to be a class: OpenSpiel releases what
        it was given after the interpreter has ended, which a class survives and a function does
        not."""

        def __init__(self, parameters: Mapping[str, Option] | None = None) -> None:
            super().__init__(game, parameters or {})

    wanted = game_type(game)
    pyspiel.register_game(wanted, RegisteredGame)
    return str(wanted.short_name)
