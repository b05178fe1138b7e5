"""A random game tree: for every assumption that a search might make, some seed breaks it.

A position is a node (one of `width`) on a square (from 0 to `length`), and everything about it is
a hash of the two: how many moves, where they lead, who moves next, whether the game is over, who
has won, what the evaluation says. So many paths lead to the same position, a player often moves
again, and evaluations mislead. With `leap` above 1 a move may pass over squares: then the same
position is reached by paths of different lengths, which tests that wins carry their distance from
where they are met and not from where they were stored.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.bits import Bits, mix
from plyground.core.errors import FormatError

MAX_MOVES = 8

MOVE_COUNT, MOVE_NAME, TARGET, AGAIN, EARLY, UTILITY, EVALUATION, NOISY = range(1, 9)
"""What is asked of the hash; each question has an answer of its own."""


class Board(NamedTuple):
    seed: int
    length: int
    width: int
    branching: int
    leap: int
    again: int
    early: int
    margin: int


class State(NamedTuple):
    node: Bits
    square: int
    turn: int


def new_board(
    seed: int = 0,
    length: int = 12,
    width: int = 8,
    branching: int = 3,
    leap: int = 1,
    again: int = 30,
    early: int = 5,
    margin: int = 1,
) -> Board:
    """`again` and `early` are percentages: of moves after which the same player moves once more,
    and of positions in which the game is over before the last square. `margin` is the largest
    utility."""
    if not (1 <= branching <= MAX_MOVES and leap >= 1 and width >= 1 and length >= 1):
        raise FormatError(f"branching is from 1 to {MAX_MOVES}; leap, width and length from 1 up")
    return Board(seed, length, width, branching, leap, again, early, margin)


def draw(board: Board, state: State, question: int, move: int, below: int) -> int:
    """A number from 0 to below - 1 that only looks random. Of the hash the upper bits are taken:
    few enough that the compiled and the uncompiled remainder are the same."""
    word = mix(mix(board.seed, question), state.node)
    word = mix(word, state.square * 32 + state.turn * 16 + move)
    return (word >> 34) % below


def start(board: Board) -> State:
    return State(0, 0, 0)


def moves(board: Board, state: State, out: list[int]) -> int:
    count = 1 + draw(board, state, MOVE_COUNT, 0, board.branching)
    first = draw(board, state, MOVE_NAME, 0, 3)
    for index in range(count):
        out[index] = first + index
    return count


def play(board: Board, state: State, move: int) -> State:
    target = draw(board, state, TARGET, move, board.width * board.leap)
    stays = draw(board, state, AGAIN, move, 100) < board.again
    node = mix(TARGET, target % board.width)
    square = state.square + 1 + target // board.width
    return State(node, square, state.turn if stays else 1 - state.turn)


def over(board: Board, state: State) -> bool:
    if state.square >= board.length:
        return True
    return state.square > 0 and draw(board, state, EARLY, 0, 100) < board.early


def utility(board: Board, state: State) -> int:
    return draw(board, state, UTILITY, 0, 2 * board.margin + 1) - board.margin


def evaluate(board: Board, state: State) -> int:
    return draw(board, state, EVALUATION, 0, 121) - 60


def noisy(board: Board, state: State, move: int) -> int:
    """Half of the moves are quiet, the others more or less noisy."""
    return max(0, draw(board, state, NOISY, move, 6) - 2)
