r"""Boards and positions of Slant as text.

A board file has a line for each row of intersections: a digit is a circle, `*` (or `.` or `-`) is
none, and spaces may stand between them. There are also files in which 0 is none: it is taken so
where nothing else is. In one line the rows are separated by `/`; then follow, once a
line is drawn, the cells (`s` a slash, `b` a backslash, `.` empty) and the points of both players,
and `free` where players choose their lines:

    1*1/*2*/**1 .s/b. 1-0 free

Whose turn it is follows from the number of lines. Points do not: who completed a circle depends on
the order of the lines. But their sum is known, and part of who can have scored what.
"""

from __future__ import annotations

import re

from plyground.core import diagram
from plyground.core.errors import FormatError
from plyground.games.slant.rules import (
    WORD_BITS,
    Board,
    State,
    at_least,
    halves,
    make_board,
    spread,
    whole,
)

OWNED, FREE = "owned", "free"
ORIENTATIONS = (OWNED, FREE)
NO_CIRCLE = "*"
NO_CIRCLES = "*.-"
"""How files write an intersection without a circle."""
SLASH, BACKSLASH, EMPTY = "s", "b", "."
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MAX_INTERSECTIONS = 2 * WORD_BITS
MAX_TEXT = 2000
"""More than any board has with spaces between all its characters. Longer texts are not read."""
POINTS_OF_A_LINE = 8
"""A line ends at two circles, and no number that can be reached is above four."""
EXAMPLE = "1*1/*2*/**1 .s/b. 1-0"


def check_size(rows: int, columns: int, line: int | None = None) -> None:
    if (
        rows < 1
        or not 1 <= columns <= len(LETTERS)
        or (rows + 1) * (columns + 1) > MAX_INTERSECTIONS
    ):
        raise FormatError(
            f"a board of {rows} rows and {columns} columns of cells: at least 1 of each, at most"
            f" {len(LETTERS)} columns and {MAX_INTERSECTIONS} intersections are possible",
            line=line,
        )


# Writing


