"""What alpha-beta has proven when it is stopped: right at every moment."""

from __future__ import annotations

import pytest

from plyground.core.game import Options, Position
from plyground.core.registry import find_game
from plyground.search.solving.exhaustive.solver import Exhaustive
from plyground.search.solving.retrograde.solver import Retrograde
from plyground.search.solving.solution import Bounds, bounds_text
from tests.paths import ROOT
from tests.random_play import random_game
from tests.search.solving.partial_checks import MOMENTS, NEVER, assert_right, partial_of, width

blocker = find_game("blocker")
breakthrough = find_game("breakthrough")
connectfour = find_game("connectfour")
derby = find_game("derby")
slant = find_game("slant")
tictactoe = find_game("tictactoe")


def small_positions() -> list[Position]:
    """Games of points and of wins, with and without bounds at sight, and some that repeat."""
    full: Options = {"board": "random", "rows": 3, "columns": 4, "circles": 100}
    dots = find_game(str(ROOT / "examples" / "dots.py"))
    kalah = find_game(str(ROOT / "examples" / "kalah.py"))
    return [
        slant.start({**full, "seed": 1}),
        random_game(slant, 5, {**full, "seed": 2})[1],
        derby.start({"board": "random", "fish": 6, "plies": 24, "seed": 3}),
        derby.start({"board": "random", "fish": 8, "plies": 26, "seed": 2}),
        random_game(kalah, 1)[24],
        random_game(dots, 1)[9],
        tictactoe.start(),
        connectfour.start({"rows": 4, "columns": 4}),
        breakthrough.start({"rows": 5, "columns": 3}),
        blocker.start({"board": "random", "width": 3, "height": 3, "food": 2, "seed": 1}),
        blocker.start({"board": "random", "width": 3, "height": 3, "food": 2, "seed": 2}),
    ]


@pytest.mark.parametrize("position", small_positions(), ids=lambda position: position.game.title)
@pytest.mark.parametrize("seconds", [None, NEVER])
def test_alpha_beta_is_right_whenever_it_is_stopped(
    position: Position, seconds: float | None
) -> None:
    if position.game.rules.repeats:
        solution = Retrograde(position.game, memory=64).solve(position)
        most = 50_000
    else:
        solution = Exhaustive(position.game, memory=4).solve(position)
        most = Exhaustive(position.game, memory=4).solve(position, seconds=seconds).nodes
    seen = set()
    for moment in range(MOMENTS):
        solver = Exhaustive(position.game, memory=4, nodes=1 + moment * most // MOMENTS)
        partial = partial_of(solver, position, seconds=seconds)
        if partial is not None:
            assert_right(partial, solution)
            assert partial.nodes > 0
            seen.add((partial.bounds, *partial.moves.values()))
    assert len(seen) > 3


def test_more_work_never_proves_less() -> None:
    position = slant.start({"board": "full"})
    widths = []
    for nodes in range(1000, 400_000, 40_000):
        partial = partial_of(Exhaustive(slant, memory=16, nodes=nodes), position, seconds=NEVER)
        assert partial is not None
        widths.append(width(partial))
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < widths[0]


def test_with_a_time_limit_something_is_proven_though_the_answer_is_out_of_reach() -> None:
    position = slant.start({"board": "random", "rows": 5, "columns": 5, "circles": 100, "seed": 1})
    nodes = 200_000
    unlimited = partial_of(Exhaustive(slant, memory=16, nodes=nodes), position)
    limited = partial_of(Exhaustive(slant, memory=16, nodes=nodes), position, seconds=NEVER)
    assert limited is not None
    assert unlimited is not None
    assert width(limited) < 0.7 * width(unlimited)


def test_bounds_are_narrowed_while_the_value_is_searched() -> None:
    """Also after the part of the time that is spent on bounds."""
    position = slant.start({"board": "random", "rows": 6, "columns": 6, "circles": 100})
    solver = Exhaustive(slant, memory=16)
    partial = partial_of(solver, position, seconds=0.2)
    assert partial is not None
    low, high = slant.rules.bounds(position.board, position.state)
    assert 0 < width(partial) < high - low


def test_a_game_of_points_without_bounds_has_none_before_they_are_proven() -> None:
    kalah = find_game(str(ROOT / "examples" / "kalah.py"))
    assert "bounds" in kalah.rules.defaults
    position = kalah.start()
    partial = partial_of(Exhaustive(kalah, memory=1, nodes=1), position, seconds=NEVER)
    assert partial is not None
    assert set(partial.moves.values()) == {Bounds()}
    assert partial.bounds == Bounds()
    assert bounds_text(position, partial.bounds) == "nothing is proven yet"
