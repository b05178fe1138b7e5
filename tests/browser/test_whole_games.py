"""Every game can be played from its first move to its last: by mouse, by keys, by typed moves."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from plyground.core.registry import game_names
from tests.browser.seat import Seat
from tests.browser.visit import Visit

HUMAN = {"kind": "human"}
SHORT: dict[str, dict[str, Any]] = {"derby": {"board": "random", "plies": 12}}
"""Options that shorten a game that would be long. All others are played as they come."""


def sit_down(visit: Visit, game: str, opponent: dict[str, Any], seed: int) -> Seat:
    players = [HUMAN, opponent]
    table = visit.new_table(game, options=SHORT.get(game, {}), players=players)
    seat = Seat(visit, table, seed=seed)
    seat.sit_down()
    return seat


def assert_result_is_told(seat: Seat, table: dict[str, Any]) -> None:
    """The page says who won and why, and says it aloud."""
    winner, reason = table["result"]["winner"], table["result"]["reason"]
    headline = "A draw" if winner is None else f"{table['game']['players'][winner]} wins"
    status = seat.page.get_by_role("region", name=headline)
    expect(status).to_contain_text(reason, ignore_case=True)
    seat.visit.expect_said(reason)


@pytest.mark.parametrize("game", game_names())
def test_a_whole_game_is_played_by_mouse(visit: Visit, game: str) -> None:
    seat = sit_down(visit, game, {"kind": "engine", "depth": 1}, seed=1)
    table = seat.play_to_the_end(seat.by_mouse)
    assert_result_is_told(seat, table)


@pytest.mark.parametrize("game", game_names())
def test_a_whole_game_is_played_by_keyboard(visit: Visit, game: str) -> None:
    seat = sit_down(visit, game, {"kind": "alpha-beta", "depth": 1}, seed=2)
    table = seat.play_to_the_end(seat.by_keyboard)
    assert_result_is_told(seat, table)


@pytest.mark.parametrize("game", game_names())
def test_a_whole_game_is_played_by_typed_moves(visit: Visit, game: str) -> None:
    seat = sit_down(visit, game, {"kind": "minimax", "depth": 1}, seed=3)
    table = seat.play_to_the_end(seat.by_typing)
    assert_result_is_told(seat, table)
