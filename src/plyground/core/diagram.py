"""A board game's position in one line of text, the way chess players write theirs.

    bbbbbb/bbbbbb/6/6/wwwwww/wwwwww w

Rows from the top, separated by `/`; a letter for each piece, a number for a run of empty cells
(dots will do as well); then the letter of the side to move. In the program a row is a string with a
mark for each cell, `.` where it is empty, and the bottom row comes first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plyground.core.errors import FormatError

MAX_CELLS = 64
"""What a bitboard holds; no game here has more rows or columns than that."""
MAX_TEXT = 2 * MAX_CELLS + 200
"""Every cell, every slash, and some spaces. Longer texts are refused unread."""


def write(rows: Sequence[str], marks: str, turn: int) -> str:
    """The rows (bottom first) and the side to move as one line. `marks` has a letter per side."""
    written = (re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in reversed(rows))
    return "/".join(written) + " " + marks[turn]


def read(text: str, marks: str, example: str) -> tuple[list[str], int]:
    """The rows (bottom first, all equally long) and whose turn it is, 0 or 1."""
    if len(text) > MAX_TEXT:
        raise FormatError(f"{len(text)} characters are more than any position has")
    words = text.split()
    if len(words) != 2 or words[1] not in tuple(marks):
        raise FormatError(
            f"a position is its rows from the top and whose turn it is, like {example!r}"
        )
    written = words[0].split("/")
    rows = [_read_row(row, number, marks) for number, row in enumerate(written, 1)]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise FormatError(
                f"row {number} from the top ({written[number - 1]!r}) has {len(row)} cells,"
                f" the first has {len(rows[0])}"
            )
    rows.reverse()
    return rows, marks.index(words[1])


def _read_row(text: str, number: int, marks: str) -> str:
    """A row with its empty cells written out."""
    row = ""
    for part in re.findall(r"[0-9]+|.", text):
        if part.isascii() and part.isdigit():
            row += "." * min(int(part), MAX_CELLS + 1)
        elif part == "." or part in marks:
            row += part
        else:
            raise FormatError(
                f"row {number} from the top: {part!r} is neither {', '.join(marks)}"
                " nor a number of empty cells"
            )
    if len(row) > MAX_CELLS:
        raise FormatError(f"row {number} from the top has more cells than any board")
    return row


def rows_of(
    boards: Sequence[int], marks: str, size: tuple[int, int], steps: tuple[int, int]
) -> list[str]:
    """The rows (bottom first) of a position that has a bitboard for each side.

    `size` is that of the board, in rows and columns. `steps` are the bits from a cell to the next
    row and to the next column.
    """

    def mark(cell: int) -> str:
        return next((marks[side] for side, board in enumerate(boards) if board >> cell & 1), ".")

    up, right = steps
    return [
        "".join(mark(row * up + column * right) for column in range(size[1]))
        for row in range(size[0])
    ]


def boards_of(rows: Sequence[str], marks: str, steps: tuple[int, int]) -> list[int]:
    """The bitboard of each side: the reverse of `rows_of`."""
    boards = dict.fromkeys(marks, 0)
    for row, found in enumerate(rows):
        for column, mark in enumerate(found):
            if mark in boards:
                boards[mark] |= 1 << row * steps[0] + column * steps[1]
    return list(boards.values())


def draw(rows: Sequence[str], letters: str) -> str:
    """The rows as a drawing in characters, the numbers of rows on the left, letters below."""
    lines = [f"{row + 1:>2}  " + " ".join(rows[row]) for row in reversed(range(len(rows)))]
    return "\n".join([*lines, "", "    " + " ".join(letters[: len(rows[0])])])
