"""Matches of the arena for benchmarks: pairs of games at equal time, and what they say."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from benchmarks.report import Row
from plyground.arena.conditions import Conditions, TimeControl, contestant
from plyground.arena.event import EventPlan, run_event
from plyground.arena.openings import Openings
from plyground.arena.statistics import Estimate
from plyground.arena.store import Store
from plyground.arena.summary import EventSummary
from plyground.core.game import Game
from plyground.executor.local import LocalExecutor
from plyground.players.notation import read_player

QUICK_SECONDS = 0.002
"""For a move, in a run that is not judged."""


def play_match(
    game: Game,
    first: str,
    second: str,
    *,
    pairs: int,
    seconds: float,
    options: Mapping[str, str] | None = None,
    cores_each: int = 1,
    seed: int = 0,
) -> Estimate:
    """What a match says about the first of two players, in their notation. As many games are played
    at once as there are cores, if each takes `cores_each` of them."""
    given = tuple((options or {}).items())
    conditions = Conditions(
        game=game,
        options=given,
        openings=Openings("random", options=given, seed=seed),
        clock=TimeControl(seconds),
        seed=seed,
    )
    players = tuple(contestant(read_player(text)) for text in (first, second))
    plan = EventPlan("match", conditions, players, ((0, 1),), pairs)
    workers = max(1, (os.cpu_count() or 1) // cores_each)
    summary = EventSummary([player.spec.text for player in players])
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Store(Path(folder) / "arena.db")) as store,
    ):
        executor = LocalExecutor(workers, cores_each=cores_each)
        run_event(plan, store, executor, on_game=lambda _: None)
        summary.add_all(plan.games(store))
    return summary.estimate


def match_row(
    what: str, found: Estimate, ours: str, other: str, *, wanted: float, judged: bool
) -> Row:
    """A difference in Elo that should be at least so large."""
    interval = found.elo_interval
    return Row(
        what,
        ours,
        other,
        f"{found.elo:+.0f} [{interval.low:.0f}, {interval.high:.0f}]",
        f">= {wanted:+g}" if judged else "-",
        found.elo >= wanted if judged else None,
        {"elo": found.elo, "low": interval.low, "high": interval.high, "wanted": wanted},
    )
