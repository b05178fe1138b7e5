"""`plyground play`: a game in the terminal against the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from plyground.cli.arguments import (
    BoardOptions,
    Depth,
    FeatureNames,
    GameArgument,
    Memory,
    Nodes,
    Seconds,
    Seed,
    Threads,
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
        Literal["engine", "alpha-beta", "minimax", "monte-carlo", "perfect", "random"],
        typer.Option("--algorithm", "-a", help="Who plays the other side."),
    ] = "engine",
    perfect: Annotated[
        bool,
        typer.Option("--perfect", help="Play from solved positions: --algorithm perfect."),
    ] = False,
    threads: Threads = None,
    features: FeatureNames = None,
    memory: Memory = None,
    seed: Seed = None,
    position: Annotated[
        str | None,
        typer.Option(metavar="POSITION", help="Start from this text or file.", show_default=False),
    ] = None,
    option: BoardOptions = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Keep a record here, written after every move.", show_default=False
        ),
    ] = None,
) -> None:
    """Play in the terminal against the engine.

    Type a move, or help for a list of commands. Without a limit the engine thinks for a second
    about each move.
    """
    from functools import cache, partial

    from plyground.cli.inputs import read_options, read_position
    from plyground.cli.interrupt import interruptible
    from plyground.cli.output import announce_compilation, console
    from plyground.cli.terminal_game import RecordFile, TerminalGame, Thinker
    from plyground.core.registry import find_game
    from plyground.search.result import Limits
    from plyground.search.searcher import (
        Algorithm,
        SearcherSettings,
        check_options,
        limits_for,
        limits_text,
        make_searcher,
        refuse_finished,
    )

    announce_compilation()
    game = find_game(name)
    start = read_position(game, position, option)
    refuse_finished(start)
    chosen = Algorithm.PERFECT if perfect else Algorithm(algorithm)
    limits = limits_for(chosen, depth=depth, nodes=nodes, seconds=seconds)
    settings = SearcherSettings(threads=threads, memory=memory, features=features)
    check_options(chosen, seed=seed, **vars(settings))
    opponent = Thinker(cache(partial(make_searcher, chosen, game, settings)), limits, seed)
    humans = SIDES[side]
    if side != "both":
        interruptible(opponent.make)
    # The engine gives the hints. Where another algorithm plays, it is set up at the first hint.
    adviser = opponent
    if chosen is not Algorithm.ENGINE:
        make_engine = cache(partial(make_searcher, Algorithm.ENGINE, game))
        adviser = Thinker(make_engine, Limits(seconds=1.0))
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
