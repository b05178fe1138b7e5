"""Blocker: two agents, food and walls. Every cell that is no wall when play begins has a number.

Agents A (player 0, moves first) and B take turns: a step to a neighbouring cell that is no wall, or
`eat` where there is food, or `block` where there is none, which turns the agent's own cell into a
wall. An agent in a wall may step off it; nobody steps onto it again. Agents may share a cell.

The game is over when no food is left (who ate more wins) or an agent cannot move (it loses,
whatever was eaten; if neither can, nobody wins). With `stuck` EITHER both agents are looked at all
the time, with MOVER only the one to move. Nothing forbids to repeat a position.

An agent that stands on food can eat and one on an empty cell can block, so only an agent in a wall
can be stuck, and only a `block` makes it so. The walls that never change need no number: cells are
numbered row by row, and a set of them is a word. All but `walls` and `food` fits one word more.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.arrays import ndarray
from plyground.core.bits import Bits, bit, drop_lowest, lowest, mix, popcount, word

UP, RIGHT, DOWN, LEFT, EAT, BLOCK = range(6)
MAX_MOVES = 6
REPEATS = True
"""Agents can walk to and fro: positions come back."""

EITHER, MOVER = 0, 1
"""Who is lost when he cannot move: either agent at any time, or only the one to move."""

MAX_CELLS = 64
DIFFERENCES = 1024
"""More than there can be between what the two have eaten."""


class Board(NamedTuple):
    width: int
    height: int
    stuck: int
    """EITHER or MOVER."""
    cells: Bits
    """Every cell that has a number."""
    neighbours: ndarray
    """Four for each cell, in the order of the steps: the number of the next cell, or -1."""
    around: ndarray
    """For each cell the word of its neighbours."""
    places: ndarray
    """For each cell where it is on the grid: row * width + column, row 0 on top."""
    begin_food: Bits
    """Here and below: the state in which play begins."""
    begin_walls: Bits
    begin_a: int
    begin_b: int
    begin_eaten_a: int
    begin_eaten_b: int
    begin_turn: int


class State(NamedTuple):
    food: Bits
    walls: Bits
    """Cells that have become walls."""
    a: int
    """The cell of agent A."""
    b: int
    eaten_a: int
    eaten_b: int
    turn: int


def start(board: Board) -> State:
    return State(
        food=board.begin_food,
        walls=board.begin_walls,
        a=board.begin_a,
        b=board.begin_b,
        eaten_a=board.begin_eaten_a,
        eaten_b=board.begin_eaten_b,
        turn=board.begin_turn,
    )


def neighbour(board: Board, cell: int, direction: int) -> int:
    """The number of the next cell in a direction, or -1."""
    return int(board.neighbours[4 * cell + direction])


def around(board: Board, cell: int) -> int:
    return int(board.around[cell])


def moves(board: Board, state: State, out: list[int]) -> int:
    cell = state.a if state.turn == 0 else state.b
    here = bit(cell)
    count = 0
    for direction in range(4):
        target = neighbour(board, cell, direction)
        if target >= 0 and state.walls & bit(target) == 0:
            out[count] = direction
            count += 1
    if state.food & here != 0:
        out[count] = EAT
        count += 1
    elif state.walls & here == 0:
        out[count] = BLOCK
        count += 1
    return count


def play(board: Board, state: State, move: int) -> State:
    food, walls, a, b, eaten_a, eaten_b, turn = state
    cell = a if turn == 0 else b
    if move == EAT:
        food &= ~bit(cell)
        if turn == 0:
            eaten_a += 1
        else:
            eaten_b += 1
    elif move == BLOCK:
        walls |= bit(cell)
    elif turn == 0:
        a = neighbour(board, cell, move)
    else:
        b = neighbour(board, cell, move)
    return State(food, walls, a, b, eaten_a, eaten_b, 1 - turn)


def can_move(board: Board, state: State, cell: int) -> bool:
    """Whether an agent on this cell has a move, were it its turn."""
    return state.walls & bit(cell) == 0 or around(board, cell) & ~state.walls != 0


def over(board: Board, state: State) -> bool:
    return state.food == 0 or is_lost(board, state, 0) or is_lost(board, state, 1)


def is_lost(board: Board, state: State, player: int) -> bool:
    """Whether an agent cannot move and is looked at."""
    if board.stuck == MOVER and state.turn != player:
        return False
    return not can_move(board, state, state.a if player == 0 else state.b)


def utility(board: Board, state: State) -> int:
    a_lost = is_lost(board, state, 0)
    b_lost = is_lost(board, state, 1)
    if a_lost and b_lost:
        return 0
    if a_lost:
        return -1
    if b_lost or state.eaten_a > state.eaten_b:
        return 1
    return -1 if state.eaten_a < state.eaten_b else 0


def identity(board: Board, state: State) -> tuple[int, int, int]:
    """Food and walls, and the rest in a third word of which 23 bits are used.

    How much each side has eaten follows from the difference, since the food that is left tells the
    sum.
    """
    return state.food, state.walls, word(rest_of(state))


def rest_of(state: State) -> int:
    """All but food and walls in one number."""
    ahead = state.eaten_a - state.eaten_b + DIFFERENCES // 2
    return ((ahead * 2 + state.turn) * MAX_CELLS + state.a) * MAX_CELLS + state.b


KEY_SEED = 0x2545F4914F6CDD1D
"""A word without a pattern, to start a key with: numbers are stirred in, never laid over others."""


def key(board: Board, state: State) -> int:
    """Fewer mixings than the default key, which takes every field for itself."""
    return mix(mix(mix(KEY_SEED, rest_of(state)), state.food), state.walls)


def noisy(board: Board, state: State, move: int) -> int:
    """Eating is what the score is made of."""
    return 1 if move == EAT else 0


# The evaluation
#
# Measured by matches over 40 generated boards of 25 to 81 cells, each played with both colours at
# 1,500 nodes a move, against no evaluation at all: 49 games won, 31 drawn, none lost; with EATEN at
# 100, 42 won. Over 100 other boards it was 99 won, 100 drawn, 1 lost; why half are drawn was not
# looked into. To know who can end the game (CONTROL, SURE, DRAWN) won 14 to 6 with 28 draws against
# not knowing. Other values of FIRST, STEP, ROOM and WALLED made no clear difference.

EATEN = 200
"""For food eaten: well above FIRST, so that food within reach is eaten and not looked at."""
FIRST = 50
"""For food that an agent can reach before the other one does."""
STEP = 3
"""Taken off for each step to food that an agent is first at."""
FARTHEST = 15
"""Beyond so many steps, a step more makes no difference."""
ROOM = 2
"""For each cell that an agent is first at."""
WALLED = 20
"""Taken off an agent in a wall, for each way out that is lacking."""
CONTROL = 50
"""For food that only one of the agents can reach: the other one cannot end the game against it."""
SURE = 10_000
"""For an agent that alone can reach what is left and will have eaten more: it cannot be stopped."""
DRAWN = 16
"""By which all is divided where nobody can bring the game to an end that he likes."""


def evaluate(board: Board, state: State) -> int:
    """A's prospects: what was eaten, who is first at the rest, room to move, who can end the game.

    From both agents the cells around are reached step by step, walls as they are now. Where both
    arrive in as many steps, the agent to move is first.
    """
    food = state.food
    unwalled = board.cells & ~state.walls
    a_edge = bit(state.a)
    b_edge = bit(state.b)
    a_reach, b_reach = a_edge, b_edge
    value = WALLED * (ways_lacking(board, state, state.b) - ways_lacking(board, state, state.a))
    near = FIRST
    while a_edge | b_edge != 0:
        a_first = a_edge & ~b_reach
        b_first = b_edge & ~a_reach
        if state.turn == 0:
            a_first |= a_edge & b_edge
        else:
            b_first |= a_edge & b_edge
        value += near * (popcount(a_first & food) - popcount(b_first & food))
        value += ROOM * (popcount(a_first) - popcount(b_first))
        a_edge = next_to(board, a_edge) & unwalled & ~a_reach
        b_edge = next_to(board, b_edge) & unwalled & ~b_reach
        a_reach |= a_edge
        b_reach |= b_edge
        near = max(near - STEP, FIRST - STEP * FARTHEST)
    return value_of_rest(state, value, popcount(food & ~b_reach), popcount(food & ~a_reach))


def value_of_rest(state: State, value: int, a_alone: int, b_alone: int) -> int:
    """The whole value, given how much food each agent alone can reach (or nobody: that is in both).

    Walls never go, so food that one cannot reach stays with the other, who eats it if that wins and
    leaves it for ever if that would lose. Where there is such food on both sides the game can only
    be won by walling somebody in, and it takes two for that.
    """
    ahead = state.eaten_a - state.eaten_b
    left = popcount(state.food)
    value += EATEN * ahead
    if (
        (a_alone > 0 and b_alone > 0)
        or (a_alone == left and ahead + left <= 0)
        or (b_alone == left and ahead - left >= 0)
    ):
        return value // DRAWN if value > 0 else -(-value // DRAWN)
    if a_alone == left:
        return value + SURE
    if b_alone == left:
        return value - SURE
    return value + CONTROL * (a_alone - b_alone)


def next_to(board: Board, cells: int) -> int:
    """Every neighbour of these cells."""
    found = word(0)
    while cells != 0:
        found |= around(board, lowest(cells))
        cells = drop_lowest(cells)
    return found


def ways_lacking(board: Board, state: State, cell: int) -> int:
    """How many of the four ways out are closed to an agent that stands in a wall; else none."""
    if state.walls & bit(cell) == 0:
        return 0
    return 4 - popcount(around(board, cell) & ~state.walls)
