"""Nim: take as many as you like from one heap; who takes the last one wins."""

from typing import NamedTuple


class State(NamedTuple):
    heaps: tuple[int, int, int]
    turn: int


def start(board: object) -> State:
    return State(heaps=(3, 5, 7), turn=0)


def moves(board: object, state: State, out: list[int]) -> int:
    count = 0  # a move is heap * 10 + how many are taken
    for heap in range(3):
        for taken in range(1, state.heaps[heap] + 1):
            out[count] = heap * 10 + taken
            count += 1
    return count


def play(board: object, state: State, move: int) -> State:
    heap, taken = move // 10, move % 10
    a, b, c = state.heaps
    heaps = a - taken * (heap == 0), b - taken * (heap == 1), c - taken * (heap == 2)
    return State(heaps, 1 - state.turn)


def over(board: object, state: State) -> bool:
    return state.heaps == (0, 0, 0)


def utility(board: object, state: State) -> int:
    return -1 if state.turn == 0 else 1  # the player to move has lost


def move_text(board: object, state: State, move: int) -> str:
    return f"{'abc'[move // 10]}{move % 10}"  # b3: three from the second heap
