"""`plyground match`: games between two players, and what they say about them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from plyground.arena.conditions import DEFAULT_MARGIN
from plyground.arena.event import EventPlan
from plyground.arena.openings import DEFAULT_PLIES
from plyground.arena.pair import FinishedGame
from plyground.arena.store import Store
from plyground.arena.summary import MatchSummary, summarize
from plyground.cli.arena_options import (
    DEFAULT_STORE,
    Agreed,
    Balanced,
    EventOptions,
    EventSeed,
    GameClock,
    Live,
    Longest,
    Margin,
    MoveSeconds,
    OpeningSource,
    Plies,
    Proven,
    Quiet,
    StorePath,
    Trust,
    command_line,
    contestants,
    run_with_display,
)
from plyground.cli.arena_output import (
    RunningScore,
    check_records_path,
    match_json,
    match_rows,
    write_records,
)
from plyground.cli.arguments import AsJson, BoardOptions, Cluster, GameArgument, Workers
from plyground.cli.output import print_json, print_rows, say

EXAMPLES = (
    "plyground match tictactoe perfect random --games 20",
    "plyground match breakthrough engine:nodes=300 monte-carlo:nodes=300 --games 4 -o rows=5",
    "plyground match connectfour engine:time=0.01 alpha-beta:depth=2 --games 2 --balanced",
    "plyground match derby engine greedy --openings generator --time 0.005 --games 2 --workers 1",
    "plyground match my_game.py engine:depth=4 random --games 10 --record games.jsonl",
)

PlayerArgument = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER", help="Such as engine:time=0.1, random or player.py; see docs/arena.md."
    ),
]


def match(
    name: GameArgument,
    player: PlayerArgument,
    opponent: PlayerArgument,
    games: Annotated[
        int, typer.Option(metavar="N", help="So many games, in pairs with sides swapped.")
    ] = 100,
    options: BoardOptions = None,
    time: MoveSeconds = None,
    clock: GameClock = None,
    margin: Margin = DEFAULT_MARGIN,
    openings: OpeningSource = "random",
    plies: Plies = DEFAULT_PLIES,
    balanced: Balanced = False,
    seed: EventSeed = 0,
    proven: Proven = 0,
    agreed: Agreed = 0,
    longest: Longest = 0,
    store_path: StorePath = DEFAULT_STORE,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the records of all games to a .jsonl file."),
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    trust: Trust = False,
    live: Live = True,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Let two players play a match.

    Games are played in pairs: two from the same opening, with sides swapped. The error of the Elo
    difference is measured between pairs. Every game is kept as soon as it is over, and the same
    command after Ctrl-C, a crash or a power cut plays what is left. A player that makes an illegal
    move, crashes, keeps silent or is late loses the game, and is started anew.
    """
    check_records_path(record)
    given = EventOptions(
        *(name, options, time, clock, margin, openings, plies, balanced, seed),
        *(proven, agreed, longest),
    )
    plan = EventPlan(
        "match",
        given.conditions(),
        contestants([player, opponent]),
        ((0, 1),),
        (games + 1) // 2,
        trusted=trust,
        command=command_line(),
    )
    with closing(Store(store_path)) as store:
        score = RunningScore(plan, store)

        def text(game: FinishedGame) -> str:
            return score.add(game)

        run_with_display(
            plan,
            store,
            workers=workers,
            cluster=cluster,
            quiet=quiet or as_json,
            live=live,
            text=text,
        )
        summary = _summary(plan, store)
        failures = store.failures(plan.conditions, plan.contestants)
        if record is not None:
            write_records(record, plan.games(store), store)
            say(f"written: {record}")
    if as_json:
        print_json(match_json(plan, summary, failures))
    else:
        print_rows(match_rows(plan, summary, failures))


def _summary(plan: EventPlan, store: Store) -> MatchSummary:
    first, second = (one.spec.text for one in plan.contestants)
    return summarize(plan.games(store), first, second)
