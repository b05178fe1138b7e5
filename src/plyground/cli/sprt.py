"""`plyground sprt`: a match that ends by itself, when it has decided which player is better."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from plyground.arena.conditions import DEFAULT_MARGIN
from plyground.arena.event import EventPlan
from plyground.arena.openings import DEFAULT_PLIES
from plyground.arena.pair import FinishedGame
from plyground.arena.sprt import Decision, SequentialRun, Sprt
from plyground.arena.store import Store
from plyground.arena.summary import summarize
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
    "plyground sprt tictactoe perfect random --elo1 100 --most 200",
    "plyground sprt connectfour engine:nodes=500 engine:nodes=20 --elo1 200 --model logistic",
)


def sprt(
    name: GameArgument,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The player that may be better.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The player that it is compared with.")],
    elo0: Annotated[float, typer.Option(metavar="ELO", help="H0: NEW is better by so much.")] = 0,
    elo1: Annotated[float, typer.Option(metavar="ELO", help="H1: NEW is better by so much.")] = 10,
    alpha: Annotated[
        float, typer.Option(metavar="P", help="How probable it may be to accept H1 wrongly.")
    ] = 0.05,
    beta: Annotated[
        float, typer.Option(metavar="P", help="How probable it may be to accept H0 wrongly.")
    ] = 0.05,
    model: Annotated[
        Literal["normalized", "logistic"],
        typer.Option(help="The kind of Elo that elo0 and elo1 are."),
    ] = "normalized",
    most: Annotated[
        int, typer.Option("--most", metavar="N", help="Give up after so many games.")
    ] = 40_000,
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
    """Play until it is decided whether one player is better than the other.

    A sequential probability ratio test on pairs of games. It ends when the log-likelihood ratio of
    H1 over H0 reaches a bound, and says why. Exit status 0: H1, NEW is better. 1: H0, or no
    decision within the games given. As with a match every game is kept, and the same command goes
    on.
    """
    test = Sprt(elo0, elo1, alpha, beta, model)
    check_records_path(record)
    given = EventOptions(
        *(name, options, time, clock, margin, openings, plies, balanced, seed),
        *(proven, agreed, longest),
    )
    plan = EventPlan(
        "sprt",
        given.conditions(),
        contestants([new, old]),
        ((0, 1),),
        (most + 1) // 2,
        trusted=trust,
        command=command_line(),
        settings=asdict(test),
    )
    with closing(Store(store_path)) as store:
        score = RunningScore(plan, store)
        run = SequentialRun(test, score.tally.points_of)

        def text(game: FinishedGame) -> str:
            shown = score.add(game)
            run.advance()
            low, high = test.bounds
            left = 2 * test.remaining(run.pairs)
            return f"{shown}, LLR {test.llr(run.pairs):.2f} [{low:.2f}, {high:.2f}], ~{left} more"

        run_with_display(
            plan,
            store,
            workers=workers,
            cluster=cluster,
            quiet=quiet or as_json,
            live=live,
            text=text,
            is_enough=lambda: run.decision is not Decision.CONTINUE,
        )
        games = plan.games(store)
        summary = summarize(games, *(one.spec.text for one in plan.contestants))
        failures = store.failures(plan.conditions, plan.contestants)
        if record is not None:
            write_records(record, games, store)
            say(f"written: {record}")
    pairs, decision = run.pairs, run.decision
    if as_json:
        verdict = {
            "decision": decision.value,
            "why": test.why(pairs),
            "llr": test.llr(pairs),
            "bounds": list(test.bounds),
            "judged_pairs": list(pairs.counts),
            **asdict(test),
        }
        print_json({**verdict, **match_json(plan, summary, failures)})
    else:
        why = test.why(pairs)
        print_rows({"decision": why, **match_rows(plan, summary, failures)})
    raise typer.Exit(0 if decision is Decision.H1 else 1)
