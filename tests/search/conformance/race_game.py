"""A small sound game, whose text tests change to see what conformance finds wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plyground.core.game import Game
from plyground.core.registry import find_game
from plyground.search.conformance import CheckResult, CheckStatus, check_game

RACE = '''"""Each player adds 0 to 3 to a score, six times; the higher score wins."""

from typing import NamedTuple


class State(NamedTuple):
    first: int
    second: int
    left: int
    turn: int


def start(board):
    return State(0, 0, 12, 0)


def moves(board, state, out):
    for step in range(4):
        out[step] = step
    return 4


def play(board, state, move):
    if state.turn == 0:
        return State(state.first + move, state.second, state.left - 1, 1)
    return State(state.first, state.second + move, state.left - 1, 0)


def over(board, state):
    return state.left == 0


def utility(board, state):
    return (state.first > state.second) - (state.first < state.second)


def evaluate(board, state):
    return state.first - state.second
'''

Make = Callable[..., Game]


@pytest.fixture(name="race")
def race_file(tmp_path: Path) -> Make:
    """The race as a file of its own, with some of its text replaced and more added."""

    def make(*replaced: tuple[str, str], more: str = "") -> Game:
        source = RACE
        for old, new in replaced:
            assert old in source
            source = source.replace(old, new)
        path = tmp_path / "race.py"
        path.write_text(source + more, encoding="utf-8")
        return find_game(str(path))

    return make


def finding(game: Game, name: str) -> CheckResult:
    """What is found about one promise. Those after it are not tested: compiling takes its time."""
    return next(found for found in check_game(game) if found.name == name)


def failure(game: Game, name: str) -> str:
    """The message of a broken promise, which begins with the place in the game's own file."""
    found = finding(game, name)
    assert found.status is CheckStatus.FAILED, found
    assert not found.passed
    assert found.message.startswith(game.rules.path), found.message
    return found.message.removeprefix(game.rules.path)
