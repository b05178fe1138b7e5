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
LINE_END = re.compile(r"\r\n|\r|\n")
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
    lines = LINE_END.split(text.strip("\r\n"))
    return len(lines) > 1 or SIZES.fullmatch(lines[0]) is not None


def read_file(text: str) -> Diagram:
    """The board of a file. Line 1 is `W H` or `H W`, whichever fits the rows better.

    Shorter rows end in empty cells. Blank lines below the board do no harm, nor do those above it
    where the rows fit only without them.
    """
    lines = LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()  # the end of the last line, not a row
    sizes = SIZES.fullmatch(lines[0]) if lines else None
    if sizes is None:
        raise FormatError("the width and the height of the board belong here, like '5 5'", line=1)
    width, height = int(sizes[1]), int(sizes[2])
    check_size(width, height, line=1)
    top = next((at for at, line in enumerate(lines) if at > 0 and line.strip()), 1)
    for begin in (1, top):
        boards = [_Rows(lines, begin, width, height), _Rows(lines, begin, height, width)]
        fitting = [board for board in boards if board.misfit() is None]
        if fitting:
            return max(fitting, key=_Rows.likeness).diagram()
    either = "" if width == height else f" (nor do the rows fit {height} x {width})"
    problem, line = _Rows(lines, 1, width, height).misfit() or ("", 1)
    raise FormatError(f"line 1 says {width} x {height}, but {problem}{either}", line=line)


class _Rows:
    """The lines of a file from `begin` on, taken for the rows of a board of this size."""

    def __init__(self, lines: Sequence[str], begin: int, width: int, height: int) -> None:
        self.begin, self.width, self.height = begin, width, height
        self.lengths = [len(line) for line in lines[begin : begin + height]]
        """With the spaces at the end of a row, which may be all that shows how wide it is."""
        self.rows = [line.rstrip(" \t") for line in lines[begin:]]

    def misfit(self) -> tuple[str, int] | None:
        """What is wrong if the board is to have this size, and on which line; None if it fits."""
        for number, row in enumerate(self.rows, 1):
            if number > self.height and row:
                return f"there is a row {number}", self.begin + number
            if len(row) > self.width:
                return f"row {number} has {len(row)} cells", self.begin + number
        if len(self.rows) < self.height:
            return f"there are only {len(self.rows)} rows", self.begin + len(self.rows)
        return None

    def likeness(self) -> tuple[bool, bool]:
        """The greater, the more the rows look as if they were meant for this size."""
        return (
            all(length == self.width for length in self.lengths),
            max(self.lengths) == self.width,
        )

    def diagram(self) -> Diagram:
        rows = self.rows[: self.height]
        _check_marks(rows, self.begin)
        return Diagram(tuple(tuple(mark.strip() for mark in row.ljust(self.width)) for row in rows))


def _check_marks(rows: Sequence[str], begin: int) -> None:
    seen: dict[str, int] = {}
    for number, row in enumerate(rows, begin + 1):
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
            raise FormatError(f"the board ends here, and has no {agent}", line=begin + len(rows))
