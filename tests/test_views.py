"""What a page can do with a position: cells to touch, keys to press, things that move."""

from __future__ import annotations

import pytest

from plyground.core.errors import GameFileError, GameOver, NotLive
from plyground.core.game import Game
from plyground.core.svg import cells_of
from tests.race import RACE, Make, race_file

__all__ = ["race_file"]

CELLS = """

def svg(board, state):
    return '<svg>' + ''.join(f'<rect data-cell="a{n}"/>' for n in range(1, 13)) + '</svg>'


def move_text(board, state, move):
    return %s
"""
"""A view for the race, with a cell for each number that is not above twelve."""


def touched(game: Game) -> list[tuple[str, ...]]:
    position = game.start()
    return [position.touches(move) for move in position.legal_moves]


def test_by_default_a_move_touches_the_cells_that_its_text_names(race: Make) -> None:
    game = race(more=CELLS % "f'A1-a{move + 2}'")
    assert touched(game) == [("a1", "a2"), ("a1", "a3"), ("a1", "a4"), ("a1", "a5")]


def test_a_letter_before_the_name_of_a_cell_is_not_part_of_it(race: Make) -> None:
    game = race(more=CELLS % "f'a1xa{move + 2}'")
    assert touched(game) == [("a1", "a2"), ("a1", "a3"), ("a1", "a4"), ("a1", "a5")]


def test_what_looks_like_a_cell_and_is_none_is_not_touched(race: Make) -> None:
    game = race(more=CELLS % "f'b{move} a{move + 10} a{move}'")
    assert touched(game) == [("a10",), ("a11", "a1"), ("a12", "a2"), ("a3",)]


def test_a_game_without_cells_touches_none_and_has_no_keys(race: Make) -> None:
    game = race(more="\n\ndef move_text(board, state, move):\n    return f'a{move}'\n")
    position = game.start()
    assert position.cells == ()
    assert touched(game) == [()] * 4
    assert {position.move_key(move) for move in position.legal_moves} == {""}


def test_cells_are_found_in_either_kind_of_quotes_and_named_once() -> None:
    drawing = "<svg><g data-cell='a1'/><g data-cell=\"a&amp;2\"/><g data-cell = 'a1'/></svg>"
    assert cells_of(drawing) == ("a1", "a&2")


def test_a_game_may_say_itself_what_is_touched_and_pressed(race: Make) -> None:
    game = race(
        more="""

def touches(board, state, move):
    return (f"n{move}",)


def move_key(board, state, move):
    return str(move)


def idle(board, state):
    return 0
"""
    )
    position = game.start()
    assert position.touches(2) == game.touches(position.board, position.state, 2) == ("n2",)
    assert position.move_key(2) == "2"
    assert position.idle == 0
    assert game.is_live


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        ("touches(board, state, move): return 'a1'", "a tuple of names of cells, not 'a1'"),
        ("touches(board, state, move): return (1,)", "a tuple of names of cells, not (1,)"),
        ("touches(board, state, move): return None", "a tuple of names of cells, not None"),
        ("move_key(board, state, move): return 32", "the name of a key, not 32"),
        ("idle(board, state): return 9", "a legal move, not 9"),
        ("idle(board, state): return 'stay'", "a whole number, not 'stay'"),
    ],
)
def test_a_wrong_answer_is_told_with_its_place_in_the_file(
    race: Make, function: str, problem: str
) -> None:
    game = race(more=f"\n\ndef {function}\n")
    line = RACE.count("\n") + 3
    with pytest.raises(GameFileError) as caught:
        ask(game, function.partition("(")[0])
    name = function.partition("(")[0]
    assert str(caught.value) == f"{game.rules.path}:{line}: {name}() must return {problem}"


@pytest.mark.parametrize("name", ["touches", "move_key", "idle"])
def test_an_exception_in_a_games_own_answer_is_told_of_its_file(race: Make, name: str) -> None:
    game = race(more=f"\n\ndef {name}(*arguments):\n    return 1 / 0\n")
    with pytest.raises(GameFileError, match=rf"race\.py:\d+: {name}\(\) raised ZeroDivisionError"):
        ask(game, name)


def ask(game: Game, name: str) -> object:
    position = game.start()
    if name == "idle":
        return position.idle
    return getattr(position, name)(0)


def test_a_game_that_waits_for_its_players_is_not_live(race: Make) -> None:
    game = race()
    assert not game.is_live
    with pytest.raises(NotLive, match=r"race cannot be played live: it has no function idle\(\)"):
        _ = game.start().idle


def test_nobody_is_idle_in_a_game_that_is_over(race: Make) -> None:
    game = race(("12, 0)", "0, 0)"), more="\n\ndef idle(board, state):\n    return 0\n")
    with pytest.raises(GameOver, match="the game is over"):
        _ = game.start().idle
