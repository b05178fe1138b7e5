"""How far the solvers reach: boards of every game, solved exactly, beside the time allowed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import Row, ratio_row, seconds_text
from plyground.core.game import Option, Position
from plyground.core.registry import find_game
from plyground.search.solving.methods import make_solver
from plyground.search.solving.solution import Solution, Unsolved

BOARDS = 30
SLANT_ALL: dict[str, Option] = {"board": "random", "rows": 4, "columns": 4, "circles": 100}
SLANT_SPARSE: dict[str, Option] = {"board": "random", "rows": 5, "columns": 5, "circles": 35}

LONG_RUN_SECONDS = 1200.0
"""How long the board without a known value is tried."""


def run(quick: bool) -> Iterator[Row]:
    if quick:
        yield blocker("official", 1.0, judged=False)
        yield slant({**SLANT_SPARSE, "rows": 3, "columns": 3}, 1, 0.5, judged=False)
        yield breakthrough(5, 2, 5.0, -1, judged=False)
        yield unknown_board(0.5)
        return
    yield blocker("official", 1.0)
    yield blocker("board1", 1200.0)
    yield slant(SLANT_ALL, BOARDS, 1.0)
    yield slant(SLANT_SPARSE, BOARDS, 0.5)
    yield breakthrough(5, 5, 5.0, -1)
    yield breakthrough(6, 4, 15.0, 1)
    yield breakthrough(5, 6, 120.0, -1)
    yield unknown_board(LONG_RUN_SECONDS)


def timed(position: Position, *, memory: int = 2048, threads: int = 1) -> Solution:
    """Solve a position with a solver of its own, the time without that of compiling."""
    solver = make_solver(position.game, memory=memory, threads=threads)
    return solver.solve(position, every_move=False)


def prepare(position: Position) -> None:
    """Have everything compiled that a solve needs."""
    timed(position, memory=64)


def blocker(board: str, allowed: float, *, judged: bool = True) -> Row:
    game = find_game("blocker")
    prepare(game.start())
    solution = timed(game.start({"board": board}), memory=12_000 if judged else 256)
    worth = solution.worth
    found = f"{worth.utility:+d}" + ("" if worth.plies is None else f" in {worth.plies} plies")
    what = f"blocker {board}: {found}, {solution.nodes:,} {solution.counted}, {solution.method}"
    return within(what, [solution.seconds], allowed, judged=judged)


def slant(options: dict[str, Option], count: int, allowed: float, *, judged: bool = True) -> Row:
    """The median over generated boards."""
    game = find_game("slant")
    prepare(game.start())
    seconds = [timed(game.start({**options, "seed": seed})).seconds for seed in range(count)]
    size = f"{options['rows']}x{options['columns']}, {options['circles']} % circles"
    what = f"slant {size}, median of {count} boards"
    return within(what, seconds, allowed, judged=judged)


def breakthrough(
    rows: int, columns: int, allowed: float, expected: int, *, judged: bool = True
) -> Row:
    game = find_game("breakthrough")
    prepare(game.start({"rows": 4, "columns": 2}))
    position = game.start({"rows": rows, "columns": columns})
    solution = timed(position, memory=6144 if judged else 64, threads=2)
    assert solution.worth.utility == expected, "the literature says otherwise"
    side = game.players[0 if expected > 0 else 1]
    what = f"breakthrough {rows}x{columns}: {side} wins, {solution.nodes:,} positions, two threads"
    return within(what, [solution.seconds], allowed, judged=judged)


def unknown_board(allowed: float) -> Row:
    """6x5 for as long as is allowed, on a checkpoint: how far it came."""
    game = find_game("breakthrough")
    position = game.start({"rows": 6, "columns": 5})
    with TemporaryDirectory() as folder:
        file = Path(folder) / "6x5.solve"
        solver = make_solver(game, memory=8192 if allowed > 60 else 64, threads=2, checkpoint=file)
        started = time.monotonic()
        try:
            worth = solver.solve(position, every_move=False, seconds=allowed).worth
            found = f"{game.players[0 if worth.utility > 0 else 1]} wins"
        except Unsolved as stopped:
            found = str(stopped).partition("; ")[2].partition(";")[0]
    return Row(
        "breakthrough 6x5, no published value",
        found,
        f"after {seconds_text(time.monotonic() - started)}",
        "",
        "",
        None,
    )


def within(what: str, seconds: Sequence[float], allowed: float, *, judged: bool) -> Row:
    taken = median(seconds)
    slowest = f", at most {seconds_text(max(seconds))}" if len(seconds) > 1 else ""
    return ratio_row(
        what,
        ours=seconds_text(taken) + slowest,
        other=f"allowed: {seconds_text(allowed)}",
        ratio=allowed / max(taken, 1e-9),
        target=1.0,
        judged=judged,
        numbers={"our_seconds": taken, "allowed_seconds": allowed, "slowest": max(seconds)},
    )
