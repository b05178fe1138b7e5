"""Blocker: two agents, food and walls. Every cell that is no wall when play begins has a number.

Agents A (player 0, moves first) and B take turns: a step to a neighbouring cell that is no wall, or
`eat` where there is food, or `block` where there is none, which turns the agent's own cell into a
wall. An agent in a wall may step off it; no agent steps onto it again. Agents may share a cell.

The game is over when no food is left (who ate more wins) or an agent cannot move (it loses,
whatever was eaten; if neither can, nobody wins). With `stuck` EITHER both agents are looked at all
the time, with MOVER only the one to move. Nothing forbids to repeat a position.

An agent that stands on food can eat and one on an empty cell can block, so only an agent in a wall
can be stuck, and only a `block` makes it so. The state holds what each agent can do, bit by bit as
moves are numbered: the moves are listed from there, and an agent without any is stuck.

The walls that never change need no number: the other cells are numbered row by row. A set of up to
64 of them is a word; larger boards are `wide`, and their sets have far words too (`cells.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.arrays import ndarray
from plyground.core.bits import Bits, bit, drop_lowest, lowest, mix, popcount, word
from plyground.games.blocker.cells import (
    WORD_BITS,
    WORDS,
    Cells,
    Far,
    either,
    far_with,
    far_without,
    holds,
    is_empty,
    joined,
    no_cells,
    only,
    size,
    without,
)

UP, RIGHT, DOWN, LEFT, EAT, BLOCK = range(6)
MAX_MOVES = 6
REPEATS = True
"""Agents can walk to and fro: positions come back."""

EITHER, MOVER = 0, 1
"""Who is lost when he cannot move: either agent at any time, or only the one to move."""

DIFFERENCES = 1024
"""More than there can be between what the two have eaten."""

CELL_NUMBERS = 8
"""For each cell: its four neighbours in the order of the steps, each the number of a cell or -1;
the words of the set of these; and where the cell is, row * width + column, row 0 on top."""
AROUND = 4
PLACE = 7
BEGIN_NUMBERS = 11
"""Of the state in which play begins: the words of food and of walls, a, b, eaten_a, eaten_b,
turn."""
CAN_STEP = 0b1111
CAN_EAT = 1 << EAT
CAN_BLOCK = 1 << BLOCK


class Board(NamedTuple):
    """As few fields as possible: what is not inlined gets all of them at every call."""

    width: int
    height: int
    stuck: int
    """EITHER or MOVER."""
    cell_count: int
    """How many cells have a number. With more than 64 the board is wide."""
    meal: int
    """What both will have eaten together when no food is left."""
    cells: ndarray
    """CELL_NUMBERS for each cell."""
    begin: ndarray
    """BEGIN_NUMBERS."""


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
    a_can: int
    """The moves that A could make, were it its turn."""
    b_can: int
    far_food: Far
    """Last, as are the far walls: what comes first is handed on in registers."""
    far_walls: Far


def start(board: Board) -> State:
    numbers = [int(board.begin[index]) for index in range(BEGIN_NUMBERS)]
    food, walls = (numbers[0], numbers[1], numbers[2]), (numbers[3], numbers[4], numbers[5])
    a, b, eaten_a, eaten_b, turn = numbers[6:]
    return new_state(board, food, walls, a, b, eaten_a, eaten_b, turn)


def new_state(
    board: Board,
    food: Cells,
    walls: Cells,
    a: int,
    b: int,
    eaten_a: int,
    eaten_b: int,
    turn: int,
) -> State:
    far_food, far_walls = (food[1], food[2]), (walls[1], walls[2])
    return State(
        food[0],
        walls[0],
        a,
        b,
        eaten_a,
        eaten_b,
        turn,
        possible_moves(board, food[0], far_food, walls[0], far_walls, a),
        possible_moves(board, food[0], far_food, walls[0], far_walls, b),
        far_food,
        far_walls,
    )


def neighbour(board: Board, cell: int, direction: int) -> int:
    """The number of the next cell in a direction, or -1."""
    return int(board.cells[CELL_NUMBERS * cell + direction])


def around(board: Board, cell: int, part: int) -> int:
    """A word of the set of a cell's neighbours."""
    return word(int(board.cells[CELL_NUMBERS * cell + AROUND + part]))


