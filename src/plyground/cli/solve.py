"""`plyground solve`: what a position is worth if both sides play perfectly, proven."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plyground.cli.arguments import (
    AsJson,
    BoardOptions,
    GameArgument,
    Moves,
    PositionArgument,
)

if TYPE_CHECKING:
    from plyground.search.solving.solution import (
        Bounds,
        PartialSolution,
        Solution,
        SolveProgress,
        Worth,
    )

EXAMPLES = (
    "plyground solve slant '1*1/*2*/**1'",
    "plyground solve blocker --option board=official --verify",
    "plyground solve breakthrough --option rows=5 --option columns=4 --threads 2",
    "plyground solve connectfour --time 2",
    "plyground solve breakthrough --option rows=5 --option columns=3 --checkpoint 5x3.solve",
)

NOT_DECIDED = 1
"""The exit status when the time is up before all that was asked is decided."""
PATIENCE = 5.0
"""Seconds that a solver has after Ctrl-C to return what it has proven. Usually it needs none."""


def solve(
    name: GameArgument,
    position: PositionArgument = None,
    option: BoardOptions = None,
    moves: Moves = "",
    method: Annotated[
        Literal["alpha-beta", "proof-number", "retrograde"] | None,
        typer.Option(help="How to solve it; by default the method that suits the game."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--time",
            "-t",
            metavar="SECONDS",
            help="Stop when so much time has passed, and show what is proven by then.",
            show_default=False,
        ),
    ] = None,
    value_only: Annotated[
        bool,
        typer.Option("--value-only", help="Only the position's value, not that of every move."),
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every value once more against its children.")
    ] = False,
    threads: Annotated[int, typer.Option(metavar="N", min=1, help="Use so many threads.")] = 1,
    memory: Annotated[
        int, typer.Option(metavar="MB", min=1, help="Use no more memory for positions than this.")
    ] = 1024,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the positions in this file; a solve that was ended goes on from it.",
            show_default=False,
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No line of progress.")] = False,
    as_json: AsJson = False,
) -> None:
    """Solve a position: its exact value, how soon it is reached, every best move.

    Chooses the method that suits the game and says which. Values are the first player's. A long
    solve can be ended at any time, by --time or Ctrl-C: it shows what is proven by then, and with
    --checkpoint it goes on where it was. The exit status is 0 if all that was asked is decided and
    1 if it was not in the time given.
    """
    from plyground.cli.inputs import read_position
    from plyground.cli.interrupt import interruptible
    from plyground.cli.main import INTERRUPTED
    from plyground.cli.output import announce_compilation, print_json, say
    from plyground.core.registry import find_game
    from plyground.search.result import check_seconds
    from plyground.search.searcher import refuse_finished
    from plyground.search.solving.methods import SolvingMethod, make_solver
    from plyground.search.solving.solution import PartialSolution, Unsolved

    if seconds is not None:
        check_seconds(seconds)
    announce_compilation()
    game = find_game(name)
    found = read_position(game, position, option, moves)
    refuse_finished(found)
    line = ProgressLine()
    solver = make_solver(
        game,
        None if method is None else SolvingMethod(method),
        memory=memory,
        threads=threads,
        checkpoint=checkpoint,
        progress=None if quiet else line.show,
    )
    if not quiet:
        say(f"solving by {solver.method}")
    interrupted = False

    def interrupt() -> None:
        nonlocal interrupted
        interrupted = True
        solver.stop()

    def find() -> Solution | PartialSolution:
        try:
            return solver.solve(found, every_move=not value_only, seconds=seconds)
        except Unsolved as unsolved:
            if unsolved.partial is None or not unsolved.stopped:
                raise
            return unsolved.partial

    checked = None
    try:
        answer = interruptible(find, interrupt, patience=PATIENCE)
        if verify and not isinstance(answer, PartialSolution):
            checked = interruptible(lambda: solver.verify(found), solver.stop)
    finally:
        line.clear()
    if isinstance(answer, PartialSolution):
        if value_only:
            answer = replace(answer, moves={})
        if as_json:
            print_json(_partial_json(answer))
        else:
            until = "before it was interrupted" if interrupted else "in the time given"
            _print_partial(answer, until, checkpoint)
        raise typer.Exit(INTERRUPTED if interrupted else NOT_DECIDED)
    if value_only:  # the moves that happen to be known would look like all of them
        answer = replace(answer, moves={}, optimal=())
    if as_json:
        print_json(_as_json(answer, checked))
    else:
        _print(answer, checked)


class ProgressLine:
    """Progress on standard error: one line that is written over on a terminal, elsewhere a new one
    every few seconds."""

    def __init__(self) -> None:
        import sys
        import time

        self._terminal = sys.stderr.isatty()
        self._started = self._last = time.monotonic()

    def show(self, advance: SolveProgress) -> None:
        import time

        from plyground.cli.output import count_text, say

        now = time.monotonic()
        if now - self._last < (0.2 if self._terminal else 10.0):
            return
        self._last = now
        elapsed = now - self._started
        part = "" if advance.part is None else f", {advance.part:.0%}"
        speed = count_text(advance.nodes / max(elapsed, 1e-9))
        text = f"{elapsed:6.0f} s  {count_text(advance.nodes)} positions, {speed}/s{part}"
        text = f"{text}  {advance.text}"
        if self._terminal:
            self._write_over(text[:100])
        else:
            say(text)

    def clear(self) -> None:
        """Remove the line from a terminal."""
        if self._terminal:
            self._write_over("")

    def _write_over(self, text: str) -> None:
        import sys

        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _print(solution: Solution, checked: int | None) -> None:
    from plyground.cli.output import print_rows, seconds_text
    from plyground.search.solving.solution import worth_text

    position = solution.position
    rows = {"value": worth_text(position, solution.worth)}
    if solution.optimal:
        rows["optimal"] = " ".join(position.move_text(move) for move in solution.optimal)
    rows["line"] = " ".join(position.line_text(solution.line))
    rows["method"] = solution.method
    rows[solution.counted.split()[0]] = f"{solution.nodes:,} {solution.counted}".strip()
    rows["time"] = seconds_text(solution.seconds)
    if checked is not None:
        rows["verified"] = f"{checked:,} positions agree with their children"
    print_rows(rows)
    if solution.moves:
        _print_moves(solution)


def _print_moves(solution: Solution) -> None:
    """Every move with its worth, the best first."""
    from plyground.cli.output import print_table, table
    from plyground.search.solving.solution import preference, worth_text

    position = solution.position
    shown = table("move", "worth")
    ordered = sorted(
        solution.moves,
        key=lambda move: preference(position.turn, solution.moves[move]),
        reverse=True,
    )
    for move in ordered:
        shown.add_row(position.move_text(move), worth_text(position, solution.moves[move]))
    print()
    print_table(shown)


def _print_partial(partial: PartialSolution, until: str, checkpoint: Path | None) -> None:
    from plyground.cli.output import print_rows, seconds_text
    from plyground.search.solving.solution import bounds_text

    position = partial.position
    text = bounds_text(position, partial.bounds)
    is_decided = partial.bounds.worth is not None
    rows = {"value": text} if is_decided else {"value": f"not decided {until}", "proven": text}
    if partial.moves:
        decided = sum(bounds.worth is not None for bounds in partial.moves.values())
        rows["moves"] = f"{decided:,} of {len(partial.moves):,} decided {until}"
    rows["method"] = partial.method
    rows[partial.counted.split()[0]] = f"{partial.nodes:,} {partial.counted}".strip()
    rows["time"] = seconds_text(partial.seconds)
    if checkpoint is not None:
        rows["kept"] = f"{checkpoint}: the same command goes on from there"
    print_rows(rows)
    _print_proven_moves(partial)


def _print_proven_moves(partial: PartialSolution) -> None:
    """The moves with what is proven of each, unless that is the same for all."""
    from plyground.cli.output import print_table, table
    from plyground.search.solving.solution import bounds_text

    position = partial.position
    shown = table("move", "proven")
    if len(set(partial.moves.values())) < 2:
        return
    for move, bounds in partial.moves.items():
        shown.add_row(position.move_text(move), bounds_text(position, bounds))
    print()
    print_table(shown)


def _as_json(solution: Solution, checked: int | None) -> dict[str, Any]:
    position = solution.position
    document: dict[str, Any] = {
        "game": position.game.name,
        "position": position.text,
        "method": solution.method,
        "solved": True,
        **_worth_json(solution.worth),
        "optimal": [position.move_text(move) for move in solution.optimal],
        "moves": {
            position.move_text(move): _worth_json(worth) for move, worth in solution.moves.items()
        },
        "line": list(position.line_text(solution.line)),
        "nodes": solution.nodes,
        "counted": solution.counted,
        "seconds": solution.seconds,
    }
    if checked is not None:
        document["verified"] = checked
    return document


def _worth_json(worth: Worth) -> dict[str, Any]:
    return {"value": worth.utility, "plies": worth.plies, "plies_exact": worth.exactly}


def _partial_json(partial: PartialSolution) -> dict[str, Any]:
    position = partial.position
    return {
        "game": position.game.name,
        "position": position.text,
        "method": partial.method,
        "solved": False,
        **_bounds_json(partial.bounds),
        "moves": {
            position.move_text(move): _bounds_json(bounds) for move, bounds in partial.moves.items()
        },
        "nodes": partial.nodes,
        "counted": partial.counted,
        "seconds": partial.seconds,
    }


def _bounds_json(bounds: Bounds) -> dict[str, Any]:
    """As a worth, all of it null while that is not decided; then the ends of what is proven."""
    worth, low, high = bounds.worth, bounds.low, bounds.high
    decided = dict.fromkeys(("value", "plies", "plies_exact"))
    return {
        **(decided if worth is None else _worth_json(worth)),
        "low": None if low is None else low.utility,
        "low_plies": None if low is None else low.plies,
        "high": None if high is None else high.utility,
        "high_plies": None if high is None else high.plies,
    }
