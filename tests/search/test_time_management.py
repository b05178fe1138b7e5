"""How much of a game's clock a move may take."""

from __future__ import annotations

import pytest

from plyground.search.time_management import move_seconds


@pytest.mark.parametrize(("increment", "overhead"), [(0.0, 0.0), (0.1, 0.01), (5.0, 0.1)])
def test_a_clock_never_runs_out(increment: float, overhead: float) -> None:
    remaining = 2.0
    for _ in range(100):
        remaining -= move_seconds(remaining, increment, overhead=overhead) + overhead
        assert remaining > 0
        remaining += increment


def test_a_move_gets_its_share_of_the_clock() -> None:
    assert move_seconds(50.0) == pytest.approx(2.0)
    assert move_seconds(50.0, 4.0) == pytest.approx(5.2)
    assert move_seconds(50.0, moves_to_go=10) == pytest.approx(5.0)
    assert move_seconds(10.0, moves_to_go=1) == pytest.approx(9.5)
    assert move_seconds(1.0, 60.0) == pytest.approx(0.5)
    assert 0 < move_seconds(-1.0) == move_seconds(0.0) < 0.01


def test_a_move_gets_what_its_player_wants_as_long_as_the_clock_allows_it() -> None:
    assert move_seconds(60.0, wanted=1.0) == 1.0
    assert move_seconds(0.5, 2.0, wanted=1.0) == pytest.approx(0.25)
    assert 0 < move_seconds(0.001, wanted=1.0) < 0.01