def moves(board: Board, state: State, out: list[int]) -> int:
    possible = state.a_can if state.turn == 0 else state.b_can
    count = 0
    for move in range(MAX_MOVES):
        if possible >> move & 1 != 0:
            out[count] = move
            count += 1
    return count


def possible_moves(
    board: Board, food: int, far_food: Far, walls: int, far_walls: Far, cell: int
) -> int:
    """What an agent on this cell can do, a bit for each move."""
    possible = 0
    for direction in range(4):
        target = neighbour(board, cell, direction)
        if target >= 0 and not holds(walls, far_walls, target):
            possible |= 1 << direction
    if holds(food, far_food, cell):
        possible |= CAN_EAT
    elif not holds(walls, far_walls, cell):
        possible |= CAN_BLOCK
    return possible


def play(board: Board, state: State, move: int) -> State:
    food, walls, a, b, eaten_a, eaten_b, turn, a_can, b_can, far_food, far_walls = state
    cell = a if turn == 0 else b
    if move == EAT:
        if cell < WORD_BITS:
            food &= ~bit(cell)
        else:
            far_food = far_without(far_food, cell)
        if turn == 0:
            eaten_a += 1
        else:
            eaten_b += 1
    elif move == BLOCK:
        if cell < WORD_BITS:
            walls |= bit(cell)
        else:
            far_walls = far_with(far_walls, cell)
    elif turn == 0:
        a = neighbour(board, cell, move)
    else:
        b = neighbour(board, cell, move)
    # A step changes only what its agent can do; the other one may be where food or a wall changes.
    if turn == 0 or move >= EAT:
        a_can = possible_moves(board, food, far_food, walls, far_walls, a)
    if turn == 1 or move >= EAT:
        b_can = possible_moves(board, food, far_food, walls, far_walls, b)
    return State(food, walls, a, b, eaten_a, eaten_b, 1 - turn, a_can, b_can, far_food, far_walls)


def over(board: Board, state: State) -> bool:
    return food_left(board, state) == 0 or is_lost(board, state, 0) or is_lost(board, state, 1)


def food_left(board: Board, state: State) -> int:
    return board.meal - state.eaten_a - state.eaten_b


def is_lost(board: Board, state: State, player: int) -> bool:
    """Whether an agent cannot move and is looked at."""
    if board.stuck == MOVER and state.turn != player:
        return False
    return (state.a_can if player == 0 else state.b_can) == 0


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


def identity(board: Board, state: State) -> tuple[int, int, int, int, int, int, int]:
    """Food and walls, and the rest in a word of which 27 bits are used.

    How much each side has eaten follows from the difference, since the food that is left gives the
    sum. What agents can do follows from where they are.
    """
    food, walls = state.far_food, state.far_walls
    rest = word(rest_of(state))
    return state.food, state.walls, rest, food[0], walls[0], food[1], walls[1]


def rest_of(state: State) -> int:
    """All but food and walls in one number: from the lowest bits on, the places of B and A in
    their words, the turn, who is ahead, and the words that the agents are in."""
    ahead = state.eaten_a - state.eaten_b + DIFFERENCES // 2
    parts = (state.a >> 6) * WORDS + (state.b >> 6)
    rest = (parts * DIFFERENCES + ahead) * 2 + state.turn
    return (rest * WORD_BITS + (state.a & 63)) * WORD_BITS + (state.b & 63)


KEY_SEED = 0x2545F4914F6CDD1D
"""A word without a pattern, to start a key with: numbers are stirred in, never laid over others."""


def key(board: Board, state: State) -> int:
    """Fewer mixings than the default key, which takes every field for itself."""
    hashed = mix(mix(mix(KEY_SEED, rest_of(state)), state.food), state.walls)
    if board.cell_count > WORD_BITS:
        hashed = mix(mix(hashed, state.far_food[0]), state.far_walls[0])
        hashed = mix(mix(hashed, state.far_food[1]), state.far_walls[1])
    return hashed


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
"""The divisor of all values where neither agent can bring the game to an end that it wants."""


def evaluate(board: Board, state: State) -> int:
    """A's prospects: what was eaten, who is first at the rest, room to move, who can end the game.

    From both agents the cells around are reached step by step, walls as they are now. Where both
    arrive in as many steps, the agent to move is first.
    """
    if board.cell_count > WORD_BITS:
        race, a_alone, b_alone = wide_race(board, state)
    else:
        race, a_alone, b_alone = narrow_race(board, state)
    danger = WALLED * (ways_lacking(state.b_can) - ways_lacking(state.a_can))
    return value_of_rest(board, state, race + danger, a_alone, b_alone)


