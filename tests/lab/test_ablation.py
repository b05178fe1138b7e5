"""`lab depth`: the steps, and the depth at each time."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from plyground.core.errors import GameOver, LimitError
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.lab import ablation
from plyground.lab.ablation import STEPS, Ablation, DepthReached, early_positions
from plyground.search.features import Features
from plyground.search.result import Limits, SearchResult

START = find_game("tictactoe").start()


def test_each_step_has_one_feature_more() -> None:
    assert list(STEPS) == [
        "alpha-beta",
        "+ table",
        "+ killers",
        "+ history",
        "+ noisy first",
        "+ scout",
        "+ aspiration",
        "+ quiescence",
        "+ reductions",
        "+ pruning",
        "+ repetition",
        "+ settled",
        "+ futility",
    ]
    flags = list(STEPS.values())
    assert flags[0] == Features.NONE
    assert flags[6] == Features.EXACT
    assert flags[-1] == Features.PLAY
    for before, after in pairwise(flags):
        assert (before | after, (after & ~before).bit_count()) == (after, 1)


def test_repetition_is_a_step_where_positions_can_come_back() -> None:
    assert "+ repetition" not in Ablation((START,), (1.0,)).steps
    assert "+ repetition" in Ablation((find_game("blocker").start(),), (1.0,)).steps


def test_wins_at_sight_are_a_step_where_the_rules_know_some() -> None:
    assert "+ settled" not in Ablation((START,), (1.0,)).steps
    steps = Ablation((find_game("breakthrough").start(),), (1.0,)).steps
    assert "+ repetition" not in steps
    assert steps["+ settled"] == Features.PLAY & ~Features.REPETITION & ~Features.FUTILITY


def test_futility_is_a_step_where_positions_are_evaluated() -> None:
    assert "+ futility" in Ablation((START,), (1.0,)).steps
    without = START.game.replace(name="unevaluated", evaluate=None).start()
    assert "+ futility" not in Ablation((without,), (1.0,)).steps


def test_a_search_has_its_depth_at_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the engine, since no test may hang on a clock."""
    monkeypatch.setattr("plyground.search.engine.engine.Engine", FakeEngine)
    found = [one for search in ablation.measure(Ablation((START,), (0.1, 1.0))) for one in search]
    assert found[:2] == [
        DepthReached("alpha-beta", 0, 0.1, 0, 0, False),
        DepthReached("alpha-beta", 0, 1.0, 2, 20, False),
    ]
    assert found[-1] == DepthReached("+ futility", 0, 1.0, 3, 30, True)
    assert len(found) == 2 * (len(STEPS) - 2)


class FakeEngine:
    """An engine that reaches depth 1 after 0.2 seconds, 2 after 0.4, and 3 with all features."""

    def __init__(self, _game: object, *, memory: int, features: Features) -> None:
        assert memory == 16
        self.features = features

    def clear(self) -> None:
        pass

    def search(self, position: Position, limits: Limits, progress: object) -> None:
        assert callable(progress)
        assert limits.seconds == 1
        deepest = 3 if self.features & Features.PRUNING else 2
        for depth in range(1, deepest + 1):
            result = SearchResult.unsearched(position, 0)
            progress(
                replace(result, depth=depth, nodes=10 * depth, seconds=depth / 5, proven=depth == 3)
            )


def test_the_real_engine_is_measured() -> None:
    start = find_game("connectfour").start()
    found = [one for search in ablation.measure(Ablation((start,), (0.02, 0.05))) for one in search]
    assert [(one.step, one.seconds) for one in found] == [
        (step, seconds)
        for step in STEPS
        if step not in ("+ repetition", "+ settled")
        for seconds in (0.02, 0.05)
    ]


def test_random_positions_are_the_same_for_the_same_seed_and_never_over() -> None:
    start = find_game("connectfour").start()
    found = early_positions(start, 20, 4)
    assert found == early_positions(start, 20, 4)
    assert found != early_positions(start, 20, 5)
    assert len(set(found)) > 15
    assert not any(position.is_over for position in found)


@pytest.mark.parametrize("count", [0, -3, 10_001])
def test_a_number_of_positions_that_makes_no_sense_is_refused(count: int) -> None:
    message = f"{count} positions: there can be from 1 to 10000"
    with pytest.raises(LimitError, match=message):
        early_positions(START, count, 0)


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan, math.inf, 3601.0])
def test_a_time_that_makes_no_sense_is_refused(seconds: float) -> None:
    with pytest.raises(LimitError, match="a time is more than 0 and at most 3600 seconds"):
        Ablation((START,), (seconds,))


def test_finished_games_have_no_depth() -> None:
    over = find_game("tictactoe").position("xxx/oo1/3 o")
    with pytest.raises(GameOver, match=r"position 2: the game is over \(.*\): nothing to search"):
        Ablation((START, over), (1.0,))
    with pytest.raises(GameOver, match=r"the game is over \(.*\): nothing to search"):
        early_positions(over, 3, 0)
