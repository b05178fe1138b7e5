"""The job "review": every position of a game searched for a moment, and its mistakes marked.

What a move has cost is the value before it less the value after it, for the player who made it. How
much that is, depends on the game:

* Where games are won or lost, a value becomes an expectation, from 0 for a certain loss over a half
  for a draw to 1 for a certain win. An evaluation is somewhere between, on a curve on which 100
  units, about a pawn, make two chances in three. (Some games evaluate in larger units: where values
  change by more than half of that from ply to ply as a rule, twice their usual change takes its
  place.) To lose 0.15 is a mistake, to lose 0.3 a blunder. So it is a blunder to turn a win into a
  draw or a draw into a loss, and no mistake at all to lose a pawn in a position that is lost, or to
  take the longer way to a win.
* Where points count, to lose a point is a mistake. To lose three is a blunder, and so is, once it
  is proven, to turn a game that was won into one that is not or a draw into a loss.

The move that the search itself finds best is never a mistake: if the value is worse after it, the
search had not looked far enough. Before a move is marked, the position before it is searched again
for longer, with a table that holds by then what the move led to.
"""

from __future__ import annotations

import itertools
import math
import statistics
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from plyground.core.values import DECIDED, sign, terminal_value
from plyground.search.result import Limits, value_text
from plyground.search.searcher import Algorithm
from plyground.web.workers.job_run import Interrupted, JobRun, Message
from plyground.web.workers.jobs.search import default_evaluation

if TYPE_CHECKING:
    from plyground.core.game import Position

AGAIN = 3
"""How many times as long a position is searched again before a move in it is marked."""
FEWEST_NODES = 20_000
"""What a search looks at in any case, even if a busy machine leaves it little of its time: some ten
milliseconds of search. A review may take longer, but its marks must be right."""

UNIT = 100
"""What makes two chances in three, unless values change by more than half of it as a rule."""
MISTAKE, BLUNDER = 0.15, 0.3
"""Of an expectation between 0 and 1."""
MISTAKE_POINTS, BLUNDER_POINTS = 1, 3


@dataclass(frozen=True)
class Assessment:
    """What a search found in one position of the game."""

    value: int
    proven: bool
    best: str | None


def review(run: JobRun) -> Message:
    """Search all positions, first to last, then mark the mistakes."""
    positions = run.cache.positions(run.job)
    moves = [
        position.move_text(position.parse_move(text))
        for position, text in zip(positions, run.job["place"].get("moves") or [], strict=False)
    ]
    reviewer = _Reviewer(run)
    found = reviewer.found
    for ply in range(len(found), len(positions)):
        found.append(reviewer.assess(positions[ply], ply))
    marks = []
    unit = unit_of(found)
    for ply in range(1, len(positions)):
        position, played = positions[ply - 1], moves[ply - 1]
        if kind_of_mistake(position, played, found[ply - 1], found[ply], unit) is None:
            continue
        found[ply - 1] = reviewer.assess(position, ply - 1, again=True)
        kind = kind_of_mistake(position, played, found[ply - 1], found[ply], unit)
        if kind is not None:
            marks.append(_mark(kind, ply, position, played, found[ply - 1], found[ply]))
    return {"marks": marks}


class _Reviewer:
    """Searches positions and reports each; can be interrupted between two of them."""

    def __init__(self, run: JobRun) -> None:
        self._run = run
        self._seconds: float = run.job["seconds"]
        self.found = [Assessment(**each) for each in run.job.get("before") or []]
        """The assessments of the first positions; at last of all."""

    def assess(self, position: Position, ply: int, *, again: bool = False) -> Assessment:
        seconds = self._seconds * AGAIN if again else self._seconds
        if position.is_over:
            value = terminal_value(position.utility, position.game.rules.point, 0)
            found = Assessment(value, proven=True, best=None)
        else:
            found = self._search(position, seconds)
        text = position.outcome.reason if position.is_over else None
        text = text or value_text(position, found.value, proven=found.proven)
        message = {"type": "reviewed", "ply": ply, "value_text": text, **asdict(found)}
        self._run.reporter.send(message)
        return found

    def _search(self, position: Position, seconds: float) -> Assessment:
        run = self._run
        engine = run.cache.searcher(
            position.game,
            Algorithm.ENGINE,
            evaluation=default_evaluation(Algorithm.ENGINE, position),
        )
        with run.cancellation.stopping_by(engine.stop):
            for limits in (Limits(seconds=seconds), Limits(nodes=FEWEST_NODES)):
                result = engine.search(position, limits)
                if run.cancellation.is_requested:
                    raise Interrupted({**run.job, "before": list(map(asdict, self.found))})
                if result.proven or result.nodes >= FEWEST_NODES:
                    break
        return Assessment(result.value, result.proven, position.move_text(result.move))


# What is a mistake


def unit_of(found: list[Assessment]) -> float:
    """Twice the usual change of an evaluation from ply to ply, or UNIT if that is more."""
    open_values = [each.value if abs(each.value) < DECIDED else None for each in found]
    changes = [
        abs(value - before)
        for before, value in itertools.pairwise(open_values)
        if before is not None and value is not None
    ]
    return max(UNIT, 2 * statistics.median(changes or [0]))


def kind_of_mistake(
    position: Position, played: str, before: Assessment, after: Assessment, unit: float = UNIT
) -> str | None:
    """What a move was that was played in a position: a "blunder", a "mistake" or neither."""
    if played == before.best:
        return None
    sign = 1 if position.turn == 0 else -1
    point = position.game.rules.point
    if point:
        return _mistake_in_points(sign * before.value, sign * after.value, point, before, after)
    lost = expectation(sign * before.value, unit) - expectation(sign * after.value, unit)
    return "blunder" if lost >= BLUNDER else "mistake" if lost >= MISTAKE else None


def expectation(value: int, unit: float = UNIT) -> float:
    """What a value promises in a game that is won or lost: 1 a win, a half a draw, 0 a loss; a
    unit ahead two thirds."""
    if abs(value) >= DECIDED:
        return 1.0 if value > 0 else 0.0
    return 1 / (1 + math.exp2(-max(-50.0, min(50.0, value / unit))))


def _mistake_in_points(
    value: int, value_after: int, point: int, before: Assessment, after: Assessment
) -> str | None:
    lost = (value - value_after) / point
    spoilt = before.proven and after.proven and sign(value_after) < sign(value)
    if lost >= BLUNDER_POINTS or spoilt:
        return "blunder"
    return "mistake" if lost >= MISTAKE_POINTS else None


def _mark(
    kind: str, ply: int, position: Position, played: str, before: Assessment, after: Assessment
) -> Message:
    """A mark of the move that led to `ply`, with what would have been better."""
    better = before.best or ""
    # After the move a win is a ply nearer than it looks from before it: say both from before.
    shift = 0 if abs(after.value) < DECIDED else 1 if after.value < 0 else -1
    was = value_text(position, before.value, proven=before.proven)
    now = value_text(position, after.value + shift, proven=after.proven)
    words = f"{played} is a {kind}: {now}. With {better}: {was}."
    return {"ply": ply, "kind": kind, "better": better, "words": words}