def number_at(board: Board, place: int) -> int:
    """The number at an intersection, -1 where there is no circle."""
    return (board.marks[place // 16] >> 4 * (place % 16) & 15) - 1


def circle_rows(board: Board) -> list[str]:
    numbers = [number_at(board, place) for place in range((board.rows + 1) * board.stride)]
    marks = "".join(NO_CIRCLE if number < 0 else str(number) for number in numbers)
    return [marks[at : at + board.stride] for at in range(0, len(marks), board.stride)]


def cell_rows(board: Board, state: State) -> list[str]:
    """The cells as text, the top row first."""
    lines = whole(state.slashes), whole(state.backslashes)
    size = board.rows, board.columns
    return diagram.rows_of(lines, SLASH + BACKSLASH, size, (board.stride, 1))


def position_text(board: Board, state: State) -> str:
    words = ["/".join(circle_rows(board))]
    if whole(state.slashes) | whole(state.backslashes):
        words.append("/".join(cell_rows(board, state)))
        words.append(f"{state.first_points}-{state.second_points}")
    if board.free:
        words.append(FREE)
    return " ".join(words)


# Reading


def parse_position(text: str, orientation: str = "") -> tuple[Board, State]:
    """A board file, the same in one line, or a position; the orientation may be left open: ''."""
    if len(text) > MAX_TEXT:
        raise FormatError(f"{len(text)} characters are more than any board or position has")
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff").rstrip())
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    lines = lines[first:]
    if len(lines) > 1:
        rows = [read_circles(line, first + number) for number, line in enumerate(lines, 1)]
        check_lengths(rows, "line", first)
        return new_position(rows, orientation)
    words = lines[0].split()
    if words and words[-1] in ORIENTATIONS:
        if orientation not in ("", words[-1]):
            raise FormatError(
                f"the position says {words[-1]!r} itself: leave out orientation={orientation}"
            )
        orientation = words.pop()
    if len(words) not in (1, 3):
        raise FormatError(
            "a position is its circles, and once a line is drawn also its cells and the points,"
            f" like {EXAMPLE!r}"
        )
    rows = [read_circles(row, None, number) for number, row in enumerate(words[0].split("/"), 1)]
    check_lengths(rows, "row", 0)
    board, state = new_position(rows, orientation)
    return (board, state) if len(words) == 1 else (board, read_state(board, words[1], words[2]))


def read_circles(text: str, line: int | None, row: int = 0) -> list[int]:
    """The numbers of one row of intersections, -1 where there is no circle."""
    place = f"row {row} from the top: " if row else ""
    numbers = []
    for mark in text:
        if mark in NO_CIRCLES:
            numbers.append(-1)
        elif mark in "0123456789":
            numbers.append(int(mark))
        elif not (line is not None and mark in " \t"):
            raise FormatError(
                f"{place}{mark!r} is neither the digit of a circle nor * where there is none",
                line=line,
            )
    if not numbers:
        raise FormatError(f"{place}a row of intersections is empty", line=line)
    return numbers


def check_lengths(rows: list[list[int]], unit: str, before: int) -> None:
    for number, row in enumerate(rows, before + 1):
        if len(row) != len(rows[0]):
            raise FormatError(
                f"{unit} {number} has {len(row)} intersections, {unit} {before + 1} has"
                f" {len(rows[0])}",
                line=number if unit == "line" else None,
            )
    check_size(len(rows) - 1, len(rows[0]) - 1)


def new_position(rows: list[list[int]], orientation: str) -> tuple[Board, State]:
    numbers = [number for row in rows for number in row]
    if -1 not in numbers:
        numbers = [number or -1 for number in numbers]
    board = make_board(len(rows) - 1, len(rows[0]) - 1, numbers, orientation == FREE)
    return board, State((0, 0), (0, 0), 0, 0, 0)


def read_state(board: Board, cells: str, points: str) -> State:
    rows = cells.split("/")
    if [len(row) for row in rows] != [board.columns] * board.rows:
        raise FormatError(
            f"the cells {cells!r} must be {board.rows} rows of {board.columns}, with / between them"
        )
    drawn = {SLASH: 0, BACKSLASH: 0, EMPTY: 0}
    for row, marks in enumerate(rows):
        for column, mark in enumerate(marks):
            if mark not in drawn:
                raise FormatError(
                    f"row {row + 1} of the cells: {mark!r} is neither {SLASH} for a slash nor"
                    f" {BACKSLASH} for a backslash nor {EMPTY} for an empty cell"
                )
            drawn[mark] |= 1 << row * board.stride + column
    slashes, backslashes = drawn[SLASH].bit_count(), drawn[BACKSLASH].bit_count()
    if not board.free and slashes - backslashes not in (0, 1):
        raise FormatError(
            f"{slashes} slashes and {backslashes} backslashes: the first player draws the slashes"
            " and begins, so there must be as many of both or one slash more"
        )
    found = re.fullmatch(r"([0-9]{1,4})-([0-9]{1,4})", points)
    if found is None:
        raise FormatError(f"{points[:20]!r}: the points of both players are written like 3-1")
    state = State(
        halves(drawn[SLASH]),
        halves(drawn[BACKSLASH]),
        int(found[1]),
        int(found[2]),
        (slashes + backslashes) % 2,
    )
    check_points(board, state)
    return state


def check_points(board: Board, state: State) -> None:
    """Whether these points can have been scored with these lines."""
    slashes, backslashes = whole(state.slashes), whole(state.backslashes)
    lines = (slashes | backslashes).bit_count()
    touched = at_least(spread(board, slashes, backslashes))
    circles = [whole(words) for words in zip(board.near, board.far, strict=True)]
    reached = [of & number for of, number in zip(circles, touched, strict=True)]
    total = points_of(reached, -1)
    points = state.first_points, state.second_points
    if sum(points) != total:
        raise FormatError(
            f"the points {points[0]}-{points[1]} make {sum(points)}, but the numbers of the circles"
            f" that are reached make {total}"
        )
    by_slash = at_least(spread(board, slashes, 0))[0]
    by_backslash = at_least(spread(board, 0, backslashes))[0]
    for player, own, made in (
        ("first", by_slash, (lines + 1) // 2),
        ("second", by_backslash, lines // 2),
    ):
        most = points_of(reached, own if not board.free else -1)
        most = min(most, POINTS_OF_A_LINE * made)
        if points[player == "second"] > most:
            raise FormatError(
                f"the points {points[0]}-{points[1]}: with these lines the {player} player can"
                f" have scored {most} at most"
            )


def points_of(reached: list[int], where: int) -> int:
    return sum(number * (of & where).bit_count() for number, of in enumerate(reached, 1))
