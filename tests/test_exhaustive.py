"""The exhaustive solver: known values."""

from __future__ import annotations

import pytest

from plyground.core.game import Options
from plyground.core.registry import find_game
from plyground.search.solving.exhaustive import Exhaustive
from plyground.search.solving.solution import Worth


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"board": "corner"}, 0),
        ({"board": "corner", "orientation": "free"}, -1),
        ({"board": "example_a"}, 2),
        ({"board": "example_b"}, 0),
    ],
)
def test_known_boards_of_slant_are_solved(options: Options, value: int) -> None:
    game = find_game("slant")
    assert Exhaustive(game, memory=4).solve(game.start(options)).worth == Worth(value)


def test_blocker_is_won_in_11_plies_and_only_by_block() -> None:
    game = find_game("blocker")
    start = game.start()
    solution = Exhaustive(game, memory=4).solve(start)
    assert solution.worth == Worth(1, 11)
    assert solution.method == "alpha-beta to depth 11"
    assert [start.move_text(move) for move in solution.optimal] == ["block"]
    assert len(solution.line) == 11
