"""`plyground lab depth`: how deep a search gets in the time of a move, feature by feature."""

from __future__ import annotations

from itertools import chain
from typing import Annotated

import typer

from plyground.cli.arguments import AsJson, BoardOptions, Cluster, GameArgument, Workers
from plyground.cli.executors import make_executor
from plyground.cli.inputs import read_position
from plyground.cli.lab_results import (
    CsvFile,
    PlotFile,
    check_files,
    gather,
    mean_text,
    write_results,
)
from plyground.cli.output import announce_compilation, print_json, print_rows, print_table, table
from plyground.core.errors import FormatError
from plyground.core.game import Position
from plyground.lab.ablation import Ablation, early_positions, measure
from plyground.lab.plot import plot_ablation
from plyground.lab.report import Row, ablation_document, ablation_rows

TIMES = "0.05,0.1,0.2,0.5"


def depth(
    name: GameArgument,
    positions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="POSITION",
            help="Texts of positions, or files with one each; default: the start.",
        ),
    ] = None,
    option: BoardOptions = None,
    drawn: Annotated[
        int | None,
        typer.Option("--positions", metavar="N", help="Take so many positions of random games."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Of the random positions (default 0).")
    ] = None,
    times: Annotated[
        str, typer.Option(metavar="LIST", help="Seconds after which to look.")
    ] = TIMES,
    memory: Annotated[
        int, typer.Option(metavar="MB", help="Memory of each search for positions seen.")
    ] = 16,
    csv: CsvFile = None,
    plot: PlotFile = None,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Measure how deep each feature lets the engine look.

    The first row is alpha-beta and nothing else; every row below has one feature more. The table
    has the mean depth over all positions at each time, with its standard error where there are
    several.
    """
    check_files(csv, plot)
    experiment = Ablation(
        _read_positions(name, positions or [], option, drawn, seed),
        _read_times(times),
        memory,
    )
    announce_compilation()
    with make_executor(workers, cluster) as executor:
        searches, complete = gather(measure(experiment, executor), experiment.total)
    rows = ablation_rows(experiment, chain.from_iterable(searches))
    if as_json:
        print_json(ablation_document(experiment, rows, complete=complete))
    else:
        _print(experiment, rows, complete=complete)
    title = f"{experiment.positions[0].game.title}: depth reached in {_where(experiment)}"
    write_results(rows, csv, plot, lambda path: plot_ablation(rows, path, title=title))
    if not complete:
        raise KeyboardInterrupt


def _read_positions(
    name: str, given: list[str], option: list[str] | None, drawn: int | None, seed: int | None
) -> tuple[Position, ...]:
    if seed is not None and drawn is None:
        raise FormatError("--seed is for random positions: say how many with --positions")
    if drawn is None:
        texts: list[str | None] = [*given] or [None]
        return tuple(read_position(name, text, option) for text in texts)
    if len(given) > 1:
        raise FormatError("--positions starts its random games from one position, not from several")
    start = read_position(name, given[0] if given else None, option)
    return early_positions(start, drawn, 0 if seed is None else seed)


def _read_times(text: str) -> tuple[float, ...]:
    try:
        return tuple(sorted({float(part) for part in text.split(",")}))
    except ValueError:
        raise FormatError(f"--times {text!r}: write seconds, such as 0.05,0.1,1") from None


# Output


def _where(experiment: Ablation) -> str:
    count = len(experiment.positions)
    return "one position" if count == 1 else f"{count} positions, mean ± standard error"


def _print(experiment: Ablation, rows: list[Row], *, complete: bool) -> None:
    print_rows(
        {
            "game": experiment.positions[0].game.name,
            "measured": f"depth reached in {_where(experiment)}",
        }
    )
    print()
    times = [f">{seconds:g} s" for seconds in experiment.times]
    shown = table("search", *times, ">solved")
    for step in dict.fromkeys(row["search"] for row in rows):
        own = [row for row in rows if row["search"] == step]
        cells = [
            mean_text(row["depth"], row["error"], lambda number: f"{number:.1f}") for row in own
        ]
        shown.add_row(step, *cells, f"{own[-1]['solved']} of {own[-1]['positions']}")
    print_table(shown)
    if not complete:
        print("interrupted: these are the searches that were finished")
