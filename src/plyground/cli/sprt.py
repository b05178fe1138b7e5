"""`plyground sprt`: a match that ends by itself, when it has decided which player is better."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated, Literal

import typer

from plyground.arena.sprt import Decision, Sprt
from plyground.arena.store import StoredGame
from plyground.arena.summary import EventSummary
from plyground.cli.arena_options import EventOptions, contestants, with_event_options
from plyground.cli.arena_output import match_json, match_rows, score_text
from plyground.cli.arguments import GameArgument
from plyground.cli.output import print_json, print_rows

EXAMPLES = (
    "plyground sprt tictactoe perfect random --elo1 100 --most 200",
    "plyground sprt connectfour engine:nodes=500 engine:nodes=20 --elo1 200 --model logistic",
)


@with_event_options
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
    *,
    event: EventOptions,
) -> None:
    """Play until it is decided whether one player is better than the other.

    A sequential probability ratio test on pairs of games. It ends when the log-likelihood ratio of
    H1 over H0 reaches a bound, and says why. Exit status 0: H1, NEW is better. 1: H0, or no
    decision within the games given. As with a match every game is kept, and the same command goes
    on.
    """
    test = Sprt(elo0, elo1, alpha, beta, model)
    settings = asdict(test)
    plan = event.plan("sprt", name, contestants([new, old]), ((0, 1),), most, settings)
    summary, failures = event.play(plan, partial(EventSummary, plan.notations, test), _progress)
    run = summary.test
    assert run is not None, "the summary was made with a test"
    if event.as_json:
        verdict = {
            "decision": run.decision.value,
            "why": test.why(run.pairs),
            "llr": run.llr,
            "bounds": list(test.bounds),
            "judged_pairs": list(run.pairs.counts),
            **settings,
        }
        print_json({**verdict, **match_json(plan, summary, failures)})
    else:
        print_rows({"decision": test.why(run.pairs), **match_rows(plan, summary, failures)})
    raise typer.Exit(0 if run.decision is Decision.H1 else 1)


def _progress(summary: EventSummary, _: StoredGame) -> str:
    """The score and the test, while it runs."""
    run = summary.test
    assert run is not None, "the summary was made with a test"
    low, high = run.test.bounds
    left = 2 * run.test.remaining(run.pairs)
    return f"{score_text(summary)}, LLR {run.llr:.2f} [{low:.2f}, {high:.2f}], ~{left} more"
