"""Compiled code does not look where it reads and writes. Here it does, and stays inside its arrays.

Compiling with the checks takes some seconds a game; what is compiled is cached like everything.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plyground.core.registry import game_names
from plyground.search.engine.search_memory import MAX_DEPTH, QUIET_PLIES
from tests.paths import EXAMPLES, ROOT, SAMPLE_GAMES

CORRIDOR = SAMPLE_GAMES / "corridor.py"
EXAMPLE_GAMES = [
    path for path in sorted(EXAMPLES.glob("*.py")) if "class State" in path.read_text()
]
ODD_GAMES = [SAMPLE_GAMES / f"{name}.py" for name in ("random_tree", "random_points", "endless")]
"""Trees of every shape, with moves in a row, and positions that come back."""

CHECKED = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1"}
"""Less optimizing compiles a tenth sooner."""


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        env={**os.environ, **CHECKED},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("game", [*game_names(), *EXAMPLE_GAMES], ids=lambda game: Path(game).stem)
def test_everything_compiled_stays_inside_its_arrays(game: str | Path) -> None:
    ran = run("tests.search.every_kernel", game)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_kernels_stay_inside_their_arrays_in_odd_games() -> None:
    ran = run("tests.search.every_kernel", *ODD_GAMES)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert len(ran.stdout.splitlines()) == len(ODD_GAMES)


def test_the_deepest_search_stays_inside_its_arrays() -> None:
    ran = run("tests.search.every_kernel", CORRIDOR)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert int(ran.stdout.split()[-1]) >= MAX_DEPTH + QUIET_PLIES


def test_these_tests_would_notice_an_index_out_of_bounds(tmp_path: Path) -> None:
    path = tmp_path / "outside.py"
    wrong = CORRIDOR.read_text().replace("out[0] = 0", "out[2 if state.step == 2 else 0] = 0")
    path.write_text(wrong + "\nMAX_MOVES = 2\n")
    ran = run("plyground", "perft", path, "--depth", "4")
    assert ran.returncode == 2
    assert "outside.py: the compiled rules raised IndexError: index is out of bounds" in ran.stderr
