"""`plyground prepare`: what is compiled ahead is not compiled again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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
