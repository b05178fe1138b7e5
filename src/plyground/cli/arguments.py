"""The arguments and options that several verbs share, so that they read the same everywhere."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game's name, or the path of your own .py file."),
]
PositionArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="POSITION",
        help="A position's text, a file with one, or - to read it; default: the start.",
        show_default=False,
    ),
]
BoardOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="An option of the game, such as rows=8; give it once for each.",
        show_default=False,
    ),
]
Moves = Annotated[
    str,
    typer.Option(
        metavar="MOVES", help="Moves to play first, between spaces or commas.", show_default=False
    ),
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
    Literal["engine", "alpha-beta", "minimax", "monte-carlo"],
    typer.Option("--algorithm", "-a", help="The engine, or one of the textbook's algorithms."),
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
        show_default=False,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(metavar="N", help="Choose among equal moves by this seed."),
]
