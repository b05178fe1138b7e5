"""`plyground solve`: what a position is worth if both sides play perfectly, proven."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plyground.cli.arguments import AsJson, BoardOptions, GameArgument, Moves, PositionArgument

if TYPE_CHECKING:
    from plyground.search.solving.solution import Advance, Solution, Worth

EXAMPLES = (
    "plyground solve slant '1*1/*2*/**1'",
    "plyground solve blocker --option board=official --verify",
    "plyground solve breakthrough --option rows=5 --option columns=4 --threads 2",
    "plyground solve breakthrough --option rows=5 --option columns=3 --checkpoint 5x3.solve",
)


def solve(
    name: GameArgument,
    position: PositionArgument = None,
    option: BoardOptions = None,
    moves: Moves = "",
    method: Annotated[
        Literal["alpha-beta", "proof-number", "retrograde"] | None,
        typer.Option(help="How to solve it; by default the method that suits the game."),
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
    solve can be ended at any time; with --checkpoint it goes on where it was.
    """
    from plyground.cli.inputs import read_position
    from plyground.cli.interrupt import interruptible
    from plyground.cli.output import print_json, say, tell_compilation
    from plyground.core.registry import find_game
    from plyground.players.thinkers import refuse_finished
    from plyground.search.solving.methods import Method, make_solver

    tell_compilation()
    game = find_game(name)
    found = read_position(game, position, option, moves)
    refuse_finished(found)
    line = ProgressLine()
    solver = make_solver(
        game,
        None if method is None else Method(method),
        memory=memory,
        threads=threads,
        checkpoint=checkpoint,
        progress=None if quiet else line.tell,
    )
    if not quiet:
        say(f"solving by {solver.method}")
    try:
        solution = interruptible(
            lambda: solver.solve(found, every_move=not value_only), solver.stop
        )
        checked = interruptible(lambda: solver.verify(found), solver.stop) if verify else None
    finally:
        line.clear()
    if value_only:  # what is known of the moves by chance would look like all there is to know
        solution = replace(solution, moves={}, optimal=())
    if as_json:
        print_json(_as_json(solution, checked))
    else:
        _print(solution, checked)


class ProgressLine:
    """A line on standard error: written over on a terminal, now and then a new one elsewhere."""

    def __init__(self) -> None:
        import sys
        import time

        self._terminal = sys.stderr.isatty()
        self._started = self._last = time.monotonic()

    def tell(self, advance: Advance) -> None:
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
        """Take the line away: the answer comes in its place."""
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


def _as_json(solution: Solution, checked: int | None) -> dict[str, Any]:
    position = solution.position
    document: dict[str, Any] = {
        "game": position.game.name,
        "position": position.text,
        "method": solution.method,
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
