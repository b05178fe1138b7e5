"""`plyground tournament`: everyone against everyone, or one against all, with ratings."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from plyground.arena.conditions import DEFAULT_MARGIN
from plyground.arena.event import EventPlan, gauntlet, round_robin
from plyground.arena.openings import DEFAULT_PLIES
from plyground.arena.pair import FinishedGame
from plyground.arena.report import check_report, standings_document, write_report
from plyground.arena.standings import GameResult, Standings, standings
from plyground.arena.store import Store, StoredGame
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
from plyground.cli.arena_output import check_records_path, failures_text, write_records
from plyground.cli.arguments import AsJson, BoardOptions, Cluster, GameArgument, Workers
from plyground.cli.output import print_json, print_table, say, table
from plyground.core.errors import LimitError

EXAMPLES = (
    "plyground tournament tictactoe perfect greedy random --games 4",
    "plyground tournament connectfour engine:nodes=200 engine:nodes=50 greedy random --games 2",
    "plyground tournament tictactoe perfect greedy random --gauntlet --games 4 --anchor greedy",
    "plyground tournament tictactoe perfect greedy random --games 2 --report standings.html",
)


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
    """Let several players play each other, and rate them.

    Ratings are those under which the results are most likely, with their errors of 95 %; how much
    moving first is worth is estimated with them. All pairings play the same openings. As with a
    match every game is kept, and the same command goes on; a player more plays only its own games.
    """
    for path in report or ():
        check_report(path)
    check_records_path(record)
    given = EventOptions(
        *(name, options, time, clock, margin, openings, plies, balanced, seed),
        *(proven, agreed, longest),
    )
    entered = contestants(players)
    if len(entered) < 2:
        raise LimitError("a tournament needs at least two players")
    names = [one.spec.name for one in entered]
    if anchor is not None and anchor not in names:
        raise LimitError(f"--anchor {anchor}: it is one of {', '.join(names)}")
    plan = EventPlan(
        "tournament",
        given.conditions(),
        entered,
        gauntlet(len(entered)) if only_first else round_robin(len(entered)),
        (games + 1) // 2,
        trusted=trust,
        command=command_line(),
        settings={"gauntlet": only_first, "anchor": anchor, "anchor_rating": anchor_rating},
    )
    with closing(Store(store_path)) as store:
        run_with_display(
            plan,
            store,
            workers=workers,
            cluster=cluster,
            quiet=quiet or as_json,
            live=live,
            text=partial(_last_game, names),
        )
        played = plan.games(store)
        failures = store.failures(plan.conditions, plan.contestants)
        if record is not None:
            write_records(record, played, store)
            say(f"written: {record}")
    numbers = {one.spec.text: number for number, one in enumerate(entered)}
    found = standings(
        names,
        (_result(game, numbers) for game in played),
        anchor=None if anchor is None else names.index(anchor),
        anchor_rating=anchor_rating,
    )
    for path in report or ():
        write_report(path, found, title=_title(plan), facts=_facts(plan))
        say(f"written: {path}")
    if as_json:
        document = standings_document(found, _facts(plan))
        print_json({**document, "failures": failures, "conditions": plan.conditions.document})
    else:
        _print_standings(found, failures)


def _last_game(names: list[str], game: FinishedGame) -> str:
    """The last result, while a tournament runs."""
    score = {None: "1/2", 0: "1-0", 1: "0-1"}[game.winner]
    return f"{names[game.first]} {score} {names[game.second]}"


def _result(game: StoredGame, numbers: Mapping[str, int]) -> GameResult:
    return GameResult(
        first=numbers[game.first],
        second=numbers[game.second],
        score=game.score,
        ending=game.ending,
        plies=game.plies,
        seconds=(game.first_seconds, game.second_seconds),
        depths=(game.first_depth, game.second_depth),
        pair=game.opening,
    )


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


def _print_standings(found: Standings, failures: list[str]) -> None:
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
        shown.add_row(
            str(row.rank),
            row.name,
            f"{row.rating.value:.1f}",
            f"± {row.rating.error:.1f}",
            str(row.games),
            "-" if row.score is None else f"{100 * row.score:.1f} %",
            *(str(count) for count in reversed(row.results.counts)),
            str(row.faults),
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
        cells = []
        for other in order:
            pairing = found.cross.get((player, other))
            cells.append("" if pairing is None else f"{pairing.points:g}/{pairing.games}")
        shown.add_row(f"{number} {found.names[player]}", *cells)
    print_table(shown)
