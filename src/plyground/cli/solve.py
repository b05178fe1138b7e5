"""`plyground solve`: what a position is worth if both sides play perfectly, proven."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol

import typer

from plyground.cli.arguments import (
    AsJson,
    BoardOptions,
    Cluster,
    GameArgument,
    Moves,
    PositionArgument,
    Workers,
)
from plyground.cli.executors import make_executor
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
from plyground.core.errors import PlygroundError
from plyground.core.game import Position
from plyground.search.result import check_seconds, refuse_finished
from plyground.search.solving.solution import (
    Bounds,
    PartialSolution,
    Solution,
    SolveProgress,
    Unsolved,
    Worth,
    bounds_text,
    preference,
    worth_text,
)

EXAMPLES = (
    "plyground solve slant '1*1/*2*/**1'",
    "plyground solve blocker --option board=official --verify",
    "plyground solve breakthrough --option rows=5 --option columns=4 --threads 2",
    "plyground solve connectfour --time 2",
    "plyground solve breakthrough --option rows=4 --option columns=4 --workers 2",
    "plyground solve breakthrough --option rows=5 --option columns=3 --checkpoint 5x3.solve",
    "plyground solve breakthrough --option rows=4 --workers 2 --checkpoint 4x6.jobs",
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
            help="Keep what is found in this file; a solve that was ended goes on from it.",
        ),
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No line of progress.")] = False,
    as_json: AsJson = False,
) -> None:
    """Solve a position: its exact value, how soon it is reached, every best move.

    Chooses the method that suits the game and says which. Values are the first player's. A long
    solve can be ended at any time, by --time or Ctrl-C: it shows what is proven by then, and with
    --checkpoint it goes on where it was. The exit status is 0 if all that was asked is decided and
    1 if it was not in the time given. With --workers or --cluster, many processes prove together
    who wins a game without draws.
    """
    from plyground.cli.main import INTERRUPTED
    from plyground.search.solving.methods import SolvingMethod, make_solver
    from plyground.search.solving.proof_number.job_level import JobLevelProver

    if seconds is not None:
        check_seconds(seconds)
    announce_compilation()
    found = read_position(name, position, option, moves)
    refuse_finished(found)
    line = ProgressLine()
    progress = None if quiet else line.show
    if workers is not None or cluster is not None:
        _refuse_beside_jobs(method, verify=verify)
        value_only = True
        with make_executor(workers, cluster, cores_each=threads, serial=False) as executor:
            prover = JobLevelProver(
                found.game,
                executor,
                memory=memory,
                threads=threads,
                checkpoint=checkpoint,
                progress=progress,
            )
            attempt = Attempt(prover, partial(prover.solve, found, seconds=seconds))
            answer = attempt.run(line, quiet=quiet)
        checked = None
    else:
        solver = make_solver(
            found.game,
            None if method is None else SolvingMethod(method),
            memory=memory,
            threads=threads,
            checkpoint=checkpoint,
            progress=progress,
        )
        every_move = not value_only
        attempt = Attempt(
            solver, partial(solver.solve, found, every_move=every_move, seconds=seconds)
        )
        answer = attempt.run(line, quiet=quiet)
        checked = None
        if verify and not isinstance(answer, PartialSolution):
            try:
                checked = interruptible(lambda: solver.verify(found), solver.stop)
            finally:
                line.clear()
    if isinstance(answer, PartialSolution):
        if value_only:
            answer = replace(answer, moves={})
        if as_json:
            print_json(_json(answer, _bounds_json(answer.bounds), _bounds_json))
        else:
            until = "before it was interrupted" if attempt.interrupted else "in the time given"
            _print_partial(answer, until, checkpoint)
        raise typer.Exit(INTERRUPTED if attempt.interrupted else NOT_DECIDED)
    if value_only:  # the moves that happen to be known would look like all of them
        answer = replace(answer, moves={}, optimal=())
    if as_json:
        print_json(_solution_json(answer, checked))
    else:
        _print_solution(answer, checked)


class Stoppable(Protocol):
    method: str

    def stop(self) -> None: ...


class Attempt:
    """Solves as far as time and Ctrl-C allow."""

    def __init__(self, solver: Stoppable, solve: Callable[[], Solution]) -> None:
        self._solver = solver
        self._solve = solve
        self.interrupted = False

    def run(self, line: ProgressLine, *, quiet: bool) -> Solution | PartialSolution:
        if not quiet:
            say(f"solving by {self._solver.method}")
        try:
            return interruptible(self._find, self._interrupt, patience=PATIENCE)
        finally:
            line.clear()

    def _find(self) -> Solution | PartialSolution:
        try:
            return self._solve()
        except Unsolved as unsolved:
            if unsolved.partial is None or not unsolved.stopped:
                raise
            return unsolved.partial

    def _interrupt(self) -> None:
        self.interrupted = True
        self._solver.stop()


def _refuse_beside_jobs(method: str | None, *, verify: bool) -> None:
    """Many workers share no table that could be verified, and use one method."""
    if verify:
        raise PlygroundError("--verify needs one process: leave out --workers and --cluster")
    if method not in (None, "proof-number"):
        raise PlygroundError(
            f"--method {method} works in one process: leave out --workers and --cluster"
        )


class ProgressLine:
    """Progress on standard error: one line that is written over on a terminal, elsewhere a new one
    every few seconds."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._started = self._last = time.monotonic()

    def show(self, advance: SolveProgress) -> None:
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
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _print_solution(solution: Solution, checked: int | None) -> None:
    position = solution.position
    rows = {"value": worth_text(position, solution.worth)}
    if solution.optimal:
        rows["optimal"] = " ".join(position.move_text(move) for move in solution.optimal)
    rows["line"] = " ".join(position.line_text(solution.line))
    rows |= _effort(solution)
    if checked is not None:
        rows["verified"] = f"{checked:,} positions agree with their children"
    print_rows(rows)
    best_first = sorted(
        solution.moves.items(), key=lambda item: preference(position.turn, item[1]), reverse=True
    )
    worths = {move: worth_text(position, worth) for move, worth in best_first}
    _print_moves(position, "worth", worths)


