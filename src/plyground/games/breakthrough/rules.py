"""Breakthrough on bitboards. Cell (row, column) is bit row * columns + column, row 0 at the bottom.

White (player 0) moves up, Black down: one step straight or diagonally forward into an empty cell,
or a capture one step diagonally forward. The first pawn on the far row wins; a side without pawns
has lost. A side with pawns always has a move, so there are no draws.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.bits import Bits, bit, drop_lowest, lowest, mix, popcount

MAX_MOVES = 96
"""At most 32 pawns a side, three moves each. A move is from_cell * 3 + direction; the direction is
0 left, 1 straight, 2 right as White sees the board."""

DRAWS = False


class Board(NamedTuple):
    rows: int
    columns: int
    cells: Bits
    """Every cell of the board."""
    not_left: Bits
    """Every cell but the leftmost column's."""
    not_right: Bits
    top: Bits
    """The far row for White."""
    bottom: Bits


class State(NamedTuple):
    white: Bits
    black: Bits
    turn: int


def make_board(rows: int, columns: int) -> Board:
    cells = (1 << rows * columns) - 1
    bottom = (1 << columns) - 1
    left = sum(1 << row * columns for row in range(rows))
    return Board(
        rows=rows,
        columns=columns,
        cells=cells,
        not_left=cells & ~left,
        not_right=cells & ~(left << columns - 1),
        top=bottom << (rows - 1) * columns,
        bottom=bottom,
    )


