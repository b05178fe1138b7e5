"""How far the solvers reach: boards of every game, solved exactly, beside the time allowed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import Row, ratio_row, seconds_text
from plyground.core.game import Option
from plyground.core.position import Position
from plyground.core.registry import find_game
from plyground.search.solving.methods import make_solver
from plyground.search.solving.solution import Solution, Unsolved

BOARDS = 30
SLANT_ALL = {"board": "random", "rows": 4, "columns": 4, "circles": 100}
SLANT_SPARSE = {"board": "random", "rows": 5, "columns": 5, "circles": 35}

LONG_RUN_SECONDS = 1200.0
"""How long the board without a known value is tried."""


def run(quick: bool) -> list[Row]:
    rows = [
        one("blocker", {"board": "official"}, 1.0, "A wins in 11 plies"),
        one("blocker", {"board": "board1"}, 1200.0, "", memory=12_000),
        several("slant", SLANT_ALL, 1.0, 2 if quick else BOARDS),
        several("slant", SLANT_SPARSE, 0.5, 2 if quick else BOARDS),
    ]
    if quick:
        return [*rows, breakthrough(5, 3, 5.0, -1)]
    return [
        *rows,
        breakthrough(5, 5, 5.0, -1),
        breakthrough(6, 4, 15.0, 1),
        breakthrough(5, 6, 120.0, -1),
        unknown_board(),
    ]


def timed(position: Position, *, memory: int = 2048, threads: int = 1) -> Solution:
    """Solve a position with a solver of its own, the time without that of compiling."""
    solver = make_solver(position.game, memory=memory, threads=threads)
    return solver.solve(position, every_move=False)


def prepare(position: Position) -> None:
    """Have everything compiled that a solve needs."""
    timed(position, memory=64)


def one(
    game: str, options: dict[str, Option], allowed: float, expected: str, memory: int = 1024
) -> Row:
    prepare(find_game(game).start())
    position = find_game(game).start(options)
    solution = timed(position, memory=memory)
    found = f"{solution.worth.utility:+d}" + (
        "" if solution.worth.plies is None else f" in {solution.worth.plies}"
    )
    name = ", ".join(str(value) for value in options.values())
    return within(f"{game} {name}: {found}, {solution.method}", [solution.seconds], allowed)


def several(game: str, options: dict[str, Option], allowed: float, count: int) -> Row:
    """The median over generated boards."""
    prepare(find_game(game).start())
    seconds = [
        timed(find_game(game).start({**options, "seed": seed})).seconds for seed in range(count)
    ]
    size = f"{options['rows']}x{options['columns']}, {options['circles']} % circles"
    return within(f"{game} {size}, median of {count} boards", seconds, allowed)


def breakthrough(rows: int, columns: int, allowed: float, expected: int) -> Row:
    game = find_game("breakthrough")
    prepare(game.start({"rows": 4, "columns": 2}))
    solution = timed(game.start({"rows": rows, "columns": columns}), memory=6144, threads=2)
    assert solution.worth.utility == expected, "the literature says otherwise"
    side = game.players[0 if expected > 0 else 1]
    what = f"breakthrough {rows}x{columns}: {side} wins, {solution.nodes:,} positions, two threads"
    return within(what, [solution.seconds], allowed)


def unknown_board() -> Row:
    """6x5 for as long as is allowed, on a checkpoint: how far it came."""
    import threading

    game = find_game("breakthrough")
    position = game.start({"rows": 6, "columns": 5})
    with TemporaryDirectory() as folder:
        file = Path(folder) / "6x5.solve"
        solver = make_solver(game, memory=8192, threads=2, checkpoint=file)
        timer = threading.Timer(LONG_RUN_SECONDS, solver.stop)
        timer.start()
        started = time.monotonic()
        try:
            worth = solver.solve(position, every_move=False).worth
            found = f"{game.players[0 if worth.utility > 0 else 1]} wins"
        except Unsolved as stopped:
            found = str(stopped).partition("; ")[2].partition(";")[0]
        timer.cancel()
    return Row(
        "breakthrough 6x5, no published value",
        found,
        f"after {seconds_text(time.monotonic() - started)}",
        "",
        "",
        None,
    )


def within(what: str, seconds: Sequence[float], allowed: float) -> Row:
    taken = median(seconds)
    return ratio_row(
        what,
        ours=seconds_text(taken) + (f", at most {seconds_text(max(seconds))}" if seconds[1:] else ""),
        other=f"allowed: {seconds_text(allowed)}",
        ratio=allowed / max(taken, 1e-9),
        target=1.0,
        judged=True,
        numbers={"our_seconds": taken, "allowed_seconds": allowed, "slowest": max(seconds)},
    )
