"""The arguments and options that several verbs share, so that they read the same everywhere."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game's name, the path of your own .py file, or spiel:NAME of OpenSpiel's.",
    ),
]
PositionArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="POSITION",
        help="A position's text, a file with one, or - to read it; default: the start.",
    ),
]
BoardOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game, such as rows=8; plyground games GAME explains them.",
    ),
]
Moves = Annotated[
    str,
    typer.Option(metavar="MOVES", help="Moves to play first, between spaces or commas."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Depth = Annotated[
    int | None,
    typer.Option("--depth", "-d", metavar="N", help="Look this many moves ahead."),
]
Nodes = Annotated[
    int | None,
    typer.Option("--nodes", metavar="N", help="Stop after this many nodes."),
]
Seconds = Annotated[
    float | None,
    typer.Option("--time", "-t", metavar="SECONDS", help="Stop when this much time has passed."),
]
SearchAlgorithm = Annotated[
    Literal["engine", "alpha-beta", "minimax", "monte-carlo"] | None,
    typer.Option(
        "--algorithm",
        "-a",
        help="The engine (default), or one of the textbook's algorithms; monte-carlo is the"
        " default for OpenSpiel's games.",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(metavar="N", help="Search with so many threads (engine; default 1)."),
]
Memory = Annotated[
    int | None,
    typer.Option(metavar="MB", help="Memory for positions seen (default 64)."),
]
FeatureNames = Annotated[
    str | None,
    typer.Option(
        "--features",
        metavar="NAMES",
        help="Of the engine: exact gives the value of minimax at this depth; or table,scout,...",
    ),
]
EvaluationName = Annotated[
    str | None,
    typer.Option(
        "--evaluation",
        metavar="own|none|learned|FILE",
        help="Of the engine: the game's own, none, or a net that plyground learn has made."
        " Without it: the adopted net if there is one, else the game's own.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", help="So many tasks at a time, on this machine."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="On the Dask cluster there, such as tcp://host:8786."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="N", help="Choose among equal moves by this seed."),
]
