"""The board of Breakthrough that a course's agents know, found by `import board`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Cell = tuple[int, int]

EMPTY = "E"
STEPS = {"W": 1, "B": -1}
"""The way that each side's pawns go."""


class Board:
    """The board as agents know it. `board.board[row][column]` is 'W', 'B' or 'E'.

    Older copies of the course's file spell two names otherwise; both spellings work.
    """

    def __init__(self, n_rows: int = 6, n_cols: int = 6, player_row_number: int = 2) -> None:
        self.n_rows = n_rows
        self.n_cols = n_cols
        self.PLAYER_ROW_NUMBER = player_row_number
        self.board: list[list[str]] = []
        self.initializeBoard()

    def initializeBoard(self) -> list[list[str]]:
        """Set up the start of a game, rows of pawns on each side; the rows are returned as well."""
        first_black = self.n_rows - self.PLAYER_ROW_NUMBER
        self.board = [
            ["B" if row >= first_black else "W" if row < self.PLAYER_ROW_NUMBER else EMPTY]
            * self.n_cols
            for row in range(self.n_rows)
        ]
        return self.board

    def getSpecialPiecesPossibleLocations(
        self, color: str, i: int, j: int, direction: int
    ) -> list[Cell]:
        """Where a pawn of that colour on that cell can go, if its direction is 1 (up) or -1."""
        ahead = i + direction
        if not 0 <= ahead < self.n_rows:
            return []
        cells = self.board[ahead]
        return [
            (ahead, to)
            for to in (j - 1, j, j + 1)
            if 0 <= to < self.n_cols and (cells[to] == EMPTY or (to != j and cells[to] != color))
        ]

    def getPiecePossibleLocations(self, color: str, i: int, j: int) -> list[Cell]:
        """Where the pawn of that colour on that cell can go."""
        return self.getSpecialPiecesPossibleLocations(color, i, j, STEPS[color])

    def getPiecesPossibleLocations(self, color: str) -> tuple[list[Cell], list[list[Cell]]]:
        """The cells of all pawns that can move, and for each of them the cells it can go to."""
        from_cells, to_cells, step = [], [], STEPS[color]
        for row, cells in enumerate(self.board):
            for column, mark in enumerate(cells):
                if mark == color:
                    found = self.getSpecialPiecesPossibleLocations(color, row, column, step)
                    if found:
                        from_cells.append((row, column))
                        to_cells.append(found)
        return from_cells, to_cells

    def changePieceLocation(self, color: str, from_cell: Cell, to_cell: Cell) -> None:
        """Put a pawn elsewhere. Nothing is checked: agents take moves back with it too."""
        self.board[from_cell[0]][from_cell[1]] = EMPTY
        self.board[to_cell[0]][to_cell[1]] = color

    def travelOverBoard(self, color: str) -> list[Cell]:
        """The cells of all pawns of that colour, row by row."""
        return [
            (row, column)
            for row, cells in enumerate(self.board)
            for column, mark in enumerate(cells)
            if mark == color
        ]

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
