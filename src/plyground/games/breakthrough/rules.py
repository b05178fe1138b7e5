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


def key(board: Board, state: State) -> int:
    """One mixing less than the default key, which takes the turn for a field like the others."""
    seed = WHITE_TO_MOVE if state.turn == 0 else BLACK_TO_MOVE
    return mix(mix(seed, state.white), state.black)


# The evaluation

# The weights were chosen by matches of 80 games on 6x6 at 10,000 nodes a move against material
# alone; these won 67. Most of it is owed to ADVANCE and HOME: with 3 and 10 it was an even match.
PAWN = 100
ADVANCE = 10
"""Per square of the rows advanced."""
GUARDED = 12
"""For a pawn that another one would avenge."""
HANGING = 60
"""For an enemy pawn that the side to move can take without loss."""
HOME = 30
"""For a pawn on its home row: a wall with few holes has to be breached before it is passed."""
RUNNER = 100_000
"""A pawn that nobody can stop. More than all pawns together; less for each step still to go."""


def evaluate(board: Board, state: State) -> int:
    """White's prospects: pawns by how far they are, their safety, and who wins the race."""
    columns = board.columns
    white, black = state.white, state.black
    value = HOME * (popcount(white & board.bottom) - popcount(black & board.top))
    row_cells = board.bottom
    white_distance = board.rows
    black_distance = board.rows
    white_reach = white_cone(board, white)
    black_reach = black_cone(board, black)
    for row in range(board.rows):
        from_top = board.rows - 1 - row
        here = white & row_cells
        there = black & row_cells
        value += popcount(here) * (PAWN + ADVANCE * row * row)
        value -= popcount(there) * (PAWN + ADVANCE * from_top * from_top)
        if here & ~black_reach != 0:
            white_distance = from_top
        if there & ~white_reach != 0 and black_distance == board.rows:
            black_distance = row
        row_cells <<= columns
    white_guard = (white & board.not_left) << (columns - 1) | (white & board.not_right) << (
        columns + 1
    )
    black_guard = (black & board.not_left) >> (columns + 1) | (black & board.not_right) >> (
        columns - 1
    )
    value += GUARDED * (popcount(white & white_guard) - popcount(black & black_guard))
    if state.turn == 0:
        value += HANGING * min(1, popcount(black & white_guard & ~black_guard))
    else:
        value -= HANGING * min(1, popcount(white & black_guard & ~white_guard))
    # An unstoppable runner wins unless the other side's is home first. Distances are in own moves:
    # where they are equal, the side to move arrives first.
    if white_distance < board.rows and white_distance + state.turn <= black_distance:
        value += RUNNER - 1000 * white_distance
    elif black_distance < board.rows:
        value -= RUNNER - 1000 * black_distance
    return value


def white_cone(board: Board, pawns: int) -> int:
    """Every cell that some white pawn could ever step on, its own included."""
    reach = pawns
    for _ in range(board.rows - 1):
        wide = reach | (reach & board.not_left) >> 1 | (reach & board.not_right) << 1
        reach |= wide << board.columns & board.cells
    return reach


def black_cone(board: Board, pawns: int) -> int:
    """Every cell that some black pawn could ever step on, its own included."""
    reach = pawns
    for _ in range(board.rows - 1):
        wide = reach | (reach & board.not_left) >> 1 | (reach & board.not_right) << 1
        reach |= wide >> board.columns
    return reach
