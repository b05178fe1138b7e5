"""`plyground search`: the best move of a position, its value, and the line behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plyground.cli.arguments import (
    AsJson,
    BoardOptions,
    Depth,
    FeatureNames,
    GameArgument,
    Memory,
    Moves,
    Nodes,
    PositionArgument,
    Searcher,
    Seconds,
    Seed,
    Threads,
)

if TYPE_CHECKING:
    from plyground.search.result import Progress, SearchResult

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
    algorithm: Searcher = "engine",
    threads: Threads = None,
    memory: Memory = None,
    lines: Annotated[
        int | None, typer.Option(metavar="N", help="Show this many best moves.")
    ] = None,
    optimal: Annotated[bool, typer.Option("--optimal", help="Find every best move.")] = False,
    features: FeatureNames = None,
    seed: Seed = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No line for each finished depth.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Search a position for its best move.

    Stops at the first limit that is reached; without one, after a second. Each finished depth is
    told on standard error, the answer on standard output. Values are the first player's.
    """
    from plyground.cli.inputs import read_position
    from plyground.cli.interrupt import interruptible
    from plyground.cli.output import print_json, tell_compilation
    from plyground.core.registry import find_game
    from plyground.players.thinkers import (
        Algorithm,
        Settings,
        make_thinker,
        read_limits,
        refuse_finished,
    )

    tell_compilation()
    game = find_game(name)
    found = read_position(game, position, option, moves)
    refuse_finished(found)
    chosen = Algorithm(algorithm)
    limits = read_limits(chosen, depth, nodes, seconds)
    settings = Settings(threads, memory, seed, lines, optimal, features)
    thinker = interruptible(lambda: make_thinker(chosen, game, settings))
    progress = None if quiet else _live_lines()
    result = interruptible(lambda: thinker.search(found, limits, progress), thinker.stop)
    if as_json:
        print_json(result.as_json())
    else:
        _print(result)


def _live_lines() -> Progress:
    """A line on standard error for each finished depth, under a heading."""
    import shutil
    import sys

    from plyground.cli.output import count_text, say, seconds_text

    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else None
    told = False

    def tell(result: SearchResult) -> None:
        nonlocal told
        if not told:
            say(f"{'depth':>5}  {'value':>12}  {'nodes':>8}  {'time':>9}  line")
            told = True
        text = (
            f"{result.depth:>5}  {result.value_text:>12}  {count_text(result.nodes):>8}"
            f"  {seconds_text(result.seconds):>9}  {' '.join(result.line_text)}"
        )
        say(text[:width])

    return tell


def _print(result: SearchResult) -> None:
    from plyground.cli.output import count_text, print_rows, seconds_text

    position = result.position
    speed = result.nodes / result.seconds if result.seconds > 0 else 0.0
    rows = {
        "move": position.move_text(result.move),
        "value": result.value_text + ("" if result.bound == "exact" else f" ({result.bound})"),
        "depth": f"{result.depth}, selectively {result.selective_depth}",
        "nodes": f"{result.nodes:,}",
        "time": f"{seconds_text(result.seconds)}, {count_text(speed)} nodes a second",
        "line": " ".join(result.line_text),
    }
    if result.optimal:
        rows["optimal"] = " ".join(position.move_text(move) for move in result.optimal)
    print_rows(rows)
    if result.lines:
        _print_lines(result)


def _print_lines(result: SearchResult) -> None:
    from plyground.cli.output import print_table, table
    from plyground.search.result import value_text

    shown = table(">value", "line")
    for line in result.lines:
        moves = " ".join(result.position.line_text(line.moves))
        shown.add_row(value_text(result.position, line.value), moves)
    print()
    print_table(shown)
