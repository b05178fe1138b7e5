"""Fishing Derby once more, as plainly as possible: dictionaries, one fish after another.

Like `tests/games/naive_classics.py`: a position as text gives every move with the position it leads
to, both as text, and green's result if the game is over. It shares no code with the package.
"""

from __future__ import annotations

import copy
import json
from typing import Any

Answer = tuple[dict[str, str], int | None]

FISH_STEPS = {
    0: (0, 1),
    1: (0, -1),
    2: (-1, 0),
    3: (1, 0),
    4: (-1, 1),
    5: (1, 1),
    6: (-1, -1),
    7: (1, -1),
    8: (0, 0),
}
ACTIONS = {"stay": (0, 0), "up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}


def game_of(text: str) -> dict[str, Any]:
    """A game as one would keep it on paper."""
    scenario = json.loads(text)
    game: dict[str, Any] = {
        "scenario": {name: scenario[name] for name in scenario if name != "state"},
        "ply": 0,
        "hooks": [list(scenario["init_players"][player]) for player in ("0", "1")],
        "held": [None, None],
        "landed": [],
        "points": [0, 0],
    }
    game.update(scenario.get("state", {}))
    return game


def text_of(game: dict[str, Any]) -> str:
    state = {name: game[name] for name in ("ply", "hooks", "held", "landed", "points")}
    return json.dumps({**game["scenario"], "state": state}, separators=(",", ":"))


def fish_position(scenario: dict[str, Any], fish: str, ply: int) -> list[int]:
    x, y = scenario["init_fishes"][fish]["init_pos"]
    for code in scenario["sequence"][fish][:ply]:
        right, up = FISH_STEPS[code]
        x = (x + right + 20) % 20
        y = y + up
        if y > 19:
            y = 19
        if y < 0:
            y = 0
    return [x, y]


def is_possible(game: dict[str, Any], player: int, action: str) -> bool:
    x, y = game["hooks"][player]
    other_x = game["hooks"][1 - player][0]
    if action == "up":
        return bool(y < 19)
    if action == "down":
        return bool(y > 0)
    if action == "left":
        return bool((x - 1) % 20 != other_x)
    if action == "right":
        return bool((x + 1) % 20 != other_x)
    return True


def after(game: dict[str, Any], action: str) -> dict[str, Any]:
    """The game after a ply in which the mover tried an action, possible or not."""
    game = copy.deepcopy(game)
    scenario, player = game["scenario"], game["ply"] % 2
    if is_possible(game, player, action):
        right, up = ACTIONS[action]
        hook = game["hooks"][player]
        game["hooks"][player] = [(hook[0] + right) % 20, hook[1] + up]
    game["ply"] += 1
    for player in (0, 1):
        for fish in sorted(scenario["init_fishes"], key=int):
            if (
                game["held"][player] is None
                and int(fish) not in game["landed"]
                and int(fish) not in game["held"]
                and fish_position(scenario, fish, game["ply"]) == game["hooks"][player]
            ):
                game["held"][player] = int(fish)
    for player in (0, 1):
        fish = game["held"][player]
        if fish is not None and game["hooks"][player][1] == 19:
            game["points"][player] += scenario["init_fishes"][str(fish)]["score"]
            game["landed"] = sorted([*game["landed"], fish])
            game["held"][player] = None
    return game


def derby(text: str) -> Answer:
    game = game_of(text)
    scenario = game["scenario"]
    day_is_over = game["ply"] == scenario["params"]["n_seq"]
    if day_is_over or len(game["landed"]) == len(scenario["init_fishes"]):
        return {}, game["points"][0] - game["points"][1]
    player = game["ply"] % 2
    if game["held"][player] is not None:
        actions = ["up"]
    elif game["ply"] == 0 and scenario["params"].get("first_stay"):
        actions = ["stay"]
    else:
        actions = [action for action in ACTIONS if is_possible(game, player, action)]
    return {action: text_of(after(game, action)) for action in actions}, None
