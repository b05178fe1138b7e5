"""`plyground games`: the list of games, or one game with its options and its rules."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from plyground.cli.arguments import AsJson
from plyground.cli.output import print_json, print_rows, print_table, table
from plyground.core.game import Game
from plyground.core.registry import find_game, game_names

EXAMPLES = ("plyground games", "plyground games blocker", "plyground games --json")


def games(
    name: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Show this game, or your own .py file."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the games, or explain one.

    With GAME: what each of its options means, and its rules. A game of your own needs no place in
    the list: give the path of its file to any verb.
    """
    if name is not None:
        game = find_game(name)
        if as_json:
            print_json(_describe(game))
        else:
            _print_game(game)
        return
    found = [find_game(name) for name in game_names()]
    if as_json:
        print_json([_describe(game) for game in found])
    else:
        _print_list(found)


def _describe(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "players": list(game.players),
        "summary": game.summary,
        "options": {name: option.default for name, option in game.options.items()},
        "choices": {name: list(words) for name, words in game.choices.items()},
        "option_texts": game.option_texts,
        "rules": game.rules_text,
    }


def _print_list(found: list[Game]) -> None:
    shown = table("name", "title", "players", "options", "summary")
    for game in found:
        options = " ".join(f"{name}={option.default}" for name, option in game.options.items())
        shown.add_row(game.name, game.title, " and ".join(game.players), options, game.summary)
    print_table(shown)


def _print_game(game: Game) -> None:
    print_rows({"game": game.title, "players": " and ".join(game.players), "summary": game.summary})
    if game.options:
        shown = table("option", "default", "meaning")
        for name, option in game.options.items():
            text, words = game.option_texts.get(name, ""), game.choices.get(name)
            shown.add_row(name, str(option.default), text)
            if words is not None:
                shown.add_row("", "", f"({', '.join(words)})")
        print()
        print_table(shown)
    if game.rules_text:
        print(f"\n{game.rules_text}")
