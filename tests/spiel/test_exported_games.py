"""Our games in OpenSpiel: its own tests of a game pass, and it plays by our rules."""

from __future__ import annotations

import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from plyground.core.errors import GameFileError
from plyground.core.game import Position
from plyground.core.registry import find_game, game_names
from plyground.spiel import register
from tests.paths import EXAMPLES

pyspiel: Any = pytest.importorskip("pyspiel")

FILES = [str(EXAMPLES / f"{name}.py") for name in ("nim", "kalah", "dots")]
NAMES = [*game_names(), "nim", "kalah", "dots"]
VARIANTS = [
    *(f"plyground_{name}" for name in NAMES),
    "plyground_breakthrough(rows=8,columns=8)",
    "plyground_connectfour(rows=4,columns=5)",
    "plyground_slant(orientation=free)",
    "plyground_derby(first_stay=True)",
    "plyground_blocker(board=board1,stuck=mover,max_game_length=60)",
]


@pytest.fixture(scope="module", autouse=True)
def registered() -> list[str]:
    return register(*FILES)


def load(text: str) -> Any:
    return pyspiel.load_game(text)


def play(state: Any, moves: Sequence[str]) -> Any:
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


def test_the_names_begin_with_plyground(registered: list[str]) -> None:
    assert registered == [f"plyground_{name}" for name in NAMES]
    assert set(registered) <= set(pyspiel.registered_names())