def start(board: Board) -> State:
    """Two rows of pawns a side; one where the board has only three."""
    deep = min(2, board.rows // 2)
    army = (1 << deep * board.columns) - 1
    return State(white=army, black=army << (board.rows - deep) * board.columns, turn=0)


def moves(board: Board, state: State, out: list[int]) -> int:
    empty = board.cells & ~(state.white | state.black)
    count = 0
    if state.turn == 0:
        step = board.columns
        own = state.white
        to_left = (own & board.not_left) << (step - 1) & board.cells & ~own
        to_right = (own & board.not_right) << (step + 1) & board.cells & ~own
        ahead = own << step & empty
    else:
        step = -board.columns
        own = state.black
        to_left = (own & board.not_left) >> (1 - step) & ~own
        to_right = (own & board.not_right) >> (-step - 1) & ~own
        ahead = own >> -step & empty
    while to_left:
        target = lowest(to_left)
        to_left = drop_lowest(to_left)
        out[count] = (target - step + 1) * 3
        count += 1
    while to_right:
        target = lowest(to_right)
        to_right = drop_lowest(to_right)
        out[count] = (target - step - 1) * 3 + 2
        count += 1
    while ahead:
        target = lowest(ahead)
        ahead = drop_lowest(ahead)
        out[count] = (target - step) * 3 + 1
        count += 1
    return count


def target_of(board: Board, state: State, move: int) -> int:
    """The cell that a move leads to."""
    step = board.columns if state.turn == 0 else -board.columns
    return move // 3 + step + move % 3 - 1


def play(board: Board, state: State, move: int) -> State:
    source = bit(move // 3)
    target = bit(target_of(board, state, move))
    if state.turn == 0:
        return State(state.white ^ source ^ target, state.black & ~target, 1)
    return State(state.white & ~target, state.black ^ source ^ target, 0)


def over(board: Board, state: State) -> bool:
    arrived = state.white & board.top | state.black & board.bottom
    return arrived != 0 or state.white == 0 or state.black == 0


def utility(board: Board, state: State) -> int:
    if state.white & board.top != 0 or state.black == 0:
        return 1
    return -1


def noisy(board: Board, state: State, move: int) -> int:
    """The step that wins before a capture, a capture before all others."""
    target = bit(target_of(board, state, move))
    if target & (board.top | board.bottom) != 0:
        return 2
    return 1 if target & (state.white | state.black) != 0 else 0


WHITE_TO_MOVE = 0x2545F4914F6CDD1D
BLACK_TO_MOVE = 0x5851F42D4C957F2D
"""Two words without a pattern, to start a key with."""


def identity(board: Board, state: State) -> tuple[int, int]:
    """Two words, the same for a position and its mirror image, which are worth the same.

    The word of the side to move lies within the other one, which gives the turn.
    """
    white, black = state.white, state.black
    image = mirrored(board, white)
    if image <= white:
        other_image = mirrored(board, black)
        if image < white or other_image < black:
            white, black = image, other_image
    if state.turn == 0:
        return white, white | black
    return white | black, black


def mirrored(board: Board, pawns: int) -> int:
    """The pawns with left and right exchanged."""
    left = board.cells & ~board.not_left
    image = pawns & ~board.cells  # no pawn at all, and a word
    for column in range(board.columns):
        image |= (pawns >> column & left) << (board.columns - 1 - column)
    return image


def key(board: Board, state: State) -> int:
    """One mixing less than the default key, which takes the turn for a field like the others."""
    seed = WHITE_TO_MOVE if state.turn == 0 else BLACK_TO_MOVE
    return mix(mix(seed, state.white), state.black)


# The evaluation

# The weights were chosen by matches of 80 games on 6x6 at 10,000 nodes a move against material
# alone, before races were known. Most of it is owed to ADVANCE and HOME: with 3 and 10 it was an
# even match. `python -m benchmarks strength` plays the match at equal time.
PAWN = 100
ADVANCE = 10
"""Per square of the rows advanced."""
GUARDED = 12
"""For a pawn that another one would avenge."""
HANGING = 60
"""For an enemy pawn that the side to move can take without loss."""
HOME = 30
"""For a pawn on its home row: a wall with few holes has to be breached before it is passed."""


def evaluate(board: Board, state: State) -> int:
    """White's prospects: pawns by how far they are, and their safety. Races are `settled`'s."""
    white, black = state.white, state.black
    value = HOME * (popcount(white & board.bottom) - popcount(black & board.top))
    row_cells = board.bottom
    for row in range(board.rows):
        from_top = board.rows - 1 - row
        value += popcount(white & row_cells) * (PAWN + ADVANCE * row * row)
        value -= popcount(black & row_cells) * (PAWN + ADVANCE * from_top * from_top)
        row_cells <<= board.columns
    white_guard = diagonals(board, white, 0)
    black_guard = diagonals(board, black, 1)
    value += GUARDED * (popcount(white & white_guard) - popcount(black & black_guard))
    if state.turn == 0:
        value += HANGING * min(1, popcount(black & white_guard & ~black_guard))
    else:
        value -= HANGING * min(1, popcount(white & black_guard & ~white_guard))
    return value


# Steps of many pawns at once, and races that are decided without a search


def ahead(board: Board, pawns: int, side: int) -> int:
    """The cells straight ahead of a side's pawns."""
    if side == 0:
        return pawns << board.columns & board.cells
    return pawns >> board.columns


def diagonals(board: Board, pawns: int, side: int) -> int:
    """The cells diagonally ahead: where the pawns can go and what they can take."""
    leftwards = pawns & board.not_left
    rightwards = pawns & board.not_right
    if side == 0:
        found = leftwards << (board.columns - 1) | rightwards << (board.columns + 1)
        return found & board.cells
    return leftwards >> (board.columns + 1) | rightwards >> (board.columns - 1)


def steps(board: Board, pawns: int, side: int) -> int:
    return ahead(board, pawns, side) | diagonals(board, pawns, side)


def settled(board: Board, state: State) -> int:
    """Within how many plies White wins for certain because a pawn runs home whatever Black does;
    negative if it is Black's; 0 if no pawn does."""
    own = state.white if state.turn == 0 else state.black
    other = state.black if state.turn == 0 else state.white
    sign = 1 - 2 * state.turn
    run = moves_to_run_home(board, own, other, state.turn, 0)
    if run > 0:
        return sign * (2 * run - 1)
    return -sign * 2 * moves_to_run_home(board, other, own, 1 - state.turn, 1)


def moves_to_run_home(board: Board, own: int, other: int, side: int, waiting: int) -> int:
    """The moves a pawn of this side needs to run home, all its side's moves being the runner's; 0
    if none gets there for certain.

    Its way leads over cells where no enemy pawn can take it in time, though every one of them is
    credited with all the moves that its side has. It must be home before the enemy's foremost pawn
    could be without any resistance. `waiting` is 1 if the enemy moves first.
    """
    goal = board.top if side == 0 else board.bottom
    enemy_moves = distance_home(board, other, 1 - side)
    runners = own
    enemies = other  # wherever an enemy pawn can be by now
    if waiting == 1:
        runners &= ~diagonals(board, enemies, 1 - side)
        enemies |= steps(board, enemies, 1 - side)
    for before in range(enemy_moves - waiting):
        runners = ahead(board, runners, side) & ~enemies | diagonals(board, runners, side)
        runners &= ~own
        if runners & goal != 0:
            return before + 1
        runners &= ~diagonals(board, enemies, 1 - side)
        if runners == 0:
            return 0
        enemies |= steps(board, enemies, 1 - side)
    return 0


def distance_home(board: Board, pawns: int, side: int) -> int:
    """How many moves the foremost pawn of a side needs at least."""
    goal = board.top if side == 0 else board.bottom
    distance = 0
    while pawns & goal == 0 and distance < board.rows:
        goal = ahead(board, goal, 1 - side)
        distance += 1
    return distance
