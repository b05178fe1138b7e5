"""How long a new process takes: to show its help, to compile a game, to search from then on."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from statistics import median

from benchmarks.contest import ROOT
from benchmarks.report import Row, ratio_row, seconds_text

HELP = ("--help",)
SEARCH = ("search", "breakthrough", "--depth", "4")

HELP_ALLOWED = 0.3
COMPILE_ALLOWED = 15.0
SEARCH_ALLOWED = 1.2


PLAIN = "import sys; sys.modules['scipy'] = None; from plyground.cli.main import main; main()"
"""plyground as it is installed by itself. The other contestants of these benchmarks bring SciPy,
which Numba loads wherever it finds it, and for which plyground has no use."""


def run(quick: bool) -> list[Row]:
    rounds = 1 if quick else 9
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PLYGROUND_CACHE": folder}
        run_command(HELP, environment)  # Python's own bytecode is written by the first run
        first, messages = run_command(SEARCH, environment)
        helps, searches = [], []
        for _ in range(rounds):
            helps.append(run_command(HELP, environment)[0])
            searches.append(run_command(SEARCH, environment)[0])
    judged = not quick
    return [
        row("plyground --help", median(helps), HELP_ALLOWED, judged=judged),
        row("first search of a game, compiling it", first, COMPILE_ALLOWED, judged=judged),
        row(f"plyground {' '.join(SEARCH)}", median(searches), SEARCH_ALLOWED, judged=judged),
        announcement(messages),
    ]


def run_command(arguments: tuple[str, ...], environment: Mapping[str, str]) -> tuple[float, str]:
    """The seconds that a command took from outside, and what it said on standard error."""
    command = [sys.executable, "-c", PLAIN, *arguments]
    started = time.perf_counter()
    finished = subprocess.run(
        command, check=True, capture_output=True, text=True, env=environment, cwd=ROOT
    )
    return time.perf_counter() - started, finished.stderr


def row(what: str, seconds: float, allowed: float, *, judged: bool) -> Row:
    return ratio_row(
        what,
        ours=seconds_text(seconds),
        other=f"allowed: {seconds_text(allowed)}",
        ratio=allowed / seconds,
        target=1.0,
        judged=judged,
        numbers={"our_seconds": seconds, "allowed_seconds": allowed},
    )


def announcement(messages: str) -> Row:
    said = "compiling" in messages
    return Row(
        "it says that it compiles",
        messages.strip().splitlines()[0] if messages.strip() else "nothing",
        "",
        "said" if said else "not said",
        "said",
        said,
    )
