"""The notation of Fairy-Stockfish. The expected texts are what it prints itself."""

from __future__ import annotations

import pytest

from plyground.core.errors import FormatError, IllegalMove
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.protocol.fairy_stockfish import VARIANTS, Variant, VariantNotation, variant_of
from tests.paths import EXAMPLES
from tests.random_play import random_game


def notation(name: str) -> VariantNotation:
    variant = next(variant for variant in VARIANTS if variant.name == name)
    return VariantNotation(find_game(variant.game), variant)


def after(name: str, moves: str) -> Position:
    position = notation(name).start()
    for move in moves.split():
        position = position.play(notation(name).read_move(position, move))
    return position


@pytest.mark.parametrize(
    ("name", "moves", "fen"),
    [
        ("breakthrough5", "", "ppppp/ppppp/5/PPPPP/PPPPP w - - 0 1"),
        ("breakthrough6", "a2a3 a5a4 a3b4", "pppppp/1ppppp/pP4/6/1PPPPP/PPPPPP b - - 0 1"),
        ("breakthrough7", "", "ppppppp/ppppppp/7/7/7/PPPPPPP/PPPPPPP w - - 0 1"),
        ("breakthrough", "", "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"),
        ("cfour", "", f"7/7/7/7/7/7[{'P' * 21}{'p' * 21}] w - - 0 1"),
        ("cfour", "P@d1 P@d2 P@a1", f"7/7/7/7/3p3/P2P3[{'P' * 19}{'p' * 20}] b - - 0 1"),
    ],
)
def test_positions_are_written_as_it_writes_them(name: str, moves: str, fen: str) -> None:
    position = after(name, moves)
    assert notation(name).write_position(position) == fen
    assert notation(name).read_position(fen) == position


def test_the_numbers_of_a_position_may_be_missing_and_a_capture_has_no_sign() -> None:
    position = notation("breakthrough6").read_position("pppppp/1ppppp/p5/1P4/2PPPP/PPPPPP w 3 2")
    moves = [notation("breakthrough6").write_move(position, move) for move in position.legal_moves]
    assert "b3a4" in moves
    assert position.play(notation("breakthrough6").read_move(position, "b3a4")).turn == 1


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_positions_and_moves_of_a_random_game_can_be_read_back(variant: Variant) -> None:
    game = find_game(variant.game)
    written = VariantNotation(game, variant)
    for position in random_game(game, 3, {"rows": variant.rows, "columns": variant.columns}):
        assert variant_of(position) is variant
        assert written.read_position(written.write_position(position)) == position
        for move in position.legal_moves:
            assert written.read_move(position, written.write_move(position, move)) == move


@pytest.mark.parametrize(
    ("fen", "problem"),
    [
        ("", "a position of breakthrough5 is written like 'ppppp/ppppp/5/PPPPP/PPPPP w - - 0 1'"),
        ("5/5/5/5/wwwww b", "a position of breakthrough5 is written like"),
        ("ppp/3/PPP w - - 0 1", "breakthrough5 has a board of 5 x 5 cells, not 'ppp/3/PPP'"),
        ("5/5/k4/5/PPPPP b", "row 3 from the top: 'k' is neither w, b nor a number"),
    ],
)
def test_no_position(fen: str, problem: str) -> None:
    with pytest.raises(FormatError) as error:
        notation("breakthrough5").read_position(fen)
    assert str(error.value).startswith(problem)


def test_no_move() -> None:
    for name, token in (("breakthrough5", "a1a2"), ("cfour", "P@d2")):
        with pytest.raises(IllegalMove) as error:
            notation(name).read_move(notation(name).start(), token)
        assert str(error.value) == f"{token!r} is not a legal move of {name} here"


@pytest.mark.parametrize(
    ("position", "problem"),
    [
        (
            find_game("connectfour").start({"rows": 5}),
            "UCI has no variant for this board of connectfour: it has 7 x 6 cells",
        ),
        (
            find_game(str(EXAMPLES / "nim.py")).start(),
            "UCI is for breakthrough and connectfour, not for nim: use UGI",
        ),
    ],
)
def test_boards_and_games_without_a_variant(position: Position, problem: str) -> None:
    with pytest.raises(FormatError) as error:
        variant_of(position)
    assert str(error.value) == problem
