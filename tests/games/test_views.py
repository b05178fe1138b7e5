"""What a page can do with a position: cells to touch, keys to press, things that move."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from plyground.core.errors import GameFileError, GameOver, NotLive
from plyground.core.game import Game, Options, Position
from plyground.core.registry import find_game, game_names
from plyground.core.svg import cells_of
from tests.random_play import random_game
from tests.search.conformance.race_game import RACE, Make, race_file

__all__ = ["race_file"]

CELLS = """

def svg(board, state):
    return '<svg>' + ''.join(f'<rect data-cell="a{n}"/>' for n in range(1, 13)) + '</svg>'


def move_text(board, state, move):
    return %s
"""
"""A view for the race, with a cell for each number that is not above twelve."""


OPTIONS: dict[str, list[Options]] = {
    "blocker": [{}, {"board": "random", "seed": 3}],
    "breakthrough": [{}, {"rows": 4, "columns": 16}],
    "connectfour": [{}, {"rows": 4, "columns": 9}],
    "derby": [{}, {"first_stay": True}, {"board": "random", "fish": 30, "plies": 40}],
    "slant": [{}, {"orientation": "free"}, {"board": "random", "rows": 3, "columns": 8}],
    "tictactoe": [{}],
}
over_games = pytest.mark.parametrize(
    ("game", "options"),
    [
        pytest.param(find_game(name), options, id=f"{name}-{number}")
        for name in game_names()
        for number, options in enumerate(OPTIONS[name])
    ],
)
PLACE = re.compile(r"translate\((-?[0-9.]+) (-?[0-9.]+)\)")


def positions_of(game: Game, options: Options) -> list[Position]:
    """Positions from all over two games played at random, their ends among them."""
    return [
        position
        for seed in (1, 2)
        for played in [random_game(game, seed, options)]
        for position in [*played[:: max(1, len(played) // 12)], played[-1]]
    ]


# Every game


@over_games
def test_every_move_touches_cells_that_are_in_the_picture(game: Game, options: Options) -> None:
    for position in positions_of(game, options):
        assert len(position.cells) == position.svg().count("data-cell="), "no name twice"
        for move in position.legal_moves:
            touches = position.touches(move)
            assert touches, position.move_text(move)
            assert set(touches) <= set(position.cells)


@over_games
def test_moves_differ_in_what_they_touch_but_for_free_lines(game: Game, options: Options) -> None:
    same = 2 if options.get("orientation") == "free" else 1
    for position in positions_of(game, options):
        counts = Counter(map(position.touches, position.legal_moves))
        assert set(counts.values()) <= {same}


@over_games
def test_a_key_plays_one_move(game: Game, options: Options) -> None:
    for position in positions_of(game, options):
        keys = [key for move in position.legal_moves if (key := position.move_key(move))]
        assert len(set(keys)) == len(keys)


@over_games
def test_cells_say_what_they_hold(game: Game, options: Options) -> None:
    for before, after in pairwise(random_game(game, 1, options)[:10]):
        assert labels(before) != labels(after), "a move changes what is said"
    for position in positions_of(game, options):
        assert all(said.strip() for said in labels(position).values())


def labels(position: Position) -> dict[str, str]:
    root = ElementTree.fromstring(position.svg())
    return {
        cell: found.attrib["data-label"]
        for found in root.iter()
        if (cell := found.get("data-cell"))
    }


@over_games
def test_things_lie_in_the_picture(game: Game, options: Options) -> None:
    for position in positions_of(game, options):
        root = ElementTree.fromstring(position.svg())
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for x, y in things(root):
            assert 0 <= x <= width
            assert 0 <= y <= height


def things(parent: ElementTree.Element, x: float = 0, y: float = 0) -> list[tuple[float, float]]:
    """Where the middle of each thing is on the sheet. Only things may be drawn in another size."""
    found = []
    for child in parent:
        place = PLACE.fullmatch(child.get("transform", "translate(0 0)"))
        if place is None:
            continue
        right, down = x + float(place[1]), y + float(place[2])
        if "data-kind" in child.attrib:
            found.append((right, down))
        else:
            found += things(child, right, down)
    return found


@over_games
def test_every_position_shows_things_and_a_move_changes_them(game: Game, options: Options) -> None:
    for before, after in pairwise(random_game(game, 2, options)):
        shown = things(ElementTree.fromstring(after.svg()))
        assert shown
        if "Blocker" not in game.title:  # a wall is part of its cell
            assert shown != things(ElementTree.fromstring(before.svg()))


@over_games
def test_pictures_obey_a_strict_page(game: Game, options: Options) -> None:
    for position in positions_of(game, options):
        for found in ElementTree.fromstring(position.svg()).iter():
            assert found.tag.rpartition("}")[2] not in ("style", "script", "image", "foreignObject")
            assert not [name for name in found.attrib if name == "style" or name.startswith("on")]


@over_games
def test_an_idle_player_makes_a_legal_move(game: Game, options: Options) -> None:
    if game.is_live:
        for position in positions_of(game, options):
            assert position.is_over or position.idle in position.legal_moves


def test_fishing_derby_is_live_and_its_idle_players_stay() -> None:
    position = find_game("derby").start()
    assert position.game.is_live
    assert position.move_text(position.idle) == "stay"


def test_an_agent_touches_its_own_cell_to_block_and_the_next_one_to_step() -> None:
    position = find_game("blocker").position("A./*B A 0-0")
    touches = {position.move_text(move): position.touches(move) for move in position.legal_moves}
    assert touches == {
        "right": ("c1r1", "c2r1"),
        "down": ("c1r1", "c1r2"),
        "block": ("c1r1",),
    }
    assert position.move_key(position.parse_move("block")) == " "
    assert labels(position)["c1r2"] == "row 2 column 1, food"


def test_the_sea_is_round_for_those_who_touch_it() -> None:
    start = find_game("derby").start()
    position = Position(start.game, start.board, start.state._replace(green_x=0))
    left, right = (position.touches(position.parse_move(way))[1] for way in ("left", "right"))
    assert (left.partition("r")[0], right.partition("r")[0]) == ("c19", "c1")


def test_a_disc_falls_wherever_its_column_is_touched() -> None:
    position = find_game("connectfour").start().play("c").play("c")
    assert position.touches(position.parse_move("c")) == ("c3",)
    root = ElementTree.fromstring(position.svg())
    stands = {
        found.get("data-cell"): found.get("data-stands-for")
        for found in root.iter()
        if found.get("data-cell", "").startswith("c")
    }
    assert stands == {f"c{row}": "c3" for row in range(1, 7)}


def test_breakthrough_can_be_turned_round_with_its_coordinates() -> None:
    assert re.findall(r'data-turns="(.*?)"', find_game("breakthrough").start().svg()) == [
        "",
        "down",
        "across",
    ]


# Games of one's own


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
    assert position.touches(2) == ("n2",)
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


def test_no_piece_is_idle_in_a_game_that_is_over(race: Make) -> None:
    game = race(("12, 0)", "0, 0)"), more="\n\ndef idle(board, state):\n    return 0\n")
    with pytest.raises(GameOver, match="the game is over"):
        _ = game.start().idle
