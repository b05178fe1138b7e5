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
    reason = table["result"]["reason"]
    expect(seat.page.get_by_text(reason).first).to_be_visible()
    expect(seat.page.locator("[aria-live=polite]").filter(has_text=reason).first).to_be_attached()


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
