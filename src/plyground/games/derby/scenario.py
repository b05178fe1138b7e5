"""Scenario files: the JSON of the course that invented the game, read and written.

    {"custom": true,
     "init_fishes":  {"0": {"init_pos": [1, 19], "score": -1}, ...},
     "init_players": {"0": [0, 19], "1": [5, 19]},
     "sequence":     {"0": [8, 8, 8], ...},
     "params":       {"n_seq": 3}}

Two things are our own, and absent where they would say nothing: `"first_stay": true` among the
params, and `"state"` for a game under way:

    "state": {"ply": 2, "hooks": [[0, 18], [5, 19]], "held": [1, null], "landed": [0],
              "points": [0, -1]}

Other keys are let be: the files that are around have some. Every error names the entry that is
wrong and the line it is on.
"""

from __future__ import annotations

import json
from typing import Any

from plyground.games.derby.rules import NONE, SIZE, Board, State, cell_of, score_of, start
from plyground.games.derby.sea import codes_of


def parse_position(text: str, *, first_stay: bool = False) -> tuple[Board, State]:
    """The board and the state that a text describes. `first_stay` adds that rule to it."""
    from plyground.games.derby.scenario_reader import read_scenario

    return read_scenario(text, first_stay=first_stay)


def position_text(board: Board, state: State) -> str:
    """A scenario file in one line, with "state" if the game has left its start."""
    every = range(board.fish)
    parameters: dict[str, Any] = {"n_seq": board.plies}
    if board.first_stay:
        parameters["first_stay"] = True
    document: dict[str, Any] = {
        "custom": True,
        "init_fishes": {
            str(fish): {"init_pos": place_of(board, 0, fish), "score": score_of(board, fish)}
            for fish in every
        },
        "init_players": {"0": list(board.green_start), "1": list(board.red_start)},
        "sequence": {str(fish): codes_of(board, fish) for fish in every},
        "params": parameters,
    }
    if state != start(board):
        document["state"] = {
            "ply": state.ply,
            "hooks": [[state.green_x, state.green_y], [state.red_x, state.red_y]],
            "held": [None if fish == NONE else fish for fish in (state.green_fish, state.red_fish)],
            "landed": landed_fish(board, state),
            "points": [state.green_points, state.red_points],
        }
    return json.dumps(document, separators=(",", ":"))


def cell_name(x: int, y: int) -> str:
    """What a cell is called in the picture."""
    return f"c{x}r{y}"


def place_of(board: Board, ply: int, fish: int) -> list[int]:
    """Column and row of a fish that swims, at a ply."""
    return list(divmod(cell_of(board, ply, fish), SIZE))


def landed_fish(board: Board, state: State) -> list[int]:
    held = (state.green_fish, state.red_fish)
    return [
        fish for fish in range(board.fish) if not state.swimming >> fish & 1 and fish not in held
    ]
