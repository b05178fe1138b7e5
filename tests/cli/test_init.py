"""`plyground init`: what it writes already plays, and it never writes over anything."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from plyground.classroom.interfaces import STARTERS, find_interface
from plyground.classroom.suite import built_in_suites
from plyground.core.registry import find_game, game_names
from tests.classroom.student_processes import StudentProcess, play_game
from tests.cli.runner import plyground, refusal
from tests.paths import EXAMPLES

NIM = EXAMPLES / "nim.py"

LONGEST_GAME = 30
"""Plies, since some games go on for ever if one lets them."""

WANTED = {"derby": "PlayerControllerMinimax", "breakthrough": "a class Agent"}


@pytest.mark.parametrize("name", game_names())
def test_a_starter_is_written_for_every_game(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = plyground("init", name)
    assert (ran.status, ran.errors) == (0, "")
    wanted = WANTED.get(name, "choose(position, clock)")
    wrote, after = ran.output.splitlines()
    assert wrote == f"wrote player.py: {wanted}, which already plays {find_game(name).title}"
    if name in built_in_suites():
        assert after == f"next: plyground grade {name} player.py"
    else:
        assert after.startswith("next: make it better")
    source = (tmp_path / "player.py").read_text()
    assert find_interface(find_game(name), source).wanted == wanted


@pytest.mark.parametrize("name", game_names())
def test_what_is_written_plays_a_game_as_it_is(name: str, tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    assert plyground("init", name, file).status == 0
    game = find_game(name)
    interface = find_interface(game, file.read_text())
    start = game.start({"plies": 6, "board": "random"} if name == "derby" else None)
    position = start
    with StudentProcess(interface.kind, file) as student:
        assert student.ask(interface.begin(start, 0, 0.1)) is not None, student.errors()
        for _ in range(LONGEST_GAME):
            if position.is_over:
                break
            if position.turn == 0:
                answer = student.ask(interface.turn(position, 0.1))
                assert answer is not None, student.errors()
                assert answer["depth"] >= 0
                position = position.play(interface.read(answer, position))
            else:
                position = position.play(position.legal_moves[0])
        student.tell({"type": "over"})
        assert student.status() == 0


def test_a_starter_plays_the_second_side_too(tmp_path: Path) -> None:
    game = find_game("tictactoe")
    file = tmp_path / "player.py"
    plyground("init", "tictactoe", file)
    interface = find_interface(game, file.read_text())
    for seed in range(3):
        end = play_game(file, interface, game.start(), side=1, seed=seed, seconds=0.2)
        assert end.is_over


def test_a_game_of_ones_own_has_a_starter(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    assert plyground("init", NIM, file).status == 0
    game = find_game(str(NIM))
    interface = find_interface(game, file.read_text())
    assert play_game(file, interface, game.start(), seconds=0.2).is_over


def test_nothing_is_written_over(tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    file.write_text("mine")
    assert refusal("init", "derby", file) == (
        f"{file} is there already, and is left as it is; give another name"
    )
    assert file.read_text() == "mine"
    folder = tmp_path / "folder.py"
    folder.mkdir()
    assert "folder.py is there already" in refusal("init", "derby", folder)


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "player.py"
    assert refusal("init", "derby", file) == f"{file}: cannot write: No such file or directory"
    assert refusal("init", "derby", "player") == (
        "player: a player is a Python file, so its name ends in .py"
    )
    assert refusal("init", "derbi").startswith("there is no game 'derbi'")


def test_a_starter_runs_on_every_python_that_a_student_may_have() -> None:
    for starter in STARTERS.glob("*.py"):
        ast.parse(starter.read_text(), feature_version=(3, 10))
