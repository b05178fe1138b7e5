"""`plyground search`: the best move of a position, its value, and the line behind it."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli.arguments import (
    AsJson,
    BoardOptions,
    Depth,
    EvaluationName,
    FeatureNames,
    GameArgument,
    Memory,
    Moves,
    Nodes,
    PositionArgument,
    SearchAlgorithm,
    Seconds,
    Seed,
    Threads,
)
from plyground.cli.inputs import read_position
from plyground.cli.interrupt import interruptible
from plyground.cli.output import (
    announce_compilation,
    count_text,
    print_json,
    print_rows,
    print_table,
    say,
    seconds_text,
    table,
)
from plyground.search.result import Progress, SearchResult, refuse_finished, value_text
from plyground.search.searcher import (
    Algorithm,
    SearcherSettings,
    check_options,
    default_algorithm,
    limits_for,
    make_searcher,
)

EXAMPLES = (
    "plyground search breakthrough --depth 10",
    "plyground search breakthrough --option rows=8 --option columns=8 --time 2 --threads 2",
    "plyground search tictactoe --moves 'a1 b2' --depth 9 --optimal --json",
    "plyground search my_game.py position.txt --nodes 100000",
)


def search(
    name: GameArgument,
    position: PositionArgument = None,
    option: BoardOptions = None,
    moves: Moves = "",
    depth: Depth = None,
    nodes: Nodes = None,
    seconds: Seconds = None,
    algorithm: SearchAlgorithm = None,
    threads: Threads = None,
    memory: Memory = None,
    lines: Annotated[
        int | None, typer.Option(metavar="N", help="Show this many best moves.")
    ] = None,
    optimal: Annotated[bool, typer.Option("--optimal", help="Find every best move.")] = False,
    features: FeatureNames = None,
    evaluation: EvaluationName = None,
    seed: Seed = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No line for each finished depth.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Search a position for its best move.

    Stops at the first limit that is reached; without one, after a second. Each finished depth is
    shown on standard error, the answer on standard output. Values are the first player's.
    """
    announce_compilation()
    found = read_position(name, position, option, moves)
    refuse_finished(found)
    chosen = default_algorithm(found.game) if algorithm is None else Algorithm(algorithm)
    limits = limits_for(chosen, depth=depth, nodes=nodes, seconds=seconds)
    settings = SearcherSettings(
        threads=threads, memory=memory, features=features, evaluation=evaluation
    )
    check_options(chosen, **vars(settings), lines=lines, optimal=optimal, seed=seed)
    searcher = interruptible(lambda: make_searcher(chosen, found.game, settings))
    progress = None if quiet else _progress_lines()
    result = interruptible(
        lambda: searcher.search(
            found,
            limits,
            lines=1 if lines is None else lines,
            optimal=optimal,
            seed=seed,
            progress=progress,
        ),
        searcher.stop,
    )
    if as_json:
        print_json(result.as_json())
    else:
        _print(result)


def _progress_lines() -> Progress:
    """A line on standard error for each finished depth, under a heading."""
    import shutil
    import sys

    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else None
    has_heading = False

    def show(result: SearchResult) -> None:
        nonlocal has_heading
        if not has_heading:
            say(f"{'depth':>5}  {'value':>18}  {'nodes':>8}  {'time':>9}  line")
            has_heading = True
        text = (
            f"{result.depth:>5}  {result.value_text:>18}  {count_text(result.nodes):>8}"
            f"  {seconds_text(result.seconds):>9}  {' '.join(result.line_text)}"
        )
        say(text[:width])

    return show


def _bound_text(result: SearchResult) -> str:
    """What is not known about a value, after it."""
    if result.bound == "exact":
        return ""
    return " or sooner" if result.proven else f" so far: depth {result.depth} was not finished"


def _print(result: SearchResult) -> None:
    position = result.position
    speed = result.nodes / result.seconds if result.seconds > 0 else 0.0
    rows = {
        "move": position.move_text(result.move),
        "value": result.value_text + _bound_text(result),
        "depth": f"{result.depth}, selectively {result.selective_depth}",
        "nodes": f"{result.nodes:,}",
        "time": f"{seconds_text(result.seconds)}, {count_text(speed)} nodes a second",
        "line": " ".join(result.line_text),
    }
    if result.evaluation not in ("own", None):
        rows["evaluation"] = result.evaluation
    if result.optimal:
        rows["optimal"] = " ".join(position.move_text(move) for move in result.optimal)
    print_rows(rows)
    if result.lines:
        shown = table(">value", "line")
        for line in result.lines:
            moves = " ".join(position.line_text(line.moves))
            shown.add_row(value_text(position, line.value), moves)
        print()
        print_table(shown)
