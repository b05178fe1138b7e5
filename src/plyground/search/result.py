"""Limits and results of a search, the same for all algorithms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from plyground.core.errors import GameOver, LimitError
from plyground.core.game import Position
from plyground.core.notebook_html import beside, table
from plyground.core.values import LONGEST, bounded, plies_to_end

MOST_NODES = 10**18
"""Fits 64 bits; no machine will ever visit as many."""
LONGEST_TIME = 10**9
"""Seconds, some thirty years: in nanoseconds it fits 64 bits."""
MAX_THREADS = 256
"""Of one search."""


SHOWN_LINE = 12
"""Moves of a line that a notebook shows."""


@dataclass(frozen=True)
class Limits:
    """When to stop: at a depth, after so many nodes, or when the time is up. At least one."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.depth is None and self.nodes is None and self.seconds is None:
            raise LimitError("give a limit: a depth, a number of nodes or a time")
        if self.depth is not None and not 1 <= self.depth <= LONGEST:
            raise LimitError(f"depth {self.depth}: a depth is a whole number from 1 to {LONGEST}")
        if self.nodes is not None and self.nodes < 1:
            raise LimitError(f"{self.nodes} nodes: a search visits at least 1")
        if self.nodes is not None and self.nodes > MOST_NODES:
            raise LimitError(f"{self.nodes} nodes: no search visits more than {MOST_NODES}")
        if self.seconds is not None:
            check_seconds(self.seconds)


def check_seconds(seconds: float) -> None:
    """Raise LimitError for a time that no search can take."""
    if not 0 < seconds <= LONGEST_TIME:
        raise LimitError(f"{seconds} seconds: a time is above 0 and at most {LONGEST_TIME} seconds")


def refuse_finished(position: Position, name: str = "") -> None:
    """Raise GameOver if there is no move to search for. One of several positions has a name."""
    if position.is_over:
        place = f"{name}: " if name else ""
        reason = position.outcome.reason
        raise GameOver(f"{place}the game is over ({reason}): nothing to search")


FORCED_MOVE_NODES = 1000
"""Enough for a value, and less than a millisecond of the engine's time."""


def limits_for_move(position: Position, limits: Limits) -> Limits:
    """The limits of a search for a move that will be played. The only legal move is played at once;
    an analysis may want to know more about it."""
    if limits.seconds is None or len(position.legal_moves) > 1:
        return limits
    return replace(limits, nodes=min(limits.nodes or MOST_NODES, FORCED_MOVE_NODES))


@dataclass(frozen=True)
class Line:
    """One way to go on: its value for the first player, and the moves."""

    value: int
    bound: str
    moves: tuple[int, ...]


@dataclass(frozen=True)
class SearchResult:
    """The result of a search.

    `value` is the first player's, on the scale of `core/values.py`. `bound` says what it is worth:
    "exact" for what the search found at its last finished depth; "lower" or "upper" if it found a
    better move at the next depth and was stopped before it had searched all moves there, and for a
    win that Monte Carlo search has proven and that may be nearer. `proven` means that no deeper
    search can change it: it rests on finished games alone.
    """

    position: Position
    move: int
    value: int
    bound: str
    proven: bool
    depth: int
    selective_depth: int
    nodes: int
    seconds: float
    line: tuple[int, ...]
    optimal: tuple[int, ...] = ()
    """Every move as good as the best one, when all optimal moves were asked for."""
    lines: tuple[Line, ...] = field(default=(), repr=False)
    """The best lines in order, when more than one was asked for."""
    evaluation: str | None = "own"
    """How positions beyond the horizon were valued: `own`, `none`, `learned`, or the file of a net
    (`search/net/evaluation.py`). None if there is no horizon, as in a search of whole games."""

    @classmethod
    def unsearched(cls, position: Position, move: int) -> SearchResult:
        """A legal move and the plain evaluation, without any search."""
        return cls(
            position=position,
            move=move,
            value=bounded(position.evaluation),
            bound="exact",
            proven=False,
            depth=0,
            selective_depth=0,
            nodes=0,
            seconds=0.0,
            line=(move,),
        )

    @property
    def value_text(self) -> str:
        return value_text(self.position, self.value, proven=self.proven)

    @property
    def line_text(self) -> tuple[str, ...]:
        return self.position.line_text(self.line)

    def _repr_html_(self) -> str:
        """In a notebook: the position, and what was found."""
        more = " ..." if len(self.line) > SHOWN_LINE else ""
        facts = {
            "best move": self.position.move_text(self.move),
            "value": self.value_text,
            "line": " ".join(self.line_text[:SHOWN_LINE]) + more,
            "depth": str(self.depth),
            "nodes": f"{self.nodes:,}",
            "time": f"{self.seconds:.3f} s",
        }
        return beside(self.position.svg(), table(facts))

    def as_json(self) -> dict[str, Any]:
        """One JSON document: moves as people write them, the value both as number and in words."""
        position = self.position
        document: dict[str, Any] = {
            "game": position.game.name,
            "position": position.text,
            "move": position.move_text(self.move),
            "value": self.value,
            "value_text": self.value_text,
            "bound": self.bound,
            "proven": self.proven,
            "plies_to_end": plies_to_end(self.value),
            "depth": self.depth,
            "selective_depth": self.selective_depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "line": list(self.line_text),
            "optimal": [position.move_text(move) for move in self.optimal],
            "evaluation": self.evaluation,
        }
        if self.lines:
            document["lines"] = [
                {
                    "value": line.value,
                    "value_text": value_text(position, line.value),
                    "bound": line.bound,
                    "line": list(position.line_text(line.moves)),
                }
                for line in self.lines
            ]
        return document


Progress = Callable[[SearchResult], None]
"""Called with the result so far after each finished depth."""


def value_text(position: Position, value: int, *, proven: bool = False) -> str:
    """A value in words: who wins and when, or who is ahead and by how much.

    The player named is the one whom the value favours, so that the number beside a name is never
    negative. It counts points in a game of points, and units of the game's own evaluation in
    others.
    """
    leader = position.game.players[0 if value > 0 else 1]
    plies = plies_to_end(value)
    if plies is not None:
        return f"{leader} wins in {plies_text(plies)}" if plies else f"{leader} has won"
    lead = f"{abs(value) / (position.game.rules.point or 1):.2f}".rstrip("0").rstrip(".")
    if lead == "0":
        return "a draw" if proven else "even"
    return f"{leader} wins by {points_text(lead)}" if proven else f"{leader} +{lead}"


def plies_text(plies: int) -> str:
    return f"{plies} {'ply' if plies == 1 else 'plies'}"


def points_text(points: int | str) -> str:
    return f"{points} {'point' if str(points) == '1' else 'points'}"
