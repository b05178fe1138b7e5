"""How long newcomers wait: for help, for the compiler, for the first reply in the browser."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.contest import ROOT
from benchmarks.report import Row, ratio_row, seconds_text
from benchmarks.web_load import first_reply
from plyground.core.registry import game_names
from tests.browser.server import Server

HELP = ("--help",)


class Commands(NamedTuple):
    """What is timed."""

    other_search: tuple[str, ...]
    """Of another game: it compiles the kernel, once for all games."""
    other_solve: tuple[str, ...]
    search: tuple[str, ...]
    searched: tuple[str, ...]
    """The game that is solved next has been searched."""
    solve: tuple[str, ...]
    perft: tuple[str, ...]


SMALL = ("--option", "rows=4", "--option", "columns=4")
COMMANDS = Commands(
    ("search", "tictactoe", "--depth", "4"),
    ("solve", "tictactoe"),
    ("search", "breakthrough", "--depth", "4"),
    ("search", "connectfour", "--depth", "4", *SMALL),
    ("solve", "connectfour", *SMALL),
    ("perft", "breakthrough", "--depth", "2"),
)
QUICK = Commands(
    ("perft", "tictactoe", "--depth", "2"),
    ("perft", "tictactoe", "--depth", "3"),
    ("perft", "connectfour", "--depth", "2"),
    ("perft", "connectfour", "--depth", "2"),
    ("perft", "connectfour", "--depth", "3"),
    ("perft", "connectfour", "--depth", "4"),
)
"""Little is compiled for these."""

HELP_ALLOWED = 0.3
EMPTY_ALLOWED = 15.0
NEW_GAME_ALLOWED = 5.0
SECOND_KERNEL_ALLOWED = 3.0
WARM_ALLOWED = 1.0
REPLY_ALLOWED = 2.0


PLAIN = "import sys; sys.modules['scipy'] = None; from plyground.cli.main import main; main()"
"""plyground as it is installed by itself. The other contestants of these benchmarks bring SciPy,
which Numba loads wherever it finds it, and for which plyground has no use."""


def run(quick: bool) -> list[Row]:
    rounds, commands = (1, QUICK) if quick else (9, COMMANDS)
    judged = not quick
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PLYGROUND_CACHE": folder}
        run_command(HELP, environment)  # Python's own bytecode is written by the first run
        empty, messages = run_command(commands.other_search, environment)
        kernels = [beyond_later_ones(commands.other_solve, environment)]
        new_game, _ = run_command(commands.search, environment)
        run_command(commands.searched, environment)
        kernels += [
            beyond_later_ones(command, environment) for command in (commands.solve, commands.perft)
        ]
        helps, searches = [], []
        for _ in range(rounds):
            helps.append(run_command(HELP, environment)[0])
            searches.append(run_command(commands.search, environment)[0])
    rows = (
        ("plyground --help", median(helps), HELP_ALLOWED),
        ("first search on a machine, nothing compiled", empty, EMPTY_ALLOWED),
        ("first solve on that machine, beyond later ones", kernels[0], SECOND_KERNEL_ALLOWED),
        ("first search of a new game", new_game, NEW_GAME_ALLOWED),
        ("first solve of a game, beyond later ones", kernels[1], SECOND_KERNEL_ALLOWED),
        ("first perft of a game, beyond later ones", kernels[2], SECOND_KERNEL_ALLOWED),
        (f"plyground {' '.join(commands.search)}", median(searches), WARM_ALLOWED),
    )
    return [
        *(row(what, seconds, allowed, judged=judged) for what, seconds, allowed in rows),
        announcement(messages),
        reply_row(game_names()[:1] if quick else game_names(), judged=judged),
    ]


def reply_row(games: Sequence[str], *, judged: bool) -> Row:
    """The web app with nothing compiled, and a person who moves at once: the longest wait of all
    games, each with a server of its own. A run that is not judged does not compile everything."""
    waits = []
    for game in games:
        with tempfile.TemporaryDirectory() as folder:
            environment = {"PLYGROUND_CACHE": folder} if judged else {}
            with Server(Path(folder) / "home", options=(), environment=environment) as server:
                waits.append(asyncio.run(first_reply(server, game)))
    what = f"first reply in the browser, nothing compiled (longest of {len(waits)} games)"
    return row(what, max(waits), REPLY_ALLOWED, judged=judged)


def run_command(arguments: tuple[str, ...], environment: Mapping[str, str]) -> tuple[float, str]:
    """The seconds that a command took from outside, and what it said on standard error."""
    command = [sys.executable, "-c", PLAIN, *arguments]
    started = time.perf_counter()
    finished = subprocess.run(
        command, check=True, capture_output=True, text=True, env=environment, cwd=ROOT
    )
    return time.perf_counter() - started, finished.stderr


def beyond_later_ones(arguments: tuple[str, ...], environment: Mapping[str, str]) -> float:
    """How many seconds more a command takes now than when it is repeated."""
    first, _ = run_command(arguments, environment)
    return first - run_command(arguments, environment)[0]


def row(what: str, seconds: float, allowed: float, *, judged: bool) -> Row:
    return ratio_row(
        what,
        ours=seconds_text(seconds),
        other=f"allowed: {seconds_text(allowed)}",
        ratio=allowed / max(seconds, 1e-9),
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
