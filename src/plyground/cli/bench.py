"""`plyground bench`: the speed of the engine, and a signature that changes with its searches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from plyground.cli.arguments import AsJson
from plyground.cli.interrupt import interruptible
from plyground.cli.output import (
    announce_compilation,
    count_text,
    print_json,
    print_table,
    seconds_text,
    table,
)
from plyground.core.game import Game, Position
from plyground.core.registry import find_game, game_names
from plyground.search.random_games import random_positions
from plyground.search.result import Limits, SearchResult

EXAMPLES = ("plyground bench", "plyground bench --signature", "plyground bench --depth 9 --json")

DEPTH = 7
POSITIONS = 5
STEP = 3
"""Plies between the positions, from the opening to the middle game: later ones are solved soon."""
SEED = 2
MEMORY = 16


def bench(
    signature: Annotated[
        bool, typer.Option("--signature", help="Print the node count of all searches, no more.")
    ] = False,
    depth: Annotated[
        int, typer.Option("--depth", "-d", metavar="N", help="Search to this depth.")
    ] = DEPTH,
    as_json: AsJson = False,
) -> None:
    """Measure how fast the engine searches every game.

    Each game is searched from its start and from fixed positions of random games, with one thread
    and an empty table, so that the number of nodes is always the same. Their sum is the signature:
    a change to the engine that leaves it as it was has changed no search.
    """
    announce_compilation()
    limits = Limits(depth=depth)
    measured = {
        name: interruptible(lambda name=name: _measure(find_game(name), limits))  # type: ignore[misc]
        for name in game_names()
    }
    total = sum(row["nodes"] for row in measured.values())
    if as_json:
        print_json({"signature": total, "depth": depth, "games": measured})
    elif signature:
        print(total)
    else:
        _print(measured, total)


def bench_positions(game: Game) -> Iterator[Position]:
    """The start, and positions of random games that are the same on every machine."""
    yield game.start()
    yield from random_positions(game.start(), POSITIONS - 1, SEED, STEP)


def _measure(game: Game, limits: Any) -> dict[str, Any]:
    """Nodes and seconds of the searches of one game, without compilation."""
    from plyground.search.engine.engine import Engine

    engine = Engine(game, memory=MEMORY)
    results: list[SearchResult] = []
    for position in bench_positions(game):
        engine.clear()
        results.append(engine.search(position, limits))
    nodes = sum(result.nodes for result in results)
    seconds = sum(result.seconds for result in results)
    return {
        "positions": len(results),
        "nodes": nodes,
        "seconds": round(seconds, 6),
        "nodes_per_second": round(nodes / seconds),
    }


def _print(measured: dict[str, dict[str, Any]], total: int) -> None:
    shown = table("game", ">positions", ">nodes", ">time", ">nodes/s")
    for name, row in measured.items():
        shown.add_row(
            name,
            str(row["positions"]),
            f"{row['nodes']:,}",
            seconds_text(row["seconds"]),
            count_text(row["nodes_per_second"]),
        )
    print_table(shown)
    print(f"signature {total}")
