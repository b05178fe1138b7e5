"""Blocker once more, as plainly as possible: a list of things for every cell, no bit in sight.

Like tests/games/naive_classics.py, and for the same reason: it shares no code with the package.
`python -m tests.games.naive_blocker` prints the counts of tests/data/perft/blocker.txt anew.
"""

from __future__ import annotations

import re

Cell = tuple[int, int]
Things = dict[Cell, list[str]]
DIRECTIONS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


def things_of(rows: str) -> Things:
    return {
        (number, column): [thing for thing in cell if thing in "#*AB"]
        for number, row in enumerate(rows.split("/"))
        for column, cell in enumerate(re.findall(r"\(.*?\)|.", row))
    }


def rows_of(things: Things) -> str:
    rows: dict[int, str] = {}
    for (row, _), found in sorted(things.items()):
        cell = "".join(sorted(found, key="#*AB".index)) or "."
        rows[row] = rows.get(row, "") + (cell if len(cell) == 1 else f"({cell})")
    return "/".join(rows.values())


def place_of(things: Things, agent: str) -> Cell:
    (place,) = [cell for cell, found in things.items() if agent in found]
    return place


def actions(things: Things, agent: str) -> list[str]:
    row, column = place_of(things, agent)
    possible = []
    for name, (down, right) in DIRECTIONS.items():
        if "#" not in things.get((row + down, column + right), ["#"]):
            possible.append(name)
    if "*" in things[row, column]:
        possible.append("eat")
    if "*" not in things[row, column] and "#" not in things[row, column]:
        possible.append("block")
    return possible


def after(things: Things, agent: str, action: str) -> Things:
    things = {cell: found[:] for cell, found in things.items()}
    row, column = place_of(things, agent)
    if action == "eat":
        things[row, column].remove("*")
    elif action == "block":
        things[row, column].append("#")
    else:
        down, right = DIRECTIONS[action]
        things[row, column].remove(agent)
        things[row + down, column + right].append(agent)
    return things


def result(things: Things, turn: str, eaten: dict[str, int], stuck: str) -> int | None:
    """A's result, or None while the game goes on."""
    looked_at = turn if stuck == "mover" else "AB"
    lost = [agent for agent in looked_at if not actions(things, agent)]
    if lost == ["A"]:
        return -1
    if lost == ["B"]:
        return 1
    if lost == ["A", "B"]:
        return 0
    if any("*" in found for found in things.values()):
        return None
    return (eaten["A"] > eaten["B"]) - (eaten["A"] < eaten["B"])


def blocker(text: str) -> tuple[dict[str, str], int | None]:
    """Every move with the position it leads to, and A's result if the game is over."""
    present, _, began = text.partition(" began ")
    rows, turn, counts, *reading = present.split(" ")
    eaten = dict(zip("AB", map(int, counts.split("-")), strict=True))
    things = things_of(rows)
    stuck = "mover" if reading == ["stuck=mover"] else "either"
    ended = result(things, turn, eaten, stuck)
    if ended is not None:
        return {}, ended
    began = began or f"{rows} {turn} {counts}"
    following = "B" if turn == "A" else "A"
    moves = {}
    for action in actions(things, turn):
        now = dict(eaten)
        now[turn] += action == "eat"
        child = f"{rows_of(after(things, turn, action))} {following} {now['A']}-{now['B']}"
        suffix = "" if child == began else f" began {began}"
        moves[action] = " ".join([child, *reading]) + suffix
    return moves, None
