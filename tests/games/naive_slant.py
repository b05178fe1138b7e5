"""Slant once more, as plainly as possible: dictionaries and lists, no bit in sight.

Written from the rules alone; shares no code with the package. A position is its text, as the game
writes it: the circles, and once a line is drawn the cells and the points; `free` at the end if
players choose their lines.
"""

from __future__ import annotations

from functools import cache

Answer = tuple[dict[str, str], int | None]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
ENDS = {"s": ((0, 1), (1, 0)), "b": ((0, 0), (1, 1))}
"""The corners of its cell that a line joins, as (rows down, columns right) of the upper left."""


def parts_of(text: str) -> tuple[list[str], list[list[str]], list[int], bool]:
    """The circles, the cells, the points of both players, and whether lines are free."""
    words = text.split(" ")
    free = words[-1] == "free"
    if free:
        words.pop()
    circles = words[0].split("/")
    cells = [["."] * (len(circles[0]) - 1) for _ in circles[1:]]
    points = [0, 0]
    if len(words) > 1:
        cells = [list(row) for row in words[1].split("/")]
        points = [int(number) for number in words[2].split("-")]
    return circles, cells, points, free


def text_of(circles: list[str], cells: list[list[str]], points: list[int], free: bool) -> str:
    text = "/".join(circles)
    if any(mark != "." for row in cells for mark in row):
        text += f" {'/'.join(map(''.join, cells))} {points[0]}-{points[1]}"
    return text + (" free" if free else "")


def touches(cells: list[list[str]]) -> dict[tuple[int, int], int]:
    """How many lines touch each intersection that any touches."""
    counts: dict[tuple[int, int], int] = {}
    for row, marks in enumerate(cells):
        for column, mark in enumerate(marks):
            for down, right in ENDS.get(mark, ()):
                place = row + down, column + right
                counts[place] = counts.get(place, 0) + 1
    return counts


def slant(text: str) -> Answer:
    """Every move with the position that it leads to; and the margin once the board is full."""
    circles, cells, points, free = parts_of(text)
    drawn = sum(mark != "." for row in cells for mark in row)
    turn = drawn % 2
    before = touches(cells)
    following: dict[str, str] = {}
    for row in range(len(cells)):
        for column in range(len(cells[0])):
            if cells[row][column] != ".":
                continue
            for line in "sb" if free else "sb"[turn]:
                copy = [marks[:] for marks in cells]
                copy[row][column] = line
                scored = points[:]
                for down, right in ENDS[line]:
                    mark = circles[row + down][column + right]
                    count = before.get((row + down, column + right), 0) + 1
                    if mark != "*" and int(mark) == count:
                        scored[turn] += count
                name = f"{LETTERS[column]}{len(cells) - row}"
                if free:
                    name += {"s": "/", "b": "\\"}[line]
                following[name] = text_of(circles, copy, scored, free)
    return following, None if following else points[0] - points[1]


@cache
def to_come(text: str) -> int:
    """The first player's margin with best play from here on, what was scored so far left out."""
    following, _ = slant(text)
    if not following:
        return 0
    now = margin(text)
    values = [margin(child) - now + to_come(child) for child in following.values()]
    return max(values) if turn_of(text) == 0 else min(values)


def margin(text: str) -> int:
    _, _, points, _ = parts_of(text)
    return points[0] - points[1]


def turn_of(text: str) -> int:
    _, cells, _, _ = parts_of(text)
    return sum(mark != "." for row in cells for mark in row) % 2


def reachable(text: str) -> set[str]:
    """The fillings that play can lead to from a position without circles."""
    found, frontier = {text}, [text]
    while frontier:
        for child in slant(frontier.pop())[0].values():
            if child not in found:
                found.add(child)
                frontier.append(child)
    return found