def narrow_race(board: Board, state: State) -> tuple[int, int, int]:
    """What it is worth to be first at cells, and how much food B cannot reach, and A cannot."""
    food = state.food
    a_edge = bit(state.a)
    b_edge = bit(state.b)
    a_reach, b_reach = a_edge, b_edge
    value = 0
    near = FIRST
    while a_edge | b_edge != 0:
        value += worth_of_step(near, state.turn, food, a_edge, b_edge, a_reach, b_reach)
        a_edge = next_to(board, a_edge) & ~(state.walls | a_reach)
        b_edge = next_to(board, b_edge) & ~(state.walls | b_reach)
        a_reach |= a_edge
        b_reach |= b_edge
        near = max(near - STEP, FIRST - STEP * FARTHEST)
    return value, popcount(food & ~b_reach), popcount(food & ~a_reach)


def wide_race(board: Board, state: State) -> tuple[int, int, int]:
    """The same on a wide board."""
    food = joined(state.food, state.far_food)
    walls = joined(state.walls, state.far_walls)
    turn = state.turn
    a_edge = only(state.a)
    b_edge = only(state.b)
    a_reach, b_reach = a_edge, b_edge
    value = 0
    near = FIRST
    while not is_empty(either(a_edge, b_edge)):
        # Written out: an index that is not a constant would have to be checked.
        value += worth_of_step(near, turn, food[0], a_edge[0], b_edge[0], a_reach[0], b_reach[0])
        value += worth_of_step(near, turn, food[1], a_edge[1], b_edge[1], a_reach[1], b_reach[1])
        value += worth_of_step(near, turn, food[2], a_edge[2], b_edge[2], a_reach[2], b_reach[2])
        a_edge = without(wide_next_to(board, a_edge), either(walls, a_reach))
        b_edge = without(wide_next_to(board, b_edge), either(walls, b_reach))
        a_reach = either(a_reach, a_edge)
        b_reach = either(b_reach, b_edge)
        near = max(near - STEP, FIRST - STEP * FARTHEST)
    return value, size(without(food, b_reach)), size(without(food, a_reach))


def worth_of_step(
    near: int, turn: int, food: int, a_edge: int, b_edge: int, a_reach: int, b_reach: int
) -> int:
    """The worth of a word of cells that are reached in the same number of steps: who is first."""
    a_first = a_edge & ~b_reach
    b_first = b_edge & ~a_reach
    if turn == 0:
        a_first |= a_edge & b_edge
    else:
        b_first |= a_edge & b_edge
    return near * (popcount(a_first & food) - popcount(b_first & food)) + ROOM * (
        popcount(a_first) - popcount(b_first)
    )


def value_of_rest(board: Board, state: State, value: int, a_alone: int, b_alone: int) -> int:
    """The whole value, given the food that only one agent can reach; what neither can is in both.

    Walls never go, so food that one cannot reach stays with the other, who eats it if that wins and
    leaves it for ever if that would lose. Where there is such food on both sides the game can only
    be won by walling the other agent in, which needs its help.
    """
    ahead = state.eaten_a - state.eaten_b
    left = food_left(board, state)
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
        found |= around(board, lowest(cells), 0)
        cells = drop_lowest(cells)
    return found


def wide_next_to(board: Board, cells: Cells) -> Cells:
    """The same on a wide board."""
    near = next_to_word(board, cells[0], 0)
    far = next_to_word(board, cells[1], WORD_BITS)
    return either(near, either(far, next_to_word(board, cells[2], 2 * WORD_BITS)))


def next_to_word(board: Board, cells: int, first_cell: int) -> Cells:
    """Every neighbour of the cells in a word, whose lowest bit is this cell."""
    near, far, farther = no_cells()
    while cells != 0:
        cell = first_cell + lowest(cells)
        near |= around(board, cell, 0)
        far |= around(board, cell, 1)
        farther |= around(board, cell, 2)
        cells = drop_lowest(cells)
    return near, far, farther


def ways_lacking(possible: int) -> int:
    """How many of the four ways out are closed to an agent that stands in a wall; else none."""
    if possible & (CAN_EAT | CAN_BLOCK) != 0:
        return 0
    return 4 - popcount(word(possible & CAN_STEP))
