"""Retrograde analysis: every state that can be reached, worked back from the ends of the game.

For games whose positions can come back, where looking ahead never ends: what neither side can force
is a draw. The graph is found (`graph.py`), then worked through from the finished games back
(`backward.py`), and that already while it grows, since a win needs only as much of it as the proof
does (`analysis.py`). All distances are exact: the winner hurries, the loser delays. A solver keeps
its graph: once it is whole, every position in it is answered at once.

Memory is taken as it is needed, never more than the limit. With a checkpoint it is a file, and what
a killed run has found is taken up again; the way back, by far the shorter part, starts anew.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from plyground.core.errors import LimitError
from plyground.core.game import Game
from plyground.core.position import Position, same_board
from plyground.search.binding.compile import Bound, bind
from plyground.search.engine.engine import MAX_THREADS
from plyground.search.memory_limit import check_memory
from plyground.search.solving.deadline import Stopwatch, time_limit
from plyground.search.solving.retrograde.analysis import SLICE, Analysis, Watch, spans
from plyground.search.solving.retrograde.propagation import check_values
from plyground.search.solving.solution import (
    Listener,
    PartialSolution,
    Solution,
    Unsolved,
    Worth,
    best_moves,
    bounds_by_moves,
    key_of,
)

COUNTED = "states"


class Retrograde:
    """Solves games of wins, above all those whose positions can come back."""

    method = "retrograde analysis"

    def __init__(
        self,
        game: Game,
        *,
        memory: int,
        threads: int = 1,
        checkpoint: Path | None = None,
        progress: Listener | None = None,
    ) -> None:
        """`memory` is in MiB. More than one thread helps to verify; a graph is found by one."""
        check_memory(memory, "the solver")
        if not 1 <= threads <= MAX_THREADS:
            raise LimitError(f"{threads} threads: a solver takes from 1 to {MAX_THREADS}")
        if game.rules.point:
            raise Unsolved(
                f"retrograde analysis finds out who wins, and {game.name} is a game of points"
            )
        self.game = game
        self._limit = memory
        self._threads = threads
        self._checkpoint = checkpoint
        self._watch = Watch(progress)
        self._bound: Bound = bind(game)
        self._analysis: Analysis | None = None

    def stop(self) -> None:
        self._watch.stopped = True

    def solve(
        self, position: Position, *, every_move: bool = True, seconds: float | None = None
    ) -> Solution:
        """The worth of a position and of its moves: of the optimal ones at least, and of every one
        if that is wanted and there is memory enough.

        Plies are counted from the position, for its moves as well: the best has the same worth.
        """
        self._watch.stopped = False
        stopwatch = Stopwatch(self._bound)
        try:
            with time_limit(seconds, stopwatch, self.stop):
                analysis = self._analyse(position, every_move=every_move)
        except Unsolved as unsolved:
            unsolved.stopped = self._watch.stopped
            unsolved.partial = self._partial(position, stopwatch.seconds)
            raise
        worth = analysis.worth(position)
        assert worth is not None
        moves = _moves(analysis, position, 0)
        optimal = best_moves(position.turn, moves) if moves else ()
        return Solution(
            position=position,
            method=self.method,
            worth=worth,
            moves=moves if every_move else {move: moves[move] for move in optimal},
            optimal=optimal,
            line=_line(analysis, position),
            nodes=analysis.states,
            counted=COUNTED,
            seconds=stopwatch.seconds,
        )

    def verify(self, position: Position) -> int:
        self._watch.stopped = False
        analysis = self._analyse(position, every_move=False)
        states = analysis.expanded
        parts = list(spans(states, SLICE))
        self._bound.prepare(check_values, *_check_arguments(analysis, 0, 0))

        def check(part: tuple[int, int]) -> int:
            if self._watch.stopped:
                return -1
            return int(self._bound.run(check_values, *_check_arguments(analysis, *part)))

        with ThreadPoolExecutor(self._threads) as pool:
            for (_, last), fault in zip(parts, pool.map(check, parts), strict=True):
                analysis.heed_stop()
                if fault >= 0:
                    self.stop()
                    raise Unsolved(
                        "a value does not follow from those of its children:"
                        f" {analysis.position(fault).text}"
                    )
                analysis.tell(f"{last:,} of {states:,} states checked", last / states)
        return states

    def _analyse(self, position: Position, *, every_move: bool) -> Analysis:
        """An analysis that answers for this position."""
        if position.game is not self.game:
            raise LimitError(f"this solver is for {self.game.name}, not {position.game.name}")
        known = self._analysis
        if known is not None and known.is_whole and _has(known, position):
            return known
        if known is None or known.root != position:
            # What was there goes before the new memory comes: the limit is for both.
            known = self._analysis = None
            known = Analysis(self._bound, position, self._limit, self._checkpoint, self._watch)
            self._analysis = known
        if not known.answers(every_move=every_move):
            known.run(every_move=every_move)
        return known

    def _partial(self, position: Position, seconds: float) -> PartialSolution:
        """What is proven so far."""
        analysis = self._analysis
        assert analysis is not None
        moves = dict(analysis.proven_of_moves)
        return PartialSolution(
            position=position,
            method=self.method,
            bounds=analysis.proven.narrowed(bounds_by_moves(position.turn, moves.values())),
            moves=moves,
            nodes=analysis.states,
            counted=COUNTED,
            seconds=seconds,
        )


def _has(analysis: Analysis, position: Position) -> bool:
    return same_board(position.board, analysis.root.board) and analysis.number(position) >= 0


def _check_arguments(analysis: Analysis, first: int, last: int) -> tuple[Any, ...]:
    return analysis.board, analysis.graph, analysis.new_scratch(), first, last


def _moves(analysis: Analysis, position: Position, later: int) -> dict[int, Worth]:
    """What is known of the moves of a position that is reached so many plies after the root."""
    found = {move: analysis.worth(child, later + 1) for move, child in position.children()}
    return {move: worth for move, worth in found.items() if worth is not None}


def _line(analysis: Analysis, position: Position) -> tuple[int, ...]:
    """Perfect play to the end, or until a position comes back."""
    line: list[int] = []
    seen = set()
    while not position.is_over:
        words = key_of(position.game.rules.identity(position.board, position.state))
        if words in seen:
            break
        seen.add(words)
        line.append(best_moves(position.turn, _moves(analysis, position, len(line)))[0])
        position = position.after(line[-1])
    return tuple(line)
