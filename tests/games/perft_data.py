"""The perft files of tests/data/perft: read, and compared with what the rules count."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from plyground.core.game import Position
from tests.paths import DATA

PERFT = DATA / "perft"


class Count(NamedTuple):
    position: str
    depth: int
    positions: int


def read_counts(name: str) -> list[Count]:
    """Every count in a game's file, in the order of the file."""
    counts = []
    for line in (PERFT / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            position, *pairs = (part.strip() for part in line.split(";"))
            for pair in pairs:
                depth, count = map(int, pair.split())
                counts.append(Count(position, depth, count))
    return counts


def plain_count(position: Position, depth: int) -> int:
    """Perft by playing every move, uncompiled."""
    if depth == 0:
        return 1
    return sum(plain_count(child, depth - 1) for _, child in position.children())


def check_count(position: Position, expected: Count, count: Callable[[Position, int], int]) -> None:
    """A count that differs is reported move by move, so that it can be followed to its cause."""
    found = count(position, expected.depth)
    if found != expected.positions:
        divide = "\n".join(
            f"  {position.move_text(move)} {count(child, expected.depth - 1)}"
            for move, child in position.children()
        )
        raise AssertionError(
            f"perft of {position} at depth {expected.depth} is {found}, not {expected.positions}"
            f"; move by move:\n{divide}"
        )
