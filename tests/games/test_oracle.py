"""The rules compared with OpenSpiel's, and with plain rules that share no code with them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from plyground.core.game import Options, Position
from plyground.core.registry import find_game
from tests.games.perft_data import Count, read_counts
from tests.games.plain_rules import PLAIN, check_by_plain_rules, plain_count
from tests.random_play import random_game

SMALL = 8_000
"""The largest counts that the plain rules are asked for."""
OPENSPIEL_GAMES = 12


# The plain rules


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tictactoe", {}),
        ("connectfour", {}),
        ("connectfour", {"rows": 5, "columns": 9}),
        ("connectfour", {"rows": 3, "columns": 4}),
        ("breakthrough", {}),
        ("breakthrough", {"rows": 8, "columns": 8}),
    ],
)
def test_moves_and_results_are_those_of_the_plain_rules(name: str, options: Options) -> None:
    game = find_game(name)
    for seed in range(10):
        for position in random_game(game, seed, options):
            check_by_plain_rules(position)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(name, expected, id=f"{name}-{expected.position}-{expected.depth}")
        for name in PLAIN
        for expected in read_counts(name)
        if expected.positions <= SMALL
    ],
)
def test_the_perft_data_are_those_of_the_plain_rules(name: str, expected: Count) -> None:
    assert plain_count(name, expected.position, expected.depth) == expected.positions


# OpenSpiel. Each function gives OpenSpiel's name for one of our moves.


def spiel_tictactoe(position: Position, move: int) -> str:
    """Their rows run down from 0."""
    return f"{'xo'[position.turn]}({2 - move // 3},{move % 3})"


def spiel_connectfour(position: Position, move: int) -> str:
    return f"{'xo'[position.turn]}{move}"


def spiel_breakthrough(position: Position, move: int) -> str:
    """Their first player is Black and comes from the top; a star marks a capture."""
    name = position.move_text(move)
    source, target = (name.replace("x", "")[part] for part in (slice(2), slice(2, 4)))
    rows = position.board.rows

    def turned(cell: str) -> str:
        return f"{cell[0]}{rows + 1 - int(cell[1])}"

    return turned(source) + turned(target) + ("*" if "x" in name else "")


@pytest.mark.parametrize(
    ("name", "options", "theirs", "translate"),
    [
        ("tictactoe", {}, "tic_tac_toe", spiel_tictactoe),
        ("connectfour", {}, "connect_four", spiel_connectfour),
        (
            "breakthrough",
            {"rows": 6, "columns": 6},
            "breakthrough(rows=6,columns=6)",
            spiel_breakthrough,
        ),
        (
            "breakthrough",
            {"rows": 8, "columns": 8},
            "breakthrough(rows=8,columns=8)",
            spiel_breakthrough,
        ),
    ],
)
def test_openspiel_plays_by_the_same_rules(
    name: str, options: Options, theirs: str, translate: Callable[[Position, int], str]
) -> None:
    pyspiel: Any = pytest.importorskip("pyspiel")
    game, spiel = find_game(name), pyspiel.load_game(theirs)
    for seed in range(OPENSPIEL_GAMES):
        chance = random.Random(seed)
        position, state = game.start(options), spiel.new_initial_state()
        while not position.is_over:
            assert not state.is_terminal()
            assert state.current_player() == position.turn
            actions = {state.action_to_string(action): action for action in state.legal_actions()}
            names = {translate(position, move): move for move in position.legal_moves}
            assert set(names) == set(actions)
            chosen = chance.choice(sorted(names))
            position = position.after(names[chosen])
            state.apply_action(actions[chosen])
        assert state.is_terminal()
        assert state.returns() == [position.utility, -position.utility]
