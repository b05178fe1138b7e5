"""Between what is seen of a board and what the rules calculate with."""

from __future__ import annotations

from plyground.core.bits import lowest
from plyground.core.errors import FormatError
from plyground.games.blocker.diagram import AGENTS, Diagram
from plyground.games.blocker.rules import MAX_CELLS, Board, State

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Rows and columns to go: up, right, down, left."""


def cell_name(row: int, column: int) -> str:
    """What a cell is called in the picture: columns and rows count from 1, rows from the top."""
    return f"c{column + 1}r{row + 1}"


def make_board(begin: Diagram, stuck: int, line: int | None = None) -> Board:
    """The board on which play begins as in a diagram. Every cell gets a number but plain walls.

    `line` is where a file tells the size, for the case that it is too much.
    """
    import numpy as np

    cells = [
        (row, column)
        for row, contents in enumerate(begin.rows)
        for column, content in enumerate(contents)
        if content != "#"
    ]
    if len(cells) > MAX_CELLS:
        raise FormatError(
            f"{len(cells)} cells of the board are no walls: at most {MAX_CELLS} can be", line=line
        )
    numbers = {cell: number for number, cell in enumerate(cells)}
    neighbours = [
        numbers.get((row + down, column + right), -1)
        for row, column in cells
        for down, right in STEPS
    ]
    around = [
        sum(1 << other for other in neighbours[4 * cell : 4 * cell + 4] if other >= 0)
        for cell in range(len(cells))
    ]
    state = _read_state(begin, numbers)
    return Board(
        width=begin.width,
        height=begin.height,
        stuck=stuck,
        cells=(1 << len(cells)) - 1,
        neighbours=np.array(neighbours, np.int64),
        around=np.array(around, np.uint64),
        places=np.array([row * begin.width + column for row, column in cells], np.int64),
        begin_food=state.food,
        begin_walls=state.walls,
        begin_a=state.a,
        begin_b=state.b,
        begin_eaten_a=state.eaten_a,
        begin_eaten_b=state.eaten_b,
        begin_turn=state.turn,
    )


def _read_state(diagram: Diagram, numbers: dict[tuple[int, int], int]) -> State:
    """The state that a diagram shows, where cells have these numbers."""
    food = walls = 0
    agents: dict[str, int] = {}
    for (row, column), number in numbers.items():
        content = diagram.rows[row][column]
        food |= ("*" in content) << number
        walls |= ("#" in content) << number
        agents |= {agent: number for agent in AGENTS if agent in content}
    return State(food, walls, agents["A"], agents["B"], *diagram.eaten, diagram.turn)


def read_state(board: Board, diagram: Diagram) -> State:
    """The state that a diagram shows, if play on this board can have led to it."""
    if (diagram.width, diagram.height) != (board.width, board.height):
        raise FormatError(
            f"a board of {diagram.width} x {diagram.height} cells where play began on"
            f" {board.width} x {board.height}"
        )
    numbers = {divmod(place, board.width): cell for cell, place in enumerate(places(board))}
    for row, contents in enumerate(diagram.rows):
        for column, content in enumerate(contents):
            if (row, column) not in numbers and content != "#":
                raise FormatError(
                    f"row {row + 1}, column {column + 1} was a wall when play began; walls stay"
                )
    state = _read_state(diagram, numbers)
    if state.food & ~board.begin_food or board.begin_walls & ~state.walls:
        raise FormatError("there is food where play began without, or a wall has gone")
    gone = board.begin_food.bit_count() - state.food.bit_count()
    eaten = (state.eaten_a - board.begin_eaten_a, state.eaten_b - board.begin_eaten_b)
    if min(eaten) < 0 or sum(eaten) != gone:
        raise FormatError(
            f"{gone} food has gone since play began, but A has eaten {eaten[0]} and B {eaten[1]}"
            " since then"
        )
    return state


def places(board: Board) -> list[int]:
    """Where each cell is on the grid: row * width + column, row 0 on top."""
    count = lowest(board.cells + 1)
    return [int(board.places[cell]) for cell in range(count)]


def show_state(board: Board, state: State) -> Diagram:
    """What is seen of a state."""
    grid = [["#"] * board.width for _ in range(board.height)]
    for cell, place in enumerate(places(board)):
        content = "*" if state.food >> cell & 1 else "#" if state.walls >> cell & 1 else ""
        content += "A" * (state.a == cell) + "B" * (state.b == cell)
        grid[place // board.width][place % board.width] = content
    return Diagram(tuple(map(tuple, grid)), state.turn, (state.eaten_a, state.eaten_b))
