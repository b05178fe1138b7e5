"""Breakthrough: a course's `Agent(color, opponentColor, time)` moves on a board of ours.

Colours are 'W' and 'B', cells are (row, column), 'W' starts on rows 0 and 1 and moves up. An agent
is given a board of its own every time: what it does to it is its own affair.
"""

from __future__ import annotations

from seat import Missing
from wire import said, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from seat import Load
    from wire import Channel

    Cell = tuple[int, int]

EMPTY = "E"
STEPS = {"W": 1, "B": -1}
"""The way that each side's pawns go."""


def play(channel: Channel, load: Load) -> None:
    begin = channel.receive()
    module = load()
    agent_class = getattr(module, "Agent", None)
    if not callable(agent_class):
        raise Missing("there is no class Agent")
    color = "WB"[begin["player"]]
    agent = agent_class(color, "BW"[begin["player"]], begin["seconds"])
    channel.send("ready", {})
    while True:
        message = channel.receive()
        if channel.over:
            return
        move = agent.move(Board.of(message["rows"]))
        cells = read_cells(move)
        answer = said(move) if cells is None else {"move": cells}
        depth = whole_number(getattr(agent, "search_depth", None))
        channel.send("move", {**answer, "depth": depth})


def read_cells(move: Any) -> list[list[int]] | None:
    """The two cells of an answer, or None if it is no pair of pairs of whole numbers."""
    try:
        if len(move) != 2 or any(len(cell) != 2 for cell in move):
            return None
        cells = [[whole_number(number) for number in cell] for cell in move]
    except TypeError:
        return None
    found = [[number for number in cell if number is not None] for cell in cells]
    return found if found == cells else None


class Board:
    """The board as agents know it. `board.board[row][column]` is 'W', 'B' or 'E'.

    Older copies of the course's file spell two names otherwise; both spellings work.
    """

    def __init__(self, n_rows: int = 6, n_cols: int = 6) -> None:
        self.n_rows = n_rows
        self.n_cols = n_cols
        self.board: list[list[str]] = []
        self.initializeBoard()

    @classmethod
    def of(cls, rows: list[str]) -> Board:
        """The board with these rows, from row 0 on, a letter a cell."""
        board = cls.__new__(cls)
        board.n_rows, board.n_cols = len(rows), len(rows[0])
        board.board = [list(row) for row in rows]
        return board

    def initializeBoard(self) -> None:
        """Set up the start of a game: two rows of pawns on each side."""
        last = self.n_rows - 1
        sides = {0: "W", 1: "W", last - 1: "B", last: "B"}
        self.board = [[sides.get(row, EMPTY)] * self.n_cols for row in range(self.n_rows)]

    def getPiecePossibleLocations(self, color: str, row: int, column: int) -> list[Cell]:
        """Where the pawn of that colour on that cell can go."""
        ahead = row + STEPS[color]
        if not 0 <= ahead < self.n_rows:
            return []
        cells = self.board[ahead]
        return [
            (ahead, to)
            for to in (column - 1, column, column + 1)
            if 0 <= to < self.n_cols
            and (cells[to] == EMPTY or (to != column and cells[to] != color))
        ]

    def getPiecesPossibleLocations(self, color: str) -> tuple[list[Cell], list[list[Cell]]]:
        """The cells of all pawns that can move, and for each of them the cells it can go to."""
        from_cells, to_cells = [], []
        for row, cells in enumerate(self.board):
            for column, mark in enumerate(cells):
                if mark == color:
                    found = self.getPiecePossibleLocations(color, row, column)
                    if found:
                        from_cells.append((row, column))
                        to_cells.append(found)
        return from_cells, to_cells

    def changePieceLocation(self, color: str, from_cell: Cell, to_cell: Cell) -> None:
        """Put a pawn elsewhere. Nothing is checked: agents take moves back with it too."""
        self.board[from_cell[0]][from_cell[1]] = EMPTY
        self.board[to_cell[0]][to_cell[1]] = color

    def getNumberOfArmy(self, color: str) -> int:
        return sum(row.count(color) for row in self.board)

    def win(self, color: str) -> bool:
        """Whether that side has won: a pawn on the far row, or no pawn of the other side's left.

        In the classic file a side without pawns counts as a winner as well; here it has lost.
        """
        far_row = self.board[-1] if color == "W" else self.board[0]
        return color in far_row or self.getNumberOfArmy("B" if color == "W" else "W") == 0

    def finishedGame(self) -> bool:
        return self.win("W") or self.win("B")

    initilizeBoard = initializeBoard
    getPiecePossibeLocations = getPiecePossibleLocations

    def __getitem__(self, row: int) -> list[str]:
        return self.board[row]

    def __copy__(self) -> Board:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Board:
        """Agents copy boards by the thousand, and the usual way takes many times as long."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.board = [row[:] for row in self.board]
        return twin

    def __repr__(self) -> str:
        return "\n".join(" ".join(row) for row in reversed(self.board))
