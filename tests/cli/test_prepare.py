"""`plyground prepare`: what is compiled ahead is not compiled again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from plyground.search.binding.code_cache import KERNEL
from tests.compiled_kernels import copy_kernels
from tests.paths import EXAMPLES


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "plyground", *arguments],
        env={**os.environ, "PLYGROUND_CACHE": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("purpose", "command"),
    [
        ("play", ("search", "{}", "--depth", "2", "--quiet")),
        ("check", ("perft", "{}", "--depth", "2")),
        ("monte-carlo", ("search", "{}", "--algorithm", "monte-carlo", "--nodes", "9", "--quiet")),
        ("solve", ("solve", "{}", "--quiet")),
    ],
)
def test_what_was_prepared_is_found_compiled(
    tmp_path: Path, purpose: str, command: tuple[str, ...]
) -> None:
    copy_kernels(tmp_path)
    game = str(EXAMPLES / "nim.py")
    prepared = run(tmp_path, "prepare", game, "--for", purpose, "--json")
    assert prepared.returncode == 0, prepared.stderr
    assert json.loads(prepared.stdout)["for"] == [purpose]
    used = run(tmp_path, *(part.format(game) for part in command))
    assert used.returncode == 0, used.stderr
    assert "compiling" not in used.stderr


def test_an_unknown_purpose_is_refused_with_those_there_are(tmp_path: Path) -> None:
    refused = run(tmp_path, "prepare", "tictactoe", "--for", "paly")
    assert refused.returncode == 2
    assert refused.stderr == (
        "plyground: --for paly: a game is prepared for play, check, monte-carlo, solve\n"
    )


def compiled_kernels(folder: Path) -> list[str]:
    """The kernels in a cache, one entry for each combination of argument types."""
    return sorted(path.name.rpartition("-")[0] for path in folder.glob(f"{KERNEL}*/*.bc"))


LONGEST = [
    "plyground.search.montecarlo.run_simulations",
    "plyground.search.solving.exhaustive.search.null_window_search",
]
"""The kernels that take longest to compile, but for that of the engine."""


def test_prepared_kernels_are_those_that_searches_use(tmp_path: Path) -> None:
    prepared = run(tmp_path, "prepare", "--kernels", "--json")
    assert list(json.loads(prepared.stdout)["prepared"]) == ["kernels"], prepared.stderr
    assert compiled_kernels(tmp_path) == LONGEST
    assert not list(tmp_path.rglob("*.o")), "no game was compiled"
    game = str(EXAMPLES / "nim.py")
    for command in (
        ("solve", game),
        ("search", game, "--algorithm", "monte-carlo", "--nodes", "9"),
    ):
        used = run(tmp_path, *command, "--quiet")
        assert used.returncode == 0, used.stderr
    used_now = [name for name in compiled_kernels(tmp_path) if name in LONGEST]
    assert used_now == LONGEST, "none was compiled once more for arguments of other types"


def test_kernels_are_no_games(tmp_path: Path) -> None:
    refused = run(tmp_path, "prepare", "tictactoe", "--kernels")
    assert refused.returncode == 2
    assert refused.stderr == (
        "plyground: --kernels prepares no games: leave out their names and --for\n"
    )
