"""Conformance of what people read: names of moves, texts of positions, pictures, endings."""

from __future__ import annotations

import pytest

from tests.search.conformance.race_game import Make, failure, finding, race_file

__all__ = ["race_file"]


def test_two_moves_of_one_name_are_found(race: Make) -> None:
    game = race(more="\n\ndef move_text(board, state, move):\n    return str(move // 2)\n")
    assert "move_text() writes '0' for moves 0 and 1" in failure(game, "move text")


def test_a_move_without_a_name_is_found(race: Make) -> None:
    game = race(more="\n\ndef move_text(board, state, move):\n    return ' ' * move\n")
    assert "move_text() writes '', which cannot be typed" in failure(game, "move text")


def test_a_move_that_is_read_as_another_is_found(race: Make) -> None:
    game = race(more="\n\ndef parse_move(board, state, text):\n    return 0\n")
    assert "parse_move() reads '1' as move 0, not 1" in failure(game, "move text")


def test_a_move_that_is_not_read_at_all_is_found(race: Make) -> None:
    game = race(more="\n\ndef parse_move(board, state, text):\n    return -1\n")
    assert "parse_move() does not read '0', move 0: '0' is not a legal move" in failure(
        game, "move text"
    )


def test_a_position_that_nothing_reads_is_found(race: Make) -> None:
    game = race(more="\n\ndef position_text(board, state):\n    return 'here'\n")
    assert "position_text() has no parse_position() to read it back" in failure(
        game, "position text"
    )


PARSE = """

def position_text(board, state):
    return f"{state.first} {state.second} {state.left} {state.turn}"


def parse_position(text):
    first, second, left, turn = map(int, text.split())
    return None, State(first, second, left, turn)
"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("second, left, turn)", "second, left, 0)", "as another state: turn is 0, was 1"),
        ("first, second, left, turn = map", "first, second, left = map", "too many values"),
        ("{state.left} {", "{state.left}  {", None),
    ],
)
def test_a_position_that_is_read_wrongly_is_found(
    race: Make, old: str, new: str, problem: str | None
) -> None:
    assert old in PARSE
    game = race(more=PARSE.replace("None, State", "NoBoard(), State").replace(old, new) + IMPORT)
    if problem is None:
        assert finding(game, "position text").passed
    else:
        assert problem in failure(game, "position text")


IMPORT = "\n\nfrom plyground.core.contract import NoBoard\n"


def test_a_position_read_with_another_board_is_found(race: Make) -> None:
    more = PARSE.replace("None, State", "NoBoard(1), State") + IMPORT
    assert "with another board" in failure(race(more=more), "position text")


def test_a_position_written_differently_again_is_found(race: Make) -> None:
    more = PARSE.replace("return f", "NOW.append(0)\n    return ' ' * len(NOW) + f") + (
        IMPORT + "\nNOW = []\n"
    )
    more = more.replace("None, State", "NoBoard(), State")
    assert "is written differently again" in failure(race(more=more), "position text")


def test_a_drawing_that_is_no_xml_is_found(race: Make) -> None:
    game = race(more="\n\ndef svg(board, state):\n    return '<svg>'\n")
    assert "svg() is not well-formed XML: no element found" in failure(game, "pictures")


def test_a_drawing_that_is_no_svg_is_found(race: Make) -> None:
    game = race(more="\n\ndef svg(board, state):\n    return '<p/>'\n")
    assert "svg() draws <p>, not <svg>" in failure(game, "pictures")


def test_touching_what_is_no_cell_is_found(race: Make) -> None:
    game = race(more="\n\ndef touches(board, state, move):\n    return ('a1',)\n")
    problem = "touches() names 'a1' for 0, which is no data-cell of the picture"
    assert problem in failure(game, "pictures")


def test_a_key_for_two_moves_is_found(race: Make) -> None:
    game = race(more="\n\ndef move_key(board, state, move):\n    return 'x'\n")
    assert "move_key() answers 'x' for both 0 and 1" in failure(game, "pictures")


def test_an_idle_move_that_is_not_legal_is_found(race: Make) -> None:
    game = race(more="\n\ndef idle(board, state):\n    return 7\n")
    assert "idle() must return a legal move, not 7" in failure(game, "pictures")


def test_an_empty_picture_is_found(race: Make) -> None:
    game = race(more="\n\ndef picture(board, state):\n    return ' '\n")
    assert "picture() draws nothing" in failure(game, "pictures")


def test_an_ending_without_words_is_found(race: Make) -> None:
    game = race(more="\n\ndef ending(board, state):\n    return ''\n")
    assert "ending() says nothing" in failure(game, "endings")
