"""The tree that the books draw: three moves each, nine leaves worth 3 12 8, 2 4 6, 14 5 2.

Minimax gives 3. Alpha-beta from left to right does not look at the leaves 4 and 6.
"""

from __future__ import annotations

from typing import NamedTuple

POINT = 1
"""Values are then the leaves' own numbers."""
LEAVES = (3, 12, 8, 2, 4, 6, 14, 5, 2)


class State(NamedTuple):
    first: int
    """The move of each player, -1 before it is made."""
    second: int
    turn: int


def start(board: object) -> State:
    return State(-1, -1, 0)


def moves(board: object, state: State, out: list[int]) -> int:
    for move in range(3):
        out[move] = move
    return 3


def play(board: object, state: State, move: int) -> State:
    return State(move, -1, 1) if state.turn == 0 else State(state.first, move, 0)


def over(board: object, state: State) -> bool:
    return state.second >= 0


def utility(board: object, state: State) -> int:
    return LEAVES[state.first * 3 + state.second]


def evaluate(board: object, state: State) -> int:
    """Misleading on purpose: seen from one ply, the last move looks best."""
    return state.first


def move_text(board: object, state: State, move: int) -> str:
    return f"a{move + 1}" if state.turn == 0 else f"{'bcd'[state.first]}{move + 1}"


def score(board: object, state: State) -> int:
    return 10 * state.first
