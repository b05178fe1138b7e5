"""Three moves from the start, the rules fall into a loop that does not end."""

from __future__ import annotations

from typing import NamedTuple


class State(NamedTuple):
    step: int


def start(board: object) -> State:
    return State(0)


def turn(board: object, state: State) -> int:
    return state.step & 1


def moves(board: object, state: State, out: list[int]) -> int:
    out[0], out[1] = 0, 1
    return 2


def play(board: object, state: State, move: int) -> State:
    return State(state.step + 1)


def over(board: object, state: State) -> bool:
    steps = state.step
    while steps >= 3:
        steps ^= 4
    return False


def utility(board: object, state: State) -> int:
    return 0
