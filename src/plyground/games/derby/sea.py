"""A board made from a scenario: where the fish are at every ply, and how soon a hook can be there.

All of it is worked out once, before the first move, so that a search only looks it up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plyground.games.derby.rules import (
    CREDITS,
    NEVER,
    PACKED_BITS,
    SIZE,
    SURFACE,
    Board,
    row_of_reach,
)

STEPS = ((0, 1), (0, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (-1, -1), (1, -1), (0, 0))
"""What a movement code adds to column and row."""

TYPE_SCORES = (*range(1, 7), -7, *range(7, 12), *range(-1, -7, -1))
"""The score of each of the 18 types of fish, by the number that the course gives to it."""

SCORES = (min(TYPE_SCORES), max(TYPE_SCORES))

MAX_FISH = 64
MAX_PLIES = 10_000
"""A real day has 900."""
MAX_CODES = 64_000
"""Of all fish together; what is worked out for each takes 1.6 kB."""

FIRST_CREDIT = 92
FADING = 0.965
"""A point that can be landed at once counts 92 hundredths, and each ply takes 3.5 % of it away. So
a catch is worth more the sooner it is made, a fish in hand more than any in the sea, and between
two fish a boat is drawn to the nearer one, never to the middle."""


class Fish(NamedTuple):
    x: int
    y: int
    score: int
    codes: tuple[int, ...]
    """One movement code for every ply of the day."""


class Scenario(NamedTuple):
    plies: int
    hooks: tuple[tuple[int, int], tuple[int, int]]
    """Column and row of green's and red's at the start."""
    fish: tuple[Fish, ...]


def make_board(scenario: Scenario, *, first_stay: bool = False) -> Board:
    import numpy as np

    plies, count = scenario.plies, len(scenario.fish)
    paths = [path_of(fish) for fish in scenario.fish]
    cells = np.array([[path[ply] for path in paths] for ply in range(plies + 1)], np.int64)
    columns, rows = cells // SIZE, cells % SIZE
    sea = np.zeros((plies + 1, 2 * SIZE + count), np.int64)
    every_ply = np.arange(plies + 1)
    for number in range(count):
        bit = np.uint64(1 << number).astype(np.int64)
        sea[every_ply, columns[:, number]] |= bit
        sea[every_ply, SIZE + rows[:, number]] |= bit
    sea[:, 2 * SIZE :] = cells
    scores = [fish.score for fish in scenario.fish]
    credit = [round(FIRST_CREDIT * FADING**wait) if wait < NEVER else 0 for wait in range(CREDITS)]
    codes = [code for fish in scenario.fish for code in fish.codes]
    reach = _reach(plies, columns, rows)
    return Board(
        plies=plies,
        fish=count,
        first_stay=first_stay,
        green_start=scenario.hooks[0],
        red_start=scenario.hooks[1],
        prizes=sum(1 << number for number, fish in enumerate(scenario.fish) if fish.score > 0),
        sea=sea.ravel(),
        known=np.concatenate(
            [np.array(scores + credit, np.int16), reach, np.array(codes, np.int16)]
        ),
    )


def codes_of(board: Board, fish: int) -> list[int]:
    """A fish's movement codes, which come last of all that is known."""
    first = row_of_reach(board, board.plies + 1, 0, 0, 0) + fish * board.plies
    return [int(board.known[first + ply]) for ply in range(board.plies)]


def path_of(fish: Fish) -> list[int]:
    """The cells that a fish comes through if it is let, from the start to the end of the day."""
    x, y = fish.x, fish.y
    path = [x * SIZE + y]
    for code in fish.codes:
        step_x, step_y = STEPS[code]
        x = (x + step_x) % SIZE
        y = min(SURFACE, max(0, y + step_y))
        path.append(x * SIZE + y)
    return path


def _reach(plies: int, columns: Any, rows: Any) -> Any:
    """Backwards from the end of the day: how soon each hook can meet each fish, and land it.

    Where a hook may be a ply later is one of its five steps away, or, on the other player's ply,
    where it is. If the fish is there then, it is met.
    """
    import numpy as np

    count = columns.shape[1]
    every_fish = np.arange(count)
    found = np.empty((plies + 1, SIZE, SIZE, 2, count), np.int16)
    # By player and kind: plies until the fish is met, and until it is landed.
    soonest = np.full((2, 2, SIZE, SIZE, count), NEVER, np.int16)
    found[plies] = _packed(soonest)
    for ply in range(plies - 1, -1, -1):
        x, y = columns[ply + 1], rows[ply + 1]
        for player in range(2):
            soonest[player, 0, x, y, every_fish] = 0
            reeling = 2 * (SURFACE - y) - ((ply + 1) & 1 == player)
            reeling = np.where(y == SURFACE, 0, reeling)
            in_time = ply + 1 + reeling <= plies
            soonest[player, 1, x, y, every_fish] = np.where(in_time, reeling, NEVER)
        mover = soonest[ply & 1]
        best = mover.copy()
        np.minimum(best[:, :, :-1], mover[:, :, 1:], out=best[:, :, :-1])
        np.minimum(best[:, :, 1:], mover[:, :, :-1], out=best[:, :, 1:])
        np.minimum(best[:, :-1], mover[:, 1:], out=best[:, :-1])
        np.minimum(best[:, 1:], mover[:, :-1], out=best[:, 1:])
        np.minimum(best[:, -1], mover[:, 0], out=best[:, -1])
        np.minimum(best[:, 0], mover[:, -1], out=best[:, 0])
        soonest[ply & 1] = best
        soonest += soonest < NEVER
        found[ply] = _packed(soonest)
    return found.ravel()


def _packed(soonest: Any) -> Any:
    """Both kinds in one number, by column, row, player and fish."""
    return (soonest[:, 0] << PACKED_BITS | soonest[:, 1]).transpose(1, 2, 0, 3)
