"""Between what is seen of a board and what the rules calculate with."""

from __future__ import annotations

from plyground.core.errors import FormatError
from plyground.games.blocker.cells import (
    MAX_CELLS,
    WORD_BITS,
    Cells,
    holds,
    is_empty,
    joined,
    size,
    without,
    words_of,
)
from plyground.games.blocker.diagram import AGENTS, Diagram
from plyground.games.blocker.rules import CELL_NUMBERS, PLACE, Board, State, new_state, start

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Rows and columns to go: up, right, down, left."""


def cell_name(row: int, column: int) -> str:
    """What a cell is called in the picture: columns and rows count from 1, rows from the top."""
    return f"c{column + 1}r{row + 1}"


def make_board(begin: Diagram, stuck: int, line: int | None = None) -> Board:
    """The board on which play begins as in a diagram. Every cell gets a number but plain walls.

    `line` is where a file has the size, for the error if it is too large.
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
    rows = []
    for row, column in cells:
        neighbours = [numbers.get((row + down, column + right), -1) for down, right in STEPS]
        around = words_of(sum(1 << near for near in neighbours if near >= 0))
        rows.append([*neighbours, *map(_signed, around), row * begin.width + column])
    food, walls, agents = _read_cells(begin, numbers)
    return Board(
        width=begin.width,
        height=begin.height,
        stuck=stuck,
        cell_count=len(cells),
        meal=size(food) + sum(begin.eaten),
        cells=np.array(rows, np.int64).ravel(),
        begin=np.array([*food, *walls, *agents, *begin.eaten, begin.turn], np.uint64),
    )


def _signed(word: int) -> int:
    """A word as the number that an array of signed numbers has for it."""
    return word - (1 << WORD_BITS) if word >> (WORD_BITS - 1) else word


def _read_cells(
    diagram: Diagram, numbers: dict[tuple[int, int], int]
) -> tuple[Cells, Cells, tuple[int, int]]:
    """Food, walls and the cells of the agents in a diagram, where cells have these numbers."""
    food = walls = 0
    agents: dict[str, int] = {}
    for (row, column), number in numbers.items():
        content = diagram.rows[row][column]
        food |= ("*" in content) << number
        walls |= ("#" in content) << number
        agents |= {agent: number for agent in AGENTS if agent in content}
    return words_of(food), words_of(walls), (agents["A"], agents["B"])


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
    food, walls, agents = _read_cells(diagram, numbers)
    begin = start(board)
    begin_food = joined(begin.food, begin.far_food)
    begin_walls = joined(begin.walls, begin.far_walls)
    if not (is_empty(without(food, begin_food)) and is_empty(without(begin_walls, walls))):
        raise FormatError("there is food where play began without, or a wall has gone")
    gone = size(begin_food) - size(food)
    eaten = (diagram.eaten[0] - begin.eaten_a, diagram.eaten[1] - begin.eaten_b)
    if min(eaten) < 0 or sum(eaten) != gone:
        raise FormatError(
            f"{gone} food has gone since play began, but A has eaten {eaten[0]} and B {eaten[1]}"
            " since then"
        )
    return new_state(board, food, walls, *agents, *diagram.eaten, diagram.turn)


def places(board: Board) -> list[int]:
    """Where each cell is on the grid: row * width + column, row 0 on top."""
    return [int(board.cells[CELL_NUMBERS * cell + PLACE]) for cell in range(board.cell_count)]


def show_state(board: Board, state: State) -> Diagram:
    """What is seen of a state."""
    grid = [["#"] * board.width for _ in range(board.height)]
    for cell, place in enumerate(places(board)):
        content = _thing(state, cell)
        content += "A" * (state.a == cell) + "B" * (state.b == cell)
        grid[place // board.width][place % board.width] = content
    return Diagram(tuple(map(tuple, grid)), state.turn, (state.eaten_a, state.eaten_b))


def _thing(state: State, cell: int) -> str:
    if holds(state.food, state.far_food, cell):
        return "*"
    return "#" if holds(state.walls, state.far_walls, cell) else ""
