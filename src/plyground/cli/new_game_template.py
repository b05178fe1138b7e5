"""Last Stone: take one, two or three stones; whoever takes the last one wins.

A heap of stones lies between two players, who take turns. A move takes one, two or three stones
from the heap. Whoever takes the last stone has won.
"""

# This file is a game. Try it:
#
#     plyground play my_game.py      play it in the terminal; type `rules` to see the text above
#     plyground serve my_game.py     play it in the browser
#     plyground search my_game.py    what the engine thinks of it
#     plyground check my_game.py     tests every promise that the comments below make
#
# Then make it your own, one function at a time, and run `plyground check` after every change.

from __future__ import annotations

from typing import NamedTuple

from plyground.core.errors import FormatError

TITLE = "Last Stone"
PLAYERS = ("Ann", "Bob")  # Ann is player 0 and moves first, Bob is player 1

MAX_MOVES = 3  # the most legal moves that any position has


class Board(NamedTuple):
    """What never changes during a game. A game without such a thing needs no Board."""

    stones: int


class State(NamedTuple):
    """What a move changes, all of it: whole numbers, bool, Bits, or fixed tuples of them."""

    stones: int
    turn: int  # who moves: 0 or 1


# Options. The parameters of new_board() are the options of the game; each needs a default.
# Nothing here is compiled: write ordinary Python.

OPTION_TEXTS = {"stones": "stones in the heap, 1 to 60"}


def new_board(stones: int = 15) -> Board:
    if not 1 <= stones <= 60:
        raise FormatError(f"{stones} stones: a heap has 1 to 60")
    return Board(stones)


def start(board: Board) -> State:
    return State(stones=board.stones, turn=0)


# The rules. A search compiles these functions, so they keep to numbers, tuples, `if`, `while`,
# `for ... in range(...)` and calls of functions like themselves.


def moves(board: Board, state: State, out: list[int]) -> int:
    """Writes the legal moves into `out` and returns how many they are.

    A move is a number from 0 to 65535; what it means is for you to say. Here it is how many stones
    are taken. While the game is not over there must be at least one move.
    """
    count = 0
    for taken in range(1, 4):
        if taken <= state.stones:
            out[count] = taken
            count += 1
    return count


def play(board: Board, state: State, move: int) -> State:
    """The state after a legal move: always a new one, a state is never changed."""
    return State(state.stones - move, 1 - state.turn)


def over(board: Board, state: State) -> bool:
    return state.stones == 0


def utility(board: Board, state: State) -> int:
    """Asked only when the game is over: 1 if player 0 has won, -1 if player 1 has, 0 for a draw.

    It speaks for player 0, whoever is to move: the last stone was taken by the player before.
    """
    return 1 if state.turn == 1 else -1


def evaluate(board: Board, state: State) -> int:
    """How good a position is in which the game goes on: for player 0, whoever is to move.

    Optional. The better it guesses, the better the engine plays; any scale will do.
    """
    mover_is_better = state.stones % 4 != 0
    return 10 if mover_is_better == (state.turn == 0) else -10


# What people see. All of it is optional and never compiled.


def move_text(board: Board, state: State, move: int) -> str:
    return str(move)


def picture(board: Board, state: State) -> str:
    return f"{'o ' * state.stones}({state.stones})"


def ending(board: Board, state: State) -> str:
    return f"{PLAYERS[1 - state.turn]} took the last stone"
