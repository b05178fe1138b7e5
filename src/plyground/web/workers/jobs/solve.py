"""The job "solve": what perfect play leads to, and what every legal move is worth.

Where positions can repeat, a solver returns only the moves that are decided together with the best
one. The others are solved one by one afterwards, as far as a fixed time allows: on a small board
all of them, on a large one the answer does not wait for them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from plyground.core.errors import GameOver
from plyground.core.values import sign
from plyground.search.solving.solution import (
    Solution,
    SolveProgress,
    Solver,
    Unsolved,
    Worth,
    one_ply_later,
    preference,
    worth_text,
)
from plyground.web.workers.job_run import Interrupted, JobRun, Message

if TYPE_CHECKING:
    from plyground.core.game import Position

LEAST_SECONDS = 2.0
"""For all moves that a solver has left out; or twice the time that the answer took."""
NOT_KNOWN = "not decided in the time given"


def solve(run: JobRun) -> Message:
    job, position = run.job, run.cache.positions(run.job)[-1]
    if position.is_over:
        raise GameOver(f"the game is over ({position.outcome.reason}): nothing to solve")

    def listen(advance: SolveProgress) -> None:
        message = {"type": "advance", "text": advance.text, "part": advance.part}
        run.reporter.progress(lambda: message)

    solver = run.cache.solver(position.game, job.get("memory"), listen=listen)
    solution = solve_with(solver, position, run)
    moves = dict(solution.moves)
    missing = [move for move in position.legal_moves if move not in moves]
    if missing:
        words = f"{worth_text(position, solution.worth)}; now the other moves"
        listen(SolveProgress(words, solution.nodes))
        allowed = max(LEAST_SECONDS, 2 * solution.seconds)
        moves |= _left_out(solver, position, missing, allowed, run)
    return solved_message(replace(solution, moves=moves))


def solve_with(solver: Solver, position: Position, run: JobRun, **limits: Any) -> Solution:
    """Solve a position. If it is stopped, it starts over later, with what its table still holds."""
    try:
        with run.cancellation.stopping_by(solver.stop):
            return solver.solve(position, **limits)
    except Unsolved:
        if run.cancellation.is_requested:
            raise Interrupted(run.job) from None
        raise


def _left_out(
    solver: Solver, position: Position, missing: list[int], seconds: float, run: JobRun
) -> dict[int, Worth]:
    """The worth of moves, each by solving what it leads to, as far as the time allows."""
    from plyground.search.binding.compile import bind
    from plyground.search.solving.kernel_solver import SolveTimer

    found = {}
    timer = SolveTimer(bind(position.game))
    for move in missing:
        child = position.after(move)
        if child.is_over:
            found[move] = one_ply_later(_finished(child))
            continue
        left = seconds - timer.seconds
        if left > 0:
            with suppress(Unsolved):
                solution = solve_with(solver, child, run, every_move=False, seconds=left)
                found[move] = one_ply_later(solution.worth)
    return found


def _finished(position: Position) -> Worth:
    utility = position.utility
    if position.game.rules.point:
        return Worth(utility)
    return Worth(sign(utility), 0 if utility else None)


def solved_message(solution: Solution) -> Message:
    position, turn = solution.position, solution.position.turn
    known = sorted(
        solution.moves, key=lambda move: preference(turn, solution.moves[move]), reverse=True
    )
    unknown = [move for move in position.legal_moves if move not in solution.moves]
    return {
        "method": solution.method,
        "value_text": worth_text(position, solution.worth),
        "utility": solution.worth.utility,
        "plies": solution.worth.plies,
        "moves": [_move(solution, move) for move in (*known, *unknown)],
        "line": list(position.line_text(solution.line)),
        "nodes": solution.nodes,
        "counted": solution.counted,
        "seconds": solution.seconds,
    }


def _move(solution: Solution, move: int) -> dict[str, Any]:
    position, worth = solution.position, solution.moves.get(move)
    return {
        "text": position.move_text(move),
        "touches": list(position.touches(move)),
        "utility": None if worth is None else worth.utility,
        "plies": None if worth is None else worth.plies,
        "words": NOT_KNOWN if worth is None else worth_text(position, worth),
        "best": move in solution.optimal,
    }
