"""Breakthrough: a course's `Agent(color, opponentColor, time)` moves on a board of ours.

Colours are 'W' and 'B', cells are (row, column), 'W' starts on rows 0 and 1 and moves up. An agent
gets a new board in every turn and may change it. `import board` finds the course's board
(`breakthrough_course/board.py`), or a file of that name beside the agent.
"""

from __future__ import annotations

import os
import sys

from channel import no_move, whole_number
from runner import Missing, timed_search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from channel import Channel
    from runner import Load

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "breakthrough_course")
sys.path.insert(0, FOLDER)
from board import Board  # noqa: E402

del sys.modules["board"]


def play(channel: Channel, load: Load) -> None:
    begin = channel.receive()
    module = load()
    agent_class = getattr(module, "Agent", None)
    if not callable(agent_class):
        raise Missing("there is no class Agent")
    color = "WB"[begin["player"]]
    agent = agent_class(color, "BW"[begin["player"]], whole_seconds(begin["seconds"]))
    boards = class_of_boards()
    move = timed_search(agent.move, channel)
    channel.send("ready", {})
    while True:
        message = channel.receive()
        if channel.over:
            return
        answer = move(new_board(boards, message["rows"]))
        cells = read_cells(answer)
        chosen = no_move(answer) if cells is None else {"move": cells}
        depth = whole_number(getattr(agent, "search_depth", None))
        channel.send("move", {**chosen, "depth": depth})


def whole_seconds(seconds: float | None) -> float | None:
    """Whole seconds as an int: agents pass them to `signal.alarm`, which takes no float."""
    return int(seconds) if seconds is not None and seconds == int(seconds) else seconds


def class_of_boards() -> type:
    """The agent's own `board.Board` if it has more names than ours, which the agent may rely on;
    otherwise ours, which is quicker."""
    try:
        own = getattr(__import__("board"), "Board", None)
    except Exception:  # it may need a window, for example
        return Board
    return own if isinstance(own, type) and set(dir(own)) - set(dir(Board)) else Board


def new_board(kind: type, rows: list[str]) -> Any:
    """The board with these rows, from row 0 on, a letter a cell."""
    board = kind(len(rows), len(rows[0]), 2)
    board.board = [list(row) for row in rows]
    return board


def read_cells(move: Any) -> list[list[int]] | None:
    """The two cells of an answer, or None if it is no pair of pairs of whole numbers."""
    try:
        if len(move) != 2 or any(len(cell) != 2 for cell in move):
            return None
        cells = [[whole_number(number) for number in cell] for cell in move]
    except TypeError:
        return None
    found = [[number for number in cell if number is not None] for cell in cells]
    return found if found == cells else None
