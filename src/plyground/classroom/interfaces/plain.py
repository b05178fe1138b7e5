"""Any game: a function choose(position, clock), which gets plyground's own positions.

The first message names only the game. Every turn has the board, as the text of the first position,
so that a player cannot think about it before the clock runs.
"""

from __future__ import annotations

from typing import Any

from plyground.classroom.interfaces.base import (
    InvalidAnswer,
    StudentInterfaceBase,
    is_whole_number,
    move_of,
)
from plyground.core.game import Game, Options, Position
from plyground.core.outcome import Ending
from plyground.core.records.checks import SURROGATE
from plyground.players.player import Fault

RIGHT = "choose() returns a move's number or its text"
LONGEST_MOVE = 200


class PlainInterface(StudentInterfaceBase):
    kind = "plain"
    needs = "choose"
    wanted = "choose(position, clock)"

    def __init__(self, options: Options | None = None, game: Game | None = None) -> None:
        """`options` are those that a position's text needs beside it, if any; `game` is the game to
        play."""
        self._options = options
        self.own_game = game if game is not None and game.is_file else None
        self._start = ""

    def begin(self, position: Position, side: int, seconds: float | None) -> dict[str, Any]:
        game = position.game
        self._start = position.text
        return {
            "type": "begin",
            "player": side,
            "seconds": seconds,
            "game": game.rules.path if game.is_file else game.name,
        }

    def turn(self, position: Position, seconds: float | None) -> dict[str, Any]:
        options = {
            name: value
            for name, value in (self._options or {}).items()
            if name in position.game.position_options
        }
        return {
            "type": "turn",
            "seconds": seconds,
            "start": self._start,
            "options": options,
            "state": list(position.state),
            "past": [list(state) for state in position.past],
        }

    def read(self, answer: dict[str, Any], position: Position) -> str:
        """The text of the move, which may be illegal. A number must be that of a legal move."""
        move = move_of(answer, RIGHT)
        if is_whole_number(move):
            if move not in position.legal_moves:
                raise Fault(Ending.ILLEGAL, f"move number {move} is not legal here")
            return position.move_text(move)
        if not isinstance(move, str) or not move.strip() or len(move) > LONGEST_MOVE:
            raise InvalidAnswer(answer, RIGHT)
        if SURROGATE.search(move):  # no record can hold it
            raise InvalidAnswer(answer, RIGHT)
        return move
