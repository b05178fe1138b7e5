"""`plyground lab`: experiments about searches, each a verb of its own."""

from __future__ import annotations

import typer

from plyground.cli.lab_depth import depth
from plyground.cli.lab_pruning import pruning

EXAMPLES = (
    "plyground lab pruning connectfour --depths 1-5",
    "plyground lab pruning tictactoe --games --depths 1-4 --runs 5 --csv states.csv",
    "plyground lab pruning breakthrough --depths 2,4 --algorithms minimax,engine --json",
    "plyground lab pruning --preset blocker-2023 --depths 6-8 --runs 20",
    "plyground lab depth breakthrough --times 0.01,0.05",
    "plyground lab depth connectfour --positions 2 --seed 7 --times 0.01,0.05 --plot depth.svg",
)

VERBS = {"pruning": pruning, "depth": depth}


def lab(context: typer.Context) -> None:
    """Measure what search algorithms save, and what each feature adds.

    Every experiment prints a table, and its rows as CSV, JSON or a plot where asked. Ctrl-C ends it
    with what was measured so far.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())
