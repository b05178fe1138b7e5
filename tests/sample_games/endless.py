"""A game without an end: two players pass to each other for ever, or count up as they do."""

from __future__ import annotations

from typing import NamedTuple


class Board(NamedTuple):
    counting: bool


class State(NamedTuple):
    passes: int
    turn: int


def new_board(counting: bool = False) -> Board:
    """Counting, no position is ever met twice."""
    return Board(counting)


def start(board: Board) -> State:
    return State(0, 0)


def moves(board: Board, state: State, out: list[int]) -> int:
    out[0] = 0
    return 1


def play(board: Board, state: State, move: int) -> State:
    return State(state.passes + 1 if board.counting else 0, 1 - state.turn)


def over(board: Board, state: State) -> bool:
    return False


def utility(board: Board, state: State) -> int:
    return 0
