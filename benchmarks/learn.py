"""Evaluations that are learned from the rules, against those of the games, at equal time.

Each is learned by `plyground learn` on all cores, as people would. A whole run takes an hour and a
half; the cases to run may be named in PLYGROUND_LEARN, with commas.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.contest import ROOT
from benchmarks.matches import QUICK_SECONDS, match_row, play_match
from benchmarks.report import Row
from plyground.arena.statistics import Estimate
from plyground.core.registry import find_game

MINUTES = 10.0
QUICK_MINUTES = 0.05
SECONDS = 0.1
"""For a move."""
PAIRS = 100
SEED, OTHER_SEED = 1, 2
SAME = 60.0
"""Elo between nets of two seeds, at most."""
OUTRIGHT = 382.0
"""Elo of nine games won of ten."""

RULES_ONLY = '''"""Breakthrough without what its file tells a search beyond the rules."""

from plyground.games.breakthrough.game import *

del noisy, settled
'''


@dataclass(frozen=True)
class Case:
    """A game to learn, and what the net should reach."""

    name: str
    game: str
    """A name, or a file of the folder that `write_games` fills."""
    wanted: float
    opponent: str = "own"
    options: dict[str, str] = field(default_factory=dict)


LARGE = {"rows": "8", "columns": "8"}
"""Domineering is played to the end at sight on the 5x5 board of the documentation."""

CASES = (
    Case("breakthrough", "breakthrough", 200),
    Case("rules-only", "rules_only.py", 50),
    Case("connectfour", "connectfour", 80),
    Case("large", "breakthrough", 150, options=LARGE),
    Case("domineering", "domineering.py", 150, options=LARGE),
    Case("none", "domineering.py", OUTRIGHT, opponent="none", options=LARGE),
)
SEEDS = "seeds"
"""The case of two seeds, in Breakthrough."""


def run(quick: bool) -> Iterator[Row]:
    chosen = os.environ.get("PLYGROUND_LEARN", ",".join((*(one.name for one in CASES), SEEDS)))
    names = ["breakthrough"] if quick else chosen.split(",")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write_games(place)
        for case in CASES:
            if case.name in names:
                net = learn(case, SEED, place, quick=quick)
                found = play(case, f"{net}", case.opponent, place, quick=quick)
                yield match_row(
                    f"{case.name}: {description(quick)}",
                    found,
                    "learned",
                    {"own": "the game's own evaluation", "none": "none"}[case.opponent],
                    wanted=case.wanted,
                    judged=not quick,
                )
        if SEEDS in names:
            case = CASES[0]
            first, second = (learn(case, seed, place, quick=quick) for seed in (SEED, OTHER_SEED))
            yield seeds_row(play(case, str(first), str(second), place, quick=quick))


def write_games(folder: Path) -> None:
    """The games that have no name: Breakthrough without hints, and that of the documentation."""
    (folder / "rules_only.py").write_text(RULES_ONLY)
    page = (ROOT / "docs" / "own-game.md").read_text()
    source = "\n\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    (folder / "domineering.py").write_text(source)


def learn(case: Case, seed: int, folder: Path, *, quick: bool) -> Path:
    """The file of a net; two cases of the same game have the same."""
    board = "-".join((Path(case.game).stem, *case.options.values()))
    net = folder / f"{board}-{seed}.npz"
    if net.exists():
        return net
    minutes = QUICK_MINUTES if quick else MINUTES
    options = [word for item in case.options.items() for word in ("-o", "=".join(item))]
    command = ["learn", case.game, *options, "--minutes", str(minutes), "--seed", str(seed)]
    command += ["--workers", "1"] if quick else []
    subprocess.run(
        [sys.executable, "-m", "plyground", *command, "--no-test", "--out", str(net)],
        cwd=folder,
        env={**os.environ, "PLYGROUND_NETS": str(folder / "nets")},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return net


def play(case: Case, first: str, second: str, folder: Path, *, quick: bool) -> Estimate:
    game = find_game(str(folder / case.game) if case.game.endswith(".py") else case.game)
    return play_match(
        game,
        f"engine:evaluation={first}",
        f"engine:evaluation={second}",
        pairs=1 if quick else PAIRS,
        seconds=QUICK_SECONDS if quick else SECONDS,
        options=case.options,
    )


def description(quick: bool) -> str:
    minutes, pairs, seconds = (
        (QUICK_MINUTES, 1, QUICK_SECONDS) if quick else (MINUTES, PAIRS, SECONDS)
    )
    return f"{minutes:g} minutes, {2 * pairs} games of {1000 * seconds:g} ms a move"


def seeds_row(found: Estimate) -> Row:
    interval = found.elo_interval
    return Row(
        f"breakthrough: {description(quick=False)}",
        f"seed {SEED}",
        f"seed {OTHER_SEED}",
        f"{found.elo:+.0f} [{interval.low:.0f}, {interval.high:.0f}]",
        f"within {SAME:g}",
        abs(found.elo) <= SAME,
        {"elo": found.elo, "low": interval.low, "high": interval.high},
    )
