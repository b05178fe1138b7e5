"""Symmetries are found by playing, and no others."""

from __future__ import annotations

import pytest

from plyground import find_game
from plyground.learning.symmetry import find_symmetries
from plyground.search.net.layout import find_layout
from tests.paths import EXAMPLES
from tests.search.net.random_nets import sample


def symmetries(name: str, options: dict[str, int] | None = None) -> set[str]:
    positions = sample(find_game(name).start(options), games=40)
    return {one.name for one in find_symmetries(positions, find_layout(positions))}


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("breakthrough", None, {"mirrored", "upside down sides", "turned sides"}),
        ("connectfour", None, {"upside down"}),  # its columns are the rows of the word
        ("tictactoe", None, 7),
        (str(EXAMPLES / "kalah.py"), None, {"sides"}),
    ],
)
def test_the_symmetries_of_a_game_are_found(
    name: str, options: dict[str, int] | None, expected: set[str] | int
) -> None:
    found = symmetries(name, options)
    if isinstance(expected, int):
        assert len({one for one in found if "sides" not in one}) == expected
    else:
        assert expected <= found


def test_images_of_images_are_the_features_themselves() -> None:
    positions = sample(find_game("breakthrough").start(), games=40)
    layout = find_layout(positions)
    for one in find_symmetries(positions, layout):
        twice = one.images[one.images[:-1]]
        assert (twice == range(layout.features)).all(), one.name
