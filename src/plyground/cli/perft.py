"""`plyground perft`: count the positions a number of moves ahead, the classic test of rules."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated

import typer

from plyground.cli.arguments import AsJson, BoardOptions, GameArgument, Moves, PositionArgument
from plyground.cli.inputs import read_position
from plyground.cli.interrupt import interruptible
from plyground.cli.output import announce_compilation, print_json, progress_bar, seconds_text
from plyground.core.game import Position

EXAMPLES = (
    "plyground perft breakthrough --depth 5",
    "plyground perft connectfour --depth 6 --divide",
    "plyground perft my_game.py position.txt --depth 4 --json",
)


def perft(
    name: GameArgument,
    depth: Annotated[
        int, typer.Option("--depth", "-d", metavar="N", help="How many moves to look ahead.")
    ],
    position: PositionArgument = None,
    option: BoardOptions = None,
    moves: Moves = "",
    divide: Annotated[bool, typer.Option("--divide", help="Count by first move.")] = False,
    as_json: AsJson = False,
) -> None:
    """Count the positions that lie so many moves ahead.

    Lines of play are counted: a position that is reached in two ways counts twice, and a game that
    ends earlier does not count. With --divide the count is shown for every first move, which finds
    the one at fault when two programs disagree.
    """
    from plyground.search.perft import perft as count_lines

    announce_compilation()
    found = read_position(name, position, option, moves)
    interruptible(partial(count_lines, found, 0))  # compiles, which is no part of the time
    started = time.perf_counter()
    total, counts = _count(found, depth)
    seconds = time.perf_counter() - started
    if as_json:
        document = {
            "game": found.game.name,
            "position": found.text,
            "depth": depth,
            "count": total,
            "seconds": round(seconds, 6),
        }
        print_json({**document, "divide": counts} if divide else document)
        return
    if divide:
        for move, count in counts.items():
            print(f"{move}: {count:,}")
    print(f"perft {depth}: {total:,} ({seconds_text(seconds)})")


def _count(position: Position, depth: int) -> tuple[int, dict[str, int]]:
    """The count, and that below each legal move. A terminal shows a bar."""
    from plyground.search.perft import MAX_DEPTH
    from plyground.search.perft import perft as count_lines

    if not 1 <= depth <= MAX_DEPTH:
        return count_lines(position, depth), {}
    counts = {}
    with progress_bar() as progress:
        for move, child in progress.track(list(position.children()), description="counting"):
            below = interruptible(partial(count_lines, child, depth - 1))
            counts[position.move_text(move)] = below
    return sum(counts.values()), counts
