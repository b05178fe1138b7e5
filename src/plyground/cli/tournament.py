"""`plyground tournament`: everyone against everyone, or one against all, with ratings."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from plyground.arena.event import EventPlan, gauntlet, round_robin
from plyground.arena.report import check_report, standings_document, write_report
from plyground.arena.standings import Standings, standings
from plyground.arena.store import StoredFailure, StoredGame
from plyground.arena.summary import EventSummary
from plyground.cli.arena_options import EventOptions, contestants, with_event_options
from plyground.cli.arena_output import failures_text
from plyground.cli.arguments import GameArgument
from plyground.cli.output import print_json, print_table, say, table
from plyground.core.errors import LimitError

EXAMPLES = (
    "plyground tournament tictactoe perfect greedy random --games 4",
    "plyground tournament connectfour engine:nodes=200 engine:nodes=50 greedy random --games 2",
    "plyground tournament tictactoe perfect greedy random --gauntlet --games 4 --anchor greedy",
    "plyground tournament tictactoe perfect greedy random --games 2 --report standings.html",
)
LARGEST_RATING = 100_000


@with_event_options
def tournament(
    name: GameArgument,
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...", help="Such as engine:time=0.1, random or player.py; at least two."
        ),
    ],
    games: Annotated[
        int,
        typer.Option(metavar="N", help="So many games of each two, in pairs with sides swapped."),
    ] = 20,
    only_first: Annotated[
        bool, typer.Option("--gauntlet", help="The first player against all others.")
    ] = False,
    anchor: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="The player whose rating is given, by its name."),
    ] = None,
    anchor_rating: Annotated[
        float, typer.Option(metavar="ELO", help="That rating; without an anchor, the mean.")
    ] = 0.0,
    report: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Write the standings to a .html, .csv or .json file."),
    ] = None,
    *,
    event: EventOptions,
) -> None:
    """Let several players play each other, and rate them.

    Ratings are those under which the results are most likely, with their errors of 95 %; how much
    moving first is worth is estimated with them. All pairings play the same openings. As with a
    match every game is kept, and the same command goes on; a player more plays only its own games.
    """
    for path in report or ():
        check_report(path)
    entered = contestants(players)
    if len(entered) < 2:
        raise LimitError("a tournament needs at least two players")
    names = [one.spec.name for one in entered]
    if anchor is not None and anchor not in names:
        raise LimitError(f"--anchor {anchor}: it is one of {', '.join(names)}")
    if not abs(anchor_rating) <= LARGEST_RATING:
        raise LimitError(
            f"--anchor-rating {anchor_rating:g}: it is from {-LARGEST_RATING} to {LARGEST_RATING}"
        )
    plan = event.plan(
        "tournament",
        name,
        entered,
        gauntlet(len(entered)) if only_first else round_robin(len(entered)),
        games,
        {"gauntlet": only_first, "anchor": anchor, "anchor_rating": anchor_rating},
    )
    new_summary = partial(
        EventSummary,
        plan.notations,
        anchor=None if anchor is None else names.index(anchor),
        anchor_rating=anchor_rating,
    )
    summary, failures = event.play(
        plan, new_summary, partial(_last_game, dict(zip(plan.notations, names, strict=True)))
    )
    found = standings(names, summary)
    for path in report or ():
        write_report(path, found, title=_title(plan), facts=_facts(plan))
        say(f"written: {path}")
    if event.as_json:
        document = standings_document(found, _facts(plan))
        texts = [failure.text for failure in failures]
        print_json({**document, "failures": texts, "conditions": plan.conditions.document})
    else:
        _print_standings(found, failures)


def _last_game(names: dict[str, str], _: EventSummary, game: StoredGame) -> str:
    """The last result, while a tournament runs."""
    score = {None: "1/2", 0: "1-0", 1: "0-1"}[game.winner]
    return f"{names[game.first]} {score} {names[game.second]}"


def _title(plan: EventPlan) -> str:
    return f"{plan.conditions.game.title}: a tournament of {len(plan.contestants)} players"


def _facts(plan: EventPlan) -> dict[str, str]:
    conditions = plan.conditions
    return {
        "game": conditions.game.name,
        **{f"option {name}": value for name, value in conditions.options},
        "clock": conditions.clock.text,
        "openings": conditions.openings.text,
        "seed": str(conditions.seed),
    }


def _print_standings(found: Standings, failures: list[StoredFailure]) -> None:
    shown = table(
        ">rank",
        "player",
        ">rating",
        ">error",
        ">games",
        ">score",
        ">won",
        ">drawn",
        ">lost",
        ">faults",
    )
    for row in found.rows:
        own = row.summary
        shown.add_row(
            str(row.rank),
            row.name,
            f"{row.rating.value:.1f}",
            f"± {row.rating.error:.1f}",
            str(own.games),
            "-" if own.score is None else f"{100 * own.score:.1f} %",
            *(str(count) for count in (own.wins, own.draws, own.losses, own.faults.total())),
        )
    print_table(shown)
    print()
    _print_cross_table(found)
    advantage = found.ratings.advantage
    print(f"\nmoving first is worth {advantage.value:+.1f} ± {advantage.error:.1f} Elo")
    for note in found.notes:
        print(note)
    if failures:
        print(f"not played: {failures_text(failures)}")


def _print_cross_table(found: Standings) -> None:
    """The points of each player against each other, the best first."""
    order = [row.player for row in found.rows]
    shown = table("points", *(f">{number}" for number in range(1, len(order) + 1)))
    for number, player in enumerate(order, 1):
        met = [found.summary.results(player, other) for other in order]
        cells = [f"{results.points:g}/{results.games}" if results.games else "" for results in met]
        shown.add_row(f"{number} {found.names[player]}", *cells)
    print_table(shown)
