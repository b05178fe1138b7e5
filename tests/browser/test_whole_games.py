"""Every game can be played from its first move to its last: by mouse, by keys, by typed moves."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from plyground.core.registry import game_names
from tests.browser.app_page import AppPage
from tests.browser.play_page import PlayPage

HUMAN = {"kind": "human"}
SHORT: dict[str, dict[str, Any]] = {"derby": {"board": "random", "plies": 12}}
"""Options that shorten a game that would be long. All others are played as they come."""


def open_board(app: AppPage, game: str, opponent: dict[str, Any], seed: int) -> PlayPage:
    players = [HUMAN, opponent]
    table = app.new_table(game, options=SHORT.get(game, {}), players=players)
    board = PlayPage(app, table, seed=seed)
    board.open()
    return board


def assert_result_is_shown(board: PlayPage, table: dict[str, Any]) -> None:
    """The page shows and announces who won and why."""
    winner, reason = table["result"]["winner"], table["result"]["reason"]
    headline = {None: "A draw", 0: "You won", 1: "You lost"}[winner]
    status = board.page.get_by_role("region", name=headline)
    expect(status).to_contain_text(reason, ignore_case=True)
    board.app.expect_announced(reason)


@pytest.mark.parametrize("game", game_names())
def test_a_whole_game_is_played_by_mouse(app: AppPage, game: str) -> None:
    board = open_board(app, game, {"kind": "engine", "depth": 1}, seed=1)
    table = board.play_to_the_end(board.play_by_mouse)
    assert_result_is_shown(board, table)


@pytest.mark.parametrize("game", game_names())
def test_a_whole_game_is_played_by_keyboard(app: AppPage, game: str) -> None:
    board = open_board(app, game, {"kind": "alpha-beta", "depth": 1}, seed=2)
    table = board.play_to_the_end(board.play_by_keyboard)
    assert_result_is_shown(board, table)


@pytest.mark.parametrize("game", game_names())
def test_a_whole_game_is_played_by_typed_moves(app: AppPage, game: str) -> None:
    board = open_board(app, game, {"kind": "minimax", "depth": 1}, seed=3)
    table = board.play_to_the_end(board.play_by_typing)
    assert_result_is_shown(board, table)
