"""Days at sea to start from, and a generator of new ones."""

from __future__ import annotations

import random

from plyground.games.derby.sea import TYPE_SCORES, Fish, Scenario

Swimmer = tuple[int, int, int, str]
"""Column and row at the start, score, and movement codes, repeated until the day is over."""


def scenario(plies: int, green: tuple[int, int], red: tuple[int, int], *fish: Swimmer) -> Scenario:
    return Scenario(
        plies,
        (green, red),
        tuple(
            Fish(x, y, score, tuple(int(codes[ply % len(codes)]) for ply in range(plies)))
            for x, y, score, codes in fish
        ),
    )


BOARDS = {
    # A bit of everything, in thirty plies.
    "cove": scenario(
        30,
        (4, 19),
        (13, 18),
        (2, 17, 3, "33338"),
        (9, 16, 5, "0123"),
        (12, 17, -2, "8"),
        (17, 18, 2, "2228"),
        (7, 19, 1, "22223333"),
    ),
    # Nothing moves but the hooks: distance, depth and the way round the world.
    "aquarium": scenario(
        60,
        (2, 19),
        (10, 19),
        (18, 17, 4, "8"),
        (5, 14, 6, "8"),
        (12, 12, 8, "8"),
        (8, 18, 1, "8"),
    ),
    # The good fish lie behind a wall of penalty fish.
    "wall": scenario(
        60,
        (3, 19),
        (14, 19),
        *((x, 16, -3, "8") for x in range(6, 12)),
        (7, 14, 9, "8"),
        (10, 13, 9, "8"),
    ),
    # One fish, swimming along under both boats: who meets it?
    "race": scenario(40, (2, 19), (16, 19), (9, 15, 7, "2223"), (6, 10, 1, "8")),
    # Fish that swim up into waiting hooks, good ones and bad ones.
    "current": scenario(
        50,
        (6, 17),
        (13, 17),
        (6, 6, 4, "0"),
        (13, 4, -4, "80"),
        (9, 10, 5, "05"),
        (1, 2, 11, "5555888"),
    ),
    # The course's own sample: all fish at the surface, and the day far longer than it takes.
    "pier": scenario(900, (0, 19), (5, 19), (1, 19, -1, "8"), (2, 19, 3, "8"), (4, 19, 1, "8")),
    # The whole day of a real scenario, 7 minutes and 30 seconds long, with eight fish.
    "crowd": scenario(
        900,
        (3, 19),
        (12, 19),
        (1, 5, 11, "3383222802"),
        (6, 9, 10, "2222288033333881"),
        (9, 3, 7, "54547676"),
        (11, 12, 4, "0000811118"),
        (14, 8, 2, "328"),
        (16, 15, 1, "8888880111"),
        (18, 11, -7, "333333338"),
        (4, 14, -1, "22822832"),
    ),
}
"""By name; the first one is the default."""

RANDOM = "random"
PERSISTENCE = 4
"""A random fish goes on as it went in so many plies of five."""


def random_scenario(seed: int, fish: int, plies: int) -> Scenario:
    """A day drawn by lot: fish that keep going for a while and then turn."""
    chance = random.Random(seed)
    green = chance.randrange(20)
    red = (green + 1 + chance.randrange(19)) % 20
    return Scenario(
        plies,
        ((green, 19), (red, 19)),
        tuple(_random_fish(chance, plies) for _ in range(fish)),
    )


def _random_fish(chance: random.Random, plies: int) -> Fish:
    x, y = chance.randrange(20), chance.randrange(18)
    score = TYPE_SCORES[chance.randrange(len(TYPE_SCORES))]
    return Fish(x, y, score, swimming_codes(chance, plies))


def swimming_codes(chance: random.Random, plies: int) -> tuple[int, ...]:
    """The way of a fish that keeps going for a while and then turns."""
    codes: list[int] = []
    code = 8
    for _ in range(plies):
        if chance.randrange(5) >= PERSISTENCE or not codes:
            code = chance.randrange(9)
        codes.append(code)
    return tuple(codes)
