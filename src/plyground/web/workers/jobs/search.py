"""The job "search": the best move and the best lines of a position, by any algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyground.core.values import LONGEST
from plyground.players.thinkers import Algorithm, Stopped, read_limits
from plyground.search.result import Limits, SearchResult, value_text
from plyground.web.workers.cancellation import Cancellation, Interrupted, Job
from plyground.web.workers.jobs.solve import solve_with, solver_for
from plyground.web.workers.progress import Message, Reporter
from plyground.web.workers.search_cache import SearchCache

if TYPE_CHECKING:
    from plyground.core.position import Position
    from plyground.search.result import Progress

LEAST_SECONDS = 0.01
"""A search that was interrupted so shortly before its time was up is not continued."""


def search(cache: SearchCache, job: Job, reporter: Reporter, cancellation: Cancellation) -> Message:
    """Search within the limits, or until stopped.

    The result holds what `done` does on the socket, and `move`, `touches`, `value` and `value_text`
    of the best move. A game that is over has no lines and no move.
    """
    position = cache.position(job)
    if position.is_over:
        return _nothing_to_search(position)
    algorithm = Algorithm(job.get("algorithm", "engine"))
    before = _PreviousSlices(job)
    limits = before.rest_of(_limits(algorithm, job))

    def progress(result: SearchResult) -> None:
        if result.depth > before.depth:
            reporter.progress(
                lambda: {"type": "progress", **before.added_to(search_message(result))}
            )

    result = _ask(cache, algorithm, position, job, limits, cancellation, progress)
    message = before.added_to(search_message(result))
    if cancellation.is_requested and not _is_finished(result, limits):
        # If this slice led no deeper, the next depth needs a longer one.
        raise Interrupted({**job, "before": message}, restarts=message["depth"] <= before.depth)
    return message


def _ask(
    cache: SearchCache,
    algorithm: Algorithm,
    position: Position,
    job: Job,
    limits: Limits,
    cancellation: Cancellation,
    progress: Progress,
) -> SearchResult:
    """One search, by the algorithm that was asked for."""
    game, threads, seed = position.game, job.get("threads") or 1, job.get("seed")
    if algorithm is Algorithm.ENGINE:
        engine = cache.engine(game, threads)
        with cancellation.stopping_by(engine.stop):
            lines = job.get("lines") or 1
            return engine.search(position, limits, lines=lines, seed=seed, progress=progress)
    if algorithm is Algorithm.PERFECT:
        from plyground.search.solving.perfect import perfect_result

        solver = solver_for(cache, position, job)
        solution = solve_with(solver, position, job, cancellation, every_move=seed is not None)
        return perfect_result(solution, seed)
    thinker = cache.thinker(game, algorithm, seed)
    try:
        with cancellation.stopping_by(thinker.stop):
            found = thinker.search(position, limits, progress)
    except Stopped:
        raise Interrupted(job, restarts=True) from None
    if cancellation.is_requested:  # of Monte Carlo's tree nothing is kept
        raise Interrupted(job, restarts=True)
    return found


def _limits(algorithm: Algorithm, job: Job) -> Limits:
    """The limits of a job; the engine alone may go on until it is stopped."""
    depth, nodes, seconds = job.get("depth"), job.get("nodes"), job.get("seconds")
    if algorithm is Algorithm.ENGINE and (depth, nodes, seconds) == (None, None, None):
        return Limits(depth=LONGEST)
    return read_limits(algorithm, depth, nodes, seconds)


def _is_finished(result: SearchResult, limits: Limits) -> bool:
    """Whether a search that was stopped had come to its end just then."""
    return (
        result.proven
        or (limits.depth is not None and result.depth >= limits.depth)
        or (limits.nodes is not None and result.nodes >= limits.nodes)
        or (limits.seconds is not None and result.seconds >= limits.seconds - LEAST_SECONDS)
    )


class _PreviousSlices:
    """What a search had found and used up when it was last interrupted. It starts again at depth 1
    and is soon as deep, because of the transposition table; until then it reports nothing."""

    def __init__(self, job: Job) -> None:
        self._message: Message | None = job.get("before")
        self.depth: int = self._message["depth"] if self._message else 0

    def rest_of(self, limits: Limits) -> Limits:
        """What is left of the limits."""
        if self._message is None:
            return limits
        seconds, nodes = limits.seconds, limits.nodes
        if seconds is not None:
            seconds = max(LEAST_SECONDS, seconds - self._message["seconds"])
        if nodes is not None:
            nodes = max(1, nodes - self._message["nodes"])
        return Limits(limits.depth, nodes, seconds)

    def added_to(self, message: Message) -> Message:
        """A message whose nodes and seconds are those of all slices, with the deepest result."""
        if self._message is None:
            return message
        total = {name: message[name] + self._message[name] for name in ("nodes", "seconds")}
        deepest = message if message["depth"] >= self.depth else self._message
        return {**deepest, **total}


def search_message(result: SearchResult) -> Message:
    """A search's answer, so far or at its end, as pages read it."""
    position = result.position
    lines = [(line.value, line.moves) for line in result.lines] or [(result.value, result.line)]
    return {
        "move": position.move_text(result.move),
        "touches": list(position.touches(result.move)),
        "value": result.value,
        "value_text": result.value_text,
        "depth": result.depth,
        "selective_depth": result.selective_depth,
        "nodes": result.nodes,
        "seconds": result.seconds,
        "proven": result.proven,
        "lines": [
            {
                "value": value,
                "value_text": value_text(position, value, proven=result.proven and number == 0),
                "moves": list(position.line_text(moves)),
                "touches": list(position.touches(moves[0])),
            }
            for number, (value, moves) in enumerate(lines)
        ],
    }


def _nothing_to_search(position: Position) -> Message:
    return {
        "move": None,
        "touches": [],
        "value": None,
        "value_text": position.outcome.reason,
        "depth": 0,
        "selective_depth": 0,
        "nodes": 0,
        "seconds": 0.0,
        "proven": True,
        "lines": [],
    }
