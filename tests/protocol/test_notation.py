"""Texts as tokens, and the positions and moves of every game as tokens: all can be read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.core.errors import FormatError, IllegalMove
from plyground.core.registry import find_game, game_names
from plyground.protocol.notation import GameNotation
from plyground.protocol.tokens import from_token, to_token
from tests.paths import EXAMPLES, SAMPLE_GAMES
from tests.random_play import random_game

GAMES = [*game_names(), *(str(EXAMPLES / f"{name}.py") for name in ("nim", "kalah", "dots"))]


@given(st.text(alphabet="aZ9%/-\0\t\n \x7f\xa0é☃😀\u2028\ud800"))
def test_every_text_is_one_word_and_can_be_read_back(text: str) -> None:
    token = to_token(text)
    assert token.split() == [token]
    assert token.isascii()
    assert from_token(token) == text


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("a2xb3", "a2xb3"),
        ("3/3/3 x", "3/3/3%20x"),
        ("two\nlines", "two%0Alines"),
        ("50%", "50%25"),
        ("é", "%C3%A9"),
        ("", "%"),
    ],
)
def test_only_what_needs_an_escape_has_one(text: str, token: str) -> None:
    assert to_token(text) == token


@pytest.mark.parametrize(
    ("token", "problem"),
    [
        ("50%", "'50%': % stands before two hexadecimal digits"),
        ("%zz", "'%zz': % stands before two hexadecimal digits"),
        ("a%FF", "'%FF' is not text in UTF-8"),
    ],
)
def test_no_token(token: str, problem: str) -> None:
    with pytest.raises(FormatError) as error:
        from_token(token)
    assert str(error.value) == problem


@pytest.mark.parametrize("name", GAMES)
def test_positions_and_moves_of_every_game_can_be_read_back(name: str) -> None:
    game = find_game(name)
    notation = GameNotation(game)
    assert notation.start() == game.start()
    positions = random_game(game, 7)
    for position in positions[:: max(1, len(positions) // 6)]:
        token = notation.write_position(position)
        assert token.split() == [token]
        assert notation.read_position(token) == position
        for move in position.legal_moves:
            assert notation.read_move(position, notation.write_move(position, move)) == move


def test_a_position_may_be_written_with_its_spaces() -> None:
    game = find_game("tictactoe")
    assert GameNotation(game).read_position("3/3/3 x") == game.start()


def test_the_options_of_the_board_hold_for_the_start_and_for_texts_that_lack_them() -> None:
    game = find_game(str(SAMPLE_GAMES / "endless.py"))
    notation = GameNotation(game, {"counting": "yes"})
    start = game.start({"counting": "yes"})
    assert notation.start() == start
    assert notation.read_position(notation.write_position(start)) == start
    rows = GameNotation(find_game("breakthrough"), {"rows": 8})
    assert rows.start().board.rows == 8
    assert rows.read_position("bb/2/ww%20w").board.rows == 3


def test_a_move_that_is_none() -> None:
    start = find_game("tictactoe").start()
    with pytest.raises(IllegalMove, match="'d4' is not a legal move here; legal are a1,"):
        GameNotation(start.game).read_move(start, "d4")


def test_moves_that_differ_only_in_case_are_two_moves() -> None:
    game = find_game("tictactoe").replace(
        move_text=lambda board, state, move: "aAbBcCdDe"[move], parse_move=None
    )
    start, notation = game.start(), GameNotation(game)
    assert [notation.read_move(start, name) for name in "aA"] == [0, 1]
