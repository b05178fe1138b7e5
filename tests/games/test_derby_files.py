"""Scenario files: read and written without loss, and refused with the entry and line at fault."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.errors import FormatError
from plyground.core.registry import find_game
from plyground.games.derby.boards import BOARDS
from plyground.games.derby.scenario_reader import MAX_TEXT
from tests.random_play import random_game

game = find_game("derby")

SCENARIO: dict[str, Any] = {
    "custom": True,
    "init_fishes": {
        "0": {"init_pos": [1, 17], "score": -1},
        "1": {"init_pos": [2, 18], "score": 3},
        "2": {"init_pos": [9, 4], "score": 11},
    },
    "init_players": {"0": [0, 19], "1": [5, 19]},
    "sequence": {"0": [8, 8, 8, 8], "1": [0, 1, 2, 3], "2": [4, 5, 6, 7]},
    "params": {"n_seq": 4},
}
STATE: dict[str, Any] = {
    "ply": 3,
    "hooks": [[1, 17], [6, 19]],
    "held": [0, None],
    "landed": [1],
    "points": [0, 3],
}
UNDER_WAY = {**SCENARIO, "state": STATE}


def changed(path: str, value: Any, document: dict[str, Any] = UNDER_WAY) -> str:
    """The document with one entry changed, or left out if the value is `...`; a line for each."""
    document = copy.deepcopy(document)
    holder: Any = document
    *way, last = path.split(".")
    for part in way:
        holder = holder[part]
    if value is ...:
        del holder[last]
    else:
        holder[last] = value
    return json.dumps(document, indent=1)


# Both ways


@pytest.mark.parametrize("document", [SCENARIO, UNDER_WAY])
def test_a_scenario_is_written_as_it_was_read(document: dict[str, Any]) -> None:
    position = game.position(json.dumps(document, indent=2))
    assert json.loads(position.text) == document
    assert "\n" not in position.text


@pytest.mark.parametrize("name", BOARDS)
def test_built_in_days_survive_being_written(name: str) -> None:
    start = game.start({"board": name})
    assert game.position(start.text) == start
    for position in random_game(game, 1, {"board": name})[::40]:
        assert game.position(position.text) == position


def test_custom_and_other_keys_do_not_matter() -> None:
    document = {**SCENARIO, "custom": False, "author": "me"}
    assert game.position(json.dumps(document)) == game.position(json.dumps(SCENARIO))


def test_the_forced_first_stay_survives_being_written() -> None:
    start = game.start({"first_stay": True})
    assert json.loads(start.text)["params"] == {"n_seq": 30, "first_stay": True}
    assert game.position(start.text) == start
    assert game.position(start.text) != game.start()


def test_the_forced_first_stay_may_be_added_to_a_file() -> None:
    position = game.position(json.dumps(SCENARIO), {"first_stay": True})
    assert position.board.first_stay
    assert len(position.legal_moves) == 1
    assert not game.position(json.dumps(SCENARIO)).board.first_stay


def test_thirty_fish_and_a_day_of_900_plies_are_read() -> None:
    start = game.start({"board": "random", "fish": 30, "plies": 900})
    assert game.position(start.text).board.fish == 30


def test_a_state_at_ply_0_other_than_the_start_is_kept() -> None:
    state = {**STATE, "ply": 0, "held": [None, None], "landed": [], "points": [0, 0]}
    text = json.dumps({**SCENARIO, "state": state})
    assert json.loads(game.position(text).text)["state"] == state


def test_a_finished_day_is_read() -> None:
    assert game.position(changed("state.ply", 4)).is_over


# What is refused


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (
            "init_fishes",
            ...,
            r'init_fishes: an object such as \{"0": \{"init_pos": .* belongs here',
        ),
        ("init_fishes", [], "init_fishes: an object such as"),
        ("init_fishes", {}, "init_fishes: must have at least 1 entry"),
        ("init_fishes.1", ..., r'init_fishes: "1" is missing; 2 fish have the names "0" to "1"'),
        ("init_fishes.2", 5, "init_fishes, 2: must be an object, not 5"),
        ("init_fishes.1.init_pos", ..., r"init_fishes, 1, init_pos: a place is \[column, row\]"),
        ("init_fishes.1.init_pos", [1], "init_fishes, 1, init_pos: a place is"),
        (
            "init_fishes.1.init_pos",
            [20, 0],
            r"a place is \[column, row\], both from 0 to 19",
        ),
        ("init_fishes.1.init_pos", [0, -1], "init_pos: a place is"),
        ("init_fishes.1.init_pos", [True, 1], "init_pos: a place is"),
        ("init_fishes.1.init_pos", [1.0, 1], "init_pos: a place is"),
        ("init_fishes.2.score", ..., "init_fishes, 2, score: is missing"),
        ("init_fishes.2.score", 0, "score: a score is from -7 to -1 or from 1 to 11"),
        ("init_fishes.2.score", 12, "score: a score is from -7 to -1 or from 1 to 11"),
        ("init_fishes.2.score", -8, "score: a score is from -7 to -1 or from 1 to 11"),
        ("init_fishes.2.score", True, "score: must be a whole number, not true"),
        ("init_fishes.2.score", "3", "score: must be a whole number, not '3'"),
        ("init_fishes.2.score", 10**4000, "score: a score is"),
        ("init_players", ..., r'init_players: an object such as \{"0": \[0, 19\]'),
        ("init_players.1", ..., "init_players, 1: is missing"),
        ("init_players.1", 5, "init_players, 1: a place is"),
        ("init_players.1", [0, 3], "init_players: both boats are in column 0"),
        ("sequence", ..., r'sequence: an object such as \{"0": \[8, 8, 8\]} belongs here'),
        ("sequence.2", ..., "sequence, 2: 0 codes; every fish has a list of n_seq codes, here 4"),
        ("sequence.2", None, "sequence, 2: a list of codes, which are the numbers from 0 to 8"),
        ("sequence.0", [8, 8, 8], "sequence, 0: 3 codes; every fish has a list of n_seq codes"),
        ("sequence.0", [8, 8, 8, 9], "sequence, 0: a list of codes, which are .* from 0 to 8"),
        ("sequence.0", [8, 8, 8, -1], "sequence, 0: a list of codes"),
        ("sequence.0", [8, 8, 8, False], "sequence, 0: a list of codes"),
        ("params", ..., r'params: an object such as \{"n_seq": 900\} belongs here'),
        ("params.n_seq", ..., "params, n_seq: is missing"),
        ("params.n_seq", 0, "params, n_seq: must be at least 1, not 0"),
        ("params.n_seq", 10**9, "params, n_seq: must be at most 10000, not 1000000000"),
        ("params.n_seq", 4.0, "params, n_seq: must be a whole number, not 4.0"),
        ("params.first_stay", 1, "params, first_stay: must be true or false, not 1"),
        ("state", [], "state: an object belongs here, or nothing at the start of the day"),
        ("state.ply", 5, "state, ply: must be at most 4"),
        ("state.hooks", [[1, 1]], "state, hooks: two places such as"),
        ("state.hooks", [[1, 1], [1, 2]], "state, hooks: both boats are in column 1"),
        ("state.hooks", [[1, 1], 7], r"state, hooks: two places such as \[\[0, 19\], \[5, 19\]\]"),
        ("state.held", None, "state, held: two fish or nulls such as"),
        ("state.held", [3, None], "state: 3 is no fish; they are 0 to 2"),
        ("state.held", [True, None], "state, held: two fish or nulls such as"),
        ("state.held", [10**4000, None], "state, held: two fish or nulls such as"),
        ("state.held", [0, 0], "state: a fish is on both rods"),
        ("state.held", [1, None], "state: a fish is on both rods, or on a rod and landed"),
        ("state.held", [0, 2], "state: held fish 2 is at the surface: it would be landed"),
        ("state.landed", ..., "state, landed: a list of the numbers of the landed fish belongs"),
        ("state.landed", ["1"], "state, landed: a list of the numbers of the landed fish belongs"),
        ("state.points", [3], "state, points: two whole numbers such as"),
        ("state.points", [1, 1], "state, points: must add up to 3"),
        ("state.points", [1.5, 1.5], "state, points: two whole numbers such as"),
        ("state.points", [10**20, 3 - 10**20], "state, points: two whole numbers such as"),
    ],
)
def test_what_is_wrong_is_said_with_its_entry(path: str, value: Any, problem: str) -> None:
    with pytest.raises(FormatError, match=problem) as refusal:
        game.position(changed(path, value))
    assert refusal.value.line is not None
    assert len(str(refusal.value)) < 300


def test_landed_fish_are_in_order() -> None:
    state = {**STATE, "held": [None, None], "landed": [1, 0], "points": [0, 2]}
    with pytest.raises(FormatError, match=r"state, landed: the fish must be in the order of"):
        game.position(json.dumps({**SCENARIO, "state": state}))


def test_the_line_is_that_of_the_entry() -> None:
    text = changed("init_fishes.1.score", 99)
    with pytest.raises(FormatError) as refusal:
        game.position(text)
    assert refusal.value.line is not None
    assert text.splitlines()[refusal.value.line - 1] == '   "score": 99'


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("", "not JSON: Expecting value", 1),
        ("{\n\n'a'", "not JSON: Expecting property name enclosed in double quotes", 3),
        ('{"a": 1,\n "a": 2}', "the name 'a' is given twice in the same object", None),
        ("[" * 100_000, "not JSON: it is nested too deeply", None),
        ('{"params": ' * 50_000, "not JSON: it is nested too deeply", None),
        ("9" * 5000, "not JSON: Exceeds the limit", None),
        ('{"params": {"n_seq": Infinity}}', "Infinity is not a number of JSON", None),
        ('{"params": {"n_seq": NaN}}', "NaN is not a number of JSON", None),
        ("[1, 2]", "a scenario: must be an object", 1),
        ("3", "a scenario: must be an object", 1),
        ("null", "a scenario: must be an object", 1),
        (" " * (MAX_TEXT + 1), "characters are more than any scenario has", None),
    ],
)
def test_what_is_no_scenario_at_all_is_refused(text: str, problem: str, line: int | None) -> None:
    with pytest.raises(FormatError, match=problem) as refusal:
        game.position(text)
    assert refusal.value.line == line
    assert len(str(refusal.value)) < 300


def test_more_codes_than_there_is_room_for_are_refused_before_they_are_looked_at() -> None:
    fish = {str(number): {"init_pos": [1, 1], "score": 1} for number in range(64)}
    document = {**SCENARIO, "init_fishes": fish, "params": {"n_seq": 1001}, "sequence": {}}
    with pytest.raises(FormatError, match="1001 plies for each of 64 fish are 64064 codes"):
        game.position(json.dumps(document))


def test_65_fish_are_too_many() -> None:
    fish = {str(number): {"init_pos": [1, 1], "score": 1} for number in range(65)}
    with pytest.raises(FormatError, match="init_fishes: must have at most 64 entries"):
        game.position(json.dumps({**SCENARIO, "init_fishes": fish}))


# Whatever is in a file


def reads_or_refuses(text: str) -> None:
    try:
        position = game.position(text)
    except FormatError:
        return
    assert game.position(position.text) == position
    assert position.is_over or position.legal_moves


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["0", "1", "ply", "score", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def entries(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every entry of a document."""
    inner: Any = ()
    if isinstance(document, dict):
        inner = document.items()
    elif isinstance(document, list):
        inner = enumerate(document)
    return [path, *(way for name, value in inner for way in entries(value, (*path, name)))]


@settings(max_examples=400)
@given(data=st.data())
def test_a_file_with_any_entry_replaced_is_read_or_refused(data: st.DataObject) -> None:
    document: Any = copy.deepcopy(UNDER_WAY)
    for _ in range(data.draw(st.integers(1, 2))):
        *way, last = data.draw(st.sampled_from(entries(document)[1:]))
        holder = document
        for part in way:
            holder = holder[part]
        near: st.SearchStrategy[Any] = st.sampled_from(
            [0, 1, 2, 3, 4, 19, 20, -1, None, True, [], {}]
        )
        holder[last] = data.draw(near | anything)
    reads_or_refuses(json.dumps(document, indent=data.draw(st.none() | st.just(1))))


@settings(max_examples=200)
@given(data=st.data())
def test_a_file_with_slips_in_its_text_is_read_or_refused(data: st.DataObject) -> None:
    text = json.dumps(UNDER_WAY)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        insert = data.draw(st.text(st.sampled_from('{}[]":,0123456789eE+-.NaInull '), max_size=3))
        text = text[:place] + insert + text[place + data.draw(st.integers(0, 3)) :]
    reads_or_refuses(text)
