"""The rules once more, as plainly as possible: grids of characters, no bit in sight.

Each function takes a position as text and gives every move with the position it leads to, both as
text, and the first player's result if the game is over (then there are no moves). They share no
code with the package, so that agreement means something. Slow, and meant to be.
"""

from __future__ import annotations

import re

Grid = list[list[str]]
"""Rows from the top, as in the text."""
Answer = tuple[dict[str, str], int | None]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def grid_of(text: str) -> tuple[Grid, str]:
    board, turn = text.split(" ")
    rows = [re.sub(r"\d+", lambda run: "." * int(run[0]), row) for row in board.split("/")]
    return [list(row) for row in rows], turn


def text_of(grid: Grid, turn: str) -> str:
    rows = "/".join("".join(row) for row in grid)
    return re.sub(r"\.+", lambda run: str(len(run[0])), rows) + " " + turn


def changed(grid: Grid, turn: str, *cells: tuple[int, int, str]) -> str:
    copy = [row[:] for row in grid]
    for row, column, mark in cells:
        copy[row][column] = mark
    return text_of(copy, turn)


def in_line(grid: Grid, mark: str, length: int) -> bool:
    """Whether so many of a mark stand in a line, in any of the four directions."""
    rows, columns = len(grid), len(grid[0])
    return any(
        all(
            0 <= row + step * down < rows
            and 0 <= column + step * right < columns
            and grid[row + step * down][column + step * right] == mark
            for step in range(length)
        )
        for row in range(rows)
        for column in range(columns)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def result_of_lines(grid: Grid, marks: str, length: int) -> int | None:
    if in_line(grid, marks[0], length):
        return 1
    if in_line(grid, marks[1], length):
        return -1
    return None if any("." in row for row in grid) else 0


def tictactoe(text: str) -> Answer:
    grid, turn = grid_of(text)
    result = result_of_lines(grid, "xo", 3)
    if result is not None:
        return {}, result
    following = "o" if turn == "x" else "x"
    return {
        f"{LETTERS[column]}{3 - row}": changed(grid, following, (row, column, turn))
        for row in range(3)
        for column in range(3)
        if grid[row][column] == "."
    }, None


def connectfour(text: str) -> Answer:
    grid, turn = grid_of(text)
    result = result_of_lines(grid, "ry", 4)
    if result is not None:
        return {}, result
    following = "y" if turn == "r" else "r"
    moves = {}
    for column in range(len(grid[0])):
        empty = [row for row in range(len(grid)) if grid[row][column] == "."]
        if empty:
            moves[LETTERS[column]] = changed(grid, following, (max(empty), column, turn))
    return moves, None


def breakthrough(text: str) -> Answer:
    grid, turn = grid_of(text)
    rows, columns = len(grid), len(grid[0])
    marks = [mark for row in grid for mark in row]
    if "w" in grid[0] or "b" not in marks:
        return {}, 1
    if "b" in grid[-1] or "w" not in marks:
        return {}, -1
    following, forward = ("b", -1) if turn == "w" else ("w", 1)
    moves = {}
    for row in range(rows):
        for column in range(columns):
            if grid[row][column] != turn:
                continue
            for target in (column - 1, column, column + 1):
                if not 0 <= target < columns:
                    continue
                found = grid[row + forward][target]
                if found == "." or (found == following and target != column):
                    source = f"{LETTERS[column]}{rows - row}"
                    capture = "x" if found == following else ""
                    name = f"{source}{capture}{LETTERS[target]}{rows - row - forward}"
                    moves[name] = changed(
                        grid, following, (row, column, "."), (row + forward, target, turn)
                    )
    return moves, None
