"""Fishing Derby as a course plays it: green is a class PlayerControllerMinimax, and always 0.

The first turn holds all movement codes, one character each; a later turn has only the number of the
ply. So turns are short, and a player learns the codes when the clock runs.
"""

from __future__ import annotations

import json
from typing import Any

from plyground.arena.referee import CannotBegin
from plyground.classroom.interfaces.base import InvalidAnswer, StudentInterfaceBase, move_of
from plyground.core.game import Position

ACTIONS = ("stay", "up", "down", "left", "right")
RIGHT = "an action is one of the words " + ", ".join(ACTIONS)
SCORES = (*range(1, 7), -7, *range(7, 12), *range(-1, -7, -1))
"""By type of fish, as the course numbers them."""


class WrongSide(CannotBegin):
    """A course's player would have to play red, which its interface does not allow."""


class DerbyInterface(StudentInterfaceBase):
    kind = "derby"
    game = "derby"
    needs = "PlayerControllerMinimax"
    wanted = needs

    def __init__(self) -> None:
        self._first_ply = 0

    def begin(self, position: Position, side: int, seconds: float | None) -> dict[str, Any]:
        if side != 0:
            raise WrongSide(
                f"{self.needs} plays green; only choose(position, clock) can play red as well"
            )
        self._first_ply = position.state.ply
        scenario = json.loads(position.text)
        places = position.game.module.fish_places(position.board, position.state)
        scores = {fish: scenario["init_fishes"][str(fish)]["score"] for fish in places}
        return {
            "type": "begin",
            "seconds": seconds,
            "fish": {
                str(fish): {"type": SCORES.index(score), "score": score}
                for fish, score in scores.items()
            },
        }

    def turn(self, position: Position, seconds: float | None) -> dict[str, Any]:
        state = position.state
        places = position.game.module.fish_places(position.board, state)
        codes = {}
        if state.ply <= self._first_ply + 1:  # the first turn, also if red moves first
            sequences = json.loads(position.text)["sequence"]
            rest = {
                str(fish): "".join(map(str, sequences[str(fish)][state.ply :])) for fish in places
            }
            codes = {"codes": rest}
        return {
            "type": "turn",
            "seconds": seconds,
            "ply": state.ply,
            "hooks": [[state.green_x, state.green_y], [state.red_x, state.red_y]],
            "fish": {str(fish): list(places[fish]) for fish in sorted(places)},
            **codes,
            "points": [state.green_points, state.red_points],
            "held": [None if fish < 0 else fish for fish in (state.green_fish, state.red_fish)],
        }

    def read(self, answer: dict[str, Any], position: Position) -> str:
        """The action by the rules: an impossible one is `stay`.

        Where only one is possible, as with a fish on the rod, any answer means that one: the
        course's own template answers at random there.
        """
        action = move_of(answer, RIGHT)
        if not isinstance(action, str) or action not in ACTIONS:
            raise InvalidAnswer(answer, RIGHT)
        legal = position.legal_moves
        move = legal[0] if len(legal) == 1 else position.parse_move(action)
        return position.move_text(move)
