"""Games as values: a game with one function changed, beside the one that it was made from."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from plyground.core.contract import Rules
from plyground.core.errors import GameFileError
from plyground.core.registry import find_game

tictactoe = find_game("tictactoe")


def seven(board: Any, state: Any) -> int:
    return 7


def of_the_turn(board: Any, state: Any) -> int:
    return 3 if state.turn == 0 else -3


def failing(board: Any, state: Any) -> int:
    return 1 // 0


def test_one_function_is_replaced_and_the_others_stay() -> None:
    game = tictactoe.replace(evaluate=seven)
    assert game.start().evaluation == 7
    assert tictactoe.start().evaluation != 7
    assert game.start().text == tictactoe.start().text
    assert game.rules.moves is tictactoe.rules.moves
    assert (game.name, game.title) == (tictactoe.name, tictactoe.title)


def test_names_are_replaced_as_well() -> None:
    game = tictactoe.replace(name="noughts", title="Noughts and crosses", PLAYERS=("1", "2"))
    assert (game.name, game.title, game.players) == ("noughts", "Noughts and crosses", ("1", "2"))
    assert repr(game) == "<Game noughts>"
    assert tictactoe.title == "Tic-tac-toe"


def test_rules_and_options_are_explained_as_the_module_does() -> None:
    game = tictactoe.replace(RULES="\n- Be quick.\n", OPTION_TEXTS={"rows": "of the grid"})
    assert (game.rules_text, game.option_texts) == ("- Be quick.", {"rows": "of the grid"})
    assert game.replace(RULES=None).rules_text == "Tic-tac-toe: three in a line."


@pytest.mark.parametrize("texts", [["rows"], {"rows": 3}])
def test_texts_of_options_are_texts(texts: Any) -> None:
    with pytest.raises(GameFileError, match="OPTION_TEXTS must be a dict from options to texts"):
        tictactoe.replace(OPTION_TEXTS=texts)


def test_the_players_have_colours() -> None:
    assert tictactoe.replace(COLOURS=None).colours == ("#2d5fa8", "#e08a1e")
    assert tictactoe.replace(COLOURS=("#000000", "#ffffff")).colours == ("#000000", "#ffffff")


@pytest.mark.parametrize("colours", [("#000000",), ("red", "blue"), "#000000", ("#FFF", "#000")])
def test_colours_that_are_none_are_refused(colours: Any) -> None:
    with pytest.raises(GameFileError, match="COLOURS must be two colours such as"):
        tictactoe.replace(COLOURS=colours)


def test_none_stands_for_the_default() -> None:
    game = tictactoe.replace(evaluate=None)
    assert "evaluate" in game.rules.defaults
    assert game.start().play("b2").evaluation == 0


def test_without_an_evaluation_of_its_own_a_game_of_points_counts_them() -> None:
    game = find_game("derby").replace(evaluate=None, POINT=10)
    assert game.rules.point == 10
    position = game.start()
    assert position.evaluation == 10 * position.score


def test_a_replaced_game_can_be_replaced_again() -> None:
    game = tictactoe.replace(evaluate=seven).replace(name="again").replace(evaluate=of_the_turn)
    assert game.name == "again"
    assert game.start().evaluation == 3


def test_a_name_that_no_game_has_is_refused_with_those_that_it_has() -> None:
    with pytest.raises(TypeError, match=r"a game has no 'evaluat' to replace; it has .*evaluate,"):
        tictactoe.replace(evaluat=seven)


def test_a_function_with_other_parameters_is_refused() -> None:
    with pytest.raises(GameFileError, match=r"noisy\(\) must take 3 arguments"):
        tictactoe.replace(noisy=seven)


def test_an_error_in_a_replacement_is_one_of_its_own_file() -> None:
    position = tictactoe.replace(evaluate=failing).start()
    with pytest.raises(GameFileError, match=r"test_replaced_game\.py:\d+: failing\(\) raised Zero"):
        assert position.evaluation


def test_games_are_pickled_as_the_way_to_them() -> None:
    assert pickle.loads(pickle.dumps(tictactoe)) is tictactoe
    game = tictactoe.replace(name="seven", evaluate=seven).replace(title="Seven")
    copy = pickle.loads(pickle.dumps(game))
    assert (copy.name, copy.title, copy.start().evaluation) == ("seven", "Seven", 7)
    assert isinstance(copy.rules, Rules)


# How many moves there are, and how long a game can be


def test_a_game_that_does_not_say_has_the_widest_bounds() -> None:
    game = tictactoe.replace(move_limit=None, longest_game=None)
    assert (game.move_limit(game.board()), game.longest_game(game.board())) == (65536, None)
    assert (tictactoe.move_limit(game.board()), tictactoe.longest_game(game.board())) == (9, 9)


@pytest.mark.parametrize("wrong", [0, 65537, "many"])
def test_a_limit_of_moves_is_a_possible_one(wrong: Any) -> None:
    game = tictactoe.replace(move_limit=lambda board: wrong)
    with pytest.raises(GameFileError, match=r"must return a whole number from 1 to 65536, not "):
        game.move_limit(game.board())


def test_a_copy_of_a_position_is_the_position() -> None:
    position = tictactoe.start()
    assert copy.deepcopy(position) is position
