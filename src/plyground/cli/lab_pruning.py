"""`plyground lab pruning`: how many states each algorithm visits."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import typer

from plyground.cli.arguments import AsJson, BoardOptions, Cluster, Moves, PositionArgument, Workers
from plyground.cli.executors import make_executor
from plyground.cli.inputs import read_position
from plyground.cli.lab_results import (
    CsvFile,
    PlotFile,
    check_files,
    gather,
    mean_text,
    read_numbers,
    write_results,
)
from plyground.cli.output import announce_compilation, print_json, print_rows, print_table, table
from plyground.core.errors import FormatError
from plyground.core.game import Position
from plyground.core.registry import find_game
from plyground.lab.plot import plot_pruning
from plyground.lab.presets import AGREEMENT, PRESETS, Preset
from plyground.lab.pruning import CutRule, Pruning, Shuffle, Valuation, measure
from plyground.lab.report import Row, pruning_document, pruning_rows

DEPTHS = tuple(range(1, 6))


def pruning(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="A game's name, or the path of your own .py file; not needed with --preset.",
        ),
    ] = None,
    position: PositionArgument = None,
    option: BoardOptions = None,
    moves: Moves = "",
    preset: Annotated[
        Literal["blocker-2023"] | None,
        typer.Option(help="A published experiment, and how ours compares with it."),
    ] = None,
    depths: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Depths to search to, such as 1-6 or 2,4 (1-5)."),
    ] = None,
    games: Annotated[
        bool | None,
        typer.Option("--games/--searches", help="Count whole games, or single searches (these)."),
    ] = None,
    algorithms: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Any of minimax,alpha-beta,ordering,table,engine (all)."),
    ] = None,
    runs: Annotated[
        int | None, typer.Option(metavar="N", help="Runs to take the mean of (10).")
    ] = None,
    shuffle: Annotated[
        Shuffle | None,
        typer.Option(help="Nodes with children in random order; max: the searcher's own (all)."),
    ] = None,
    valuation: Annotated[
        Valuation | None,
        typer.Option(
            help="What leaves are worth; plain: the result, or 0 if there is none (game)."
        ),
    ] = None,
    window: Annotated[
        str | None,
        typer.Option(metavar="ALPHA,BETA", help="The window at the root, such as -2,2 (none)."),
    ] = None,
    cut: Annotated[
        CutRule | None,
        typer.Option(help="Leave a node at beta <= alpha, or past it at beta < alpha (at)."),
    ] = None,
    longest: Annotated[
        int | None, typer.Option(metavar="N", help="Give up a game after so many moves (1000).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Of all that is random (0).")
    ] = None,
    csv: CsvFile = None,
    plot: PlotFile = None,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Count the states that minimax, alpha-beta and the engine visit.

    A run is a search of the position, or with --games a whole game in which both sides search to
    the same depth at every move. The table has the mean of all runs and its standard error; what
    cannot vary is run once. Defaults are in brackets; a preset brings its own, and anything given
    beside it replaces that detail.
    """
    given: dict[str, Any] = {
        "depths": None if depths is None else read_numbers("depths", depths),
        "games": games,
        "algorithms": None if algorithms is None else _read_algorithms(algorithms),
        "runs": runs,
        "shuffle": shuffle,
        "valuation": valuation,
        "window": None if window is None else _read_window(window),
        "cut": cut,
        "longest": longest,
        "seed": seed,
    }
    chosen = None if preset is None else PRESETS[preset]
    settings = {"depths": DEPTHS} if chosen is None else dict(chosen.settings)
    settings |= {detail: value for detail, value in given.items() if value is not None}
    if longest is not None and not settings.get("games"):
        raise FormatError("--longest is about whole games: give --games as well")
    check_files(csv, plot)
    experiment = Pruning(_read_start(chosen, name, position, option, moves), **settings)
    announce_compilation()
    with make_executor(workers, cluster) as executor:
        samples, complete = gather(measure(experiment, executor), experiment.total)
    rows = pruning_rows(experiment, samples, chosen)
    if as_json:
        print_json(pruning_document(experiment, rows, chosen, complete=complete))
    else:
        _print(experiment, rows, chosen, complete=complete)
    title = f"{experiment.position.game.title}: {_what(experiment)}"
    write_results(
        rows,
        csv,
        plot,
        lambda path: plot_pruning(rows, path, title=title, games=experiment.games),
    )
    if not complete:
        raise KeyboardInterrupt


def _read_start(
    preset: Preset | None,
    name: str | None,
    position: str | None,
    option: list[str] | None,
    moves: str,
) -> Position:
    if preset is None:
        if name is None:
            raise FormatError("of which game? Give its name, or a --preset")
        return read_position(name, position, option, moves)
    if name not in (None, preset.game) or position is not None or option or moves:
        raise FormatError(
            f"--preset {preset.name} is about the start of {preset.game} on a board of its own:"
            " it takes no other game, position, option or moves"
        )
    return find_game(preset.game).start(preset.options)


