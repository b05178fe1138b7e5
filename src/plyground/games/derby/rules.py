"""Fishing Derby: two boats on a round sea, and fish whose every move is known in advance.

The sea has 20 columns, which wrap, and 20 rows, row 19 at the surface. A ply: every free fish
swims by its next code; the mover's hook goes one step or stays (not into the column of the other
boat); then a hook with an empty rod takes the fish in its cell, the lowest-numbered of several, be
it the mover's hook or the other one; a fish at the surface is landed and its score credited. Who
holds a fish can only reel it up. The day ends after so many plies, or when no fish is left.

A fish that is not on a rod is where its codes have led it, whatever the players did. So the board
knows beforehand where every fish is at every ply, and how soon each hook could be there
(`games/derby/sea.py`); a state only says which fish still swim.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.arrays import ndarray
from plyground.core.bits import Bits, bit, drop_lowest, lowest, mix, word

SIZE = 20
"""Columns, and rows."""
SURFACE = SIZE - 1
CELLS = SIZE * SIZE
NONE = -1
"""An empty rod."""

STAY, UP, DOWN, LEFT, RIGHT = range(5)
MAX_MOVES = 5

POINT = 100
"""Units of evaluation in a point."""

PACKED_BITS = 7
LANDING = (1 << PACKED_BITS) - 1
"""How soon packs two numbers of plies: until a hook can meet a fish and, in these lower bits, until
it can be landed."""
NEVER = LANDING
"""A number of plies that says: not before the day is over. All others are smaller: no cell is more
than 29 steps away, so after 58 plies a hook can be anywhere, and after 38 more at the surface."""


class Board(NamedTuple):
    plies: int
    """How long the day is."""
    fish: int
    """How many there are."""
    first_stay: bool
    """Whether the first ply of the day can only be `stay`."""
    green_start: tuple[int, int]
    """Column and row of the hook."""
    red_start: tuple[int, int]
    prizes: Bits
    """The fish that are worth having."""
    sea: ndarray
    """For every ply the fish in each column and in each row, as Bits, and the cell of each fish,
    column * SIZE + row: see `sea_at`. A fish on a rod counts as if it still swam."""
    known: ndarray
    """The score of each fish; what a point is worth that can be landed in so many plies, in units
    of evaluation; for every ply, player and cell of the hook, how soon each fish can be met and
    landed if nothing is in the way (`row_of_reach`); and the fish's movement codes.

    All this in one array, because a compiled rule is handed seven numbers for every array of its
    board: with one for each of these, a search visited two thirds as many nodes in the same time.
    """


CREDITS = NEVER + 2 * SIZE
"""How many there are: after a fish on the rod, any number of plies may follow."""


class State(NamedTuple):
    ply: int
    swimming: Bits
    """The fish that are neither on a rod nor landed."""
    green_x: int
    green_y: int
    red_x: int
    red_y: int
    green_fish: int
    """The fish on the rod, or NONE."""
    red_fish: int
    green_points: int
    red_points: int


def start(board: Board) -> State:
    return State(
        ply=0,
        swimming=(1 << board.fish) - 1,
        green_x=board.green_start[0],
        green_y=board.green_start[1],
        red_x=board.red_start[0],
        red_y=board.red_start[1],
        green_fish=NONE,
        red_fish=NONE,
        green_points=0,
        red_points=0,
    )


def turn(board: Board, state: State) -> int:
    return state.ply & 1


def moves(board: Board, state: State, out: list[int]) -> int:
    """Every action that does something, then `stay`: what is impossible would be one more `stay`.

    `stay` comes last so that a boat does not stand still where something else is as good.
    """
    if state.ply & 1 == 0:
        x, y, other, fish = state.green_x, state.green_y, state.red_x, state.green_fish
    else:
        x, y, other, fish = state.red_x, state.red_y, state.green_x, state.red_fish
    if fish != NONE:
        out[0] = UP
        return 1
    if board.first_stay and state.ply == 0:
        out[0] = STAY
        return 1
    count = 0
    if y < SURFACE:
        out[count] = UP
        count += 1
    if y > 0:
        out[count] = DOWN
        count += 1
    if west_of(x) != other:
        out[count] = LEFT
        count += 1
    if east_of(x) != other:
        out[count] = RIGHT
        count += 1
    out[count] = STAY
    return count + 1


def west_of(x: int) -> int:
    return SIZE - 1 if x == 0 else x - 1


def east_of(x: int) -> int:
    return 0 if x == SIZE - 1 else x + 1


def play(board: Board, state: State, move: int) -> State:
    ply = state.ply + 1
    green_x, green_y = state.green_x, state.green_y
    red_x, red_y = state.red_x, state.red_y
    if state.ply & 1 == 0:
        green_x, green_y = moved(green_x, green_y, move)
    else:
        red_x, red_y = moved(red_x, red_y, move)
    swimming = state.swimming
    green_fish, red_fish = state.green_fish, state.red_fish
    green_points, red_points = state.green_points, state.red_points
    if green_fish == NONE:
        here = swimming & fish_at(board, ply, green_x, green_y)
        if here != 0:
            green_fish = lowest(here)
            swimming = swimming & ~bit(green_fish)
    if red_fish == NONE:
        here = swimming & fish_at(board, ply, red_x, red_y)
        if here != 0:
            red_fish = lowest(here)
            swimming = swimming & ~bit(red_fish)
    if green_fish != NONE and green_y == SURFACE:
        green_points += score_of(board, green_fish)
        green_fish = NONE
    if red_fish != NONE and red_y == SURFACE:
        red_points += score_of(board, red_fish)
        red_fish = NONE
    return State(
        ply,
        swimming,
        green_x,
        green_y,
        red_x,
        red_y,
        green_fish,
        red_fish,
        green_points,
        red_points,
    )


def moved(x: int, y: int, move: int) -> tuple[int, int]:
    """Where a step leads that is possible."""
    if move == UP:
        return x, y + 1
    if move == DOWN:
        return x, y - 1
    if move == LEFT:
        return west_of(x), y
    if move == RIGHT:
        return east_of(x), y
    return x, y


def fish_at(board: Board, ply: int, x: int, y: int) -> int:
    """The fish whose codes have led them to a cell, whether they still swim or not."""
    at = sea_at(board, ply)
    return word(int(board.sea[at + x])) & word(int(board.sea[at + SIZE + y]))


def sea_at(board: Board, ply: int) -> int:
    """Where a ply starts in board.sea: SIZE columns, SIZE rows, then the cells of the fish."""
    return ply * (2 * SIZE + board.fish)


def cell_of(board: Board, ply: int, fish: int) -> int:
    """Where a fish is at a ply, if it still swims: column * SIZE + row."""
    return int(board.sea[sea_at(board, ply) + 2 * SIZE + fish])


def score_of(board: Board, fish: int) -> int:
    return int(board.known[fish])


def credit_of(board: Board, plies: int) -> int:
    return int(board.known[board.fish + plies])


def over(board: Board, state: State) -> bool:
    if state.ply >= board.plies:
        return True
    return state.swimming == 0 and state.green_fish == NONE and state.red_fish == NONE


def utility(board: Board, state: State) -> int:
    return state.green_points - state.red_points


def score(board: Board, state: State) -> int:
    return state.green_points - state.red_points


# What identifies a state. The points do not: what is still to come does not depend on them.


def packed(state: State) -> int:
    """Everything but the points and the swimming fish, in 48 bits."""
    hooks = ((state.green_x << 5 | state.green_y) << 5 | state.red_x) << 5 | state.red_y
    rods = state.green_fish + 1 << 7 | state.red_fish + 1
    return (state.ply << 20 | hooks) << 14 | rods


def identity(board: Board, state: State) -> tuple[int, int]:
    return state.swimming, word(packed(state))


KEY_SEED = 0x2545F4914F6CDD1D
"""A word without a pattern, to start a key with."""


def key(board: Board, state: State) -> int:
    return mix(mix(KEY_SEED, state.swimming), packed(state))


# The evaluation


def plies_to_surface(ply: int, player: int, y: int) -> int:
    """How many plies a player needs to reel in from row y, who moves every other ply."""
    if y == SURFACE:
        return 0
    return 2 * (SURFACE - y) - 1 if ply & 1 == player else 2 * (SURFACE - y)


def row_of_reach(board: Board, ply: int, x: int, y: int, player: int) -> int:
    """Where the numbers for a hook start in board.known, one for each fish."""
    rows = ((ply * SIZE + x) * SIZE + y) * 2 + player
    return CREDITS + (rows + 1) * board.fish


def is_behind(boat: int, x: int, column: int) -> bool:
    """Whether a boat is on the shorter way from column x to another one, and so in the way."""
    east = column - x if column >= x else column - x + SIZE
    gap = boat - x if boat >= x else boat - x + SIZE
    return (2 * east < SIZE and gap <= east) or (2 * east > SIZE and gap >= east)


def evaluate(board: Board, state: State) -> int:
    """Points, the fish on the rods, and each prize for whom it can be met first.

    A fish on a rod that can be landed in time counts in full, since nothing can change it any more.
    A free prize counts for the player who can be there first, the less the later it can be landed:
    putting it off costs something at every ply. But boats cannot pass each other: what is behind
    the other boat is that boat's, however far away its hook is. A player with a fish on the rod
    goes on from the surface when it is landed. A free penalty fish counts for neither, as neither
    wants it.
    """
    ply = state.ply
    value = POINT * (state.green_points - state.red_points)
    green_wait, red_wait = 0, 0
    green_y, red_y = state.green_y, state.red_y
    if state.green_fish != NONE:
        green_wait = plies_to_surface(ply, 0, green_y)
        green_y = SURFACE
        if ply + green_wait <= board.plies:
            value += POINT * score_of(board, state.green_fish)
    if state.red_fish != NONE:
        red_wait = plies_to_surface(ply, 1, red_y)
        red_y = SURFACE
        if ply + red_wait <= board.plies:
            value -= POINT * score_of(board, state.red_fish)
    prizes = state.swimming & board.prizes
    if prizes == 0:
        return value
    green_row = row_of_reach(board, min(ply + green_wait, board.plies), state.green_x, green_y, 0)
    red_row = row_of_reach(board, min(ply + red_wait, board.plies), state.red_x, red_y, 1)
    while prizes != 0:
        fish = lowest(prizes)
        prizes = drop_lowest(prizes)
        green = int(board.known[green_row + fish])
        red = int(board.known[red_row + fish])
        green_meets = (green >> PACKED_BITS) + green_wait
        red_meets = (red >> PACKED_BITS) + red_wait
        meeting = ply + min(green_meets, red_meets)
        if green_meets == red_meets or meeting > board.plies:
            continue
        column = cell_of(board, meeting, fish) // SIZE
        if green_meets < red_meets:
            is_green = not is_behind(state.red_x, state.green_x, column)
        else:
            is_green = is_behind(state.green_x, state.red_x, column)
        if is_green:
            value += score_of(board, fish) * credit_of(board, (green & LANDING) + green_wait)
        else:
            value -= score_of(board, fish) * credit_of(board, (red & LANDING) + red_wait)
    return value


def bounds(board: Board, state: State) -> tuple[int, int]:
    """The least and the most that the day can still end with, green's points minus red's.

    A fish on a rod is certain, one way or the other. A free one counts for a player who could land
    it before the day is over with nothing in the way.
    """
    ply = state.ply
    sure = state.green_points - state.red_points
    green_ply, red_ply = ply, ply
    green_y, red_y = state.green_y, state.red_y
    if state.green_fish != NONE:
        green_ply += plies_to_surface(ply, 0, green_y)
        green_y = SURFACE
        if green_ply <= board.plies:
            sure += score_of(board, state.green_fish)
    if state.red_fish != NONE:
        red_ply += plies_to_surface(ply, 1, red_y)
        red_y = SURFACE
        if red_ply <= board.plies:
            sure -= score_of(board, state.red_fish)
    green_row = row_of_reach(board, min(green_ply, board.plies), state.green_x, green_y, 0)
    red_row = row_of_reach(board, min(red_ply, board.plies), state.red_x, red_y, 1)
    low, high = sure, sure
    swimming = state.swimming
    while swimming != 0:
        fish = lowest(swimming)
        swimming = drop_lowest(swimming)
        worth = score_of(board, fish)
        if int(board.known[green_row + fish]) & LANDING != NEVER:
            low += min(0, worth)
            high += max(0, worth)
        if int(board.known[red_row + fish]) & LANDING != NEVER:
            low += min(0, -worth)
            high += max(0, -worth)
    return low, high