def _print_partial(partial: PartialSolution, until: str, checkpoint: Path | None) -> None:
    position = partial.position
    text = bounds_text(position, partial.bounds)
    is_decided = partial.bounds.worth is not None
    rows = {"value": text} if is_decided else {"value": f"not decided {until}", "proven": text}
    if partial.moves:
        decided = sum(bounds.worth is not None for bounds in partial.moves.values())
        rows["moves"] = f"{decided:,} of {len(partial.moves):,} decided {until}"
    rows |= _effort(partial)
    if checkpoint is not None:
        rows["kept"] = f"{checkpoint}: the same command goes on from there"
    print_rows(rows)
    if len(set(partial.moves.values())) > 1:  # what is the same for all says nothing
        proven = {move: bounds_text(position, bounds) for move, bounds in partial.moves.items()}
        _print_moves(position, "proven", proven)


def _effort(answer: Solution | PartialSolution) -> dict[str, str]:
    """What the answer took."""
    return {
        "method": answer.method,
        answer.counted.split()[0]: f"{answer.nodes:,} {answer.counted}".strip(),
        "time": seconds_text(answer.seconds),
    }


def _print_moves(position: Position, title: str, texts: dict[int, str]) -> None:
    if texts:
        shown = table("move", title)
        for move, text in texts.items():
            shown.add_row(position.move_text(move), text)
        print()
        print_table(shown)


def _solution_json(solution: Solution, checked: int | None) -> dict[str, Any]:
    position = solution.position
    document = {
        **_json(solution, _worth_json(solution.worth), _worth_json),
        "optimal": [position.move_text(move) for move in solution.optimal],
        "line": list(position.line_text(solution.line)),
    }
    return document if checked is None else {**document, "verified": checked}


def _json(
    answer: Solution | PartialSolution, value: dict[str, Any], describe: Callable[[Any], Any]
) -> dict[str, Any]:
    """What a solution and a part of one have in common; `describe` writes the value of a move."""
    position = answer.position
    return {
        "game": position.game.name,
        "position": position.text,
        "method": answer.method,
        "solved": isinstance(answer, Solution),
        **value,
        "moves": {position.move_text(move): describe(of) for move, of in answer.moves.items()},
        "nodes": answer.nodes,
        "counted": answer.counted,
        "seconds": answer.seconds,
    }


def _worth_json(worth: Worth) -> dict[str, Any]:
    return {"value": worth.utility, "plies": worth.plies, "plies_exact": worth.exactly}


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
