"""Fishing Derby as a course plays it: green is a class PlayerControllerMinimax, and always 0.

The first message holds all movement codes, a letter each; a turn only says which ply it is. So a
turn stays short on the longest day.
"""

from __future__ import annotations

import json
from typing import Any

from plyground.classroom.interfaces.answers import Garbage, move_of
from plyground.classroom.interfaces.source import top_level_names
from plyground.core.errors import PlygroundError
from plyground.core.game import Game
from plyground.core.position import Position

ACTIONS = ("stay", "up", "down", "left", "right")
RIGHT = "an action is one of the words " + ", ".join(ACTIONS)
SCORES = (*range(1, 7), -7, *range(7, 12), *range(-1, -7, -1))
"""By type of fish, as the course numbers them."""


class WrongSide(PlygroundError):
    """A course's player was asked to play the side that it does not know."""


class DerbyInterface:
    kind = "derby"
    game = "derby"
    needs = "PlayerControllerMinimax"
    wanted = needs

    def fits(self, game: Game, source: str) -> bool:
        """Whether a file is written for this interface, by the names in its text."""
        return game.name == self.game and self.needs in top_level_names(source)

    def begin(self, position: Position, side: int, seconds: float | None) -> dict[str, Any]:
        if side != 0:
            raise WrongSide(
                f"{self.needs} plays green; only choose(position, clock) can play red as well"
            )
        scenario = json.loads(position.text)
        ply = position.state.ply
        places = position.game.module.fish_places(position.board, position.state)
        scores = {fish: scenario["init_fishes"][str(fish)]["score"] for fish in places}
        return {
            "type": "begin",
            "seconds": seconds,
            "ply": ply,
            "fish": {
                str(fish): {"type": SCORES.index(score), "score": score}
                for fish, score in scores.items()
            },
            "codes": {
                str(fish): "".join(map(str, scenario["sequence"][str(fish)][ply:]))
                for fish in places
            },
        }

    def turn(self, position: Position, seconds: float | None) -> dict[str, Any]:
        state = position.state
        places = position.game.module.fish_places(position.board, state)
        return {
            "type": "turn",
            "seconds": seconds,
            "ply": state.ply,
            "hooks": [[state.green_x, state.green_y], [state.red_x, state.red_y]],
            "fish": {str(fish): list(places[fish]) for fish in sorted(places)},
            "points": [state.green_points, state.red_points],
            "held": [None if fish < 0 else fish for fish in (state.green_fish, state.red_fish)],
        }

    def read(self, answer: dict[str, Any], position: Position) -> str:
        """The action, as the rules take it: an impossible one is `stay`.

        Where there is no choice (with a fish on the rod, for example) any action is the one that is
        possible: the course's own template answers at random there.
        """
        action = move_of(answer, RIGHT)
        if not isinstance(action, str) or action not in ACTIONS:
            raise Garbage(answer, RIGHT)
        legal = position.legal_moves
        move = legal[0] if len(legal) == 1 else position.parse_move(action)
        return position.move_text(move)
