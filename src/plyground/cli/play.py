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

    Type a move, or help to see what else can be said. The engine thinks for a second about a move
    unless told otherwise.
    """
    from plyground.cli.inputs import read_options, read_position
    from plyground.cli.interrupt import interruptible
    from plyground.cli.output import console, tell_compilation
    from plyground.cli.record_keeper import RecordKeeper
    from plyground.cli.session import Session
    from plyground.cli.terminal import line_reader, thinking
    from plyground.core.registry import find_game
    from plyground.players.thinkers import (
        Algorithm,
        Settings,
        limits_text,
        made_when_asked,
        make_thinker,
        read_limits,
        refuse_finished,
    )
    from plyground.search.result import Limits

    tell_compilation()
    game = find_game(name)
    start = read_position(game, position, option)
    refuse_finished(start)
    chosen = Algorithm.PERFECT if perfect else Algorithm(algorithm)
    limits = read_limits(chosen, depth, nodes, seconds)
    settings = Settings(threads, memory, seed, features=features)
    humans = SIDES[side]
    if side == "both":
        thinker = made_when_asked(chosen, game, settings)
    else:
        thinker = interruptible(lambda: make_thinker(chosen, game, settings))
    # Hints are the engine's: the one that plays, or one that is set up when the first is asked for.
    adviser, hint_limits = thinker, limits
    if chosen is not Algorithm.ENGINE:
        adviser = made_when_asked(Algorithm.ENGINE, game, Settings())
        hint_limits = Limits(seconds=1.0)
    clock = "perfect play" if chosen is Algorithm.PERFECT else limits_text(limits)
    players = tuple("you" if player in humans else chosen.value for player in (0, 1))
    keeper = RecordKeeper(
        path=record,
        options=read_options(option),
        players=(players[0], players[1]),
        clock=clock,
    )
    screen = console()
    session = Session(
        start,
        humans,
        think=thinking(thinker, limits, screen),
        hint=thinking(adviser, hint_limits, screen),
        read=line_reader(screen),
        screen=screen,
        kept=keeper.keep,
        save=keeper.save_as,
    )
    names = ", ".join(map("{} is {}".format, game.players, players))
    screen.print(f"{game.title}: {names}; {clock}.", style="bold")
    session.run()