@pytest.mark.parametrize("text", VARIANTS)
def test_the_simulations_of_openspiel_pass(text: str) -> None:
    pyspiel.random_sim_test(load(text), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("text", VARIANTS)
def test_it_is_played_by_our_rules(text: str) -> None:
    game = load(text)
    for seed in range(2):
        chance = random.Random(seed)
        state = game.new_initial_state()
        position: Position = state.position
        while not position.is_over and not state.is_terminal():
            assert state.current_player() == position.turn
            assert state.legal_actions() == sorted(position.legal_moves)
            assert state.observation_string(0) == position.text
            assert str(state) == position.picture
            move = chance.choice(position.legal_moves)
            name = state.action_to_string(move)
            assert name == position.move_text(move)
            assert state.string_to_action(name) == move
            assert state.returns() == [0, 0]
            position = position.play(move)
            state.apply_action(move)
        assert state.is_terminal()
        utility = position.utility if position.is_over else 0
        sign = (utility > 0) - (utility < 0)
        first, second = state.returns()
        assert first == (utility if game.max_utility() > 1 else sign)
        assert second == -first


@pytest.mark.parametrize("text", VARIANTS)
def test_a_clone_and_a_pickle_go_their_own_way(text: str) -> None:
    game = load(text)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    assert pickle.loads(pickle.dumps(game.get_type())) == game.get_type()
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    before, history = str(state), state.history()
    _, restored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    for copy in (state.clone(), pickle.loads(pickle.dumps(state)), restored):
        assert (str(copy), copy.history()) == (before, history)
        copy.apply_action(copy.legal_actions()[-1])
        assert copy.history() != history
    assert (str(state), state.history()) == (before, history)


def test_a_playthrough_can_be_generated_and_repeated() -> None:
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    for name in ("plyground_tictactoe", "plyground_blocker"):
        text = playthrough(name, None, seed=1)
        actions = [int(line[8:]) for line in text.splitlines() if line.startswith("action: ")]
        assert playthrough(name, actions) == text
        assert "ObservationTensorShape() = player to move: [2]" in text


def test_openspiel_knows_that_ours_are_turn_based_already() -> None:
    with pytest.raises(pyspiel.SpielError):
        pyspiel.convert_to_turn_based(load("plyground_tictactoe"))


# What OpenSpiel wants to know beforehand


@pytest.mark.parametrize(
    ("text", "actions", "length", "utility"),
    [
        ("plyground_tictactoe", 9, 9, 1),
        ("plyground_connectfour(rows=4,columns=5)", 5, 20, 1),
        ("plyground_breakthrough", 108, 85, 1),
        ("plyground_breakthrough(rows=3,columns=2)", 18, 5, 1),
        ("plyground_blocker(max_game_length=77)", 6, 77, 1),
        ("plyground_slant", 20, 16, 18),
        ("plyground_slant(orientation=free)", 40, 16, 19),
        ("plyground_derby", 5, 30, 13),
        ("plyground_kalah", 65536, 1000, 1),
    ],
)
def test_the_bounds_of_a_game(text: str, actions: int, length: int, utility: int) -> None:
    game = load(text)
    assert game.num_distinct_actions() == actions
    assert game.max_game_length() == length
    assert (game.min_utility(), game.max_utility()) == (-utility, utility)


def test_the_longest_game_of_breakthrough_is_not_longer_than_its_bound() -> None:
    """On a narrow board every pawn of one side can go as far as it may: exhaust short games."""
    game = find_game("breakthrough")
    start = game.start({"rows": 4, "columns": 2})

    def longest(position: Position) -> int:
        return (
            0 if position.is_over else 1 + max(longest(child) for _, child in position.children())
        )

    bound = game.longest_game(start.board)
    assert bound is not None
    assert longest(start) <= bound == 13


def test_a_game_that_goes_round_in_a_circle_is_a_draw_in_the_end() -> None:
    state = load("plyground_blocker(board=field,max_game_length=8)").new_initial_state()
    there_and_back = ["right", "left", "left", "right"]
    names = [state.action_to_string(move) for move in state.legal_actions()]
    assert "right" in names
    play(state, there_and_back)
    assert not state.is_terminal()
    play(state, there_and_back)
    assert state.is_terminal()
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.legal_actions() == []
    assert state.returns() == [0, 0]


def test_the_margin_is_the_utility_where_its_bounds_are_known() -> None:
    state = load("plyground_slant").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [state.position.utility, -state.position.utility]
    assert abs(state.position.utility) > 1


def test_a_player_who_moves_again_is_asked_again() -> None:
    state = load("plyground_kalah").new_initial_state()
    play(state, ["3"])
    assert state.current_player() == 0


# A user's own file


def test_a_file_that_has_changed_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "heaps.py"
    shutil.copy(EXAMPLES / "nim.py", path)
    assert register(path)[-1] == "plyground_heaps"
    before = load("plyground_heaps").new_initial_state()
    path.write_text(path.read_text().replace("(3, 5, 7)", "(1, 1, 1)"))
    register(path)
    after = load("plyground_heaps").new_initial_state()
    assert len(before.legal_actions()) == 15
    assert len(after.legal_actions()) == 3


def test_moves_at_or_above_the_limit_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "heaps.py"
    text = (EXAMPLES / "nim.py").read_text()
    path.write_text(text + "\n\ndef move_limit(board):\n    return 2\n")
    register(path)
    with pytest.raises(GameFileError, match=r"moves\(\) must return moves below move_limit\(\), 2"):
        load("plyground_heaps").new_initial_state().legal_actions()


def test_an_option_with_openspiels_own_meaning_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "heaps.py"
    text = (EXAMPLES / "nim.py").read_text()
    path.write_text(text + "\n\ndef new_board(max_game_length: int = 3):\n    return None\n")
    with pytest.raises(GameFileError, match="the option max_game_length has a meaning of its own"):
        register(path)


def test_the_interpreter_ends_in_peace() -> None:
    """OpenSpiel releases what was registered with it after the interpreter has ended."""
    program = (
        "import pyspiel\n"
        "from plyground.spiel import register\n"
        "register()\n"
        "register()\n"
        "print(pyspiel.load_game('plyground_tictactoe').new_initial_state())\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_observation_has_no_parameters() -> None:
    with pytest.raises(ValueError, match="there are no parameters of observations"):
        load("plyground_tictactoe").make_py_observer(None, {"scaled": True})
