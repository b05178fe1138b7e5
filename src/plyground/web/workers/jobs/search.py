"""What a worker does for each kind of job, as plain functions: no process, no socket, no clock.

A job is a dictionary, as a page sends it to /api/think, without its id but with `source`, what
`find_game` finds the game by. What is left out has its default in `protocol/messages.py`. `perform`
does it at a `Desk`, where whatever is worth keeping from job to job lies ready. A job tells how it
comes along through a `Teller`, and it ends in one of three ways: it returns its result, it raises a
PlygroundError with a sentence for the user, or, if its `Control` was told to stop, it raises
`Paused` with the job that would go on from there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from plyground.search.result import Limits, SearchResult, value_text
from plyground.search.searcher import UNLIMITED, Algorithm, SearchStopped, limits_for
from plyground.web.workers.cancellation import Control, Paused
from plyground.web.workers.search_cache import Desk

if TYPE_CHECKING:
    from plyground.core.position import Position
    from plyground.search.result import Progress

Job = dict[str, Any]
Message = dict[str, Any]

LEAST_SECONDS = 0.01
"""A search that was interrupted so shortly before its time was up is not taken up again."""


class Teller(Protocol):
    """Who hears of a job while it is under way."""

    def progress(self, make: Callable[[], Message]) -> None:
        """How far it is. Only the newest counts: `make` is called if there is time to tell it,
        perhaps a little later and in another thread."""

    def say(self, message: Message) -> None:
        """Something that must not be lost."""


def perform(desk: Desk, job: Job, teller: Teller, control: Control) -> Message:
    """Do a job of any kind."""
    from plyground.web.workers.jobs.review import review
    from plyground.web.workers.jobs.solve import solve
    from plyground.web.workers.jobs.tree import tree

    kinds = {"search": search, "solve": solve, "review": review, "tree": tree, "warm": warm}
    return kinds[job["type"]](desk, job, teller, control)


def warm(desk: Desk, job: Job, teller: Teller, control: Control) -> Message:
    """Load a game's engine, so that the first search need not."""
    desk.engine(desk.game(job["source"]), 1)
    return {}


# Search


def search(desk: Desk, job: Job, teller: Teller, control: Control) -> Message:
    """The best move and the best lines, within the limits or until stopped.

    The result holds what `done` does on the socket, and `move`, `touches`, `value` and `value_text`
    of the best move. A game that is over has no lines and no move.
    """
    position = desk.position(job)
    if position.is_over:
        return _nothing_to_search(position)
    algorithm = Algorithm(job.get("algorithm", "engine"))
    before = _Before(job)
    limits = before.rest_of(_limits(algorithm, job))

    def progress(result: SearchResult) -> None:
        control.heed()
        if result.depth > before.depth:
            teller.progress(lambda: {"type": "progress", **before.added_to(search_message(result))})

    result = _ask(desk, algorithm, position, job, limits, control, progress)
    message = before.added_to(search_message(result))
    if control.is_stopped and not _is_finished(result, limits):
        # If this turn led no deeper, the next depth needs a longer one.
        raise Paused({**job, "before": message}, restarts=message["depth"] <= before.depth)
    return before.deeper(message)


def _ask(
    desk: Desk,
    algorithm: Algorithm,
    position: Position,
    job: Job,
    limits: Limits,
    control: Control,
    progress: Progress,
) -> SearchResult:
    """One search, by any algorithm. Only the engine's goes on from a result that was interrupted:
    the others begin anew."""
    searcher = desk.searcher(
        position.game, algorithm, threads=job.get("threads") or 1, memory=job.get("memory")
    )
    try:
        with control.stopping_by(searcher.stop):
            result = searcher.search(
                position,
                limits,
                lines=job.get("lines") or 1,
                seed=job.get("seed"),
                progress=progress,
            )
    except SearchStopped:
        raise Paused(job, restarts=True) from None
    if control.is_stopped and algorithm is not Algorithm.ENGINE and not result.proven:
        raise Paused(job, restarts=True)
    return result


def _limits(algorithm: Algorithm, job: Job) -> Limits:
    """The limits of a job. Without any, the engine goes on until it is stopped."""
    depth, nodes, seconds = job.get("depth"), job.get("nodes"), job.get("seconds")
    if algorithm is Algorithm.ENGINE and (depth, nodes, seconds) == (None, None, None):
        return UNLIMITED
    return limits_for(algorithm, depth=depth, nodes=nodes, seconds=seconds)


def _is_finished(result: SearchResult, limits: Limits) -> bool:
    """Whether a search that was told to stop had come to its end just then."""
    return (
        result.proven
        or (limits.depth is not None and result.depth >= limits.depth)
        or (limits.nodes is not None and result.nodes >= limits.nodes)
        or (limits.seconds is not None and result.seconds >= limits.seconds - LEAST_SECONDS)
    )


class _Before:
    """What a search had found and used up when it was last interrupted. It begins anew with what
    the table knows, so it is soon as deep again, and until then it has nothing new to say."""

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
        """A message whose nodes and seconds are those of the whole search."""
        if self._message is None:
            return message
        seconds = message["seconds"] + self._message["seconds"]
        return self.deeper(
            {**message, "nodes": message["nodes"] + self._message["nodes"], "seconds": seconds}
        )

    def deeper(self, message: Message) -> Message:
        """The message, or what was found before if that goes deeper."""
        if self._message is None or message["depth"] >= self.depth:
            return message
        return {**self._message, "nodes": message["nodes"], "seconds": message["seconds"]}


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


# Solve
