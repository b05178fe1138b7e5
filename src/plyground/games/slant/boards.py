"""The boards of Slant that come with it, and new ones drawn at random."""

from __future__ import annotations

import random

from plyground.core.errors import FormatError

RANDOM = "random"
BOARDS = {
    "example_a": "**2*1/*41**/**14*/*3*2*/****1",
    "example_b": "11***/2322*/****3/**1**/1123*",
    "corner": "1*1/*2*/**1",
    "ring": "1*1*1/*323*/12*21/*323*/1*1*1",
    "full": "12111/23232/14241/23232/11121",
    "garden": "*1**1*/2*3*2*/*4**3*/*3**4*/*2*3*2/*1**1*",
    "ladder": "1*1*1*1*/*3*3*3*1/1*3*3*3*/*1*1*1*1",
    "ruin": "20*02/*535*/03*30/*545*/20*02",
    "hall": "1*2*1*2*1/*3*4*3*4*/2*3*2*3*2/*4*1*1*4*/1*2*4*2*1/*4*1*1*4*/2*3*2*3*2/*4*3*4*3*"
    "/1*2*1*2*1",
}
"""By name: rows of intersections from the top. Most circles of the ruin are dead."""

LARGEST_SEED = 999_999
DEAD_ONE_IN = 40
"""One in so many circles of a random board has a number that may be out of its reach."""


def random_circles(rows: int, columns: int, percent: int, seed: int) -> str:
    """A board with circles at so many percent of its intersections, the same for the same seed.

    Corners, edges and inner intersections get numbers that they can reach, all equally likely,
    except for a few that are drawn up to four wherever they lie.
    """
    if not 0 <= seed <= LARGEST_SEED:
        raise FormatError(f"option seed must be from 0 to {LARGEST_SEED}, not {seed}")
    if not 1 <= percent <= 100:
        raise FormatError(f"option circles must be from 1 to 100 (percent), not {percent}")
    chance = random.Random(seed)
    places = [(row, column) for row in range(rows + 1) for column in range(columns + 1)]
    chance.shuffle(places)
    marks = [["*"] * (columns + 1) for _ in range(rows + 1)]
    for row, column in places[: max(1, (len(places) * percent + 50) // 100)]:
        reach = (1 if row in (0, rows) else 2) * (1 if column in (0, columns) else 2)
        if chance.randrange(DEAD_ONE_IN) == 0:
            reach = 4
        marks[row][column] = str(1 + chance.randrange(reach))
    return "/".join("".join(row) for row in marks)
