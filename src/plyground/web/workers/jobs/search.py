"""The job "search": the best move and the best lines of a position, by any algorithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyground.search.preparation import is_prepared, purpose_of
from plyground.search.result import Limits, SearchResult, limits_for_move, value_text
from plyground.search.searcher import (
    UNLIMITED,
    Algorithm,
    SearchStopped,
    limits_for,
    make_searcher,
)
from plyground.web.workers.job_run import Interrupted, Job, JobRun, Message
from plyground.web.workers.jobs.evaluations import has_own

if TYPE_CHECKING:
    from plyground.core.game import Position
    from plyground.search.result import Progress

UNCOMPILED_SECONDS = 0.5

LEAST_SECONDS = 0.01
"""A search that was interrupted so shortly before its time was up is not continued."""


def search(run: JobRun) -> Message:
    """Search within the limits, or until stopped.

    The result holds what `done` does on the socket, and `move`, `touches`, `value` and `value_text`
    of the best move. A game that is over has no lines and no move.
    """
    job, position = run.job, run.cache.positions(run.job)[-1]
    if position.is_over:
        return _nothing_to_search(position)
    algorithm = Algorithm(job["algorithm"])
    before = _SearchedBefore(job)
    limits = before.rest_of(_limits(algorithm, job))
    if job.get("at_once"):
        limits = limits_for_move(position, limits)

    def progress(result: SearchResult) -> None:
        if result.depth > before.depth:
            run.reporter.progress(
                lambda: {"type": "progress", **before.added_to(search_message(result))}
            )

    result = _ask(run, algorithm, position, limits, progress)
    message = before.added_to(search_message(result))
    if run.cancellation.is_requested and not _is_finished(result, limits):
        raise Interrupted({**job, "before": message})
    return message


def _ask(
    run: JobRun, algorithm: Algorithm, position: Position, limits: Limits, progress: Progress
) -> SearchResult:
    """One search, by any algorithm. Only the engine's goes on from a result that was interrupted:
    the others begin anew."""
    job = run.job
    if job.get("at_once") and _would_wait_for_compiler(algorithm, position):
        return _uncompiled_result(run, position, limits)
    searcher = run.cache.searcher(
        position.game,
        algorithm,
        threads=job["threads"],
        evaluation=job.get("evaluation") or default_evaluation(algorithm, position),
    )
    try:
        with run.cancellation.stopping_by(searcher.stop):
            result = searcher.search(
                position,
                limits,
                lines=job["lines"],
                seed=job.get("seed"),
                progress=progress,
            )
    except SearchStopped:
        raise Interrupted(job) from None
    if run.cancellation.is_requested and algorithm is not Algorithm.ENGINE and not result.proven:
        raise Interrupted(job)
    return result


def default_evaluation(algorithm: Algorithm, position: Position) -> str | None:
    """The evaluation of a search that was not told any. It is chosen for every job anew: a net may
    be adopted at any time."""
    if algorithm is not Algorithm.ENGINE:
        return None
    from plyground.search.net.evaluation import automatic

    return automatic(position.game, position.board)


def _would_wait_for_compiler(algorithm: Algorithm, position: Position) -> bool:
    purpose = purpose_of(algorithm)
    return purpose is not None and not is_prepared(position.game, purpose)


def _uncompiled_result(run: JobRun, position: Position, limits: Limits) -> SearchResult:
    """A move for a person who would otherwise wait for the compiler."""
    run.reporter.progress(
        lambda: {
            "type": "notice",
            "text": f"{position.game.title} is being compiled for this machine. Until then moves"
            " come from an uncompiled search, which sees less far.",
        }
    )
    seconds = min(UNCOMPILED_SECONDS, limits.seconds or UNCOMPILED_SECONDS)
    searcher = make_searcher(Algorithm.ALPHA_BETA, position.game)
    return searcher.search(position, Limits(depth=limits.depth, seconds=seconds))


def _limits(algorithm: Algorithm, job: Job) -> Limits:
    """The limits of a job. Without any, the engine goes on until it is stopped."""
    depth, nodes, seconds = job.get("depth"), job.get("nodes"), job.get("seconds")
    if algorithm is Algorithm.ENGINE and (depth, nodes, seconds) == (None, None, None):
        return UNLIMITED
    return limits_for(algorithm, depth=depth, nodes=nodes, seconds=seconds)


def _is_finished(result: SearchResult, limits: Limits) -> bool:
    """Whether a search that was stopped had come to its end just then."""
    return (
        result.proven
        or (limits.depth is not None and result.depth >= limits.depth and result.bound == "exact")
        or (limits.nodes is not None and result.nodes >= limits.nodes)
        or (limits.seconds is not None and result.seconds >= limits.seconds - LEAST_SECONDS)
    )


class _SearchedBefore:
    """What a search had found and used up when it was interrupted. It starts again at depth 1 and
    is soon as deep, because of the transposition table; until then it reports nothing."""

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
        """A message whose nodes and seconds are those of all its parts, with the deepest result."""
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
        "evaluation": _evaluation_word(result),
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


def _evaluation_word(result: SearchResult) -> str | None:
    if result.evaluation == "own" and not has_own(result.position.game):
        return "none"
    return result.evaluation


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
        "evaluation": None,
        "lines": [],
    }
