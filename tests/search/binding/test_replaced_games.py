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
from plyground.search.binding.compiled_rules import rule_results
from plyground.search.binding.sources import digest_of

tictactoe = find_game("tictactoe")


def weighed(weight: int) -> Game:
    """Games whose evaluations have the same name, module and code, and differ by a constant."""

    def evaluate(board: Any, state: Any) -> int:
        return weight

    return tictactoe.replace(evaluate=evaluate)


def compiled_evaluation(game: Game) -> int:
    return rule_results(bind(game), game.start()).evaluate


def test_replaced_games_and_the_original_keep_their_own_values_in_one_process() -> None:
    games = [tictactoe, weighed(11), weighed(12), weighed(11)]
    assert [compiled_evaluation(game) for game in games[1:]] == [11, 12, 11]
    assert compiled_evaluation(tictactoe) == tictactoe.start().evaluation
    assert bind(games[1]) is bind(games[3])
    assert len({digest_of(game.rules) for game in games}) == 3


PROGRAM = """
import json, sys
from plyground.core.registry import find_game
from plyground.search.binding import dispatch
from plyground.search.binding.compile import announce, bind

def evaluation(board, state):  # a kernel that is soon compiled
    return dispatch.evaluate(board, state)

compiled, values = [], []
announce(compiled.append)
for folder in sys.argv[1:]:
    sys.path.insert(0, folder)
    import weighing
    game = find_game("tictactoe").replace(evaluate=weighing.evaluate)
    bound = bind(game)
    values.append(bound.run(evaluation, *bound.pack(game.start())))
    del sys.modules["weighing"]
print(json.dumps([values, len(compiled)]))
"""


def run(cache: Path, *folders: Path) -> tuple[list[int], int]:
    """The compiled evaluations of games that are replaced with functions of these folders, in a
    process of its own, and how many were compiled there."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, folders)],
        env={**os.environ, "PLYGROUND_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    values, compiled = json.loads(ran.stdout)
    return values, compiled


LOOP = """
    for step in range(count + {number}):
        total = total ^ (step * {number}) if total % {number} == 1 else total + (step >> 1)
"""


def write(folder: Path, weight: int) -> Path:
    """A module with an evaluation that calls another function, too long to be inlined."""
    folder.mkdir(exist_ok=True)
    loops = "".join(LOOP.format(number=number) for number in range(3, 9))
    (folder / "weighing.py").write_text(
        f"def weight(state, count):\n    total = 0{loops}"
        f"    return {weight} if total >= 0 else 0\n\n\n"
        "def evaluate(board, state):\n"
        "    first, second = weight(state, 0), weight(state, state.turn)\n"
        "    return first if first == second else 0\n",
        encoding="utf-8",
    )
    return folder


def test_games_of_replaced_functions_are_cached_apart_from_each_other(tmp_path: Path) -> None:
    """Functions of the same name, which each process has compiled as its first."""
    cache = tmp_path / "cache"
    one, other = (write(tmp_path / str(weight), weight) for weight in (41, 42))
    assert run(cache, one) == ([41], 1)
    assert run(cache, other) == ([42], 1)
    assert run(cache, one, other) == ([41, 42], 0), "both are loaded from disk, none is mixed up"
    assert run(cache, other, one) == ([42, 41], 0)
    assert run(cache, write(one, 43)) == ([43], 1), "an edited function is compiled anew"