def _read_algorithms(text: str) -> tuple[str, ...]:
    names = [part.strip() for part in text.split(",")]
    for name in names:
        if names.count(name) > 1:
            raise FormatError(f"--algorithms {text!r}: {name!r} is given twice")
    return tuple(names)


def _read_window(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(-?[0-9]{1,10})\s*,\s*(-?[0-9]{1,10})\s*", text, re.ASCII)
    if found is None:
        raise FormatError(f"--window {text!r}: write two whole numbers, such as -2,2")
    return int(found[1]), int(found[2])


# Output


def _what(experiment: Pruning) -> str:
    """What was counted, in words."""
    if experiment.games:
        return "states visited in a game of the search against itself"
    return "states visited in a search"


def _print(experiment: Pruning, rows: list[Row], preset: Preset | None, *, complete: bool) -> None:
    facts = {"game": experiment.position.game.name, "position": experiment.position.text}
    if preset is not None:
        facts["preset"] = f"{preset.name}: {preset.title}"
    facts["counted"] = f"{_what(experiment)}, mean ± standard error of {_runs_text(experiment)}"
    facts["details"] = _details(experiment)
    print_rows(facts)
    print()
    columns = [
        title
        for algorithm in experiment.algorithms
        for title in (
            (f">{algorithm}", ">published", ">agrees")
            if preset is not None and algorithm in preset.published
            else (f">{algorithm}",)
        )
    ]
    compared = {"minimax", "alpha-beta"} <= set(experiment.algorithms)
    shown = table(">depth", *columns, *([">factor"] if compared else []))
    shown.collapse_padding = True
    for depth in experiment.depths:
        found = {row["algorithm"]: row for row in rows if row["depth"] == depth}
        if found:
            shown.add_row(str(depth), *_cells(experiment, found, preset, compared=compared))
    print_table(shown)
    for line in _remarks(experiment, rows, preset, complete=complete):
        print(line)


def _runs_text(experiment: Pruning) -> str:
    most = max(map(experiment.runs_of, experiment.algorithms))
    return f"{most} run" if most == 1 else f"{most} runs"


def _details(experiment: Pruning) -> str:
    window = "none" if experiment.window is None else "{},{}".format(*experiment.window)
    return (
        f"shuffle {experiment.shuffle}, valuation {experiment.valuation}, window {window},"
        f" cut {experiment.cut}, seed {experiment.seed}"
    )


def _cells(
    experiment: Pruning, found: dict[str, Row], preset: Preset | None, *, compared: bool
) -> list[str]:
    cells = []
    for algorithm in experiment.algorithms:
        row = found.get(algorithm)
        cells.append("" if row is None else _states_text(row))
        if preset is not None and algorithm in preset.published:
            cells += ["", ""] if row is None else _comparison(row)
    if compared:
        plain, pruned = found.get("minimax"), found.get("alpha-beta")
        both = plain is not None and pruned is not None
        cells.append(f"{plain['states'] / pruned['states']:.2f}" if both else "")  # type: ignore[index]
    return cells


def _states_text(row: Row) -> str:
    return mean_text(row["states"], row["error"], lambda number: f"{number:,.0f}")


def _comparison(row: Row) -> list[str]:
    """The published mean, and whether it agrees: how many standard errors it is away."""
    if row["published"] is None:
        return ["", ""]
    published = f"{row['published']:,.0f}"
    if row["agrees"] is None:
        return [published, "?"]
    off = "" if row["distance"] is None else f" {row['distance']:+.1f}"
    return [published, ("yes" if row["agrees"] else "no") + off]


def _remarks(
    experiment: Pruning, rows: list[Row], preset: Preset | None, *, complete: bool
) -> list[str]:
    remarks = []
    if preset is not None:
        judged = [row["agrees"] for row in rows if row["agrees"] is not None]
        remarks.append(
            f"{sum(judged)} of {len(judged)} published means agree: they are within {AGREEMENT:g}"
            " standard errors (given beside) of ours"
        )
    if any(row["given_up"] for row in rows):
        counts = []
        for algorithm in experiment.algorithms:
            own = [row for row in rows if row["algorithm"] == algorithm]
            given_up = sum(row["given_up"] for row in own)
            counts.append(f"{algorithm} {given_up} of {sum(row['runs'] for row in own)}")
        remarks.append(f"games given up after {experiment.longest} moves: {', '.join(counts)}")
    if not complete:
        remarks.append("interrupted: these are the runs that were finished")
    return remarks
