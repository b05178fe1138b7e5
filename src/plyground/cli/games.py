"""`plyground games`: the list of games, with their players and options."""

from __future__ import annotations

from typing import Any

from plyground.cli.arguments import AsJson

EXAMPLES = ("plyground games", "plyground games --json")


def games(as_json: AsJson = False) -> None:
    """List the games.

    A game of your own needs no place in this list: give the path of its file to any verb.
    """
    from plyground.cli.output import print_json, print_table, table
    from plyground.core.registry import find_game, game_names

    found = [_describe(find_game(name)) for name in game_names()]
    if as_json:
        print_json(found)
        return
    shown = table("name", "title", "players", "options", "summary")
    for game in found:
        options = " ".join(f"{name}={value}" for name, value in game["options"].items())
        players = " and ".join(game["players"])
        shown.add_row(game["name"], game["title"], players, options, game["summary"])
    print_table(shown)


def _describe(game: Any) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "players": list(game.players),
        "summary": game.summary,
        "options": {name: option.default for name, option in game.options.items()},
        "choices": {name: list(words) for name, words in game.choices.items()},
    }
