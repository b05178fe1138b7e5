"""Conformance finds evaluations and utilities that are not the first player's, in any game."""

from __future__ import annotations

from typing import Any

import pytest

from plyground.core.game import Game, Options
from plyground.core.registry import find_game, game_names
from plyground.search.conformance.check import CheckFailure, GameSample, take_sample
from plyground.search.conformance.rules import utility_is_zero_sum
from plyground.search.conformance.signs import (
    DecidedEvaluations,
    OutcomeNode,
    OutcomeSearch,
    OutcomeTree,
    evaluation_is_the_first_players,
    utility_agrees_with_the_points,
)
from tests.paths import EXAMPLES, ROOT

TEMPLATE = ROOT / "src" / "plyground" / "cli" / "new_game_template.py"
FILES = [str(path) for path in (EXAMPLES / "kalah.py", EXAMPLES / "dots.py", TEMPLATE)]


def boards_of(name: str) -> list[Options]:
    """The options of a game: every board that it has a name for, and other sizes. The usual one of
    Breakthrough, which takes long, is tested with the whole contract in `test_conformance.py`."""
    game = find_game(name)
    named: list[Options] = [{"board": board} for board in game.choices.get("board", ())]
    sizes: dict[str, list[Options]] = {
        "blocker": [{"board": board, "stuck": "mover"} for board in ("official", "crossing")],
        "breakthrough": [{"rows": 3, "columns": 2}, {"rows": 8, "columns": 8}],
        "connectfour": [{}, {"rows": 4, "columns": 4}, {"rows": 5, "columns": 9}],
        "derby": [{"first_stay": True}],
        "slant": [{"orientation": "free"}, {"board": "corner", "orientation": "free"}],
    }
    return [*named, *sizes.get(name, [{}])]


def sample_of(game: Game, options: Options | None = None) -> GameSample:
    return take_sample(game, options or {}, 60, 0)


def failure_of(sample: GameSample) -> str:
    with pytest.raises(CheckFailure) as caught:
        evaluation_is_the_first_players(sample)
    (message,) = caught.value.messages
    return message


# Sound games


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, options) for name in game_names() for options in boards_of(name)],
    ids=str,
)
def test_a_sound_game_is_not_blamed_on_any_board(name: str, options: Options) -> None:
    sample = sample_of(find_game(name), options)
    assert " won " in utility_is_zero_sum(sample)
    assert "never clearly against who wins" in evaluation_is_the_first_players(sample)


@pytest.mark.parametrize("name", FILES)
def test_a_sound_game_in_a_file_is_not_blamed(name: str) -> None:
    sample = sample_of(find_game(name))
    assert " won " in utility_is_zero_sum(sample)
    assert "never clearly against who wins" in evaluation_is_the_first_players(sample)


# Slips

SMALL: dict[str, Options] = {"breakthrough": {"rows": 5, "columns": 4}}
"""Boards on which a slip is seen as well as on the usual one, with less work."""


@pytest.mark.parametrize("name", [*game_names(), *FILES])
def test_an_evaluation_for_the_player_to_move_is_found(name: str) -> None:
    game = find_game(name)
    rules = game.rules

    def for_the_mover(board: Any, state: Any) -> int:
        value: int = rules.evaluate(board, state)
        return value if rules.turn(board, state) == 0 else -value

    message = failure_of(sample_of(game.replace(evaluate=for_the_mover), SMALL.get(name)))
    assert f"favours the loser near the end of the game where {game.players[1]} is" in message
    assert message.endswith("the first player's, not that of the player to move")


@pytest.mark.parametrize("name", [*game_names(), *FILES])
def test_an_evaluation_of_the_other_player_is_found(name: str) -> None:
    game = find_game(name)
    evaluate = game.rules.evaluate

    def for_the_other(board: Any, state: Any) -> int:
        return -int(evaluate(board, state))

    message = failure_of(sample_of(game.replace(evaluate=for_the_other), SMALL.get(name)))
    assert f"and utility() ({game.rules.utility.__code__.co_filename}:" in message
    assert "one of them has the wrong sign" in message


@pytest.mark.parametrize("name", [*game_names(), *FILES])
def test_a_utility_of_the_wrong_sign_is_found(name: str) -> None:
    game = find_game(name)
    utility = game.rules.utility

    def reversed_utility(board: Any, state: Any) -> int:
        return -int(utility(board, state))

    sample = sample_of(game.replace(utility=reversed_utility), SMALL.get(name))
    message = failure_of(sample)
    assert f"and utility() ({__file__}:" in message
    assert "one of them has the wrong sign" in message
    if game.rules.point:
        with pytest.raises(CheckFailure, match=r"reversed_utility\(\) and score\(\) .* contradict"):
            utility_agrees_with_the_points(sample, sample.game.rules)


# The searches


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("xx1/oo1/3 x", 1),
        ("xx1/oo1/x2 o", -1),
        ("x1x/1o1/o1x o", 1),
        ("xox/xoo/ox1 x", 0),
        ("3/1x1/3 o", None),
    ],
)
def test_a_short_search_knows_who_wins(text: str, winner: int | None) -> None:
    position = find_game("tictactoe").position(text)
    assert OutcomeSearch(OutcomeTree(), 1000, 1).winner(OutcomeNode(position), 3) == winner


def test_with_the_other_sign_a_line_loses() -> None:
    position = find_game("tictactoe").position("xox/oxo/ox1 x")
    assert OutcomeSearch(OutcomeTree(), 1000, 1).winner(OutcomeNode(position), 3) == 1
    assert OutcomeSearch(OutcomeTree(), 1000, -1).winner(OutcomeNode(position), 3) == -1


def test_a_search_without_nodes_knows_only_what_is_over_at_once() -> None:
    position = find_game("tictactoe").position("x1x/1o1/o1x o")
    assert OutcomeSearch(OutcomeTree(), 1, 1).winner(OutcomeNode(position), 3) is None


def test_agreement_is_counted_in_what_chance_does() -> None:
    assert DecidedEvaluations([3.0] * 9, [3.0] * 9).agreement() == 0
    higher = DecidedEvaluations([float(value) for value in range(10, 20)], [1.0, 2.0] * 5)
    lower = DecidedEvaluations(higher.lost, higher.won)
    assert higher.agreement() == -lower.agreement() > 3.5
    assert not DecidedEvaluations([1.0] * 7, [2.0] * 90).are_enough
