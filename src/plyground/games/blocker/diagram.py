"""A board of Blocker as text, on one line and as a file.

One line says all: the rows from the top, whose turn it is, what A and B have eaten.

    #####/##*.#/##A*#/#.B##/##### A 0-0

A dot is an empty cell, and a cell that holds more than one thing is in brackets: `(*A)`, `(AB)`,
`(#B)`. A file has the width and the height on its first line and then the rows, a space for each
empty cell; the first agent moves, and nothing has been eaten.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from plyground.core.errors import FormatError

AGENTS = "AB"
MAX_SIDE = 64
MAX_EATEN = 99
MAX_TEXT = 40_000
"""Two boards of the largest size with room to spare. Longer texts are refused unread."""
EXAMPLE = "#####/##*.#/##A*#/#.B##/##### A 0-0"
SIZES = re.compile(r"\s*([0-9]{1,9})\s+([0-9]{1,9})\s*")
CELL = re.compile(r"\([^()]*\)|.")
CONTENTS = {"", "#", "*", "A", "B", "*A", "*B", "AB", "*AB", "#A", "#B", "#AB"}
"""What a cell can hold: food or a wall or neither, and agents."""


@dataclass(frozen=True)
class Diagram:
    """Everything that is seen of a position."""

    rows: tuple[tuple[str, ...], ...]
    """For each cell, from the top and from the left, one of CONTENTS."""
    turn: int = 0
    eaten: tuple[int, int] = (0, 0)

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0])


def cell_text(content: str) -> str:
    return content or "." if len(content) < 2 else f"({content})"


def write_line(diagram: Diagram) -> str:
    rows = "/".join("".join(map(cell_text, row)) for row in diagram.rows)
    return f"{rows} {AGENTS[diagram.turn]} {diagram.eaten[0]}-{diagram.eaten[1]}"


def read_line(words: Sequence[str]) -> Diagram:
    """The three words of a line: rows, turn, eaten."""
    rows, turn, eaten = words
    found = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", eaten)
    if turn not in tuple(AGENTS) or found is None:
        raise FormatError(
            f"after the rows come whose turn it is and what A and B have eaten, like {EXAMPLE!r}"
        )
    cells = tuple(_read_row(row, number) for number, row in enumerate(rows.split("/"), 1))
    for number, row in enumerate(cells, 1):
        if len(row) != len(cells[0]):
            raise FormatError(
                f"row {number} has {len(row)} cells, the first row has {len(cells[0])}"
            )
    check_size(len(cells[0]), len(cells))
    for agent in AGENTS:
        count = sum(agent in cell for row in cells for cell in row)
        if count != 1:
            raise FormatError(f"there must be one {agent} on the board, not {count}")
    return Diagram(cells, AGENTS.index(turn), (int(found[1]), int(found[2])))


def _read_row(text: str, number: int) -> tuple[str, ...]:
    cells = []
    for part in CELL.findall(text):
        content = part if len(part) == 1 else "".join(sorted(part[1:-1], key="#*AB".find))
        content = content.replace(".", "")
        if content not in CONTENTS or part == "()":
            raise FormatError(
                f"row {number}: {part[:20]!r} is no cell; a cell is one of . # * A B, or more than"
                " one in brackets like (*A), (AB), (#B)"
            )
        cells.append(content)
    return tuple(cells)


def check_size(width: int, height: int, line: int | None = None) -> None:
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise FormatError(
            f"a board of {width} x {height} cells: 1 to {MAX_SIDE} each way are possible", line=line
        )


# Files


def is_file(text: str) -> bool:
    """Whether a text is a board file and not a position on one line."""
    return SIZES.fullmatch(text.split("\n", 1)[0]) is not None or "\n" in text.strip("\r\n")


def read_file(text: str) -> Diagram:
    """The board of a file. Line 1 is `W H`, or `H W` where only that fits the rows."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if lines[-1] == "":
        lines.pop()  # the end of the last line, not a row
    sizes = SIZES.fullmatch(lines[0]) if lines else None
    if sizes is None:
        raise FormatError("the width and the height of the board belong here, like '5 5'", line=1)
    first, second = int(sizes[1]), int(sizes[2])
    check_size(first, second, line=1)
    rows = [line.rstrip(" ") for line in lines[1:]]
    problem, width, height = _misfit(rows, first, second), first, second
    if problem is not None:
        width, height = second, first
        if _misfit(rows, width, height) is not None:
            raise problem
    _check_marks(rows[:height])
    return Diagram(tuple(tuple(mark.strip() for mark in row.ljust(width)) for row in rows[:height]))


def _misfit(rows: Sequence[str], width: int, height: int) -> FormatError | None:
    """What is wrong if the board is to have this size; None if the rows fit it.

    Shorter rows end in empty cells. Empty lines below the board do no harm.
    """
    said = f"line 1 says {width} x {height}"
    either = "" if width == height else f" (nor do the rows fit {height} x {width})"
    for number, row in enumerate(rows, 1):
        if number > height and row:
            return FormatError(f"{said}, but there is a row {number}{either}", line=number + 1)
        if len(row) > width:
            return FormatError(
                f"{said}, but row {number} has {len(row)} cells{either}", line=number + 1
            )
    if len(rows) < height:
        return FormatError(
            f"{said}, but there are only {len(rows)} rows{either}", line=len(rows) + 1
        )
    return None


def _check_marks(rows: Sequence[str]) -> None:
    seen: dict[str, int] = {}
    for number, row in enumerate(rows, 2):
        for mark in row:
            if mark not in "#*AB ":
                raise FormatError(
                    f"{mark!r} is no cell: # is a wall, * food, A and B are the agents, a space is"
                    " an empty cell",
                    line=number,
                )
            if mark in AGENTS and mark in seen:
                raise FormatError(
                    f"a second {mark}; the first is on line {seen[mark]}", line=number
                )
            seen[mark] = number
    for agent in AGENTS:
        if agent not in seen:
            raise FormatError(f"the board ends here, and has no {agent}", line=len(rows) + 1)
