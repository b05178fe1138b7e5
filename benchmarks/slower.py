"""The engine beside a much slower search in Python, which may have to be stopped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks.contest import OurEngine, Timed, in_turns, search_elsewhere
from benchmarks.report import Row, ratio_row, seconds_text
from plyground.core.game import Game
from plyground.core.values import DECIDED
from plyground.search.features import Features

ROUNDS = 3
PATIENCE = 300.0
"""After so many seconds the other search is stopped, and the ratio said to be more than that."""
BUDGET = 120.0
"""No further round of a depth begins after so many seconds."""


def compare_at_depths(
    module: str,
    game: Game,
    features: Features,
    *,
    depths: Sequence[int],
    value_scale: float,
    target: float,
    judged: bool,
) -> list[Row]:
    """A row for each depth. The target is for the last one; the others show how the ratio grows.

    `value_scale` turns the other search's values into ours.
    """
    engine = OurEngine(game, features=features)
    rows = []
    for depth in depths:
        contestants = [
            partial(our_search, engine, depth),
            partial(search_elsewhere, module, depth, PATIENCE),
        ]
        ours, theirs = in_turns(ROUNDS if judged else 1, contestants, BUDGET)
        rows.append(
            compare_timed(
                f"time to search {depth} plies",
                min(ours, key=lambda found: found.seconds),
                min(theirs, key=lambda found: found.seconds),
                value_scale,
                target,
                judged=judged and depth == depths[-1],
            )
        )
    return rows


def our_search(engine: OurEngine, depth: int) -> Timed:
    result = engine.search(depth)
    return Timed(result.value, result.seconds)


def compare_timed(
    what: str, ours: Timed, theirs: Timed, value_scale: float, target: float, *, judged: bool
) -> Row:
    """Two searches of the same position; only if they agree on its value is their time compared."""
    if theirs.finished and not _agree(ours.value, theirs.value * value_scale):
        return Row(
            what,
            f"value {ours.value:.0f}",
            f"value {theirs.value * value_scale:.0f}",
            "values differ",
            "the same value",
            False,
        )
    return ratio_row(
        what,
        ours=seconds_text(ours.seconds),
        other=seconds_text(theirs.seconds) + ("" if theirs.finished else ", unfinished"),
        ratio=theirs.seconds / ours.seconds,
        target=target,
        judged=judged,
        at_least=not theirs.finished,
        numbers={"our_seconds": ours.seconds, "their_seconds": theirs.seconds},
    )


def _agree(ours: float, theirs: float) -> bool:
    """The same evaluation, or the same winner: how near a win is, each program writes its way."""
    if abs(ours) >= DECIDED:
        return ours * theirs > 0
    return round(theirs) == round(ours)
