"""Breakthrough as courses play it: a class Agent(color, opponentColor, time) with move(board)."""

from __future__ import annotations

from typing import Any

from plyground.classroom.interfaces.base import (
    InvalidAnswer,
    StudentInterfaceBase,
    is_whole_number,
    move_of,
)
from plyground.core.game import Position

RIGHT = "a move is ((row, column), (row, column)), two cells of the board"
LETTERS = str.maketrans("wb.", "WBE")


class BreakthroughInterface(StudentInterfaceBase):
    kind = "breakthrough"
    game = "breakthrough"
    needs = "Agent"
    wanted = "a class Agent"

    def begin(self, position: Position, side: int, seconds: float | None) -> dict[str, Any]:
        return {"type": "begin", "player": side, "seconds": seconds}

    def turn(self, position: Position, seconds: float | None) -> dict[str, Any]:
        rows = position.game.module.rows_of(position.board, position.state)
        return {
            "type": "turn",
            "seconds": seconds,
            "rows": [row.translate(LETTERS) for row in rows],
        }

    def read(self, answer: dict[str, Any], position: Position) -> str:
        """The text of the move between two cells of the board, which may be illegal."""
        cells = move_of(answer, RIGHT)
        if not isinstance(cells, list) or len(cells) != 2:
            raise InvalidAnswer(answer, RIGHT)
        board = position.board
        names = []
        for cell in cells:
            if not isinstance(cell, list) or len(cell) != 2 or not all(map(is_whole_number, cell)):
                raise InvalidAnswer(answer, RIGHT)
            row, column = cell
            if not (0 <= row < board.rows and 0 <= column < board.columns):
                raise InvalidAnswer(answer, RIGHT)
            names.append(position.game.module.cell_text(board, row * board.columns + column))
        return "".join(names)
