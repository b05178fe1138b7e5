"""Asking the pool for a move: the job that a table gives it, and the answer that comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from plyground.search.searcher import LIMITS, Algorithm
from plyground.web.protocol.models import MAX_MOVES, PlayerSpec
from plyground.web.sessions.game_clock import time_to_think
from plyground.web.sessions.live import thought_within
from plyground.web.sessions.session import Table
from plyground.web.sessions.setup import Answer

Job = dict[str, Any]
Listen = Callable[[dict[str, Any]], None]

ADVISER = PlayerSpec(kind="engine", seconds=1.0)
"""Who gives hints, and plays where nobody else can."""


class Pool(Protocol):
    """The workers that search. A call that is cancelled stops its search."""

    async def run(
        self, job: Job, *, urgent: bool = False, listen: Listen | None = None
    ) -> dict[str, Any]:
        """Do a job; a PlygroundError says why it cannot be done."""


@dataclass(frozen=True)
class Question:
    """A move to be found: at which node, for whom."""

    node: int
    player: int
    spec: PlayerSpec


def question_of(table: Table) -> Question | None:
    """The move that somebody should think about now."""
    player = table.to_think
    if player is None:
        return None
    return Question(table.tree.head, player, table.players[player])


def search_job(table: Table, node: int, spec: PlayerSpec) -> Job:
    """A search of a node by a player of this kind, within their limits."""
    limits = {"depth": spec.depth, "nodes": spec.nodes, "seconds": spec.seconds}
    if spec.kind == "engine" and set(limits.values()) == {None}:
        limits["seconds"] = 1.0
    return {
        "type": "search",
        "place": _place(table, node),
        "algorithm": spec.kind,
        **{name: value for name, value in limits.items() if value is not None},
        **({} if spec.threads is None else {"threads": spec.threads}),
    }


def turn_job(table: Table, question: Question) -> Job:
    """The search for a move of the game. It keeps to the clock, or to the beat of a live game, as
    far as its algorithm can."""
    spec = question.spec
    job = search_job(table, question.node, spec)
    if "seconds" not in LIMITS[Algorithm(spec.kind)]:
        return job
    if table.live is not None:
        thought = thought_within(table.live.seconds)
        job["seconds"] = thought if spec.seconds is None else min(thought, spec.seconds)
    elif table.clock is not None:
        clock = table.clock
        wanted = spec.seconds
        if wanted is None and (spec.depth is not None or spec.nodes is not None):
            wanted = clock.left[question.player]
        job["seconds"] = time_to_think(wanted, clock.left[question.player], clock.increment)
    return job


def _place(table: Table, node: int) -> dict[str, Any]:
    """A node as a place: from the start, or from a later position in a very long game."""
    path = table.tree.path(node)
    setup, options = table.setup, dict(table.setup.options)
    text = setup.text
    if len(path) > MAX_MOVES:
        path = path[-MAX_MOVES:]
        text = table.tree.nodes[path[0]].position.text
        options = {
            name: value for name, value in options.items() if name in setup.game.position_options
        }
    moves = [table.tree.nodes[step].move for step in path[1:]]
    place: dict[str, Any] = {"game": setup.game.name, "options": options, "moves": moves}
    return place if text is None else {**place, "text": text}


def read_answer(result: dict[str, Any]) -> Answer:
    """The move in a search's result."""
    searched = result["depth"] > 0
    return Answer(
        move=result["move"],
        seconds=result["seconds"],
        value=result["value"] if searched else None,
        depth=result["depth"] if searched else None,
    )
