"""Games made by `Game.replace`, compiled: they are cached on disk and never mixed up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from plyground.core.game import Game
from plyground.core.registry import find_game
from plyground.search.binding.compile import bind
from plyground.search.binding.compiled_rules import examine
from plyground.search.binding.sources import digest_of
from plyground.search.engine.engine import Engine
from plyground.search.features import Features
from plyground.search.result import Limits

tictactoe = find_game("tictactoe")


def weighed(weight: int) -> Game:
    """Games whose evaluations have the same name, module and code, and differ by a constant."""

    def evaluate(board: Any, state: Any) -> int:
        return weight

    return tictactoe.replace(evaluate=evaluate)


def compiled_evaluation(game: Game) -> int:
    return examine(bind(game), game.start()).evaluate


def searched_value(game: Game) -> int:
    engine = Engine(game, memory=1, features=Features.NONE)
    return engine.search(game.start(), Limits(depth=2)).value


def test_replaced_games_and_the_original_keep_their_own_values_in_one_process() -> None:
    games = [tictactoe, weighed(11), weighed(12), weighed(11)]
    assert [compiled_evaluation(game) for game in games[1:]] == [11, 12, 11]
    assert compiled_evaluation(tictactoe) == tictactoe.start().evaluation
    assert [searched_value(game) for game in games[1:]] == [11, 12, 11]
    assert bind(games[1]) is bind(games[3])
    assert len({digest_of(game.rules) for game in games}) == 3


PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from plyground.core.registry import find_game
from plyground.search.binding.compile import announce, bind
from plyground.search.binding.compiled_rules import examine
import {modules}

said = []
announce(said.append)
values = []
for module in ({modules},):
    game = find_game("tictactoe").replace(evaluate=module.evaluate)
    values.append(examine(bind(game), game.start()).evaluate)
print(json.dumps([values, len(said)]))
"""


def run(folder: Path, *modules: str) -> tuple[list[int], int]:
    """The compiled evaluations of games that are replaced with these modules' functions, in a
    process of its own, and how many were compiled there."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("{modules}", ", ".join(modules)), str(folder)],
        env={**os.environ, "PLYGROUND_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    values, compiled = json.loads(ran.stdout)
    return values, compiled


def write(folder: Path, module: str, weight: int) -> None:
    """A module with an evaluation that calls another function, which has the weight."""
    (folder / f"{module}.py").write_text(
        f"def weight(state):\n    return {weight}\n\n\n"
        "def evaluate(board, state):\n    return weight(state)\n",
        encoding="utf-8",
    )


def test_a_replaced_game_is_loaded_from_disk_until_its_function_is_edited(tmp_path: Path) -> None:
    write(tmp_path, "first", 21)
    assert run(tmp_path, "first") == ([21], 1)
    assert run(tmp_path, "first") == ([21], 0)
    write(tmp_path, "first", 2200)
    assert run(tmp_path, "first") == ([2200], 1)
    assert run(tmp_path, "first") == ([2200], 0)


def test_games_compiled_in_different_processes_are_not_mixed_up_in_one(tmp_path: Path) -> None:
    """Each process numbers the functions that it compiles from the start, so that the symbols of
    two games on disk may bear the same numbers."""
    for weight, module in enumerate(("first", "second", "third"), 31):
        write(tmp_path, module, weight)
        assert run(tmp_path, module) == ([weight], 1)
    assert run(tmp_path, "first", "second", "third") == ([31, 32, 33], 0)
    assert run(tmp_path, "third", "first", "second") == ([33, 31, 32], 0)


def test_versions_of_one_function_are_not_mixed_up_in_one_process(tmp_path: Path) -> None:
    for weight in (41, 42):
        folder = tmp_path / str(weight)
        folder.mkdir()
        write(folder, "same", weight)
    program = PROGRAM.replace("{modules}", "same") + (
        "del sys.modules['same']; sys.path.insert(0, sys.argv[2]); import same\n"
        "game = find_game('tictactoe').replace(evaluate=same.evaluate)\n"
        "print(json.dumps([examine(bind(game), game.start()).evaluate, len(said)]))\n"
    )

    def both(first: int, second: int) -> list[Any]:
        ran = subprocess.run(
            [
                sys.executable,
                "-c",
                program,
                str(tmp_path / str(first)),
                str(tmp_path / str(second)),
            ],
            env={**os.environ, "PLYGROUND_CACHE": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        return [json.loads(line) for line in ran.stdout.splitlines()]

    for weight in (41, 42):
        folder = tmp_path / str(weight)
        os.symlink(tmp_path / "cache", folder / "cache")
        (tmp_path / "cache").mkdir(exist_ok=True)
        assert run(folder, "same") == ([weight], 1)
    assert both(41, 42) == [[[41], 0], [42, 0]]
    assert both(42, 41) == [[[42], 0], [41, 0]]
