"""`plyground play`: a game in the terminal against the engine."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from plyground.cli.arguments import (
    BoardOptions,
    Depth,
    EvaluationName,
    FeatureNames,
    GameArgument,
    Memory,
    Nodes,
    Seconds,
    Seed,
    Threads,
)
from plyground.cli.inputs import read_options, read_position
from plyground.cli.interrupt import interruptible
from plyground.cli.output import announce_compilation, console
from plyground.cli.terminal_game import RecordFile, TerminalGame, Thinker
from plyground.search.result import Limits, refuse_finished
from plyground.search.searcher import (
    Algorithm,
    SearcherSettings,
    check_options,
    default_algorithm,
    limits_for,
    limits_text,
    make_searcher,
)

EXAMPLES = (
    "plyground play breakthrough",
    "plyground play connectfour --side second --depth 6",
    "plyground play my_game.py --time 0.5 --record game.record",
    "plyground play tictactoe --side none --algorithm monte-carlo --seed 7",
    "plyground play blocker --perfect",
)

SIDES = {
    "first": frozenset({0}),
    "second": frozenset({1}),
    "both": frozenset({0, 1}),
    "none": frozenset[int](),
}


def play(
    name: GameArgument,
    side: Annotated[
        Literal["first", "second", "both", "none"],
        typer.Option("--side", "-s", help="The side you play."),
    ] = "first",
    seconds: Seconds = None,
    depth: Depth = None,
    nodes: Nodes = None,
    algorithm: Annotated[
        Literal["engine", "alpha-beta", "minimax", "monte-carlo", "perfect", "random"] | None,
        typer.Option(
            "--algorithm",
            "-a",
            help="Who plays the other side: the engine, or monte-carlo in OpenSpiel's games.",
        ),
    ] = None,
    perfect: Annotated[
        bool,
        typer.Option("--perfect", help="Play from solved positions: --algorithm perfect."),
    ] = False,
    threads: Threads = None,
    features: FeatureNames = None,
    evaluation: EvaluationName = None,
    memory: Memory = None,
    seed: Seed = None,
    position: Annotated[
        str | None,
        typer.Option(metavar="POSITION", help="Start from this text or file."),
    ] = None,
    option: BoardOptions = None,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep a record here, written after every move."),
    ] = None,
) -> None:
    """Play in the terminal against the engine.

    Type a move, or help for a list of commands. Without a limit the engine thinks for a second
    about each move.
    """
    announce_compilation()
    start = read_position(name, position, option)
    game = start.game
    refuse_finished(start)
    strongest = default_algorithm(game)
    chosen = Algorithm(algorithm) if algorithm is not None else strongest
    if perfect:
        chosen = Algorithm.PERFECT
    limits = limits_for(chosen, depth=depth, nodes=nodes, seconds=seconds)
    settings = SearcherSettings(
        threads=threads, memory=memory, features=features, evaluation=evaluation
    )
    check_options(chosen, seed=seed, **vars(settings))
    opponent = Thinker(cache(partial(make_searcher, chosen, game, settings)), limits, seed)
    humans = SIDES[side]
    if side != "both":
        interruptible(opponent.make)
    # The strongest gives the hints. Where another algorithm plays, it is set up at the first hint.
    adviser = opponent
    if chosen is not strongest:
        make_adviser = cache(partial(make_searcher, strongest, game))
        adviser = Thinker(make_adviser, Limits(seconds=1.0))
    clock = "perfect play" if chosen is Algorithm.PERFECT else limits_text(limits)
    first, second = ("you" if player in humans else chosen.value for player in (0, 1))
    screen = console()
    terminal_game = TerminalGame(
        start,
        humans,
        opponent=opponent,
        adviser=adviser,
        record=RecordFile(record, read_options(option), (first, second), clock),
        screen=screen,
    )
    names = ", ".join(map("{} is {}".format, game.players, (first, second)))
    screen.print(f"{game.title}: {names}; {clock}.", style="bold")
    terminal_game.run()
